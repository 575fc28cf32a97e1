/* One sentence says who is slow, one where the variance is. */
#include "report/build_ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/order.h"
#include "base/text.h"
#include "report/build_tables.h"

struct rank_answerer {
	struct report *report;
	const struct job_ranks *ranks;
	const char *const *name;
};

static const char *rank_name(const struct rank_answerer *a, size_t rank)
{
	return phrase_visible(a->report->arena, a->ranks->of->rank[rank].name);
}

/* "+3.1 ms" */
static const char *phrase_excess(struct arena *arena, double ps)
{
	return arena_printf(
		arena, "%s%s", ps < 0 ? "" : "+", phrase_quantity(arena, DIMENSION_TIME, ps));
}

static const char *row_name(const struct rank_answerer *a, size_t row)
{
	return phrase_list(a->report->arena, &a->name[row], 1);
}

/* "; the others wait in AllReduce"; "" where that is not shown. */
static const char *phrase_waiting(const struct rank_answerer *a, size_t rank)
{
	const struct job_collectives *c = a->ranks->collectives;

	if (!c || c->row == SIZE_MAX || !job_collectives_wait_for(c, a->ranks->of->count, rank))
		return "";
	return arena_printf(a->report->arena, "; the others wait in %s", row_name(a, c->row));
}

const char *phrase_slow_rank(struct report *report, const struct job_ranks *ranks,
	const char *const *name, const struct cause *cause)
{
	const struct rank_answerer a = {report, ranks, name};
	const struct rank_culprit *culprit = cause->rank;
	const char *group = ranks->of->rank[culprit->rank].group, *where = "";
	struct arena *arena = report->arena;

	if (culprit->row != RANK_CULPRITS_WHOLE)
		return arena_printf(arena,
			"Rank %s is slow in %s: %s a step, the slowest in %zu of %zu steps.",
			rank_name(&a, culprit->rank), row_name(&a, culprit->row),
			phrase_excess(arena, culprit->excess), culprit->slowest_in, culprit->steps);
	if (cause->group != SIZE_MAX || cause->host)
		where = arena_printf(arena, ", %s in %s",
			phrase_quantity(arena, DIMENSION_TIME, cause->row_to),
			cause->host ? phrase_visible(arena, cause->host)
				    : row_name(&a, cause->group));
	return arena_printf(arena,
		"Rank %s is the slowest of %zu%s in %zu of %zu steps, %s of %s%s%s.",
		rank_name(&a, culprit->rank), culprit->ranks,
		group ? arena_printf(arena, " in %s", phrase_visible(arena, group)) : "",
		culprit->slowest_in, culprit->steps, phrase_excess(arena, culprit->excess),
		ranks->without_waiting ? "work" : "op time", where,
		phrase_waiting(&a, culprit->rank));
}

/* Answers why nobody is named. */
static void answer_no_culprit(const struct rank_answerer *a)
{
	if (a->ranks->culprit_count)
		return;
	if (a->ranks->least < RANK_CULPRITS_RANKS)
		report_answer(a->report,
			"Which of fewer than %d ranks%s is slow cannot be known  (--table=ranks).",
			RANK_CULPRITS_RANKS,
			a->ranks->of->count < RANK_CULPRITS_RANKS ? "" : " of a group");
	else if (!a->ranks->tests)
		report_answer(
			a->report, "Too few steps to say whether a rank is slow  (--table=ranks).");
	else
		report_answer(a->report,
			"No rank is shown to be slower than the others  (--table=ranks).");
}

/* "; 2 calls that ranks do not have alike are left out" */
static const char *phrase_left_out(struct arena *arena, size_t calls)
{
	if (!calls)
		return "";
	return arena_printf(arena, "; %zu call%s that not all ranks have %s left out", calls,
		calls == 1 ? "" : "s", calls == 1 ? "is" : "are");
}

/* "; the process group of 12 collectives is not recorded: all 4 ranks are taken for one, and
 * waiting may be too large" */
static const char *phrase_ungrouped(struct arena *arena, size_t matches, size_t ranks)
{
	if (!matches)
		return "";
	return arena_printf(arena,
		"; the process group of %zu collective%s is not recorded: all %zu ranks are taken "
		"for one, and waiting may be too large",
		matches, matches == 1 ? "" : "s", ranks);
}

/* "; 4 ranks are not read, and waiting for them counts as transfer" */
static const char *phrase_not_read(struct arena *arena, size_t ranks)
{
	if (!ranks)
		return "";
	return arena_printf(arena, "; %zu rank%s not read, and waiting for %s counts as transfer",
		ranks, ranks == 1 ? " is" : "s are", ranks == 1 ? "it" : "them");
}

/* "A rank is 995.6 ms of a step in collectives: 610 ms waiting for the last rank, 385 ms transfer,
 * on average." */
static void answer_collectives(const struct rank_answerer *a)
{
	struct arena *arena = a->report->arena;
	const struct job_collectives *c = a->ranks->collectives;

	if (!c)
		return;
	if (!c->matches) {
		report_answer(a->report,
			"Waiting in collectives is not told from transfer: %zu call%s, of which "
			"none is in all ranks.",
			c->left_out, c->left_out == 1 ? "" : "s");
		return;
	}
	report_answer(a->report,
		"A rank is %s of a step in collectives: %s waiting for the last rank, %s transfer, "
		"on average%s%s%s  (--table=ranks).",
		phrase_quantity(arena, DIMENSION_TIME, c->mean_transfer_ps + c->mean_waiting_ps),
		phrase_quantity(arena, DIMENSION_TIME, c->mean_waiting_ps),
		phrase_quantity(arena, DIMENSION_TIME, c->mean_transfer_ps),
		phrase_ungrouped(arena, c->ungrouped, a->ranks->of->count),
		phrase_left_out(arena, c->left_out), phrase_not_read(arena, c->not_read));
}

void answers_add_ranks(
	struct report *report, const struct job_ranks *ranks, const char *const *name)
{
	const struct rank_answerer a = {report, ranks, name};

	if (ranks->is_unknown) {
		report_answer(report,
			"Ranks that are added up are looked at in one job at a time: give "
			"one .part, or the .obs files of all  (stepstat help part).");
		return;
	}
	answer_no_culprit(&a);

	/* Answers for the parts that the sums of a partial job do not have. */
	const size_t others = a.ranks->other_ranks;

	if (!a.ranks->rows_are_known)
		report_answer(a.report,
			"Which ranks are slow in single ops is known only for the rows and steps "
			"that were merged, not for these  (stepstat help part).");
	else if (others)
		report_answer(a.report,
			"%zu rank%s recorded other steps than most; the split and culprits of "
			"single ops leave %s out  (stepstat help part).",
			others, others == 1 ? "" : "s", others == 1 ? "it" : "them");
	answer_collectives(&a);

	struct arena *arena = a.report->arena;
	const struct rank_split *split = &a.ranks->split[0].split;
	const char *group = "";

	if (isnan(split->step))
		return;
	if (split->group > 0)
		group = arena_printf(
			arena, "%s between groups, ", phrase_percent(arena, split->group));
	report_answer(a.report,
		"The variance of %s over ranks and steps: %s%s always the same ranks, %s all ranks "
		"together, %s changing  (--table=split).",
		a.ranks->without_waiting ? "work" : "op time", group,
		phrase_percent(arena, split->in_group), phrase_percent(arena, split->step),
		phrase_percent(arena, split->rank_by_step));
}

/* ---- tables ---- */

static void build_ranks(
	struct report *report, const struct job_ranks *ranks, const struct build_options *opt)
{
	const struct job_collectives *c = ranks->collectives;
	const bool matched = c && c->matches;
	struct table *table = report_spell_columns(report, report_append_table(report, "ranks"),
		opt, DIMENSION_NONE, "rank group steps:n slowest_in:n excess_mean:t work_mean:t");

	if (matched)
		report_spell_columns(report, table, opt, DIMENSION_NONE,
			"transfer_mean:t waiting_mean:t last_in:n");
	for (size_t r = 0; r < ranks->of->count; r++) {
		const struct rank_place *place = &ranks->rank[r];
		const struct job_rank *rank = &ranks->of->rank[r];

		report_add_cells(report, table,
			(const struct cell[]){cell_text(rank->name), cell_text(rank->group),
				cell_integer((int64_t)place->steps),
				cell_integer((int64_t)place->slowest_in), cell_real(place->excess),
				cell_real(ranks->work_ps[r]),
				cell_real(matched ? c->transfer_ps[r] : NAN),
				cell_real(matched ? c->waiting_ps[r] : NAN),
				cell_integer(matched ? (int64_t)c->last_in[r] : 0)});
	}
}

/* The work, then classes, then rows; of each the largest sums of squares first. */
static int compare_splits(const void *a, const void *b)
{
	const struct job_split *x = a, *y = b;
	const double p = isnan(x->split.total) ? 0 : x->split.total;
	const double q = isnan(y->split.total) ? 0 : y->split.total;

	if (x->of != y->of)
		return x->of > y->of ? 1 : -1;
	return ORDER(q, p) ?: ORDER(x->index, y->index);
}

static void build_split(struct report *report, const struct summary *summary,
	const struct job_ranks *ranks, const struct build_options *opt)
{
	struct table *table = report_spell_columns(report, report_append_table(report, "split"),
		opt, DIMENSION_NONE,
		"op:s ranks:n steps:n group:f rank_in_group:f step:f rank_x_step:f of");
	struct job_split *item = arena_array(report->arena, ranks->split_count, sizeof(*item));

	if (ranks->split_count) {
		memcpy(item, ranks->split, ranks->split_count * sizeof(*item));
		qsort(item, ranks->split_count, sizeof(*item), compare_splits);
	}
	for (size_t i = 0; i < ranks->split_count; i++) {
		const struct job_split *of = &item[i];
		const struct rank_split *split = &of->split;
		const bool work = of->of == SPLIT_OF_WORK, class = of->of == SPLIT_OF_CLASS;

		/* Rows that are classes are not there twice. */
		if (class && text_equal(opt->row_noun, "class"))
			continue;
		report_add_cells(report, table,
			(const struct cell[]){
				cell_text(work	  ? "all ops"
					  : class ? ranks->classes.item[of->index].name
						  : summary->grouping->group[of->index].name),
				cell_integer((int64_t)split->ranks),
				cell_integer((int64_t)split->steps), cell_real(split->group),
				cell_real(split->in_group), cell_real(split->step),
				cell_real(split->rank_by_step),
				cell_text(work	  ? "all"
					  : class ? "class"
						  : opt->row_noun)});
	}
}

/* ---- who is named ---- */

/* All who are named, also beyond those in sentences; nobody: no rows. */
static void build_culprits(
	struct report *report, const struct summary *summary, const struct build_options *opt)
{
	const struct job_ranks *ranks = opt->ranks;
	struct table *table = report_spell_columns(report, report_append_table(report, "culprits"),
		opt, DIMENSION_NONE, "rank group op:s ranks:n steps:n slowest_in:n excess_mean:t");

	for (size_t i = 0; i < ranks->culprit_count; i++) {
		const struct rank_culprit *c = &ranks->culprit[i];
		const struct job_rank *rank = &ranks->of->rank[c->rank];

		report_add_cells(report, table,
			(const struct cell[]){cell_text(rank->name), cell_text(rank->group),
				cell_text(c->row == RANK_CULPRITS_WHOLE
						  ? "all ops"
						  : summary->grouping->group[c->row].name),
				cell_integer((int64_t)c->ranks), cell_integer((int64_t)c->steps),
				cell_integer((int64_t)c->slowest_in), cell_real(c->excess)});
	}
}

void build_rank_tables(
	struct report *report, const struct summary *summary, const struct build_options *opt)
{
	build_ranks(report, opt->ranks, opt);
	build_split(report, summary, opt->ranks, opt);
	build_culprits(report, summary, opt);
}
