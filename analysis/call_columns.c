/*
 * Columns of calls.
 */
#include "analysis/call_columns.h"

const char *call_column_title(struct arena *arena, const struct measure *measure, bool first,
	const struct statistic_choice *choice)
{
	const char *own = choice->statistic->call_title, *title = own ? own : choice->name;

	if (choice->statistic->traits & STATISTIC_NAMES_MEASURE)
		return arena_printf(arena, "%s%s", measure->name, title);
	return first ? title : arena_printf(arena, "%s %s", measure->name, title);
}

const char *call_column_name(
	struct arena *arena, const struct statistic_choice *choice, bool population)
{
	const char *name = choice->statistic->call_name;

	if (choice->statistic->id == STATISTIC_CV && population)
		return "call_cvpop";
	return name ? name : arena_printf(arena, "call_%s", choice->name);
}

int call_column_drop(const struct measure *measure, bool first, bool asked,
	const struct statistic_choice *choice)
{
	const enum statistic_id id = choice->statistic->id;
	const bool of_calls = measure->kind == MEASURE_OF_CALLS;

	if (id == STATISTIC_MEAN)
		return of_calls && !asked ? 1 : 0;
	if (!first || (of_calls && (!asked || id == STATISTIC_SUM)))
		return 1;
	return choice->statistic->call_drop;
}

bool call_column_is_defined(const struct measure *measure, const struct statistic_choice *choice)
{
	const enum statistic_id id = choice->statistic->id;

	return measure->kind != MEASURE_OF_CALLS ||
	       (id != STATISTIC_BELOW_5US && id != STATISTIC_SHARE);
}

bool call_column_is_usual(const struct calls *calls, const struct measure *measure, bool first,
	const struct statistic_choice *choice)
{
	const enum statistic_id id = choice->statistic->id;

	if (!call_column_is_defined(measure, choice) ||
		(id == STATISTIC_QUANTILE && !calls->has_values))
		return false;
	if (id == STATISTIC_BELOW_5US)
		return first && calls->device.count > 0;
	return first || id == STATISTIC_MEAN ||
	       (id == STATISTIC_N && measure->kind != MEASURE_OF_CALLS);
}

size_t call_columns_of_files(struct arena *arena, struct statistic_choice **choice)
{
	static const char *const names[] = {"n", "sum", "share", "mean", "sd", "cv", "min", "max",
		"p50", "p90", "p99", "below5us"};
	const size_t count = sizeof(names) / sizeof(*names);

	*choice = arena_array(arena, count, sizeof(**choice));
	for (size_t i = 0; i < count; i++)
		statistic_choose(names[i], &(*choice)[i], NULL);
	return count;
}
