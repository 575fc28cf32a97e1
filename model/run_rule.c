/*
 * Which steps make which run: candidates by file, folder or name; then candidates that are
 * contained in another (the same steps with the same times) are joined with it.
 */
#include "model/run_rule.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/text.h"

struct candidate {
	const char *key;  /* candidates of one key are one run; NULL: alone */
	const char *name; /* as it will be shown */
	struct vec piece;
	struct vec source; /* const char *: paths */
	bool joined;	   /* contained in another: no run of its own */
	const char *note;
};

struct rule {
	struct profile *const *profile;
	size_t profile_count;
	const struct merge_options *opt;
	struct arena *arena;
	struct issue_list *issues;
	struct vec candidate; /* struct candidate * */
};

static struct candidate *candidate_at(const struct rule *rule, size_t i)
{
	return *(struct candidate **)vec_at(&rule->candidate, i);
}

static void candidate_release(void *object)
{
	struct candidate *c = object;

	vec_release(&c->piece);
	vec_release(&c->source);
}

static struct candidate *candidate_for(struct rule *rule, const char *key, const char *name)
{
	struct candidate *c;

	for (size_t i = 0; key && i < rule->candidate.count; i++) {
		c = candidate_at(rule, i);
		if (c->key && text_equal(c->key, key))
			return c;
	}
	c = arena_alloc(rule->arena, sizeof(*c));
	c->key = key;
	c->name = name;
	vec_init(&c->piece, sizeof(struct piece), SIZE_MAX, "steps");
	vec_init(&c->source, sizeof(const char *), SIZE_MAX, "files");
	arena_defer(rule->arena, candidate_release, c);
	*(struct candidate **)vec_push(&rule->candidate, NULL) = c;
	return c;
}

static int add_piece(struct rule *rule, struct candidate *c, uint32_t profile, uint32_t step)
{
	const struct step *s = &rule->profile[profile]->step[step];
	struct piece *piece = vec_push(&c->piece, NULL);
	const char *path = rule->profile[profile]->path;
	const char **last = c->source.count ? vec_at(&c->source, c->source.count - 1) : NULL;

	*piece = (struct piece){profile, step, s->number, s->fingerprint};
	if (!last || !text_equal(*last, path))
		*(const char **)vec_push(&c->source, NULL) = path;
	return 0;
}

/* "steps/profile_*" for steps/profile_3 and steps/profile_12. */
static const char *common_name(struct arena *arena, const struct vec *source)
{
	const char *first = *(const char **)vec_at(source, 0);
	size_t n = strlen(first);

	if (source->count == 1)
		return first;
	for (size_t i = 1; i < source->count; i++) {
		const char *other = *(const char **)vec_at(source, i);
		size_t k = 0;

		while (k < n && other[k] == first[k])
			k++;
		n = k;
	}
	while (n > 0 && first[n - 1] >= '0' && first[n - 1] <= '9')
		n--;
	return n ? arena_printf(arena, "%.*s*", (int)n, first) : "run";
}

/* By content: files of one step in one folder are the steps of one run, a file of several steps is
 * a run. */
static int split_auto(struct rule *rule, uint32_t p)
{
	const struct profile *profile = rule->profile[p];
	bool single = profile->step_count == 1 && !profile->step[0].run;
	const char *folder = profile->group ? profile->group : "";
	struct candidate *c;

	if (single) {
		c = candidate_for(
			rule, arena_printf(rule->arena, "steps of %s", folder), profile->group);
		return add_piece(rule, c, p, 0);
	}
	for (uint32_t s = 0; s < profile->step_count; s++) {
		const char *run = profile->step[s].run;

		c = candidate_for(rule, arena_printf(rule->arena, "%u %s", p, run ? run : ""),
			run ? run : profile->path);
		add_piece(rule, c, p, s);
	}
	return 0;
}

static int split_named(struct rule *rule, uint32_t p, struct error *err)
{
	const struct profile *profile = rule->profile[p];
	const char *name = profile->path;

	if (rule->opt->mode == RUNS_FOLDERS) {
		name = profile->group ? profile->group : "files";
	} else if (rule->opt->mode == RUNS_NAMED) {
		name = rule->opt->name_run(rule->opt->context, profile->path, rule->arena, err);
		if (!name)
			return -1;
	}
	for (uint32_t s = 0; s < profile->step_count; s++)
		add_piece(rule, candidate_for(rule, name, name), p, s);
	return 0;
}

static int compare_pieces(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	if (x->profile != y->profile)
		return x->profile < y->profile ? -1 : 1;
	return (x->step > y->step) - (x->step < y->step);
}

static int same_number_error(
	const struct rule *rule, const struct piece *a, const struct piece *b, struct error *err)
{
	const char *x = rule->profile[a->profile]->path, *y = rule->profile[b->profile]->path;

	error_set(err, ERROR_INPUT, x, "step %lld is also in %s, with other times",
		(long long)a->number, y);
	return error_hint(err,
		"if these files are several runs, say so: --runs=files (each file is a run), "
		"--runs=folders, or --runs=REGEX (what it captures names the run)");
}

/* Sorts the pieces and drops repeats of the same step; the same number with other times is an
 * error. */
static int candidate_settle(struct rule *rule, struct candidate *c, struct error *err)
{
	struct piece *piece = c->piece.data;
	size_t kept = 0, repeats = 0;

	qsort(piece, c->piece.count, sizeof(*piece), compare_pieces);
	for (size_t i = 0; i < c->piece.count; i++) {
		if (kept && piece[kept - 1].number == piece[i].number) {
			if (piece[kept - 1].fingerprint != piece[i].fingerprint)
				return same_number_error(rule, &piece[kept - 1], &piece[i], err);
			repeats++;
			continue;
		}
		piece[kept++] = piece[i];
	}
	c->piece.count = kept;
	if (repeats)
		issue_add(rule->issues, ISSUE_INFO, "same-step",
			"steps were found in two files with the same times and count once", repeats,
			rule->profile[piece[0].profile]->path);
	return 0;
}

/* How the steps of two candidates, each in order of number, relate. */
static void overlap(
	const struct candidate *a, const struct candidate *b, size_t *same, size_t *other)
{
	const struct piece *x = a->piece.data, *y = b->piece.data;
	size_t i = 0, j = 0;

	*same = *other = 0;
	while (i < a->piece.count && j < b->piece.count) {
		if (x[i].number == y[j].number) {
			*(x[i].fingerprint == y[j].fingerprint ? same : other) += 1;
			i++, j++;
		} else if (x[i].number < y[j].number) {
			i++;
		} else {
			j++;
		}
	}
}

static int candidate_join(struct rule *rule, struct candidate *into, struct candidate *from,
	size_t same, struct error *err)
{
	size_t added = from->piece.count - same;

	from->joined = true;
	into->note = arena_printf(rule->arena, "%s%s%s (%zu steps)", into->note ? into->note : "",
		into->note ? ", " : "", from->name, from->piece.count);
	issue_add(rule->issues, ISSUE_INFO, "same-run",
		arena_printf(rule->arena, "%s holds the same steps as %s: the same run", from->name,
			into->name),
		1, from->name);
	if (!added)
		return 0;
	for (size_t i = 0; i < from->piece.count; i++)
		*(struct piece *)vec_push(&into->piece, NULL) =
			((struct piece *)from->piece.data)[i];
	return candidate_settle(rule, into, err);
}

static int compare_size(const void *a, const void *b)
{
	const struct candidate *x = *(struct candidate *const *)a,
			       *y = *(struct candidate *const *)b;

	if (x->piece.count != y->piece.count)
		return x->piece.count > y->piece.count ? -1 : 1;
	return text_compare_natural(x->name, y->name);
}

/* The largest first: what shares a step with one already taken, and contradicts none, is the same
 * run. */
static int join_contained(struct rule *rule, struct error *err)
{
	qsort(rule->candidate.data, rule->candidate.count, sizeof(void *), compare_size);
	for (size_t i = 1; i < rule->candidate.count; i++) {
		struct candidate *c = candidate_at(rule, i);

		for (size_t j = 0; j < i; j++) {
			struct candidate *big = candidate_at(rule, j);
			size_t same, other;

			if (big->joined)
				continue;
			overlap(big, c, &same, &other);
			if (same && !other) {
				if (candidate_join(rule, big, c, same, err) < 0)
					return -1;
				break;
			}
		}
	}
	return 0;
}

static int compare_plans(const void *a, const void *b)
{
	const struct run_plan *x = a, *y = b;

	return text_compare_natural(x->name, y->name);
}

static const char *describe_sources(struct rule *rule, const struct candidate *c)
{
	size_t n = c->source.count;
	const char *first = *(const char **)vec_at(&c->source, 0);
	const char *last = *(const char **)vec_at(&c->source, n - 1);
	const char *text =
		n == 1	 ? first
		: n == 2 ? arena_printf(rule->arena, "%s %s", first, last)
			 : arena_printf(rule->arena, "%s ... %s (%zu files)", first, last, n);

	return c->note ? arena_printf(rule->arena, "%s; the same run: %s", text, c->note) : text;
}

/* Base names where they differ, else the paths. */
static void shorten_names(struct run_plan *plan, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < count; j++)
			if (i != j && text_equal(text_base_name(plan[i].name),
					      text_base_name(plan[j].name)))
				return;
	for (size_t i = 0; i < count; i++)
		if (*text_base_name(plan[i].name))
			plan[i].name = text_base_name(plan[i].name);
}

static void make_names_distinct(struct rule *rule, struct run_plan *plan, size_t count)
{
	if (rule->opt->mode != RUNS_NAMED) /* names that the user captured stay as they are */
		shorten_names(plan, count);
	for (size_t i = 0; i < count; i++) {
		size_t twins = 0;

		for (size_t j = 0; j < i; j++)
			twins += text_equal(plan[i].name, plan[j].name);
		if (twins)
			plan[i].name = arena_printf(rule->arena, "%s#%zu", plan[i].name, twins + 1);
	}
	qsort(plan, count, sizeof(*plan), compare_plans);
}

static void make_plans(struct rule *rule, struct run_plan **plans, size_t *plan_count)
{
	struct run_plan *plan = arena_array(rule->arena, rule->candidate.count, sizeof(*plan));
	size_t n = 0;

	for (size_t i = 0; i < rule->candidate.count; i++) {
		struct candidate *c = candidate_at(rule, i);

		if (c->joined || !c->piece.count)
			continue;
		plan[n++] = (struct run_plan){
			.name = c->name,
			.sources = describe_sources(rule, c),
			.piece = c->piece.data,
			.count = c->piece.count,
		};
	}
	qsort(plan, n, sizeof(*plan), compare_plans);
	make_names_distinct(rule, plan, n);
	*plans = plan;
	*plan_count = n;
}

static void release_vec(void *object)
{
	vec_release(object);
}

/* Steps whose source gives no number are numbered from 0 in their folder, in order of the
 * arguments. */
static void number_steps(struct profile *const *profiles, size_t count)
{
	for (size_t p = 0; p < count; p++) {
		const char *folder = profiles[p]->group ? profiles[p]->group : "";
		int64_t rank = 0;

		if (profiles[p]->step_count != 1 || !profiles[p]->step[0].unnumbered)
			continue;
		for (size_t q = 0; q < count; q++) {
			const struct profile *other = profiles[q];

			if (q == p || other->step_count != 1 || !other->step[0].unnumbered ||
				!text_equal(other->group ? other->group : "", folder))
				continue;
			rank += other->argument < profiles[p]->argument ||
				(other->argument == profiles[p]->argument && q < p);
		}
		profiles[p]->step[0].number = rank;
	}
}

int run_rule_apply(struct profile *const *profiles, size_t count, const struct merge_options *opt,
	struct arena *arena, struct issue_list *issues, struct run_plan **plans, size_t *plan_count,
	struct error *err)
{
	struct rule *rule = arena_alloc(arena, sizeof(*rule));

	rule->profile = profiles;
	rule->profile_count = count;
	rule->opt = opt;
	rule->arena = arena;
	rule->issues = issues;
	vec_init(&rule->candidate, sizeof(struct candidate *), SIZE_MAX, "runs");
	arena_defer(arena, release_vec, &rule->candidate);
	number_steps(profiles, count);
	for (uint32_t p = 0; p < count; p++)
		if (opt->mode == RUNS_AUTO ? split_auto(rule, p) < 0
					   : split_named(rule, p, err) < 0)
			return -1;
	for (size_t i = 0; i < rule->candidate.count; i++) {
		struct candidate *c = candidate_at(rule, i);

		if (!c->name)
			c->name = common_name(arena, &c->source);
		if (candidate_settle(rule, c, err) < 0)
			return -1;
	}
	if (opt->mode == RUNS_AUTO && join_contained(rule, err) < 0)
		return -1;
	make_plans(rule, plans, plan_count);
	return 0;
}
