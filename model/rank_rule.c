/* Ranks by their names, runs by what ranks have in common. What is not a rank of a larger run stays
 * the run that it was. */
#include "model/rank_rule.h"

#include <stdlib.h>
#include <string.h>
#include "base/intern.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/text.h"
#include "model/rank_clocks.h"
#include "model/ranks.h"
#include "model/run/rank_order.h"

#define RANKS_NAMED_MOST 4

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

/* Interval from the first start to the last end, since 1970; false where it is not known. */
static bool find_interval(const struct rank_rule *rule, const struct run_plan *plan,
	int64_t *start_ns, int64_t *end_ns)
{
	*start_ns = INT64_MAX;
	*end_ns = INT64_MIN;
	for (size_t i = 0; i < plan->count; i++) {
		const struct run_piece *piece = &plan->piece[i];
		int64_t start, end;

		if (!run_piece_base_ns(rule->profile, piece) ||
			!run_piece_times(rule->profile, piece, &start, &end))
			return false;
		*start_ns = start < *start_ns ? start : *start_ns;
		*end_ns = end > *end_ns ? end : *end_ns;
	}
	return plan->count > 0;
}

/* True if the longer has all steps of the other in their order, and these are at least half of its
 * own. */
static bool same_numbers(const struct run_plan *a, const struct run_plan *b)
{
	const struct run_plan *longer = a->count < b->count ? b : a, *other = longer == a ? b : a;
	size_t found = 0;

	for (size_t i = 0; i < longer->count && found < other->count; i++)
		found += run_piece_is_same(&longer->piece[i], &other->piece[found]);
	return found == other->count && 2 * found >= longer->count;
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

/* Order by folder, then by time; recordings without times keep their order. */
ORDERED(compare_waiting, struct waiting_recording,
	strcmp(x->folder, y->folder)
		?: ORDER(y->timed, x->timed)
		?: (x->timed ? ORDER(x->start_ns, y->start_ns) : 0)
		?: ORDER(x->recording, y->recording));

static const struct profile *profile_of(
	const struct rank_rule *rule, const struct job_run *run, size_t m)
{
	return rule->profile[plan_of(rule, run, m)->piece->profile];
}

/* True if the recording ran at the same time as the run, or, without times, has the same steps. */
static bool belongs(
	const struct rank_rule *rule, const struct job_run *run, const struct waiting_recording *w)
{
	const struct profile *first = profile_of(rule, run, 0);
	const struct profile *other =
		rule->profile[rule->recording[w->recording].plan.piece->profile];

	if (first->host_is_rank && other->host_is_rank) {
		const size_t n = (size_t)(text_base_name(first->path) - first->path);

		return n == (size_t)(text_base_name(other->path) - other->path) &&
		       memcmp(first->path, other->path, n) == 0;
	}
	if (run->timed && w->timed)
		return w->start_ns <= run->end_ns && run->start_ns <= w->end_ns;
	return same_numbers(plan_of(rule, run, 0), &rule->recording[w->recording].plan);
}

/* True if both may be of one run, had their clocks agreed: of a job of one size, with the same
 * steps, at different times, and no rank is in both. */
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
			add_member(run, w->recording);
			run->timed &= w->timed;
			run->start_ns = w->start_ns < run->start_ns ? w->start_ns : run->start_ns;
			run->end_ns = w->end_ns > run->end_ns ? w->end_ns : run->end_ns;
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

ORDERED(compare_names, const char *, text_compare_natural(*x, *y) ?: strcmp(*x, *y));

static bool is_chosen(const struct merge_options *opt, const char *rank)
{
	for (size_t i = 0; i < opt->rank_count; i++)
		if (rank && text_equal(opt->rank[i], rank))
			return true;
	return !opt->rank;
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

/* The sums of a member that stands for several ranks; NULL: it is one rank. */
static const struct job_sums *job_of(
	const struct rank_rule *rule, const struct job_run *run, size_t m)
{
	return profile_of(rule, run, m)->job;
}

static bool has_ranks(const struct rank_rule *rule, const struct job_run *run)
{
	return run->member.count > 1 || rule->opt->one_job || job_of(rule, run, 0);
}

/* Names of ranks as they are found. */
struct rank_list {
	struct intern *seen;
	struct vec name; /* const char * */
};

/* False: it is there already. */
static bool list_rank(struct rank_list *list, const char *name)
{
	uint32_t id;

	if (intern_find(list->seen, name, strlen(name), &id))
		return false;
	intern_id(list->seen, name, strlen(name));
	*(const char **)vec_push(&list->name, NULL) = name;
	return true;
}

/* The ranks of one member. NULL, or the first that is there already. */
static const char *list_member(
	const struct rank_rule *rule, const struct job_run *run, size_t m, struct rank_list *list)
{
	const struct job_sums *job = job_of(rule, run, m);
	const char *twice = NULL, *name;

	if (!job) {
		name = rank_name(plan_of(rule, run, m));
		return list_rank(list, name) ? NULL : name;
	}
	for (size_t i = 0; i < job->set_count; i++)
		for (size_t r = 0; r < job->set[i].rank_count; r++) {
			name = job->set[i].rank[r].name;
			if (!list_rank(list, name) && !twice)
				twice = name;
		}
	return twice;
}

/* Path of an earlier member of the run that has this rank, too; else that of this one. */
static const char *other_with(
	const struct rank_rule *rule, const struct job_run *run, size_t m, const char *rank)
{
	for (size_t other = 0; other < m; other++) {
		struct rank_list list = {.seen = intern_new(rule->arena)};
		const char *found;

		vec_init(&list.name, sizeof(const char *), SIZE_MAX, "ranks");
		list_rank(&list, rank);
		found = list_member(rule, run, other, &list);
		vec_release(&list.name);
		if (found)
			return profile_of(rule, run, other)->path;
	}
	return profile_of(rule, run, m)->path;
}

/* Lists all ranks of runs that have several. No rank of a job may be there twice. */
static int list_all(const struct rank_rule *rule, struct run_plans *out, struct error *err)
{
	struct rank_list list = {.seen = intern_new(rule->arena)};
	int status = 0;

	vec_init(&list.name, sizeof(const char *), SIZE_MAX, "ranks");
	for (size_t r = 0; r < rule->run_count && status == 0; r++) {
		const struct job_run *run = &rule->run[r];

		for (size_t m = 0; m < run->member.count && has_ranks(rule, run); m++) {
			const char *twice = list_member(rule, run, m, &list);

			if (!twice || !rule->opt->one_job)
				continue;

			const char *path = profile_of(rule, run, m)->path;

			error_set(err, ERROR_INPUT, path, "rank \"%s\" is also in %s", twice,
				other_with(rule, run, m, twice));
			status = error_hint(err, "each rank of a job once; --ranks=REGEX names "
						 "ranks by what it captures of the paths");
			break;
		}
	}
	out->rank_count = list.name.count;
	out->rank = arena_array(rule->arena, out->rank_count, sizeof(*out->rank));
	out->rank_group = arena_array(rule->arena, out->rank_count, sizeof(*out->rank_group));
	if (out->rank_count) {
		memcpy(out->rank, list.name.data, out->rank_count * sizeof(*out->rank));
		qsort(out->rank, out->rank_count, sizeof(*out->rank), compare_names);
	}
	vec_release(&list.name);
	return status;
}

static uint32_t find_rank(const struct run_plans *plans, const char *name)
{
	const char **found =
		bsearch(&name, plans->rank, plans->rank_count, sizeof(name), compare_names);

	return found ? (uint32_t)(found - plans->rank) : NO_RANK;
}

static void set_group(const struct rank_rule *rule, struct run_plans *out, const char *rank,
	const char *own_group)
{
	const struct merge_options *opt = rule->opt;
	const char *group =
		opt->group_of_rank ? opt->group_of_rank(opt->group_context, rank) : own_group;

	if (group && *group)
		out->rank_group[find_rank(out, rank)] = group;
}

/* The groups of the ranks that a member stands for are those that it was made with. */
static void set_groups(struct run_plans *out, const struct job_sums *job)
{
	for (size_t i = 0; i < job->set_count; i++)
		for (size_t r = 0; r < job->set[i].rank_count; r++) {
			const struct sums_rank *rank = &job->set[i].rank[r];

			if (*rank->group)
				out->rank_group[find_rank(out, rank->name)] = rank->group;
		}
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
	while (n > 0 && text_is_digit(name[n - 1]))
		n--;
	return n ? arena_printf(rule->arena, "%.*s*", (int)n, name) : "job";
}

static const char *sources_of_run(
	const struct rank_rule *rule, const struct job_run *run, const char **path)
{
	const struct run_plan *first = plan_of(rule, run, 0),
			      *last = plan_of(rule, run, run->member.count - 1);

	for (size_t m = 1; m < run->member.count && *path; m++)
		if (!plan_of(rule, run, m)->path || !text_equal(*path, plan_of(rule, run, m)->path))
			*path = NULL;
	if (text_equal(first->sources, last->sources))
		return first->sources;
	return arena_printf(rule->arena, "%s %s %s", first->sources,
		run->member.count > 2 ? "..." : "and", last->sources);
}

static void join_plans(
	const struct rank_rule *rule, const struct job_run *run, struct run_plans *out)
{
	struct run_plan *plan = &out->plan[out->count++];
	size_t *first = arena_array(rule->arena, run->member.count + 1, sizeof(*first)), n = 0,
	       undecided;

	*plan = *plan_of(rule, run, 0);
	if (run->name)
		plan->name = run->name;
	if (!has_ranks(rule, run)) {
		for (size_t i = 0; i < plan->count; i++)
			plan->piece[i].rank = NO_RANK;
		return;
	}
	plan->sources = sources_of_run(rule, run, &plan->path);
	plan->rank = plan->rank_group = NULL;
	plan->several_ranks = true;
	plan->count = 0;
	for (size_t m = 0; m < run->member.count; m++)
		plan->count += plan_of(rule, run, m)->count;
	plan->piece = arena_array(rule->arena, plan->count, sizeof(*plan->piece));
	for (size_t m = 0; m < run->member.count; m++) {
		const struct run_plan *from = plan_of(rule, run, m);
		const struct job_sums *job = job_of(rule, run, m);
		const uint32_t rank = job ? NO_RANK : find_rank(out, rank_name(from));

		if (job)
			set_groups(out, job);
		else
			set_group(rule, out, rank_name(from), from->rank_group);
		for (size_t i = 0; i < from->count; i++) {
			plan->piece[n] = from->piece[i];
			plan->piece[n++].rank = rank;
		}
		first[m + 1] = n;
	}
	undecided = rank_shift_steps(rule->profile, plan->piece, first, run->member.count);
	if (undecided)
		issue_add(out->issues, ISSUE_ERROR, "rank-steps",
			"ranks whose steps have no numbers, and of which neither clocks nor "
			"collectives say which steps belong together: taken in order",
			undecided, plan->sources);
	rank_order_steps(rule->profile, plan->piece, first, run->member.count, rule->arena);
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

/* ---- ranks that some runs lack ---- */

static bool is_numeric(const char *name)
{
	return *name && strspn(name, "0123456789") == strlen(name);
}

static size_t count_ranks(const struct rank_rule *rule, const struct job_run *run)
{
	struct rank_list list = {.seen = intern_new(rule->arena)};
	size_t count;

	vec_init(&list.name, sizeof(const char *), SIZE_MAX, "ranks");
	for (size_t m = 0; m < run->member.count; m++)
		list_member(rule, run, m, &list);
	count = list.name.count;
	vec_release(&list.name);
	return count;
}

/* "r1: 2 of 4 ranks, without 0 and 1"; hosts have other names in each run, and a recording alone
 * has none. */
static const char *describe_missing(const struct rank_rule *rule, const struct job_run *run,
	const struct run_plan *plan, size_t count, size_t most)
{
	const struct run_plans *plans = rule->plans;
	const char **name = arena_array(rule->arena, plans->rank_count + 1, sizeof(*name));
	const size_t missing = plans->rank_count - count;
	struct rank_list list = {.seen = intern_new(rule->arena)};
	const char *text =
		arena_printf(rule->arena, "%s: %zu of %zu ranks", plan->name, count, most);
	size_t found = 0;

	vec_init(&list.name, sizeof(const char *), SIZE_MAX, "ranks");
	for (size_t m = 0; m < run->member.count; m++)
		list_member(rule, run, m, &list);
	for (size_t i = 0; i < plans->rank_count; i++)
		if (list_rank(&list, plans->rank[i]))
			name[found++] = plans->rank[i];
	vec_release(&list.name);
	if (plans->rank_count != most || found != missing)
		return text;
	for (size_t i = 0; i < found && i < RANKS_NAMED_MOST; i++)
		text = arena_printf(rule->arena, "%s%s%s", text,
			!i		   ? ", without "
			: i + 1 == missing ? " and "
					   : ", ",
			name[i]);
	return missing > RANKS_NAMED_MOST ? arena_printf(rule->arena, "%s and %zu more", text,
						    missing - RANKS_NAMED_MOST)
					  : text;
}

/* The ranks of a run are one job: what stands for fewer of them is something else. */
static void note_missing(const struct rank_rule *rule)
{
	const struct run_plans *plans = rule->plans;
	size_t *count = arena_array(rule->arena, rule->run_count, sizeof(*count)), most = 0,
	       plan = 0;
	bool numeric = plans->rank_count > 0;

	for (size_t i = 0; i < plans->rank_count; i++)
		numeric &= is_numeric(plans->rank[i]);
	for (size_t r = 0; r < rule->run_count; r++) {
		count[r] = count_ranks(rule, &rule->run[r]);
		most = count[r] > most ? count[r] : most;
	}
	most = numeric && plans->rank_count > most ? plans->rank_count : most;
	for (size_t r = 0; r < rule->run_count; r++) {
		if (!count[r])
			continue;
		if (count[r] < most)
			issue_add(plans->issues, ISSUE_LOSS, RANKS_MISSING,
				"runs without ranks that other runs have, which a mean over ranks "
				"hides (--rank chooses those that all have)",
				1,
				describe_missing(
					rule, &rule->run[r], &plans->plan[plan], count[r], most));
		plan++;
	}
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

	struct text names;

	for (size_t i = 0; i < rule.opt->rank_count; i++) {
		bool found = false;

		for (size_t k = 0; k < rule.count && !found; k++)
			found = rule.recording[k].plan.rank &&
				text_equal(rule.recording[k].plan.rank, rule.opt->rank[i]);
		if (found)
			continue;
		text_init(&names);
		list_ranks(&rule, &names);
		error_set(err, ERROR_INPUT, "--rank", "there is no rank \"%s\"", rule.opt->rank[i]);
		error_hint(err, names.size ? "the ranks are %s" : "no input names its rank",
			text_string(&names));
		text_release(&names);
		return -1;
	}
	if (opt->one_job) {
		for (size_t i = 0; i < rule.count; i++)
			if (i == 0)
				new_run(&rule, i);
			else
				add_member(&rule.run[0], i);
	} else
		find_runs(&rule);
	for (size_t r = 0; r < rule.run_count; r++) {
		if (rule.run[r].member.count > 1)
			rule.run[r].name = name_of_run(&rule, &rule.run[r]);
		choose_members(&rule, &rule.run[r]);
	}
	out->plan = arena_array(out->arena, count, sizeof(*out->plan));
	out->count = 0;
	if (list_all(&rule, out, err) < 0)
		return -1;
	for (size_t r = 0; r < rule.run_count; r++)
		if (rule.run[r].member.count)
			join_plans(&rule, &rule.run[r], out);
	note_missing(&rule);
	return check_groups(&rule, out, err);
}
