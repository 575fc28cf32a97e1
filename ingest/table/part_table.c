/*
 * Every list is counted before memory is taken for it, so that an element takes no more than a few
 * times its size.
 */
#include "ingest/table/part_table.h"

#include <string.h>
#include "base/memory.h"
#include "ingest/table/obs_format.h"
#include "model/step_series.h"

#define NAME_MOST ((size_t)65536)

void part_table_init(struct part_table *table)
{
	*table = (struct part_table){0};
	text_init(&table->name);
	text_init(&table->before);
}

void part_table_release(struct part_table *table)
{
	text_release(&table->name);
	text_release(&table->before);
}

/* Differences, `count` of them and no more. */
static bool read_numbers(const struct wire_field *f, int64_t *out, size_t count)
{
	return obs_count(f) == count && obs_differences(f, 1, out, count);
}

/* ---- steps ---- */

static bool read_devices(struct step_sums *steps, struct obs_context *c, struct wire w)
{
	struct device_sums devices = {0};
	struct wire_field f;
	enum wire_result got;
	size_t lines = 0;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (obs_is_bytes(&f, OBS_JOB_DEVICES_TYPE))
			devices.type = obs_copy_text(c->scratch, &f);
		else if (obs_is_bytes(&f, OBS_JOB_DEVICES_SET))
			devices.set = obs_copy_text(c->scratch, &f);
		else if (obs_is_number(&f, OBS_JOB_DEVICES_MOST) && f.value <= UINT32_MAX)
			devices.most = (uint32_t)f.value;
		else if (obs_is_number(&f, OBS_JOB_DEVICES_DIFFER))
			devices.differ = f.value != 0;
	}
	if (got == WIRE_BAD || !devices.type || !*devices.type || !devices.set)
		return false;
	for (const char *at = devices.set; *at; at++)
		lines += *at == '\n';
	/* A set that is not that of the rank with most devices stands for ranks that differ. */
	if (!lines || lines > devices.most || (lines < devices.most && !devices.differ) ||
		step_sums_device(steps, devices.type))
		return false;
	step_sums_add_devices(steps, &devices);
	return true;
}

static bool fits_device(const struct step_sums *steps, const char *type, uint64_t place)
{
	const struct device_sums *devices = *type ? step_sums_device(steps, type) : NULL;

	return *type ? devices && place < devices->most : place == 0;
}

static bool read_series(struct step_sums *steps, struct obs_context *c, struct wire w)
{
	struct wire_field value = obs_nothing(), count = obs_nothing(), f;
	const char *name = NULL, *type = "";
	const size_t n = steps->step_count;
	const size_t before = steps->series_count;
	struct series_sum *series;
	enum step_series_kind kind;
	enum wire_result got;
	uint64_t place = 0;
	int64_t *number;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (obs_is_bytes(&f, OBS_JOB_SERIES_KIND))
			name = obs_copy_text(c->scratch, &f);
		else if (obs_is_bytes(&f, OBS_JOB_SERIES_TYPE))
			type = obs_copy_text(c->scratch, &f);
		else if (obs_is_number(&f, OBS_JOB_SERIES_PLACE))
			place = f.value;
		else if (obs_is_bytes(&f, OBS_JOB_SERIES_VALUE))
			value = f;
		else if (obs_is_bytes(&f, OBS_JOB_SERIES_COUNT))
			count = f;
	}
	if (got == WIRE_BAD || !name || !type || !step_series_kind_of(name, &kind) ||
		(kind >= SERIES_DEVICE_FIRST) != (*type != '\0') ||
		!fits_device(steps, type, place) || obs_count(&value) != n ||
		obs_count(&count) != n)
		return false;
	number = arena_array(c->scratch, n, sizeof(*number));
	series = step_sums_series(
		steps, (int)kind, type, (uint32_t)place, step_series_is_of_slowest(kind));
	if (steps->series_count == before || !obs_differences(&value, 1, series->value, n) ||
		!obs_differences(&count, 1, number, n))
		return false;
	for (size_t s = 0; s < n; s++) {
		if (number[s] < 0 || number[s] > steps->step[s].ranks ||
			(series->value[s] < 0 && series->value[s] != STEP_SUMS_UNKNOWN))
			return false;
		series->count[s] = (uint32_t)number[s];
	}
	return true;
}

static bool is_sound(const struct step_sum *step)
{
	int64_t length;

	return step->ranks <= ROW_SUMS_RANKS && step->timed <= step->ranks &&
	       !__builtin_sub_overflow(step->end_ps, step->start_ps, &length) && length >= 0 &&
	       (step->busy_ps >= 0 || step->busy_ps == STEP_SUMS_UNKNOWN);
}

static bool read_step_numbers(struct step_sums *steps, struct obs_context *c,
	const struct wire_field field[OBS_JOB_STEPS_BUSY + 1])
{
	const size_t n = steps->step_count;
	int64_t *value[OBS_JOB_STEPS_BUSY + 1];

	for (unsigned i = OBS_JOB_STEPS_RANKS; i <= OBS_JOB_STEPS_BUSY; i++) {
		value[i] = arena_array(c->scratch, n, sizeof(int64_t));
		if (!read_numbers(&field[i], value[i], n))
			return false;
	}
	for (size_t s = 0; s < n; s++) {
		struct step_sum *step = &steps->step[s];

		if (value[OBS_JOB_STEPS_RANKS][s] < 0 || value[OBS_JOB_STEPS_TIMED][s] < 0 ||
			value[OBS_JOB_STEPS_RANKS][s] > UINT32_MAX ||
			value[OBS_JOB_STEPS_TIMED][s] > UINT32_MAX)
			return false;
		*step = (struct step_sum){.ranks = (uint32_t)value[OBS_JOB_STEPS_RANKS][s],
			.timed = (uint32_t)value[OBS_JOB_STEPS_TIMED][s],
			.start_ps = value[OBS_JOB_STEPS_START][s],
			.end_ps = value[OBS_JOB_STEPS_END][s],
			.base_ns = value[OBS_JOB_STEPS_BASE][s],
			.busy_ps = value[OBS_JOB_STEPS_BUSY][s],
			.fingerprint = c->out->step[s].fingerprint};
		if (!is_sound(step))
			return false;
	}
	return true;
}

int part_table_steps(struct obs_context *c, struct wire w, struct error *err)
{
	struct wire_field field[OBS_JOB_STEPS_BUSY + 1], f;
	struct wire again = w;
	struct step_sums *steps;

	if (c->out->job)
		return obs_damaged(c, "the steps of a job", err);
	c->out->job = job_sums_new();
	steps = c->out->job->steps = step_sums_new(c->out->job->arena, c->out->step_count);
	for (unsigned i = 0; i <= OBS_JOB_STEPS_BUSY; i++)
		field[i] = obs_nothing();
	while (wire_next(&again, &f) == WIRE_FIELD)
		if (f.type == WIRE_BYTES && f.number <= OBS_JOB_STEPS_BUSY)
			field[f.number] = f;
	if (!read_step_numbers(steps, c, field))
		return obs_damaged(c, "the steps of a job", err);
	/* The devices come before their series. */
	while (wire_next(&w, &f) == WIRE_FIELD)
		if ((obs_is_bytes(&f, OBS_JOB_STEPS_DEVICES) &&
			    !read_devices(steps, c, wire_inside(&f))) ||
			(obs_is_bytes(&f, OBS_JOB_STEPS_SERIES) &&
				!read_series(steps, c, wire_inside(&f))))
			return obs_damaged(c, "the steps of a job", err);
	return 0;
}

/* ---- ranks ---- */

/* Values below the most, or unknown. */
static bool read_times(const struct wire_field *f, uint64_t *out, size_t count)
{
	if (obs_count(f) != count || !obs_differences(f, 1, (int64_t *)out, count))
		return false;
	for (size_t t = 0; t < count; t++)
		if (out[t] > ROW_SUMS_MOST && out[t] != JOB_SUMS_UNKNOWN)
			return false;
	return true;
}

static bool read_rank(struct obs_context *c, struct sums_set *set, struct wire w)
{
	struct wire_field work = obs_nothing(), all = obs_nothing(), f;
	const char *name = NULL, *group = "";
	struct sums_rank *rank;
	enum wire_result got;
	bool has_all = false;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (obs_is_bytes(&f, OBS_JOB_RANK_NAME))
			name = obs_copy_text(c->scratch, &f);
		else if (obs_is_bytes(&f, OBS_JOB_RANK_GROUP))
			group = obs_copy_text(c->scratch, &f);
		else if (obs_is_bytes(&f, OBS_JOB_RANK_WORK))
			work = f;
		else if (obs_is_bytes(&f, OBS_JOB_RANK_ALL)) {
			all = f;
			has_all = true;
		}
	}
	if (got == WIRE_BAD || !name || !group || obs_count(&work) != set->step_count ||
		set->rank_count == ROW_SUMS_RANKS)
		return false;
	rank = sums_set_rank(c->out->job, set, name, group);
	if (set->rank_count > 1 && job_sums_compare_names(rank[-1].name, rank->name) >= 0)
		return false;
	return read_times(&work, rank->work, set->step_count) &&
	       read_times(has_all ? &all : &work, rank->all, set->step_count);
}

/* Numbers of steps, which are ascending, become places. */
static bool find_places(const struct profile *profile, int64_t *number, size_t count)
{
	size_t at = 0;

	for (size_t i = 1; i < profile->step_count; i++)
		if (profile->step[i - 1].number >= profile->step[i].number)
			return false;
	for (size_t i = 0; i < count; i++) {
		while (at < profile->step_count && profile->step[at].number < number[i])
			at++;
		if (at == profile->step_count || profile->step[at].number != number[i])
			return false;
		number[i] = (int64_t)at;
	}
	return true;
}

static bool read_places(struct obs_context *c, const struct wire_field *f, int64_t *place, size_t n)
{
	if (!obs_differences(f, 1, place, n) ||
		(f->number == OBS_JOB_SET_NUMBER && !find_places(c->out, place, n)))
		return false;
	for (size_t i = 1; i < n; i++)
		if (place[i - 1] >= place[i])
			return false;
	return place[0] >= 0 && (uint64_t)place[n - 1] < c->out->step_count;
}

int part_table_set(struct obs_context *c, struct wire w, struct error *err)
{
	struct wire again = w;
	struct sums_set *set = NULL;
	struct wire_field f;
	enum wire_result got;

	while (c->out->job && wire_next(&again, &f) == WIRE_FIELD) {
		const size_t n =
			obs_is_bytes(&f, OBS_JOB_SET_NUMBER) || obs_is_bytes(&f, OBS_JOB_SET_PLACE)
				? obs_count(&f)
				: 0;
		int64_t *place;

		if (!n || n > ROW_SUMS_STEPS || set)
			continue;
		place = arena_array(c->scratch, n, sizeof(*place));
		if (!read_places(c, &f, place, n))
			return obs_damaged(c, "a set of ranks", err);
		set = job_sums_set(c->out->job, place, n, err);
		if (!set)
			return -1;
	}
	if (!set || set->rank_count)
		return obs_damaged(c, "a set of ranks", err);
	while ((got = wire_next(&w, &f)) == WIRE_FIELD)
		if (obs_is_bytes(&f, OBS_JOB_SET_RANK) && !read_rank(c, set, wire_inside(&f)))
			return obs_damaged(c, "a set of ranks", err);
	return got == WIRE_BAD ? obs_damaged(c, "a set of ranks", err) : 0;
}

/* ---- rows ---- */

struct job_row_parts {
	uint64_t set, of, shared, ranks, unit;
	struct wire_field rest, group, step, high, longest, longest_rank;
	struct wire_field wide[OBS_JOB_ROW_LAST_PRODUCTS - OBS_JOB_ROW_SQUARES + 1];
};

static bool find_job_row_parts(struct wire w, struct job_row_parts *parts)
{
	struct wire_field f;
	enum wire_result got;

	*parts = (struct job_row_parts){0};
	parts->rest = parts->group = parts->step = parts->high = parts->longest =
		parts->longest_rank = obs_nothing();
	for (size_t i = 0; i < sizeof(parts->wide) / sizeof(*parts->wide); i++)
		parts->wide[i] = obs_nothing();
	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		uint64_t *number = f.number == OBS_JOB_ROW_SET	    ? &parts->set
				   : f.number == OBS_JOB_ROW_OF	    ? &parts->of
				   : f.number == OBS_JOB_ROW_SHARED ? &parts->shared
				   : f.number == OBS_JOB_ROW_RANKS  ? &parts->ranks
				   : f.number == OBS_JOB_ROW_UNIT   ? &parts->unit
								    : NULL;
		struct wire_field *bytes =
			f.number == OBS_JOB_ROW_REST	       ? &parts->rest
			: f.number == OBS_JOB_ROW_GROUP	       ? &parts->group
			: f.number == OBS_JOB_ROW_STEP	       ? &parts->step
			: f.number == OBS_JOB_ROW_STEP_HIGH    ? &parts->high
			: f.number == OBS_JOB_ROW_LONGEST      ? &parts->longest
			: f.number == OBS_JOB_ROW_LONGEST_RANK ? &parts->longest_rank
			: f.number >= OBS_JOB_ROW_SQUARES && f.number <= OBS_JOB_ROW_LAST_PRODUCTS
				? &parts->wide[f.number - OBS_JOB_ROW_SQUARES]
				: NULL;

		if (number && f.type == WIRE_VARINT)
			*number = f.value;
		else if (bytes && f.type == WIRE_BYTES)
			*bytes = f;
	}
	return got == WIRE_END;
}

/* Below 2^192: what is computed from it stays below 2^256. */
static bool read_wide(const struct wire_field *f, struct wide *out)
{
	*out = (struct wide){{0}};
	if (f->size > 24)
		return false;
	for (size_t i = 0; i < f->size; i++)
		out->limb[i / 8] |= (uint64_t)f->bytes[i] << (8 * (i % 8));
	return true;
}

/* Values in units: below 2^53 each. */
static bool read_values(const struct wire_field *f, uint64_t unit, uint64_t *out, size_t count)
{
	if (obs_count(f) != count || !obs_differences(f, 1, (int64_t *)out, count))
		return false;
	for (size_t t = 0; t < count; t++) {
		if (out[t] > ROW_SUMS_MOST / unit)
			return false;
		out[t] *= unit;
	}
	return true;
}

static bool read_step_sums(struct obs_context *c, const struct job_row_parts *parts, uint64_t unit,
	struct row_sums *sums)
{
	const size_t n = sums->steps;
	struct wire high = wire_inside(&parts->high);
	int64_t *low = arena_array(c->scratch, n, sizeof(*low));

	if (!obs_differences(&parts->step, 1, low, n))
		return false;
	for (size_t t = 0; t < n; t++) {
		uint64_t more = 0;

		/* At most 2^24 ranks of 2^53. */
		if (parts->high.size && (!wire_varint(&high, &more) || more >> 13))
			return false;
		sums->step_sum[t] = ((wide_half)more << 64 | (uint64_t)low[t]) * unit;
		if (sums->step_sum[t] >> 77)
			return false;
	}
	return high.at == high.end;
}

static bool read_longest(struct obs_context *c, const struct job_row_parts *parts, uint64_t unit,
	size_t ranks, struct row_sums *sums)
{
	const size_t n = sums->steps;
	int64_t *rank = arena_array(c->scratch, n, sizeof(*rank));

	if (!read_values(&parts->longest, unit, sums->longest, n) ||
		!obs_differences(&parts->longest_rank, 1, rank, n))
		return false;
	for (size_t t = 0; t < n; t++) {
		if (rank[t] < 0 || (uint64_t)rank[t] > ranks)
			return false;
		sums->longest_rank[t] = rank[t] ? (uint32_t)rank[t] - 1 : ROW_SUMS_SEVERAL;
	}
	return true;
}

static bool read_slowest(
	struct obs_context *c, struct wire w, uint64_t unit, size_t ranks, struct row_sums *sums)
{
	uint64_t *x = arena_array(c->scratch, sums->steps, sizeof(*x));
	struct wire_field value = obs_nothing(), f;
	uint64_t rank = UINT64_MAX;
	enum wire_result got;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD)
		if (obs_is_number(&f, OBS_JOB_SLOWEST_RANK))
			rank = f.value;
		else if (obs_is_bytes(&f, OBS_JOB_SLOWEST_VALUE))
			value = f;
	if (got == WIRE_BAD || rank >= ranks || sums->slowest_count == ROW_SUMS_SLOWEST ||
		sums->slowest_count == sums->ranks || !read_values(&value, unit, x, sums->steps))
		return false;
	for (size_t i = 0; i < sums->slowest_count; i++)
		if (sums->slowest[i].rank == rank)
			return false;
	return row_sums_append_slowest(sums, (uint32_t)rank, x);
}

/* The row of the element, which comes after the one before it. */
static struct sums_row *find_row(struct part_table *table, struct obs_context *c,
	const struct job_row_parts *parts, const char **group)
{
	struct sums_set *set = &c->out->job->set[parts->set];
	const char *rest = obs_copy_text(c->scratch, &parts->rest);

	*group = obs_copy_text(c->scratch, &parts->group);
	if (!rest || !*group || parts->shared > table->name.size ||
		parts->shared + parts->rest.size > NAME_MOST)
		return NULL;
	text_clear(&table->before);
	text_add(&table->before, text_string(&table->name));
	text_clear(&table->name);
	text_add_bytes(&table->name, text_string(&table->before), (size_t)parts->shared);
	text_add(&table->name, rest);
	return sums_set_row(c->out->job, set, text_string(&table->name), parts->of == OBS_OF_CLASS,
		parts->of == OBS_OF_ACCELERATOR);
}

static bool read_slowest_of_row(
	struct obs_context *c, struct wire w, uint64_t unit, size_t ranks, struct row_sums *sums)
{
	struct wire_field f;

	while (wire_next(&w, &f) == WIRE_FIELD)
		if (obs_is_bytes(&f, OBS_JOB_ROW_SLOWEST) &&
			!read_slowest(c, wire_inside(&f), unit, ranks, sums))
			return false;
	return sums->slowest_count ==
	       (sums->ranks < ROW_SUMS_SLOWEST ? sums->ranks : ROW_SUMS_SLOWEST);
}

static bool read_row(struct part_table *table, struct obs_context *c, struct wire w)
{
	struct job_row_parts parts;
	struct sums_set *set;
	struct sums_row *row;
	struct row_sums *sums;
	size_t groups;
	const char *group;
	uint64_t unit;

	if (!find_job_row_parts(w, &parts) || !c->out->job || parts.set >= c->out->job->set_count ||
		parts.of > OBS_OF_HOST || parts.unit > ROW_SUMS_MOST)
		return false;
	set = &c->out->job->set[parts.set];
	unit = parts.unit ? parts.unit : 1;
	if (parts.ranks == 0 || parts.ranks > set->rank_count ||
		obs_count(&parts.step) != set->step_count ||
		obs_count(&parts.longest) != set->step_count ||
		obs_count(&parts.longest_rank) != set->step_count)
		return false;
	row = find_row(table, c, &parts, &group);
	if (!row)
		return false;
	groups = row->group_count;
	sums = sums_row_group(c->out->job, set, row, group);
	if (row->group_count == groups)
		return false;
	sums->ranks = parts.ranks;
	sums->unit = parts.unit;
	return read_wide(&parts.wide[0], &sums->squares) &&
	       read_wide(&parts.wide[1], &sums->rank_squares) &&
	       read_wide(&parts.wide[2], &sums->products) &&
	       read_wide(&parts.wide[3], &sums->first_products) &&
	       read_wide(&parts.wide[4], &sums->last_products) &&
	       read_step_sums(c, &parts, unit, sums) &&
	       read_longest(c, &parts, unit, set->rank_count, sums) &&
	       read_slowest_of_row(c, w, unit, set->rank_count, sums) &&
	       row_sums_are_possible(sums);
}

int part_table_row(
	struct part_table *table, struct obs_context *c, struct wire w, struct error *err)
{
	return read_row(table, c, w) ? 0 : obs_damaged(c, "a row of a job", err);
}
