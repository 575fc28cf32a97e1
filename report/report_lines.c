/* Values from the summary, or from the calls of the same rows. */
#include "report/report_lines.h"

#include <math.h>
#include "analysis/calls.h"
#include "analysis/totals.h"
#include "base/text.h"

const struct measure *measure_of(const struct report_builder *b, size_t m)
{
	return measure_at(b->summary->options.measure[m]);
}

bool has_rows_of_ranks(const struct report_builder *b)
{
	return b->summary->parts_of != b->summary;
}

bool are_of_several_runs(const struct report_builder *b)
{
	return b->summary->steps->run_count > 1 &&
	       b->summary->parts_of->options.parts != PARTS_RUNS;
}

/* In how many steps it ran: of benchmarks those in which one of its measures is known. */
static size_t ran_of(const struct report_builder *b, const struct summary_value *value)
{
	size_t most = 0;

	if (!b->self->benchmarks)
		return value->ran;
	for (size_t m = 0; m < b->summary->options.measure_count; m++)
		if (value[m].ran - value[m].lost > most)
			most = value[m].ran - value[m].lost;
	return most;
}

struct report_line line_of(const struct report_builder *b, size_t part_index, size_t group)
{
	const bool all = part_index == ALL_PARTS;
	const struct summary_part *part = all ? &b->summary->all : &b->summary->part[part_index];
	const struct summary_value *value = part->row[group].value;
	struct report_line line = {.b = b,
		.label = b->summary->grouping->group[group].name,
		.group = &b->summary->grouping->group[group],
		.index = group,
		.summary = all ? b->summary : b->summary->parts_of,
		.part = part};

	if (b->calls) {
		const struct call_row *row =
			all ? &b->calls->all.row[group] : &b->calls->run[part_index].row[group];

		line.ran = row->ran;
		line.steps = row->steps;
		line.call = row->value;
	} else {
		line.ran = ran_of(b, value);
		line.steps = value->steps;
		line.value = value;
	}
	return line;
}

struct report_line line_of_total(const struct report_builder *b)
{
	bool selected = b->summary->options.of_selected && !b->summary->overlap;
	struct report_line line = {.b = b, .label = selected ? "selected ops" : "all ops"};

	if (b->calls)
		line.call = b->calls->all.total;
	else
		line.value = b->summary->all.total;
	return line;
}

struct report_line line_of_rest(
	const struct report_builder *b, const bool *shown, const char *label)
{
	struct report_line line = {.b = b, .label = label, .shown = shown};

	if (b->calls)
		line.call = calls_rest(b->calls, b->self, shown);
	else
		line.value = summary_rest(b->summary, &b->summary->all, shown);
	return line;
}

struct report_line line_of_not_in_ops(const struct report_builder *b)
{
	const size_t measures = b->summary->options.measure_count;
	struct summary_value *value = arena_array(b->report->arena, measures, sizeof(*value));
	struct report_line line = {
		.b = b, .label = "[not in ops]", .value = value, .only_jitter = true};

	for (size_t m = 0; m < measures; m++)
		value[m].jitter = b->summary->all.base[m].not_in_ops;
	return line;
}

int64_t line_executions(const struct report_line *line)
{
	const struct report_builder *b = line->b;

	if (line->group)
		return executions_of_group(line->summary, line->part, line->group);
	return line->shown ? executions_of_rest(b->summary, b->self, line->shown)
			   : executions_of_all(b->summary, b->self, &b->summary->all);
}

double line_statistic(
	const struct report_line *line, size_t m, const struct statistic_choice *choice)
{
	const struct summary_value *value = &line->value[m];

	if (line->call && !call_column_is_defined(measure_of(line->b, m), choice))
		return NAN;
	if (line->call && choice->statistic->id == STATISTIC_RAN)
		return (double)line->ran;
	if (line->call)
		return calls_statistic(line->b->calls, &line->call[m], choice);
	if (value->is_static)
		return value->known ? value->static_value : NAN;
	if (choice->statistic->id == STATISTIC_CALLS) {
		const int64_t executions = line_executions(line);

		return executions == CELL_ABSENT ? NAN : (double)executions;
	}
	return summary_statistic(line->b->summary, value, choice);
}

const char *line_note_codes(const struct report_line *line)
{
	const struct report_builder *b = line->b;
	const struct summary_value *value = line->value;
	const char *codes;
	struct text text;

	text_init(&text);
	if (line->ran < line->steps && !(value && value->is_static))
		text_add(&text, " absent");
	if (value && value->spiky)
		text_add(&text, " spiky");
	if (value && value->resolution_limited)
		text_add(&text, " resolution");
	for (size_t m = 0; value && m < b->summary->options.measure_count; m++)
		if (value[m].lost) {
			text_add(&text, " lost");
			break;
		}
	if (line->group->op_count > 1 && b->opt->with_type)
		text_add(&text, " summed");
	codes = arena_strdup(b->report->arena, text.size ? text_string(&text) + 1 : "");
	text_release(&text);
	return codes;
}
