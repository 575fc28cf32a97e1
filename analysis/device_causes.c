/* Names of what the host did, from the list of series. */
#include "analysis/device_causes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/number.h"
#include "base/order.h"
#include "base/text.h"

static bool is_rest(const struct device_cause *cause)
{
	return text_equal(cause->name, STEP_SERIES_OTHER);
}

ORDERED(compare_causes, struct device_cause,
	ORDER(is_rest(x), is_rest(y))
		?: ORDER(y->sum_ps, x->sum_ps)
		?: strcmp(x->name, y->name));

size_t device_causes_find(const struct cube *self, const struct step_set *steps, const char *device,
	enum step_series_kind kind, struct arena *arena, struct device_cause **out)
{
	const struct step_series_list *list = &self->series;
	size_t count = 0;

	*out = arena_array(arena, list->count, sizeof(**out));
	for (size_t i = 0; i < list->count; i++) {
		const struct step_series *series = &list->item[i];
		struct device_cause *cause = &(*out)[count];
		size_t known = 0;

		if (series->kind != kind || strcmp(series->device, device) != 0)
			continue;
		*cause = (struct device_cause){.name = series->cause, .value_ps = series->value_ps};
		for (size_t k = 0; k < steps->count; k++) {
			const double value = step_series_value(series->value_ps, steps->step[k]);

			cause->sum_ps += isnan(value) ? 0 : value;
			known += !isnan(value);
		}
		cause->mean_ps = known ? cause->sum_ps / (double)known : 0;
		count += cause->sum_ps > 0;
	}
	if (count)
		qsort(*out, count, sizeof(**out), compare_causes);
	return count;
}

/* PyTorch writes CLASS.method#SUBCLASS.method, and enumerate(CLASS). */
const char *device_cause_spoken(const char *name, struct arena *arena)
{
	static const char loop[] = "enumerate(";
	const size_t n = strlen(loop);
	const char *mark = strchr(name, '#'), *close;

	if (mark && mark > name && mark[-1] != ' ')
		name = arena_strndup(arena, name, (size_t)(mark - name));
	close = strchr(name, ')');
	if (strncmp(name, loop, n) == 0 && close && !close[1])
		name = arena_strndup(arena, name + n, (size_t)(close - name) - n);
	return name;
}

static const int64_t *add_values(
	const struct cube *self, const int64_t *a, const int64_t *b, struct arena *arena)
{
	int64_t *sum = arena_array(arena, self->step_count, sizeof(*sum));

	for (size_t s = 0; s < self->step_count; s++)
		if (a[s] == CELL_ABSENT || b[s] == CELL_ABSENT || !number_add(a[s], b[s], &sum[s]))
			sum[s] = CELL_ABSENT;
	return sum;
}

/* Adds a cause to that of the same name among the first `count`, or behind them. Returns how many
 * they are then. */
static size_t add_cause(const struct cube *self, struct device_cause *cause, size_t count,
	const struct device_cause *from, struct arena *arena)
{
	size_t k = 0;

	while (k < count && strcmp(cause[k].name, from->name) != 0)
		k++;
	if (k == count) {
		cause[count] = *from;
		return count + 1;
	}
	cause[k].value_ps = add_values(self, cause[k].value_ps, from->value_ps, arena);
	cause[k].sum_ps += from->sum_ps;
	cause[k].mean_ps += from->mean_ps;
	return count;
}

size_t device_causes_spoken(const struct cube *self, const struct step_set *steps,
	const char *device, struct arena *arena, struct device_cause **out)
{
	struct device_cause *cause;
	const size_t all =
		device_causes_find(self, steps, device, SERIES_LATE_OUTERMOST, arena, &cause);
	size_t count = 0;

	for (size_t i = 0; i < all; i++) {
		cause[i].name = device_cause_spoken(cause[i].name, arena);
		count = add_cause(self, cause, count, &cause[i], arena);
	}
	if (count)
		qsort(cause, count, sizeof(*cause), compare_causes);
	*out = cause;
	return count;
}

const struct device_cause *device_causes_named(
	const struct device_cause *cause, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (text_equal(cause[i].name, name))
			return &cause[i];
	return NULL;
}

size_t device_causes_fold(const struct cube *self, struct device_cause *cause, size_t count,
	const struct device_cause *beside, size_t beside_count, double most_ps, struct arena *arena)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		struct device_cause from = cause[i];

		if (from.mean_ps <= most_ps &&
			!device_causes_named(beside, beside_count, from.name))
			from.name = STEP_SERIES_OTHER;
		kept = add_cause(self, cause, kept, &from, arena);
	}
	return kept;
}
