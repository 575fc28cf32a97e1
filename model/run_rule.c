/* Rule for which steps make which run: candidates by file, folder or name; then candidates that are
 * contained in another (the same steps with the same times, and no start, session or commit that
 * differs) are joined with it. */
#include "model/run_rule.h"

#include <stdlib.h>
#include <string.h>
#include "base/day.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/text.h"
#include "model/facts/windows.h"
#include "model/rank_names.h"
#include "model/rank_rule.h"
#include "model/ranks.h"

#define SAME_RUNS_NAMED 4 /* of what was found to be the same run */

/* Facts that tell runs of equal values apart; NULL and 0: not known. */
struct run_origin {
	bool is_known; /* it was looked up */
	const char *session, *commit;
	int64_t start_ns, first; /* of the first step, and that step's number */
};

struct candidate {
	const char *name;	       /* as it will be shown */
	const char *rank, *rank_group; /* NULL: not known */
	const char *job;	       /* candidates of one job are the ranks of one run */
	const char *folder; /* of its files; "" when they were named on the command line alone */
	const char *file;   /* where its source named it: the file, and how many runs that has */
	size_t file_runs;
	struct vec piece;
	struct vec source;		 /* const char *: paths */
	bool joined;			 /* contained in another: no run of its own */
	bool unsorted;			 /* pieces of others were added */
	const char *note;		 /* what was joined with it, the first of them */
	size_t same_runs;		 /* their number */
	const struct profile *recording; /* the one whose steps are all of these, and no others */
	const char *why;		 /* it is a run; NULL: nothing is known of its process */
	struct run_origin origin;
};

struct run_rule {
	struct profile *const *profile;
	size_t profile_count;
	const struct merge_options *opt;
	struct arena *arena;
	struct issue_list *issues;
	struct rank_names rank;
	struct vec candidate; /* struct candidate * */
	struct intern *keys;  /* candidates of one key are one run; the id is the index */
};

static struct candidate *candidate_at(const struct run_rule *rule, size_t i)
{
	return *(struct candidate **)vec_at(&rule->candidate, i);
}

static void candidate_release(void *object)
{
	struct candidate *c = object;

	vec_release(&c->piece);
	vec_release(&c->source);
}

/* Key by which candidates are told apart; texts may be NULL. */
struct candidate_key {
	const char *job; /* the runs that the source, or the user, names */
	const char *rank, *rank_group;
	uint32_t profile; /* its first */
};

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static struct candidate *candidate_for(
	struct run_rule *rule, const struct candidate_key *of, const char *name)
{
	const char *key = arena_printf(
		rule->arena, "%s\n%s%s", of->job, of->rank ? "rank " : "", or_empty(of->rank));
	struct candidate *c;
	uint32_t index;

	if (intern_find(rule->keys, key, strlen(key), &index))
		return candidate_at(rule, index);
	intern_id(rule->keys, key, strlen(key));
	c = arena_alloc(rule->arena, sizeof(*c));
	c->name = name;
	c->rank = of->rank;
	c->rank_group = of->rank_group;
	c->job = of->job;
	c->folder = rule->rank.folder[of->profile];
	vec_init(&c->piece, sizeof(struct run_piece), SIZE_MAX, "steps");
	vec_init(&c->source, sizeof(const char *), SIZE_MAX, "files");
	arena_defer(rule->arena, candidate_release, c);
	*(struct candidate **)vec_push(&rule->candidate, NULL) = c;
	return c;
}

static int add_piece(struct run_rule *rule, struct candidate *c, uint32_t profile, uint32_t step)
{
	const struct step *s = &rule->profile[profile]->step[step];
	struct run_piece *piece = vec_push(&c->piece, NULL);
	const char *path = rule->profile[profile]->path;
	const char **last = c->source.count ? vec_at(&c->source, c->source.count - 1) : NULL;

	*piece = (struct run_piece){.profile = profile,
		.step = step,
		.number = s->number,
		.kind = s->kind,
		.rank = NO_RANK,
		.fingerprint = s->fingerprint};
	if (!last || !text_equal(*last, path))
		*(const char **)vec_push(&c->source, NULL) = path;
	return 0;
}

/* "steps/profile_*" for steps/profile_3 and steps/profile_12, "steps" for steps/a and steps/b. */
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
	while (n > 0 && text_is_digit(first[n - 1]))
		n--;
	if (n > 1 && first[n - 1] == '/')
		return arena_strndup(arena, first, n - 1);
	return n ? arena_printf(arena, "%.*s*", (int)n, first) : "run";
}

static bool same_run(const char *a, const char *b)
{
	return a == b || (a && b && text_equal(a, b));
}

/* The rank of a step: its own, or that of its profile. */
static const char *rank_of(const struct run_rule *rule, uint32_t p, uint32_t s)
{
	const char *own = rule->profile[p]->step[s].rank;

	return rule->opt->ranks != RANKS_NAMED && own ? own : rule->rank.name[p];
}

/* The run that a step names. Repetitions of one process stand for runs where there is nothing else;
 * of several processes they are steps. NULL: none. */
static const char *own_run(const struct run_rule *rule, uint32_t p, uint32_t s)
{
	const struct profile *profile = rule->profile[p];

	return profile->repeats && rule->profile_count > 1 ? NULL : profile->step[s].run;
}

/* The runs and ranks that a file of several steps has, as its own names say. */
static void split_runs(struct run_rule *rule, uint32_t p)
{
	const struct profile *profile = rule->profile[p];
	size_t before = rule->candidate.count;
	struct candidate *c = NULL;

	for (uint32_t s = 0; s < profile->step_count; s++) {
		const char *run = own_run(rule, p, s), *rank = rank_of(rule, p, s);

		if (!c || !same_run(run, own_run(rule, p, s - 1)) || !same_run(rank, c->rank)) {
			const struct candidate_key key = {
				.job = arena_printf(rule->arena, "%u %s", p, or_empty(run)),
				.rank = rank,
				.rank_group = profile->step[s].rank_group,
				.profile = p};

			c = candidate_for(rule, &key, run ? run : profile->path);
		}
		c->file = run ? profile->path : NULL;
		add_piece(rule, c, p, s);
	}
	for (size_t i = before; i < rule->candidate.count; i++)
		candidate_at(rule, i)->file_runs = rule->candidate.count - before;
	if (rule->candidate.count == before + 1 && !profile->is_file_a_step &&
		!profile->is_average && !profile->job)
		candidate_at(rule, before)->recording = profile;
}

/* Split by content: files of one step in one folder are the steps of one run, a file of several
 * steps is a run, and so is a file of an average. */
static int split_auto(struct run_rule *rule, uint32_t p)
{
	const struct profile *profile = rule->profile[p];
	const char *run = profile->step_count == 1 ? profile->step[0].run : NULL;
	struct candidate *c;

	if (profile->step_count == 1 && profile->is_file_a_step && !profile->is_average &&
		(!run || profile->run_is_rank)) {
		const char *rank = rank_of(rule, p, 0);
		const struct candidate_key key = {
			.job = arena_printf(rule->arena, "steps of %s\n%s\n%s",
				or_empty(profile->group), or_empty(run), or_empty(rank)),
			.rank = rank,
			.rank_group = profile->step[0].rank_group,
			.profile = p};

		c = candidate_for(rule, &key, run ? run : rank ? NULL : profile->group);
		c->file = run ? profile->path : NULL;
		c->file_runs = 1;
		return add_piece(rule, c, p, 0);
	}
	split_runs(rule, p);
	return 0;
}

static int split_named(struct run_rule *rule, uint32_t p, struct error *err)
{
	const struct profile *profile = rule->profile[p];
	const char *name = profile->path;

	if (rule->opt->mode == RUNS_FOLDERS) {
		name = profile->group ? profile->group : "files";
	} else if (rule->opt->mode == RUNS_INPUTS) {
		name = rule->opt->input_run[profile->argument];
	} else if (rule->opt->mode == RUNS_NAMED) {
		name = rule->opt->name_run(rule->opt->context, profile->path, rule->arena, err);
		if (!name)
			return -1;
	}
	for (uint32_t s = 0; s < profile->step_count; s++) {
		const struct candidate_key key = {.job = name,
			.rank = rank_of(rule, p, s),
			.rank_group = profile->step[s].rank_group,
			.profile = p};

		add_piece(rule, candidate_for(rule, &key, name), p, s);
	}
	return 0;
}

/* Candidates that have a step: found by number and fingerprint, without comparing all with all. A
 * candidate has the steps of those that were joined with it, too. */
struct owners {
	struct intern *steps;
	struct vec last;  /* size_t: of each step, index + 1 in `entry` of the owner found last */
	struct vec entry; /* struct owner */
	/* Ids of (index, number) and (index, number, fingerprint) of candidates, whose numbers may
	 * begin again. */
	struct intern *numbers;
};

struct owner {
	size_t candidate, next; /* index + 1 of the next entry of the same step; 0: none */
};

/* Counts the steps of a candidate that a larger one has, and those that contradict it. */
static void overlap(const struct owners *owners, size_t larger, const struct candidate *c,
	size_t *same, size_t *other)
{
	const struct run_piece *piece = c->piece.data;

	*same = *other = 0;
	for (size_t i = 0; i < c->piece.count && !*other; i++) {
		const uint64_t key[3] = {larger, (uint64_t)piece[i].number, piece[i].fingerprint};
		uint32_t id;

		if (intern_find(owners->numbers, (const char *)key, sizeof(key), &id))
			++*same;
		else if (intern_find(owners->numbers, (const char *)key, 2 * sizeof(key[0]), &id))
			++*other;
	}
}

static void candidate_join(
	struct run_rule *rule, struct candidate *into, struct candidate *from, size_t same)
{
	from->joined = true;
	if (into->same_runs++ < SAME_RUNS_NAMED)
		into->note = arena_printf(rule->arena, "%s%s%s (%zu steps)",
			into->note ? into->note : "", into->note ? ", " : "", from->name,
			from->piece.count);
	issue_add(rule->issues, ISSUE_INFO, "same-run",
		arena_printf(rule->arena, "%s holds the same steps as %s: the same run", from->name,
			into->name),
		1, from->name);
	if (from->piece.count == same)
		return;
	for (size_t i = 0; i < from->piece.count; i++)
		*(struct run_piece *)vec_push(&into->piece, NULL) =
			((struct run_piece *)from->piece.data)[i];
	into->unsorted = true;
}

ORDERED(compare_size, struct candidate *,
	ORDER((*y)->piece.count, (*x)->piece.count)
		?: text_compare_natural((*x)->name, (*y)->name)
		?: ((*x)->piece.count ? run_pieces_compare((*x)->piece.data, (*y)->piece.data)
				      : 0));

static uint32_t step_id(struct owners *owners, const struct run_piece *piece)
{
	const uint64_t key[2] = {(uint64_t)piece->number, piece->fingerprint};
	uint32_t id = intern_id(owners->steps, (const char *)key, sizeof(key));

	if (id == owners->last.count)
		vec_push(&owners->last, NULL);
	return id;
}

static void own_steps(struct owners *owners, const struct candidate *c, size_t index)
{
	const struct run_piece *piece = c->piece.data;

	for (size_t i = 0; i < c->piece.count; i++) {
		const uint64_t key[3] = {index, (uint64_t)piece[i].number, piece[i].fingerprint};
		uint32_t id;

		if (intern_find(owners->numbers, (const char *)key, sizeof(key), &id))
			continue; /* it has this step already */
		intern_id(owners->numbers, (const char *)key, sizeof(key));
		intern_id(owners->numbers, (const char *)key, 2 * sizeof(key[0]));
		size_t *last = vec_at(&owners->last, step_id(owners, &piece[i]));
		struct owner *owner = vec_push(&owners->entry, NULL);

		*owner = (struct owner){index, *last};
		*last = owners->entry.count;
	}
}

ORDERED(compare_indexes, size_t, ORDER(*x, *y));

static const struct run_origin *origin_of(const struct run_rule *rule, struct candidate *c)
{
	const struct run_piece *piece = c->piece.data;
	const struct profile *profile = rule->profile[piece->profile];
	const struct facts *facts;

	if (c->origin.is_known)
		return &c->origin;
	facts = profile_facts_of_step(profile, piece->step, rule->arena);
	c->origin = (struct run_origin){
		true, facts->session, facts->commit, .first = (int64_t)piece->number};
	if (!facts->start ||
		!moment_from_text(facts->start, strlen(facts->start), &c->origin.start_ns))
		/* Steps on a time line have their starts in their fingerprints. */
		c->origin.start_ns = profile->step[piece->step].has_wall
					     ? 0
					     : run_piece_base_ns(rule->profile, piece);
	return &c->origin;
}

/* True if both were recorded apart, whatever their values. */
static bool told_apart(const struct run_rule *rule, struct candidate *a, struct candidate *b)
{
	const struct run_origin *x = origin_of(rule, a), *y = origin_of(rule, b);

	return (x->session && y->session && !text_equal(x->session, y->session)) ||
	       (x->commit && y->commit && !text_equal(x->commit, y->commit)) ||
	       (x->first == y->first && x->start_ns && y->start_ns && x->start_ns != y->start_ns);
}

/* Facts that one of them lacks are taken from the other: a third is told apart by both. */
static void join_origins(struct run_origin *into, const struct run_origin *from)
{
	into->session = into->session ? into->session : from->session;
	into->commit = into->commit ? into->commit : from->commit;
	if (!into->start_ns && into->first == from->first)
		into->start_ns = from->start_ns;
}

/* Joins the candidate with the first that it shares a step with and does not contradict; returns
 * that one's index, its own when there is none. */
static size_t join_one(
	struct run_rule *rule, const struct owners *owners, size_t own, const struct vec *sharing)
{
	struct candidate *c = candidate_at(rule, own);

	for (size_t k = 0; k < sharing->count; k++) {
		size_t j = *(size_t *)vec_at(sharing, k), same, other;

		if (told_apart(rule, candidate_at(rule, j), c))
			continue;
		overlap(owners, j, c, &same, &other);
		if (!same || other || !same_run(c->rank, candidate_at(rule, j)->rank))
			continue;
		candidate_join(rule, candidate_at(rule, j), c, same);
		join_origins(&candidate_at(rule, j)->origin, &c->origin);
		return j;
	}
	return own;
}

static struct process_window window_of(const struct run_rule *rule, const struct candidate *c)
{
	const struct run_piece *piece = c->piece.data;
	struct process_window w = {.facts = &c->recording->facts,
		.folder = recording_folder(c->recording, rule->arena),
		.rank = c->rank,
		.is_timed = true,
		.is_since_epoch = true,
		.is_numbered = true};

	for (size_t i = 0; i < c->piece.count; i++) {
		const int64_t number = piece[i].number;
		int64_t start_ns, end_ns;

		w.is_timed &= run_piece_times(rule->profile, &piece[i], &start_ns, &end_ns);
		w.is_since_epoch &= run_piece_base_ns(rule->profile, &piece[i]) != 0;
		w.is_numbered &= !rule->profile[piece[i].profile]->step[piece[i].step].unnumbered;
		if (w.is_timed && (!i || start_ns < w.start_ns))
			w.start_ns = start_ns;
		if (w.is_timed && (!i || end_ns > w.end_ns))
			w.end_ns = end_ns;
		w.first = i && w.first < number ? w.first : number;
		w.last = i && w.last > number ? w.last : number;
	}
	return w;
}

/* Recordings of one process that follow each other are one run. */
static void join_windows(struct run_rule *rule)
{
	const size_t count = rule->candidate.count;
	struct process_window *window = arena_array(rule->arena, count, sizeof(*window));
	struct candidate **of = arena_array(rule->arena, count, sizeof(*of));
	size_t *by_turn = arena_array(rule->arena, count, sizeof(*by_turn)), n = 0;
	struct window_doubts doubts;
	const char *place;

	for (size_t i = 0; i < count && !rule->opt->one_job; i++) {
		struct candidate *c = candidate_at(rule, i);

		if (c->joined || !c->recording)
			continue;
		of[n] = c;
		window[n++] = window_of(rule, c);
	}
	doubts = windows_find(window, n, rule->arena);
	place = n ? of[0]->recording->path : "";
	issue_add(rule->issues, ISSUE_INFO, "same-process",
		"recordings of a process that has the number of another one: each is a run, since "
		"numbers of processes repeat in containers; if they are pieces of one run, say so: "
		"--runs=folders",
		doubts.apart, place);
	issue_add(rule->issues, ISSUE_INFO, "same-number",
		"recordings that follow another one of a process of the same number are taken for "
		"pieces of its run, though numbers of processes repeat in containers; if each is a "
		"run, say so: --runs=files",
		doubts.joined, place);
	for (size_t i = 0; i < n; i++)
		by_turn[window[i].turn] = i;
	for (size_t k = 0; k < n; k++) {
		const struct process_window *w = &window[by_turn[k]];
		struct candidate *c = of[by_turn[k]], *into = of[w->into];

		into->why = w->why;
		if (into == c)
			continue;
		for (size_t i = 0; i < c->piece.count; i++)
			*(struct run_piece *)vec_push(&into->piece, NULL) =
				((struct run_piece *)c->piece.data)[i];
		for (size_t i = 0; i < c->source.count; i++)
			*(const char **)vec_push(&into->source, NULL) =
				((const char **)c->source.data)[i];
		c->joined = into->unsorted = true;
		into->name = common_name(rule->arena, &into->source);
	}
}

/* The largest first: a candidate that shares a step with an earlier one, and contradicts none, is
 * the same run. */
static int join_contained(struct run_rule *rule, struct error *err)
{
	struct owners owners = {
		.steps = intern_new(rule->arena), .numbers = intern_new(rule->arena)};
	struct vec sharing;

	/* A copy in a job is a rank that is there twice (model/rank_rule.c). */
	if (rule->candidate.count < 2 || rule->opt->one_job)
		return join_windows(rule), 0;
	qsort(rule->candidate.data, rule->candidate.count, sizeof(void *), compare_size);
	vec_init(&owners.last, sizeof(size_t), SIZE_MAX, "steps");
	vec_init(&owners.entry, sizeof(struct owner), SIZE_MAX, "steps");
	vec_init(&sharing, sizeof(size_t), SIZE_MAX, "runs");
	for (size_t i = 0; i < rule->candidate.count; i++) {
		struct candidate *c = candidate_at(rule, i);

		/* The candidates that share a step with this one, in order, each once. */
		const struct run_piece *piece = c->piece.data;
		size_t *index, kept = 0;

		vec_clear(&sharing);
		for (size_t j = 0; j < c->piece.count; j++) {
			size_t at = *(size_t *)vec_at(&owners.last, step_id(&owners, &piece[j]));

			while (at) {
				const struct owner *owner = vec_at(&owners.entry, at - 1);

				*(size_t *)vec_push(&sharing, NULL) = owner->candidate;
				at = owner->next;
			}
		}
		index = sharing.data;
		if (sharing.count)
			qsort(index, sharing.count, sizeof(*index), compare_indexes);
		for (size_t j = 0; j < sharing.count; j++)
			if (!kept || index[kept - 1] != index[j])
				index[kept++] = index[j];
		sharing.count = kept;
		own_steps(&owners, c, join_one(rule, &owners, i, &sharing));
	}
	vec_release(&owners.last);
	vec_release(&owners.entry);
	vec_release(&sharing);
	join_windows(rule);
	for (size_t i = 0; i < rule->candidate.count; i++) {
		struct candidate *c = candidate_at(rule, i);

		if (c->unsorted && run_pieces_sort(rule->profile, &c->piece, rule->issues, err) < 0)
			return -1;
	}
	return 0;
}

ORDERED(compare_plans, struct run_plan,
	text_compare_natural(x->name, y->name) ?: run_pieces_compare(x->piece, y->piece));

static const char *list_sources(struct run_rule *rule, const struct candidate *c)
{
	size_t n = c->source.count;
	const char *first = *(const char **)vec_at(&c->source, 0);
	const char *last = *(const char **)vec_at(&c->source, n - 1);
	const char *text =
		n == 1	 ? first
		: n == 2 ? arena_printf(rule->arena, "%s %s", first, last)
			 : arena_printf(rule->arena, "%s ... %s (%zu files)", first, last, n);

	if (!c->note)
		return text;
	if (c->same_runs <= SAME_RUNS_NAMED)
		return arena_printf(rule->arena, "%s; the same run: %s", text, c->note);
	return arena_printf(rule->arena, "%s; the same run: %s and %zu more", text, c->note,
		c->same_runs - SAME_RUNS_NAMED);
}

/* Base names where they differ, else the paths. */
static void shorten_names(struct run_rule *rule, struct run_plan *plan, size_t count)
{
	struct intern *seen = intern_new(rule->arena);
	uint32_t id;

	for (size_t i = 0; i < count; i++) {
		const char *base = text_base_name(plan[i].name);

		if (intern_find(seen, base, strlen(base), &id))
			return;
		intern_id(seen, base, strlen(base));
	}
	for (size_t i = 0; i < count; i++)
		if (*text_base_name(plan[i].name))
			plan[i].name = text_base_name(plan[i].name);
}

/* Names that files give to their runs say nothing where two files give the same one: there the file
 * says which run it is. */
static void name_by_file(struct run_rule *rule, struct run_plan *plan,
	const struct candidate *const *of, size_t count)
{
	struct intern *names = intern_new(rule->arena), *jobs = intern_new(rule->arena);
	size_t *uses = arena_array(rule->arena, count, sizeof(*uses));

	for (size_t i = 0; i < count; i++) { /* ranks of one run share its name */
		const char *job = arena_printf(rule->arena, "%s\n%s", plan[i].name, of[i]->job);
		uint32_t id;

		if (intern_find(jobs, job, strlen(job), &id))
			continue;
		intern_id(jobs, job, strlen(job));
		uses[intern_id(names, plan[i].name, strlen(plan[i].name))]++;
	}
	for (size_t i = 0; i < count; i++) {
		uint32_t id = intern_id(names, plan[i].name, strlen(plan[i].name));

		if (uses[id] < 2 || !of[i]->file)
			continue;
		plan[i].name = of[i]->file_runs == 1 ? of[i]->file
						     : arena_printf(rule->arena, "%s:%s",
							       of[i]->file, plan[i].name);
	}
}

static void make_names_distinct(struct run_rule *rule, struct run_plan *plan, size_t count)
{
	struct intern *names = intern_new(rule->arena);
	size_t *uses = arena_array(rule->arena, count, sizeof(*uses));

	for (size_t i = 0; i < count; i++) {
		size_t *n = &uses[intern_id(names, plan[i].name, strlen(plan[i].name))];

		if ((*n)++)
			plan[i].name = arena_printf(rule->arena, "%s#%zu", plan[i].name, *n);
	}
	qsort(plan, count, sizeof(*plan), compare_plans);
}

/* Ranks that are runs of their own, because the user says so, are told apart by their names. */
static const char *name_of(const struct run_rule *rule, const struct candidate *c)
{
	const struct run_piece *first = c->piece.data;

	return c->rank && rule->opt->ranks == RANKS_NONE &&
			       !rule->profile[first->profile]->run_is_rank
		       ? arena_printf(rule->arena, "%s, rank %s", c->name, c->rank)
		       : c->name;
}

static int make_plans(struct run_rule *rule, struct run_plans *out, struct error *err)
{
	struct recording *recording =
		arena_array(rule->arena, rule->candidate.count, sizeof(*recording));
	struct run_plan *plan = arena_array(rule->arena, rule->candidate.count, sizeof(*plan));
	const struct candidate **of = arena_array(rule->arena, rule->candidate.count, sizeof(*of));
	size_t n = 0;

	for (size_t i = 0; i < rule->candidate.count; i++) {
		struct candidate *c = candidate_at(rule, i);

		if (c->joined || !c->piece.count)
			continue;
		of[n] = c;

		const char *files = list_sources(rule, c);

		plan[n++] = (struct run_plan){
			.name = name_of(rule, c),
			.sources =
				c->why ? arena_printf(rule->arena, "%s; %s", files, c->why) : files,
			.path = c->source.count == 1 ? *(const char **)c->source.data : NULL,
			.piece = c->piece.data,
			.count = c->piece.count,
			.rank = c->rank,
			.rank_group = c->rank_group,
		};
	}
	name_by_file(rule, plan, of, n);
	for (size_t i = 0; i < n; i++)
		recording[i] = (struct recording){plan[i], of[i]->job, of[i]->folder};
	if (rank_rule_apply(rule->profile, recording, n, rule->opt, out, err) < 0)
		return -1;
	if (out->count)
		qsort(out->plan, out->count, sizeof(*out->plan), compare_plans);
	if (rule->opt->mode != RUNS_NAMED) /* names that the user captured stay as they are */
		shorten_names(rule, out->plan, out->count);
	make_names_distinct(rule, out->plan, out->count);
	return 0;
}

static void release_vec(void *object)
{
	vec_release(object);
}

/* A step that its source gives no number. */
struct unnumbered {
	const char *folder, *run;
	size_t argument, profile;
};

static int compare_text(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

ORDERED(compare_unnumbered, struct unnumbered,
	strcmp(x->folder, y->folder)
		?: compare_text(x->run, y->run)
		?: ORDER(x->argument, y->argument)
		?: ORDER(x->profile, y->profile));

int run_rule_apply(struct profile *const *profiles, size_t count, const struct merge_options *opt,
	struct run_plans *out, struct error *err)
{
	struct arena *arena = out->arena;
	struct run_rule *rule = arena_alloc(arena, sizeof(*rule));

	rule->profile = profiles;
	rule->profile_count = count;
	rule->opt = opt;
	rule->arena = arena;
	rule->issues = out->issues;
	rule->keys = intern_new(arena);
	vec_init(&rule->candidate, sizeof(struct candidate *), SIZE_MAX, "runs");
	arena_defer(arena, release_vec, &rule->candidate);

	/* Steps whose source gives no number are numbered from 0 in their folder, in order of the
	 * arguments, unless each is a run. */
	struct unnumbered *item = arena_array(arena, count, sizeof(*item));
	size_t n = 0;
	int64_t rank = 0;

	for (size_t p = 0; p < count; p++)
		if (profiles[p]->step_count == 1 && profiles[p]->step[0].unnumbered &&
			!profiles[p]->is_average &&
			(profiles[p]->is_file_a_step || opt->mode != RUNS_AUTO))
			item[n++] =
				(struct unnumbered){profiles[p]->group ? profiles[p]->group : "",
					profiles[p]->step[0].run, profiles[p]->argument, p};
	if (n)
		qsort(item, n, sizeof(*item), compare_unnumbered);
	for (size_t i = 0; i < n; i++) {
		bool further = i > 0 && strcmp(item[i].folder, item[i - 1].folder) == 0 &&
			       compare_text(item[i].run, item[i - 1].run) == 0;

		rank = further ? rank + 1 : 0;
		profiles[item[i].profile]->step[0].number = rank;
	}
	if (rank_names_find(profiles, count, opt, arena, &rule->rank, err) < 0)
		return -1;
	issue_add(out->issues, ISSUE_INFO, RANKS_ASSUMED,
		"processes that were recorded at one time are taken for the ranks of one run, "
		"which no source says; if they have nothing to do with each other: --ranks=none",
		rule->rank.assumed, count ? profiles[0]->path : "");
	for (uint32_t p = 0; p < count; p++)
		if (opt->mode == RUNS_AUTO ? split_auto(rule, p) < 0
					   : split_named(rule, p, err) < 0)
			return -1;
	for (size_t i = 0; i < rule->candidate.count; i++) {
		struct candidate *c = candidate_at(rule, i);

		if (!c->name)
			c->name = common_name(arena, &c->source);
		if (run_pieces_sort(rule->profile, &c->piece, rule->issues, err) < 0)
			return -1;
	}
	if (opt->mode == RUNS_AUTO && join_contained(rule, err) < 0)
		return -1;
	return make_plans(rule, out, err);
}
