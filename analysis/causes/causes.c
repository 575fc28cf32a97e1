/* The table of finders, and what all causes share. Slow ranks and what the host did are found where
 * they are tested already. */
#include "analysis/causes/causes.h"

#include <math.h>
#include <string.h>
#include "base/order.h"
#include "base/text.h"

#define SIZE_BESIDE 0.05     /* of the largest cause: less is not given beside it */
#define HOST_LATE_LEAST 0.05 /* of the window of a device, in what is named */
#define HOST_LATE_SPREAD 0.1 /* the same in all that the host did */

struct cause cause_new(enum cause_kind kind)
{
	return (struct cause){.kind = kind,
		.p = NAN,
		.from = NAN,
		.to = NAN,
		.group = SIZE_MAX,
		.row_from = NAN,
		.row_to = NAN,
		.calls_from = NAN,
		.calls_to = NAN,
		.spread = NAN,
		.run = SIZE_MAX,
		.last = UINT32_MAX,
		.of_rank = SIZE_MAX};
}

static bool is_before(const struct cause *x, const struct cause *y)
{
	return (ORDER(fabs(y->size), fabs(x->size)) ?: ORDER(x->kind, y->kind)
			       ?: ORDER(x->group, y->group) ?: ORDER(x->step, y->step)) < 0;
}

void cause_list_add(struct cause_list *list, const struct cause *cause)
{
	size_t at = list->count;

	while (at && is_before(cause, &list->cause[at - 1]))
		at--;
	if (at == CAUSES_KEPT)
		return;
	list->count += list->count < CAUSES_KEPT;
	memmove(&list->cause[at + 1], &list->cause[at],
		(list->count - at - 1) * sizeof(*list->cause));
	list->cause[at] = *cause;
}

/* The row in which most of what a rank is slow is; NULL: none is known. */
static const struct rank_culprit *row_of_rank(const struct job_ranks *ranks, size_t rank)
{
	for (size_t i = 0; i < ranks->culprit_count; i++)
		if (ranks->culprit[i].row != RANK_CULPRITS_WHOLE && ranks->culprit[i].rank == rank)
			return &ranks->culprit[i];
	return NULL;
}

/* Ranks that are slow in the whole, or where there are none in single rows. */
static void find_slow_ranks(const struct cause_sources *from, struct cause_list *out)
{
	const struct job_ranks *ranks = from->ranks;
	double step;

	if (!ranks || ranks->is_unknown || !ranks->culprit_count)
		return;
	const bool whole = ranks->culprit[0].row == RANK_CULPRITS_WHOLE;

	step = summary_first_runs(from->summary)->mean;
	for (size_t i = 0; i < ranks->culprit_count; i++) {
		const struct rank_culprit *culprit = &ranks->culprit[i];
		const struct rank_culprit *row =
			whole ? row_of_rank(ranks, culprit->rank) : culprit;
		struct cause cause = cause_new(CAUSE_SLOW_RANK);

		if (whole != (culprit->row == RANK_CULPRITS_WHOLE))
			continue;
		cause.rank = culprit;
		cause.p = culprit->p;
		cause.size = step > 0 ? culprit->excess / step : NAN;
		cause.place = row ? CAUSE_IN_ROW : CAUSE_IN_SEVERAL;
		if (whole && ranks->input &&
			cause_is_most(ranks->input_ps[culprit->rank], culprit->excess)) {
			cause.host = ranks->input[culprit->rank];
			cause.row_to = ranks->input_ps[culprit->rank];
			cause.place = CAUSE_NOT_IN_OPS;
		} else if (row) {
			cause.group = row->row;
			cause.row_to = row->excess;
		}
		cause.to = culprit->excess;
		cause_list_add(out, &cause);
	}
}

/* Without a name of what the host did it is no cause. */
static void find_host_late(const struct cause_sources *from, struct cause_list *out)
{
	for (size_t i = 0, n; i < from->device_count; i += n) {
		const struct device_parts *device = &from->device[i];
		struct cause cause = cause_new(CAUSE_HOST_LATE);

		n = device_parts_alike(device, from->device_count - i);
		for (size_t k = 0; k < n; k++)
			cause.size += device[k].part[SERIES_HOST_LATE] / (double)n;
		cause.place = CAUSE_NOT_IN_OPS;
		cause.device = device;
		cause.devices = n;
		cause.to = cause.size * device->window_ps;
		if (device->cause_count && !text_equal(device->cause->name, STEP_SERIES_OTHER))
			cause.host = device->cause->name;
		if (cause.host && !text_equal(cause.host, STEP_SERIES_NOTHING) &&
			(cause.size >= HOST_LATE_SPREAD ||
				device->cause->mean_ps >= HOST_LATE_LEAST * device->window_ps))
			cause_list_add(out, &cause);
	}
}

static void (*const finder[])(const struct cause_sources *from, struct cause_list *out) = {
	causes_in_series, find_slow_ranks, find_host_late, causes_in_comparison};

/* Work that moved or was replaced explains rows that are not named, however little is left of it.
 */
static bool is_worth_it(const struct cause *cause, double largest)
{
	return cause->kind == CAUSE_MOVED || cause->kind == CAUSE_REPLACED ||
	       fabs(cause->size) >= SIZE_BESIDE * largest;
}

void causes_find(const struct cause_sources *from, struct cause_list *out)
{
	size_t kept = 0;

	*out = (struct cause_list){0};
	for (size_t i = 0; i < sizeof(finder) / sizeof(*finder); i++)
		finder[i](from, out);
	for (size_t i = 0; i < out->count; i++)
		if (is_worth_it(&out->cause[i], fabs(out->cause[0].size)))
			out->cause[kept++] = out->cause[i];
	out->count = kept;
}

bool cause_is_most(double part, double whole)
{
	return part * whole > 0 && fabs(part) > fabs(whole) / 2;
}

enum cause_calls cause_of_calls(const struct cause *cause)
{
	const double by_calls = log(cause->calls_to / cause->calls_from),
		     by_time = log(cause->row_to / cause->row_from);

	if (!isfinite(by_calls) || !isfinite(by_time))
		return CALLS_UNKNOWN;
	if (cause_is_most(by_calls, by_time))
		return CALLS_MORE;
	return fmin(cause->calls_from, cause->calls_to) >= 1.5 ? CALLS_LONGER : CALLS_UNKNOWN;
}

static const char *code_of_row(const struct cause *cause)
{
	const bool more = cause->size > 0;

	if (!(cause->row_from > 0))
		return "new-op";
	if (!(cause->row_to > 0))
		return "gone-op";
	switch (cause_of_calls(cause)) {
	case CALLS_MORE:
		return more ? "more-calls" : "fewer-calls";
	case CALLS_LONGER:
		return more ? "longer-calls" : "shorter-calls";
	default:
		return more ? "worse-op" : "better-op";
	}
}

const char *cause_code(const struct cause *cause)
{
	static const char *const code[] = {[CAUSE_SHIFT] = "level-shift",
		[CAUSE_TREND] = "trend",
		[CAUSE_RUN] = "run-apart",
		[CAUSE_SLOW_RANK] = "slow-rank",
		[CAUSE_HOST_LATE] = "host-late",
		[CAUSE_WORK] = "unequal-work",
		[CAUSE_CLOCK] = "clock",
		[CAUSE_COMMON] = "common-factor",
		[CAUSE_MOVED] = "moved-work",
		[CAUSE_REPLACED] = "replaced-ops",
		[CAUSE_OUTSIDE] = "outside-ops"};

	switch (cause->kind) {
	case CAUSE_LONG:
		return cause->every	    ? "periodic-steps"
		       : cause->numbers > 1 ? "long-steps"
		       : cause->runs > 1    ? "recurring-step"
					    : "long-step";
	case CAUSE_ROW:
		return code_of_row(cause);
	case CAUSE_IDLE:
		return cause->part == PART_HOST_LATE ? "host-late"
		       : cause->part == PART_WAITED  ? "waiting"
		       : cause->part == PART_GAPS    ? "short-gaps"
						     : "idle";
	default:
		return code[cause->kind];
	}
}
