/*
 * One sentence says who is slow, one where the variance is.
 */
#include "report/build_ranks.h"

#include <math.h>
#include "base/number.h"
#include "base/text.h"
#include "report/build_tables.h"

#define CULPRITS_NAMED 3
#define COUNT(array) (sizeof(array) / sizeof(*(array)))

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

/* The row with the largest excess among those in which this rank is named; NULL: none. */
static const struct rank_culprit *largest_row(const struct rank_answerer *a, size_t rank)
{
	for (size_t i = 0; i < a->ranks->culprit_count; i++) {
		const struct rank_culprit *c = &a->ranks->culprit[i];

		if (c->row != RANK_CULPRITS_WHOLE && c->rank == rank)
			return c;
	}
	return NULL;
}

static const char *row_name(const struct rank_answerer *a, size_t row)
{
	return phrase_list(a->report->arena, &a->name[row], 1);
}

/* "; the others wait for it in AllReduce"; "" where that is not shown. */
static const char *phrase_waiting(const struct rank_answerer *a, size_t rank)
{
	const struct job_collectives *c = a->ranks->collectives;

	if (!c || c->row == SIZE_MAX || !job_collectives_wait_for(c, a->ranks->of->count, rank))
		return "";
	return arena_printf(
		a->report->arena, "; the others wait for it in %s", row_name(a, c->row));
}

/* "Rank 3 is the slowest of 8 in 95 of 97 steps, +3.1 ms of work, 2.9 ms of it in X." */
static void answer_whole(const struct rank_answerer *a, const struct rank_culprit *c)
{
	struct arena *arena = a->report->arena;
	const struct rank_culprit *row = largest_row(a, c->rank);
	const char *where = "";

	if (row)
		where = arena_printf(arena, ", %s of it in %s",
			phrase_quantity(arena, DIMENSION_TIME, row->excess), row_name(a, row->row));

	const char *group = a->ranks->of->rank[c->rank].group;

	report_answer(a->report,
		"Rank %s is the slowest of %zu%s in %zu of %zu steps, %s of %s%s%s  "
		"(--table=ranks).",
		rank_name(a, c->rank), c->ranks,
		group ? arena_printf(
				a->report->arena, " in %s", phrase_visible(a->report->arena, group))
		      : "",
		c->slowest_in, c->steps, phrase_excess(arena, c->excess),
		a->ranks->without_waiting ? "work" : "op time", where, phrase_waiting(a, c->rank));
}

/* Culprits of the whole, or where there are none those of rows. */
static void answer_culprits(const struct rank_answerer *a)
{
	const struct rank_culprit *culprit = a->ranks->culprit;
	const size_t count = a->ranks->culprit_count;
	const bool whole = count && culprit[0].row == RANK_CULPRITS_WHOLE;
	size_t named = 0, all = 0;

	for (size_t i = 0; i < count; i++) {
		if (whole != (culprit[i].row == RANK_CULPRITS_WHOLE) || all++ >= CULPRITS_NAMED)
			continue;
		if (whole)
			answer_whole(a, &culprit[i]);
		else
			report_answer(a->report,
				"Rank %s is slow in %s: %s a step, the slowest in %zu of %zu steps "
				" "
				"(--table=culprits).",
				rank_name(a, culprit[i].rank), row_name(a, culprit[i].row),
				phrase_excess(a->report->arena, culprit[i].excess),
				culprit[i].slowest_in, culprit[i].steps);
		named++;
	}
	if (all > named)
		report_answer(a->report, "[%zu more like it: --table=culprits]", all - named);
	if (count)
		return;
	if (a->ranks->least < RANK_CULPRITS_RANKS)
		report_answer(a->report,
			"Of fewer than %d ranks%s nobody can say whether one is slow or the other "
			"fast  (--table=ranks).",
			RANK_CULPRITS_RANKS,
			a->ranks->of->count < RANK_CULPRITS_RANKS ? "" : " of a group");
	else if (!a->ranks->tests)
		report_answer(
			a->report, "Too few steps to say whether a rank is slow  (--table=ranks).");
	else
		report_answer(a->report, "No rank is shown to be slower than the others  "
					 "(--table=ranks).");
}

static void answer_split(const struct rank_answerer *a)
{
	struct arena *arena = a->report->arena;
	const struct rank_split *split = &a->ranks->split[0].split;
	const char *group = "";

	if (isnan(split->step))
		return;
	if (split->group > 0)
		group = arena_printf(
			arena, "%s between groups, ", phrase_percent(arena, split->group));
	report_answer(a->report,
		"The variance of %s over ranks and steps: %s%s always the same ranks, %s all ranks "
		"together, %s changing  (--table=split).",
		a->ranks->without_waiting ? "work" : "op time", group,
		phrase_percent(arena, split->in_group), phrase_percent(arena, split->step),
		phrase_percent(arena, split->rank_by_step));
}

/* "; 2 calls that ranks do not have alike are left out" */
static const char *phrase_left_out(struct arena *arena, size_t calls)
{
	if (!calls)
		return "";
	return arena_printf(arena, "; %zu call%s that not all ranks have %s left out", calls,
		calls == 1 ? "" : "s", calls == 1 ? "is" : "are");
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
			"none "
			"is in all ranks.",
			c->left_out, c->left_out == 1 ? "" : "s");
		return;
	}
	report_answer(a->report,
		"A rank is %s of a step in collectives: %s waiting for the last rank, %s transfer, "
		"on average%s%s  (--table=ranks).",
		phrase_quantity(arena, DIMENSION_TIME, c->mean_transfer_ps + c->mean_waiting_ps),
		phrase_quantity(arena, DIMENSION_TIME, c->mean_waiting_ps),
		phrase_quantity(arena, DIMENSION_TIME, c->mean_transfer_ps),
		phrase_left_out(arena, c->left_out), phrase_not_read(arena, c->not_read));
}

void answers_add_ranks(
	struct report *report, const struct job_ranks *ranks, const char *const *name)
{
	const struct rank_answerer a = {report, ranks, name};

	if (ranks->is_unknown) {
		report_answer(report,
			"Ranks that are added up are looked at in one job at a time: give one "
			".part, or the .obs files of all  (stepstat help part).");
		return;
	}
	answer_culprits(&a);

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
	answer_split(&a);
}

/* ---- tables ---- */

/* Columns of the table; those from RANKS_TRANSFER on only where calls of collectives were
 * matched. */
enum ranks_column {
	RANKS_RANK,
	RANKS_GROUP,
	RANKS_STEPS,
	RANKS_SLOWEST,
	RANKS_EXCESS,
	RANKS_WORK,
	RANKS_TRANSFER,
	RANKS_WAITING,
	RANKS_LAST
};

struct rank_line {
	const struct job_ranks *ranks;
	size_t rank;
};

static struct cell rank_cell(const struct column *column, const void *from)
{
	const struct rank_line *line = from;
	const struct rank_place *place = &line->ranks->rank[line->rank];
	const struct job_rank *rank = &line->ranks->of->rank[line->rank];

	switch ((enum ranks_column)column->index) {
	case RANKS_RANK:
		return cell_text(rank->name);
	case RANKS_GROUP:
		return cell_text(rank->group);
	case RANKS_STEPS:
		return cell_integer((int64_t)place->steps);
	case RANKS_SLOWEST:
		return cell_integer((int64_t)place->slowest_in);
	case RANKS_EXCESS:
		return cell_real(place->excess);
	case RANKS_WORK:
		return cell_real(line->ranks->work_ps[line->rank]);
	case RANKS_TRANSFER:
		return cell_real(line->ranks->collectives->transfer_ps[line->rank]);
	case RANKS_WAITING:
		return cell_real(line->ranks->collectives->waiting_ps[line->rank]);
	case RANKS_LAST:
		break;
	}
	return cell_integer((int64_t)line->ranks->collectives->last_in[line->rank]);
}

static void build_ranks(
	struct report *report, const struct job_ranks *ranks, const struct build_options *opt)
{
	static const struct column columns[] = {[RANKS_RANK] = {.stat = "rank"},
		[RANKS_GROUP] = {.stat = "group"},
		[RANKS_STEPS] = {.stat = "steps",
			.dimension = DIMENSION_COUNT,
			.align = ALIGN_RIGHT},
		[RANKS_SLOWEST] = {.stat = "slowest_in",
			.dimension = DIMENSION_COUNT,
			.align = ALIGN_RIGHT},
		[RANKS_EXCESS] = {.stat = "excess_mean",
			.dimension = DIMENSION_TIME,
			.align = ALIGN_RIGHT},
		[RANKS_WORK] = {.stat = "work_mean",
			.dimension = DIMENSION_TIME,
			.align = ALIGN_RIGHT},
		[RANKS_TRANSFER] = {.stat = "transfer_mean",
			.dimension = DIMENSION_TIME,
			.align = ALIGN_RIGHT},
		[RANKS_WAITING] = {.stat = "waiting_mean",
			.dimension = DIMENSION_TIME,
			.align = ALIGN_RIGHT},
		[RANKS_LAST] = {
			.stat = "last_in", .dimension = DIMENSION_COUNT, .align = ALIGN_RIGHT}};
	const bool matched = ranks->collectives && ranks->collectives->matches;
	const size_t count = matched ? COUNT(columns) : RANKS_TRANSFER;
	struct table *table = report_append_table(report, "ranks");

	report_add_columns(report, table, rank_cell, columns, count);
	for (size_t c = RANKS_EXCESS; c < count && c <= RANKS_WAITING; c++) {
		table->column[c].unit = unit_given(opt, DIMENSION_TIME);
		table->column[c].decimals = -1;
	}
	for (size_t r = 0; r < ranks->of->count; r++)
		report_make_row(report, table, &(struct rank_line){ranks, r});
}

enum split_column {
	SPLIT_OP,
	SPLIT_RANKS,
	SPLIT_STEPS,
	SPLIT_GROUP,
	SPLIT_IN_GROUP,
	SPLIT_STEP,
	SPLIT_RANK_BY_STEP,
	SPLIT_OF
};

struct split_line {
	const struct summary *summary;
	const struct job_ranks *ranks;
	const struct job_split *split;
	const char *row_noun;
};

static const char *split_name(const struct split_line *line)
{
	if (line->split->of == SPLIT_OF_WORK)
		return "all ops";
	return line->split->of == SPLIT_OF_CLASS
		       ? line->ranks->classes.item[line->split->index].name
		       : line->summary->grouping->group[line->split->index].name;
}

static struct cell split_cell(const struct column *column, const void *from)
{
	const struct split_line *line = from;
	const struct rank_split *split = &line->split->split;

	switch ((enum split_column)column->index) {
	case SPLIT_OP:
		return cell_text(split_name(line));
	case SPLIT_RANKS:
		return cell_integer((int64_t)split->ranks);
	case SPLIT_STEPS:
		return cell_integer((int64_t)split->steps);
	case SPLIT_GROUP:
		return cell_real(split->group);
	case SPLIT_IN_GROUP:
		return cell_real(split->in_group);
	case SPLIT_STEP:
		return cell_real(split->step);
	case SPLIT_RANK_BY_STEP:
		return cell_real(split->rank_by_step);
	case SPLIT_OF:
		break;
	}
	return cell_text(line->split->of == SPLIT_OF_WORK    ? "all"
			 : line->split->of == SPLIT_OF_CLASS ? "class"
							     : line->row_noun);
}

static void build_split(struct report *report, const struct summary *summary,
	const struct job_ranks *ranks, const struct build_options *opt)
{
	static const struct column columns[] = {
		[SPLIT_OP] = {.stat = "op", .names = true, .shorten = true},
		[SPLIT_RANKS] = {.stat = "ranks",
			.dimension = DIMENSION_COUNT,
			.align = ALIGN_RIGHT},
		[SPLIT_STEPS] = {.stat = "steps",
			.dimension = DIMENSION_COUNT,
			.align = ALIGN_RIGHT},
		[SPLIT_GROUP] = {.stat = "group",
			.dimension = DIMENSION_FRACTION,
			.align = ALIGN_RIGHT},
		[SPLIT_IN_GROUP] = {.stat = "rank_in_group",
			.dimension = DIMENSION_FRACTION,
			.align = ALIGN_RIGHT},
		[SPLIT_STEP] = {.stat = "step",
			.dimension = DIMENSION_FRACTION,
			.align = ALIGN_RIGHT},
		[SPLIT_RANK_BY_STEP] = {.stat = "rank_x_step",
			.dimension = DIMENSION_FRACTION,
			.align = ALIGN_RIGHT},
		[SPLIT_OF] = {.stat = "of"}};
	struct table *table = report_append_table(report, "split");

	report_add_columns(report, table, split_cell, columns, COUNT(columns));
	for (size_t c = SPLIT_GROUP; c < COUNT(columns); c++)
		table->column[c].decimals = -1;
	for (size_t i = 0; i < ranks->split_count; i++) {
		const struct split_line line = {summary, ranks, &ranks->split[i], opt->row_noun};

		/* Rows that are classes are not there twice. */
		if (ranks->split[i].of == SPLIT_OF_CLASS && text_equal(opt->row_noun, "class"))
			continue;
		report_make_row(report, table, &line);
	}
}

/* ---- who is named ---- */

enum culprit_column {
	CULPRIT_RANK,
	CULPRIT_GROUP,
	CULPRIT_OP,
	CULPRIT_RANKS,
	CULPRIT_STEPS,
	CULPRIT_SLOWEST,
	CULPRIT_EXCESS
};

struct culprit_line {
	const struct summary *summary;
	const struct job_rank *rank;
	const struct rank_culprit *culprit;
};

static struct cell culprit_cell(const struct column *column, const void *from)
{
	const struct culprit_line *line = from;
	const struct rank_culprit *c = line->culprit;

	switch ((enum culprit_column)column->index) {
	case CULPRIT_RANK:
		return cell_text(line->rank->name);
	case CULPRIT_GROUP:
		return cell_text(line->rank->group);
	case CULPRIT_OP:
		return cell_text(c->row == RANK_CULPRITS_WHOLE
					 ? "all ops"
					 : line->summary->grouping->group[c->row].name);
	case CULPRIT_RANKS:
		return cell_integer((int64_t)c->ranks);
	case CULPRIT_STEPS:
		return cell_integer((int64_t)c->steps);
	case CULPRIT_SLOWEST:
		return cell_integer((int64_t)c->slowest_in);
	case CULPRIT_EXCESS:
		break;
	}
	return cell_real(c->excess);
}

/* All who are named, also beyond those in sentences; nobody: no rows. */
static void build_culprits(
	struct report *report, const struct summary *summary, const struct build_options *opt)
{
#define NUMBER(name)                                                                               \
	{                                                                                          \
		.stat = name, .dimension = DIMENSION_COUNT, .align = ALIGN_RIGHT                   \
	}
	static const struct column columns[] = {[CULPRIT_RANK] = {.stat = "rank"},
		[CULPRIT_GROUP] = {.stat = "group"},
		[CULPRIT_OP] = {.stat = "op", .names = true, .shorten = true},
		[CULPRIT_RANKS] = NUMBER("ranks"),
		[CULPRIT_STEPS] = NUMBER("steps"),
		[CULPRIT_SLOWEST] = NUMBER("slowest_in"),
		[CULPRIT_EXCESS] = {.stat = "excess_mean",
			.dimension = DIMENSION_TIME,
			.decimals = -1,
			.align = ALIGN_RIGHT}};
#undef NUMBER
	const struct job_ranks *ranks = opt->ranks;
	struct table *table = report_append_table(report, "culprits");

	report_add_columns(report, table, culprit_cell, columns, COUNT(columns));
	table->column[CULPRIT_EXCESS].unit = unit_given(opt, DIMENSION_TIME);
	for (size_t i = 0; i < ranks->culprit_count; i++) {
		const struct rank_culprit *culprit = &ranks->culprit[i];

		report_make_row(report, table,
			&(struct culprit_line){summary, &ranks->of->rank[culprit->rank], culprit});
	}
}

void build_rank_tables(
	struct report *report, const struct summary *summary, const struct build_options *opt)
{
	build_ranks(report, opt->ranks, opt);
	build_split(report, summary, opt->ranks, opt);
	build_culprits(report, summary, opt);
}
