/* A series for each row and machine, its change points, and what else changed there. */
#include "analysis/recorded/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "base/text.h"
#include "stats/multiple.h"
#include "stats/sample.h"

#define ORDERS_MOST 100000 /* where the number of rows asks for more */
#define NOISE_UNITS_LEAST 20
#define ALIKE_LEAST 3 /* rows that are all rows */

struct maker {
	const struct recorded_runs *recorded;
	const struct cube *cube;
	double alpha;
	struct arena *arena;
	struct history *out;
	size_t room;
};

/* The runs of a machine that have a value in the row, session by session. */
static void set_series(
	struct maker *m, const struct recorded_row *row, size_t machine, struct history_series *out)
{
	const struct recorded_runs *rec = m->recorded;
	size_t n = 0, sessions = 0;

	*out = (struct history_series){.row = row, .machine = machine, .p = NAN};
	out->run = arena_array(m->arena, rec->runs + 1, sizeof(*out->run));
	out->value = arena_array(m->arena, rec->runs + 1, sizeof(*out->value));
	out->level = arena_array(m->arena, rec->runs + 1, sizeof(*out->level));
	out->first_run = arena_array(m->arena, rec->runs + 1, sizeof(*out->first_run));
	/* Sessions of a machine follow each other in time. */
	for (size_t i = 0; i < rec->runs; i++) {
		const size_t r = rec->order[i];

		if (rec->machine[r] != machine || isnan(row->row.run[r].scaled))
			continue;
		sessions += !n || rec->session[r] != rec->session[out->run[n - 1]];
		out->run[n++] = r;
	}
	out->of_runs = sessions == 1;
	for (size_t i = 0; i < n; i++) {
		if (!i || out->of_runs ||
			rec->session[out->run[i]] != rec->session[out->run[i - 1]])
			out->first_run[out->count++] = i;
		out->value[out->count - 1] += row->row.run[out->run[i]].scaled;
	}
	out->first_run[out->count] = n;
	for (size_t i = 0; i < out->count; i++)
		out->value[i] /= (double)(out->first_run[i + 1] - out->first_run[i]);
}

static struct history_change *add(struct maker *m, const struct history_series *series)
{
	struct history *h = m->out;

	h->change = memory_make_room(h->change, &m->room, h->change_count + 1, sizeof(*h->change));
	h->change[h->change_count] =
		(struct history_change){.series = series, .low = NAN, .high = NAN, .rows_alike = 1};
	return &h->change[h->change_count++];
}

/* The series is a member of the family, in which nothing is found. */
static void add_nothing(struct maker *m, const struct history_series *series,
	const struct change_points *points, enum change_class class)
{
	struct history_change *change = add(m, series);

	change->class = class;
	change->at = SIZE_MAX;
	change->p = fmax(points->p, m->alpha);
	change->change = points->direction > 0 ? 1 : -1;
}

/* Distances from the level of each part between points: what the spread is seen in. */
static void find_noise(
	struct maker *m, const struct history_series *series, const struct change_points *levels)
{
	const struct change_point_options opt = {m->alpha, CHANGE_POINT_ORDERS};
	const size_t n = series->count;
	double *distance = arena_array(m->arena, n + 1, sizeof(*distance));
	double *sorted = arena_array(m->arena, n + 1, sizeof(*sorted));
	struct change_points points;

	if (n < NOISE_UNITS_LEAST)
		return;
	for (size_t p = 0, first = 0; p <= levels->count; p++) {
		const size_t end = p < levels->count ? levels->point[p].at : n;
		double middle;

		memcpy(sorted, series->value + first, (end - first) * sizeof(*sorted));
		middle = sample_quantile(sorted, end - first, 0.5);
		for (; first < end; first++)
			distance[first] = fabs(series->value[first] - middle);
	}
	change_points_find(distance, n, &opt, &points);
	if (!points.count && !isnan(points.p))
		add_nothing(m, series, &points, CHANGE_OF_NOISE);
	for (size_t p = 0; p < points.count; p++) {
		const size_t from = p ? points.point[p - 1].at : 0, at = points.point[p].at;
		const size_t end = p + 1 < points.count ? points.point[p + 1].at : n;
		struct history_change *change = add(m, series);

		change->class = CHANGE_OF_NOISE;
		change->at = at;
		change->p = points.point[p].p;
		memcpy(sorted, distance + from, (at - from) * sizeof(*sorted));
		change->change = sample_quantile(sorted, at - from, 0.5);
		memcpy(sorted, distance + at, (end - at) * sizeof(*sorted));
		change->change = sample_quantile(sorted, end - at, 0.5) / change->change - 1;
	}
	memory_free(points.point);
}

static void find_changes(struct maker *m, struct history_series *series, size_t orders)
{
	const struct change_point_options opt = {m->alpha, orders};
	struct history_change *change;
	struct change_points points;

	change_points_find(series->value, series->count, &opt, &points);
	series->p = points.p;
	m->out->too_few += series->count > 0 && isnan(points.p);
	for (size_t i = 0; i < points.count; i++) {
		change = add(m, series);
		change->at = points.point[i].at;
		change->p = points.point[i].p;
		change->change = expm1(points.point[i].change);
		change->low = expm1(points.point[i].low);
		change->high = expm1(points.point[i].high);
	}
	if (points.drifts) {
		change = add(m, series);
		change->class = CHANGE_DRIFT;
		change->p = points.p;
		change->change = expm1(points.drift);
	} else if (!points.count && !isnan(points.p)) {
		add_nothing(m, series, &points, CHANGE_OF_ROW);
	}
	if (!isnan(points.p))
		find_noise(m, series, &points);
	memory_free(points.point);
}

/* Adjusts one family, each direction by itself. */
static void adjust(struct history *h, bool noise, struct arena *arena)
{
	double *p = arena_array(arena, h->change_count + 1, sizeof(*p));
	double *direction = arena_array(arena, h->change_count + 1, sizeof(*direction));
	size_t n = 0;

	for (size_t i = 0; i < h->change_count; i++)
		if ((h->change[i].class == CHANGE_OF_NOISE) == noise) {
			p[n] = h->change[i].p;
			direction[n++] = h->change[i].change;
		}
	multiple_adjust_directions(p, direction, n, p);
	n = 0;
	for (size_t i = 0; i < h->change_count; i++)
		if ((h->change[i].class == CHANGE_OF_NOISE) == noise)
			h->change[i].q = p[n++];
}

static const struct facts *facts_at(
	const struct maker *m, const struct history_series *series, size_t run)
{
	return m->cube->run[m->recorded->run[series->run[run]]].facts;
}

/* Facts of how a run was made, not of which it is. */
static const enum fact_id of_method[] = {FACT_DEVICE_MODEL, FACT_DEVICE_COUNT, FACT_DRIVER,
	FACT_FRAMEWORK, FACT_BATCH, FACT_BACKEND, FACT_WORLD_SIZE, FACT_BRANCH};

/* Differences that facts state from the last run before to the first one after; NULL: nothing. */
static const char *method_changed(const struct maker *m, const struct history_change *change)
{
	const struct history_series *series = change->series;
	const size_t first = series->first_run[change->at];
	const struct facts *before = facts_at(m, series, first - 1);
	const struct facts *after = facts_at(m, series, first);
	const char *words = NULL;
	struct text text;

	text_init(&text);
	for (size_t i = 0; before && after && i < sizeof(of_method) / sizeof(*of_method); i++) {
		char a[FACT_NUMBER_BYTES], b[FACT_NUMBER_BYTES];
		const char *old = facts_text(before, of_method[i], a);
		const char *new = facts_text(after, of_method[i], b);

		if (old && new && !text_equal(old, new))
			text_printf(&text, "%s%s %s -> %s", text.size ? ", " : "",
				fact_name(of_method[i]), old, new);
	}
	if (text.size)
		words = arena_strdup(m->arena, text_string(&text));
	text_release(&text);
	return words;
}

/* True if both changes are of one machine and measure, in one direction, and their first sessions
 * are the same or neighbours. */
static bool is_alike(const struct history_change *a, const struct history_change *b)
{
	const size_t x = a->at, y = b->at;

	return a->series->machine == b->series->machine && b->class != CHANGE_OF_NOISE &&
	       b->class != CHANGE_DRIFT && !b->series->row->is_step &&
	       a->series->row->measure == b->series->row->measure &&
	       (a->change > 0) == (b->change > 0) && x <= y + 1 && y <= x + 1;
}

static void classify(struct maker *m, struct history_change *change)
{
	const struct history *h = m->out;
	const struct history_series *last = NULL;

	if (change->class == CHANGE_DRIFT || change->class == CHANGE_OF_NOISE)
		return;
	change->rows_alike = 0;
	for (size_t i = 0; i < h->change_count; i++)
		if (is_alike(change, &h->change[i]) && h->change[i].series != last) {
			last = h->change[i].series;
			change->rows_alike++;
		}
	for (size_t i = 0; i < h->series_count; i++)
		change->rows_there += h->series[i].machine == change->series->machine &&
				      !h->series[i].row->is_step && !isnan(h->series[i].p) &&
				      h->series[i].row->measure == change->series->row->measure;
	change->facts = method_changed(m, change);
	if (change->facts)
		change->class = CHANGE_OF_METHOD;
	else if (change->rows_alike >= ALIKE_LEAST && 2 * change->rows_alike >= change->rows_there)
		change->class = CHANGE_OF_ALL;
}

/* The later, the sooner: what changed last is what one can still do something about. */
static int by_interest(const void *a, const void *b)
{
	const struct history_change *x = a, *y = b;

	return ORDER(x->class == CHANGE_OF_NOISE, y->class == CHANGE_OF_NOISE)
		?: ORDER(y->at, x->at)
		?: ORDER(y->series->row->is_step, x->series->row->is_step)
		?: ORDER(fabs(y->change), fabs(x->change))
		?: strcmp(x->series->row->name, y->series->row->name);
}

/* Adds the straight line through the units of a part, or its mean, as their level. */
static void set_part(const struct history_series *series, size_t first, size_t end, bool line)
{
	const double n = (double)(end - first), middle = (n - 1) / 2;
	double mean = 0, slope = 0;

	for (size_t i = first; i < end; i++) {
		mean += series->value[i] / n;
		slope += ((double)(i - first) - middle) * series->value[i];
	}
	slope = line ? slope * 12 / (n * (n * n - 1)) : 0;
	for (size_t i = first; i < end; i++)
		series->level[i] = mean + slope * ((double)(i - first) - middle);
}

static void set_level(const struct history *h, struct history_series *series)
{
	bool *begins = memory_alloc(series->count + 1);
	size_t first = 0;
	bool drifts = false;

	for (size_t i = 0; i < h->change_count; i++) {
		const struct history_change *change = &h->change[i];

		if (change->series != series)
			continue;
		series->changes++;
		if (change->class == CHANGE_OF_NOISE)
			continue;
		series->levels++;
		drifts |= change->class == CHANGE_DRIFT;
		begins[change->at] = change->at > 0;
	}
	begins[series->count] = true;
	for (size_t at = 1; at <= series->count; at++)
		if (begins[at]) {
			set_part(series, first, at, drifts);
			first = at;
		}
	memory_free(begins);
}

struct history *history_make(const struct recorded_runs *recorded, const struct cube *cube,
	double alpha, struct arena *arena)
{
	struct history *h = arena_alloc(arena, sizeof(*h));
	struct maker m = {recorded, cube, alpha, arena, h, 0};
	const double wanted = 2 * (double)recorded->count * (double)recorded->machines / alpha;
	size_t kept = 0;

	h->series = arena_array(
		arena, memory_product(recorded->count, recorded->machines) + 1, sizeof(*h->series));
	for (size_t i = 0; i < recorded->count; i++)
		for (size_t k = 0; k < recorded->machines; k++)
			set_series(&m, &recorded->row[i], k, &h->series[h->series_count++]);
	for (size_t i = 0; i < h->series_count; i++)
		find_changes(&m, &h->series[i],
			(size_t)fmin(ORDERS_MOST, fmax(CHANGE_POINT_ORDERS, wanted)));
	adjust(h, false, arena);
	adjust(h, true, arena);
	for (size_t i = 0; i < h->change_count; i++)
		if (h->change[i].at != SIZE_MAX && h->change[i].q < alpha)
			h->change[kept++] = h->change[i];
	h->change_count = kept;
	for (size_t i = 0; i < kept; i++)
		classify(&m, &h->change[i]);
	if (kept)
		qsort(h->change, kept, sizeof(*h->change), by_interest);
	for (size_t i = 0; i < h->series_count; i++)
		set_level(h, &h->series[i]);
	return h;
}

void history_take_out(const struct history *history, struct recorded_runs *recorded)
{
	double *value = memory_alloc(memory_product(recorded->runs, sizeof(*value)));

	/* Series of a row follow each other, one for each machine. */
	for (size_t i = 0; i < history->series_count; i += recorded->machines) {
		const struct history_series *of = &history->series[i];
		size_t changes = 0;

		for (size_t r = 0; r < recorded->runs; r++)
			value[r] = of->row->row.run[r].scaled;
		for (size_t m = 0; m < recorded->machines; m++) {
			changes += of[m].levels;
			for (size_t u = 0; u < of[m].count && of[m].levels; u++)
				for (size_t k = of[m].first_run[u]; k < of[m].first_run[u + 1]; k++)
					value[of[m].run[k]] -= of[m].level[u] - of[m].level[0];
		}
		if (changes)
			recorded_set_levels(recorded, i / recorded->machines, value, changes,
				of[recorded->gate_machine].levels);
	}
	recorded_set_typical(recorded);
	memory_free(value);
}

void history_free(struct history *history)
{
	memory_free(history->change);
}
