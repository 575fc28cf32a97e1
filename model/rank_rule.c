/*
 * Ranks by their names, runs by what ranks have in common. What is not a rank of a larger run stays
 * the run that it was.
 */
#include "model/rank_rule.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/intern.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/rank_clocks.h"

/* ---- names ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A number in the name of a file, after one of the words. */
struct file_number {
	size_t begin, end;
	size_t word; /* 0: the one that says most */
};

#define NUMBERS_MOST 3 /* of a name; any further one stays as it is */

/* The numbers after "rank", "worker" or "host" in the name of a file; how many. */
static size_t find_numbers(const char *name, struct file_number number[NUMBERS_MOST])
{
	static const char *const word[] = {"rank", "worker", "host"};
	size_t count = 0;

	for (const char *at = name; *at && count < NUMBERS_MOST; at++)
		for (size_t w = 0; w < sizeof(word) / sizeof(*word); w++) {
			const size_t n = strlen(word[w]);
			const char *digit = at + n;

			if (strncasecmp(at, word[w], n) != 0)
				continue;
			digit += strspn(digit, "-_.= ");
			if (!is_digit(*digit))
				continue;
			number[count].begin = (size_t)(digit - name);
			number[count].end = number[count].begin + strspn(digit, "0123456789");
			number[count].word = w;
			at = name + number[count++].end - 1;
			break;
		}
	return count;
}

/* Does the source itself name the rank of the profile, or those of its steps? */
static const char *own_name(const struct profile *profile, bool *of_steps)
{
	static const char prefix[] = "rank ";
	const struct step *step = profile->step;

	*of_steps = false;
	for (size_t s = 0; s < profile->step_count; s++)
		*of_steps |= step[s].rank != NULL;
	if (*of_steps || !profile->run_is_rank || !profile->step_count || !step->run)
		return NULL;
	return text_starts(step->run, prefix) ? step->run + strlen(prefix) : step->run;
}

/* Files whose names differ in these numbers only. */
struct alike_files {
	const char *first[NUMBERS_MOST]; /* of the first of them */
	bool differ[NUMBERS_MOST];
	bool repeat[NUMBERS_MOST]; /* two of them have the same */
};

/* One file of them. */
struct named_file {
	const char *text[NUMBERS_MOST];
	struct file_number number[NUMBERS_MOST];
	size_t count;
	uint32_t alike;
};

static uint32_t intern_alike(struct intern *keys, struct arena *arena,
	const struct profile *profile, struct named_file *file)
{
	const char *name = text_base_name(profile->path), *group = profile->group, *text;
	size_t from = 0;

	text = arena_printf(arena, "%s\n", group ? group : "");
	for (size_t i = 0; i < file->count; i++) {
		const struct file_number *number = &file->number[i];

		file->text[i] =
			arena_strndup(arena, name + number->begin, number->end - number->begin);
		text = arena_printf(
			arena, "%s%.*s#", text, (int)(number->begin - from), name + from);
		from = number->end;
	}
	text = arena_printf(arena, "%s%s", text, name + from);
	return intern_id(keys, text, strlen(text));
}

static void compare_numbers(struct alike_files *alike, struct intern *values, struct arena *arena,
	const struct named_file *file)
{
	for (size_t i = 0; i < file->count; i++) {
		const char *value = arena_printf(arena, "%u %zu %s", file->alike, i, file->text[i]);
		uint32_t id;

		if (!alike->first[i])
			alike->first[i] = file->text[i];
		alike->differ[i] |= !text_equal(alike->first[i], file->text[i]);
		alike->repeat[i] |= intern_find(values, value, strlen(value), &id);
		intern_id(values, value, strlen(value));
	}
}

/* The number that alone tells the files apart, else all in which they differ; NULL: none. */
static const char *name_of_file(
	const struct alike_files *alike, const struct named_file *file, struct arena *arena)
{
	const char *all = NULL, *alone = NULL;
	size_t word = SIZE_MAX;

	for (size_t i = 0; i < file->count; i++) {
		if (!alike->differ[i])
			continue;
		all = all ? arena_printf(arena, "%s-%s", all, file->text[i]) : file->text[i];
		if (!alike->repeat[i] && file->number[i].word < word) {
			alone = file->text[i];
			word = file->number[i].word;
		}
	}
	return alone ? alone : all;
}

static void name_by_files(struct profile *const *profiles, size_t count, struct arena *arena,
	const bool *asked, const char **out)
{
	struct intern *keys = intern_new(arena), *values = intern_new(arena);
	struct alike_files *alike = arena_array(arena, count, sizeof(*alike));
	struct named_file *file = arena_array(arena, count, sizeof(*file));

	for (size_t p = 0; p < count; p++) {
		if (!asked[p])
			continue;
		file[p].count = find_numbers(text_base_name(profiles[p]->path), file[p].number);
		if (!file[p].count)
			continue;
		file[p].alike = intern_alike(keys, arena, profiles[p], &file[p]);
		compare_numbers(&alike[file[p].alike], values, arena, &file[p]);
	}
	for (size_t p = 0; p < count; p++)
		if (file[p].count)
			out[p] = name_of_file(&alike[file[p].alike], &file[p], arena);
}

static size_t folder_length(const struct profile *profile)
{
	return (size_t)(text_base_name(profile->path) - profile->path);
}

static bool in_one_folder(const struct profile *a, const struct profile *b)
{
	const size_t n = folder_length(a);

	return n == folder_length(b) && memcmp(a->path, b->path, n) == 0;
}

/* Hosts of one recording: where there are several, each is a rank. */
static void name_by_hosts(
	struct profile *const *profiles, size_t count, struct arena *arena, const char **out)
{
	struct intern *folders = intern_new(arena);
	const char **host = arena_array(arena, count, sizeof(*host));
	bool *differ = arena_array(arena, count, sizeof(*differ));

	for (int named = 0; named < 2; named++)
		for (size_t p = 0; p < count; p++) {
			const struct profile *profile = profiles[p];
			uint32_t folder;

			if (!profile->host_is_rank)
				continue;
			folder = intern_id(folders, profile->path, folder_length(profile));
			if (!host[folder])
				host[folder] = profile->facts.host;
			differ[folder] |= !text_equal(host[folder], profile->facts.host);
			if (named && differ[folder] && !out[p])
				out[p] = profile->facts.host;
		}
}

int rank_names_find(struct profile *const *profiles, size_t count, const struct merge_options *opt,
	struct arena *arena, const char ***out, struct error *err)
{
	const char **name = arena_array(arena, count, sizeof(*name));
	bool *asked = arena_array(arena, count, sizeof(*asked));

	for (size_t p = 0; p < count; p++) {
		bool of_steps;

		if (opt->ranks == RANKS_NAMED) {
			name[p] = opt->name_rank(opt->rank_context, profiles[p]->path, arena, err);
			if (!name[p])
				return -1;
			continue;
		}
		name[p] = own_name(profiles[p], &of_steps);
		asked[p] = !name[p] && !of_steps && opt->ranks == RANKS_AUTO;
	}
	if (opt->ranks == RANKS_AUTO)
		name_by_hosts(profiles, count, arena, name);
	for (size_t p = 0; p < count; p++)
		asked[p] &= !name[p];
	name_by_files(profiles, count, arena, asked, name);
	*out = name;
	return 0;
}

/* ---- runs ---- */

/* A run to be, of one recording or of several. */
struct job_run {
	struct vec member; /* size_t: recordings */
	const char *name;  /* where there are several, also if only one of them is chosen */
	bool timed;
	int64_t start_ns, end_ns; /* of all of them together */
};

struct rank_rule {
	struct profile *const *profile;
	struct run_plans *plans;
	const struct recording *recording;
	size_t count;
	const struct merge_options *opt;
	struct arena *arena;
	struct job_run *run;
	size_t run_count;
};

static void release_members(void *object)
{
	vec_release(&((struct job_run *)object)->member);
}

static void add_member(struct job_run *run, size_t recording)
{
	*(size_t *)vec_push(&run->member, NULL) = recording;
}

static struct job_run *new_run(struct rank_rule *rule, size_t recording)
{
	struct job_run *run = &rule->run[rule->run_count++];

	vec_init(&run->member, sizeof(size_t), SIZE_MAX, "ranks");
	arena_defer(rule->arena, release_members, run);
	add_member(run, recording);
	return run;
}

/* From the first start to the last end, since 1970; false where it is not known. */
static bool find_interval(const struct rank_rule *rule, const struct run_plan *plan,
	int64_t *start_ns, int64_t *end_ns)
{
	*start_ns = INT64_MAX;
	*end_ns = INT64_MIN;
	for (size_t i = 0; i < plan->count; i++) {
		const struct profile *profile = rule->profile[plan->piece[i].profile];
		const struct step *step = &profile->step[plan->piece[i].step];
		const int64_t base_ns = step->base_ns ? step->base_ns : profile->base_ns;
		int64_t start, end;

		if (!step->has_wall || !base_ns ||
			__builtin_add_overflow(base_ns, step->start_ps / 1000, &start) ||
			__builtin_add_overflow(base_ns, step->end_ps / 1000, &end))
			return false;
		*start_ns = start < *start_ns ? start : *start_ns;
		*end_ns = end > *end_ns ? end : *end_ns;
	}
	return plan->count > 0;
}

static bool same_numbers(const struct run_plan *a, const struct run_plan *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (a->piece[i].number != b->piece[i].number)
			return false;
	return true;
}

static const struct run_plan *plan_of(
	const struct rank_rule *rule, const struct job_run *run, size_t m)
{
	return &rule->recording[*(size_t *)vec_at(&run->member, m)].plan;
}

static bool has_rank(const struct rank_rule *rule, const struct job_run *run, const char *rank)
{
	for (size_t m = 0; m < run->member.count; m++)
		if (text_equal(plan_of(rule, run, m)->rank, rank))
			return true;
	return false;
}

/* A recording that waits for its run. */
struct waiting_recording {
	size_t recording;
	const char *folder;
	bool timed;
	int64_t start_ns, end_ns;
};

/* By folder, then in order of time; those without times in the order that they have. */
static int compare_waiting(const void *a, const void *b)
{
	const struct waiting_recording *x = a, *y = b;
	const int order = strcmp(x->folder, y->folder);

	if (order || x->timed != y->timed)
		return order ? order : y->timed - x->timed;
	if (x->timed && x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return (x->recording > y->recording) - (x->recording < y->recording);
}

static const struct profile *profile_of(
	const struct rank_rule *rule, const struct job_run *run, size_t m)
{
	return rule->profile[plan_of(rule, run, m)->piece->profile];
}

/* Ran the recording at the same time as the run? */
static bool belongs(
	const struct rank_rule *rule, const struct job_run *run, const struct waiting_recording *w)
{
	const struct profile *first = profile_of(rule, run, 0);
	const struct profile *other =
		rule->profile[rule->recording[w->recording].plan.piece->profile];

	if (first->host_is_rank && other->host_is_rank)
		return in_one_folder(first, other);
	if (run->timed && w->timed)
		return w->start_ns <= run->end_ns && run->start_ns <= w->end_ns;
	return same_numbers(plan_of(rule, run, 0), &rule->recording[w->recording].plan);
}

static void join(struct job_run *run, const struct waiting_recording *w)
{
	add_member(run, w->recording);
	run->timed &= w->timed;
	run->start_ns = w->start_ns < run->start_ns ? w->start_ns : run->start_ns;
	run->end_ns = w->end_ns > run->end_ns ? w->end_ns : run->end_ns;
}

/* May both be of one run, had their clocks agreed? Of a job of one size, with the same steps, at
 * different times, and no rank is in both. */
static bool may_be_one(
	const struct rank_rule *rule, const struct job_run *a, const struct job_run *b)
{
	const int64_t world = rank_clocks_world(profile_of(rule, a, 0));

	if (!world || rank_clocks_world(profile_of(rule, b, 0)) != world || !a->timed ||
		!b->timed || a->member.count + b->member.count > (uint64_t)world ||
		!same_numbers(plan_of(rule, a, 0), plan_of(rule, b, 0)))
		return false;
	for (size_t m = 0; m < b->member.count; m++)
		if (has_rank(rule, a, plan_of(rule, b, m)->rank))
			return false;
	return true;
}

/* Recordings that do not overlap are runs of their own, but nobody can know that they are. */
static void note_times(struct rank_rule *rule, size_t first)
{
	for (size_t r = first + 1; r < rule->run_count; r++) {
		const struct job_run *run = &rule->run[r];
		const struct run_plan *plan = plan_of(rule, run, 0);
		const struct rank_pieces of = {plan->piece, plan->count};

		for (size_t other = first; other < r; other++) {
			const struct run_plan *beside = plan_of(rule, &rule->run[other], 0);
			const struct rank_pieces by = {beside->piece, beside->count};

			if (!may_be_one(rule, &rule->run[other], run))
				continue;
			rank_clocks_note_times(rule->plans, plan->rank,
				rank_clocks_apart_ps(rule->profile, &by, &of),
				profile_of(rule, run, 0)->path);
			break;
		}
	}
}

/* Recordings of different ranks in one folder. */
static void join_by_folder(struct rank_rule *rule, struct waiting_recording *waiting, size_t count)
{
	size_t folder_first = rule->run_count;

	if (count)
		qsort(waiting, count, sizeof(*waiting), compare_waiting);
	for (size_t i = 0; i < count; i++) {
		const struct waiting_recording *w = &waiting[i];
		struct job_run *run = NULL;

		if (i == 0 || strcmp(waiting[i - 1].folder, w->folder) != 0) {
			note_times(rule, folder_first);
			folder_first = rule->run_count;
		}
		for (size_t r = folder_first; r < rule->run_count && !run; r++)
			if (belongs(rule, &rule->run[r], w) &&
				!has_rank(rule, &rule->run[r],
					rule->recording[w->recording].plan.rank))
				run = &rule->run[r];
		if (run) {
			join(run, w);
			continue;
		}
		run = new_run(rule, w->recording);
		run->timed = w->timed;
		run->start_ns = w->start_ns;
		run->end_ns = w->end_ns;
	}
	note_times(rule, folder_first);
}

/* Recordings of one job, then those that the folder brings together. */
static void find_runs(struct rank_rule *rule)
{
	struct intern *jobs = intern_new(rule->arena);
	size_t *uses = arena_array(rule->arena, rule->count, sizeof(*uses)), n = 0;
	struct job_run **run_of = arena_array(rule->arena, rule->count, sizeof(struct job_run *));
	struct waiting_recording *waiting = arena_array(rule->arena, rule->count, sizeof(*waiting));
	const bool joins = rule->opt->ranks != RANKS_NONE;

	for (size_t i = 0; i < rule->count; i++)
		uses[intern_id(jobs, rule->recording[i].job, strlen(rule->recording[i].job))]++;
	for (size_t i = 0; i < rule->count; i++) {
		const struct recording *r = &rule->recording[i];
		const uint32_t job = intern_id(jobs, r->job, strlen(r->job));

		if (joins && uses[job] > 1) {
			if (run_of[job])
				add_member(run_of[job], i);
			else
				run_of[job] = new_run(rule, i);
		} else if (joins && r->plan.rank && rule->opt->mode == RUNS_AUTO) {
			struct waiting_recording *w = &waiting[n++];

			w->recording = i;
			w->folder = r->folder;
			w->timed = find_interval(rule, &r->plan, &w->start_ns, &w->end_ns);
		} else {
			new_run(rule, i);
		}
	}
	join_by_folder(rule, waiting, n);
}

/* ---- ranks that count ---- */

static bool is_chosen(const struct merge_options *opt, const char *rank)
{
	for (size_t i = 0; i < opt->rank_count; i++)
		if (rank && text_equal(opt->rank[i], rank))
			return true;
	return !opt->rank;
}

static int compare_names(const void *a, const void *b)
{
	return text_compare_natural(*(const char *const *)a, *(const char *const *)b);
}

/* The names of ranks that there are, for a message. */
static void list_ranks(const struct rank_rule *rule, struct text *out)
{
	const char **name = arena_array(rule->arena, rule->count, sizeof(*name));
	struct intern *seen = intern_new(rule->arena);
	size_t n = 0;

	for (size_t i = 0; i < rule->count; i++) {
		const char *rank = rule->recording[i].plan.rank;

		if (rank && intern_id(seen, rank, strlen(rank)) == n)
			name[n++] = rank;
	}
	if (n)
		qsort(name, n, sizeof(*name), compare_names);
	for (size_t i = 0; i < n && i < 8; i++)
		text_printf(out, "%s%s", i ? ", " : "", name[i]);
	if (n > 8)
		text_printf(out, " and %zu more", n - 8);
}

static int check_chosen(const struct rank_rule *rule, struct error *err)
{
	struct text names;

	for (size_t i = 0; i < rule->opt->rank_count; i++) {
		bool found = false;

		for (size_t k = 0; k < rule->count && !found; k++)
			found = rule->recording[k].plan.rank &&
				text_equal(rule->recording[k].plan.rank, rule->opt->rank[i]);
		if (found)
			continue;
		text_init(&names);
		list_ranks(rule, &names);
		error_set(
			err, ERROR_INPUT, "--rank", "there is no rank \"%s\"", rule->opt->rank[i]);
		error_hint(err, names.size ? "the ranks are %s" : "no input names its rank",
			text_string(&names));
		text_release(&names);
		return -1;
	}
	return 0;
}

/* Members of the run that count, in order of their ranks. */
static void choose_members(const struct rank_rule *rule, struct job_run *run)
{
	size_t *member = run->member.data, kept = 0;

	for (size_t m = 0; m < run->member.count; m++)
		if (is_chosen(rule->opt, plan_of(rule, run, m)->rank))
			member[kept++] = member[m];
	run->member.count = kept;
}

/* ---- plans ---- */

static const char *rank_name(const struct run_plan *plan)
{
	return plan->rank ? plan->rank : plan->name;
}

/* All ranks of runs that have several. */
static void list_all(const struct rank_rule *rule, struct run_plans *out)
{
	struct intern *seen = intern_new(rule->arena);

	out->rank = arena_array(rule->arena, rule->count, sizeof(*out->rank));
	out->rank_group = arena_array(rule->arena, rule->count, sizeof(*out->rank_group));
	for (size_t r = 0; r < rule->run_count; r++)
		for (size_t m = 0; rule->run[r].member.count > 1 && m < rule->run[r].member.count;
			m++) {
			const char *name = rank_name(plan_of(rule, &rule->run[r], m));
			uint32_t id;

			if (intern_find(seen, name, strlen(name), &id))
				continue;
			intern_id(seen, name, strlen(name));
			out->rank[out->rank_count++] = name;
		}
	if (out->rank_count)
		qsort(out->rank, out->rank_count, sizeof(*out->rank), compare_names);
}

static uint32_t find_rank(const struct run_plans *plans, const char *name)
{
	const char **found =
		bsearch(&name, plans->rank, plans->rank_count, sizeof(name), compare_names);

	return found ? (uint32_t)(found - plans->rank) : NO_RANK;
}

static void set_group(const struct rank_rule *rule, struct run_plans *out, uint32_t rank,
	const struct run_plan *plan)
{
	const struct merge_options *opt = rule->opt;
	const char *group = opt->group_of_rank
				    ? opt->group_of_rank(opt->group_context, rank_name(plan))
				    : plan->rank_group;

	if (group)
		out->rank_group[rank] = group;
}

static int compare_pieces(const void *a, const void *b)
{
	const struct run_piece *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* "job/", else "r1_rank*" for the files of one name but for the number. */
static const char *name_of_run(const struct rank_rule *rule, const struct job_run *run)
{
	const struct recording *first = &rule->recording[*(size_t *)vec_at(&run->member, 0)];
	const char *name = rule->profile[first->plan.piece->profile]->path;
	size_t n = strlen(name);
	bool one_job = true;

	for (size_t m = 1; m < run->member.count; m++)
		one_job &= text_equal(
			rule->recording[*(size_t *)vec_at(&run->member, m)].job, first->job);
	if (one_job)
		return first->plan.name;
	if (*first->folder)
		return first->folder;
	for (size_t m = 1; m < run->member.count; m++) {
		const char *other = rule->profile[plan_of(rule, run, m)->piece->profile]->path;
		size_t k = 0;

		while (k < n && other[k] == name[k])
			k++;
		n = k;
	}
	while (n > 0 && is_digit(name[n - 1]))
		n--;
	return n ? arena_printf(rule->arena, "%.*s*", (int)n, name) : "job";
}

static const char *sources_of_run(const struct rank_rule *rule, const struct job_run *run)
{
	const struct run_plan *first = plan_of(rule, run, 0),
			      *last = plan_of(rule, run, run->member.count - 1);

	if (text_equal(first->sources, last->sources))
		return first->sources;
	return arena_printf(rule->arena, "%s %s %s", first->sources,
		run->member.count > 2 ? "..." : "and", last->sources);
}

static void join_plans(
	const struct rank_rule *rule, const struct job_run *run, struct run_plans *out)
{
	struct run_plan *plan = &out->plan[out->count++];
	size_t n = 0;

	*plan = *plan_of(rule, run, 0);
	if (run->name)
		plan->name = run->name;
	if (run->member.count == 1) {
		for (size_t i = 0; i < plan->count; i++)
			plan->piece[i].rank = NO_RANK;
		return;
	}
	plan->sources = sources_of_run(rule, run);
	plan->rank = plan->rank_group = NULL;
	plan->several_ranks = true;
	plan->count = 0;
	for (size_t m = 0; m < run->member.count; m++)
		plan->count += plan_of(rule, run, m)->count;
	plan->piece = arena_array(rule->arena, plan->count, sizeof(*plan->piece));
	for (size_t m = 0; m < run->member.count; m++) {
		const struct run_plan *from = plan_of(rule, run, m);
		const uint32_t rank = find_rank(out, rank_name(from));

		set_group(rule, out, rank, from);
		for (size_t i = 0; i < from->count; i++) {
			plan->piece[n] = from->piece[i];
			plan->piece[n++].rank = rank;
		}
	}
	qsort(plan->piece, plan->count, sizeof(*plan->piece), compare_pieces);
}

/* A table of groups that is of other ranks says nothing. */
static int check_groups(
	const struct rank_rule *rule, const struct run_plans *plans, struct error *err)
{
	struct text names;

	if (!rule->opt->group_of_rank || !plans->rank_count)
		return 0;
	for (size_t i = 0; i < plans->rank_count; i++)
		if (plans->rank_group[i])
			return 0;
	text_init(&names);
	list_ranks(rule, &names);
	error_set(err, ERROR_INPUT, "--rank-group", "the table has no rank of the inputs");
	if (names.size)
		error_hint(err, "the ranks are %s", text_string(&names));
	text_release(&names);
	return -1;
}

int rank_rule_apply(struct profile *const *profiles, const struct recording *recording,
	size_t count, const struct merge_options *opt, struct run_plans *out, struct error *err)
{
	struct rank_rule rule = {.profile = profiles,
		.recording = recording,
		.count = count,
		.opt = opt,
		.arena = out->arena,
		.plans = out};

	rule.run = arena_array(out->arena, count, sizeof(*rule.run));
	if (check_chosen(&rule, err) < 0)
		return -1;
	find_runs(&rule);
	for (size_t r = 0; r < rule.run_count; r++) {
		if (rule.run[r].member.count > 1)
			rule.run[r].name = name_of_run(&rule, &rule.run[r]);
		choose_members(&rule, &rule.run[r]);
	}
	out->plan = arena_array(out->arena, count, sizeof(*out->plan));
	out->count = 0;
	list_all(&rule, out);
	for (size_t r = 0; r < rule.run_count; r++)
		if (rule.run[r].member.count)
			join_plans(&rule, &rule.run[r], out);
	return check_groups(&rule, out, err);
}
