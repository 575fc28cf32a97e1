/* The section of sums of containers of observations. Every list is counted before memory is taken
 * for it, so that an element takes no more than a few times its size. */
#include <string.h>
#include "ingest/table/obs_parts.h"
#include "model/step_series.h"

#define NAME_BYTES_OF_BYTE 8 /* of names, for each byte of the file: allowed beside max-names */

/* ---- steps ---- */

static bool read_devices(struct obs_reader *r, struct step_sums *steps, struct wire w)
{
	struct device_sums devices = {0};
	struct obs_parts parts;
	size_t lines = 0;

	if (!obs_parts_of(&parts, w))
		return false;
	devices.type = obs_text(&parts, OBS_JOB_DEVICES_TYPE, r->scratch, "");
	devices.set = obs_text(&parts, OBS_JOB_DEVICES_SET, r->scratch, "");
	devices.most = (uint32_t)obs_number(&parts, OBS_JOB_DEVICES_MOST, 0);
	devices.differ = obs_number(&parts, OBS_JOB_DEVICES_DIFFER, 0) != 0;
	if (!devices.type || !*devices.type || !devices.set ||
		obs_number(&parts, OBS_JOB_DEVICES_MOST, 0) > UINT32_MAX)
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

static bool read_series(struct obs_reader *r, struct step_sums *steps, struct wire w)
{
	const size_t n = steps->step_count, before = steps->series_count;
	const int64_t *value, *count;
	const struct device_sums *devices;
	struct series_sum *series, like = {0};
	enum step_series_kind kind;
	struct obs_parts parts;
	const char *name;
	uint64_t place;

	if (!obs_parts_of(&parts, w))
		return false;
	name = obs_text(&parts, OBS_JOB_SERIES_KIND, r->scratch, NULL);
	like.type = obs_text(&parts, OBS_JOB_SERIES_TYPE, r->scratch, "");
	like.cause = obs_text(&parts, OBS_JOB_SERIES_CAUSE, r->scratch, "");
	place = obs_number(&parts, OBS_JOB_SERIES_PLACE, 0);
	value = obs_list(&parts, OBS_JOB_SERIES_VALUE, r->scratch, n);
	count = obs_list(&parts, OBS_JOB_SERIES_COUNT, r->scratch, n);
	if (!name || !like.type || !like.cause || !value || !count ||
		!step_series_kind_of(name, &kind) ||
		!step_series_is_one(kind, like.type, like.cause))
		return false;
	devices = *like.type ? step_sums_device(steps, like.type) : NULL;
	if (!(*like.type ? devices && place < devices->most : place == 0))
		return false;
	like.kind = (int)kind;
	like.place = (uint32_t)place;
	like.is_largest = step_series_is_of_slowest(kind);
	series = step_sums_series(steps, &like);
	if (steps->series_count == before)
		return false;
	for (size_t s = 0; s < n; s++) {
		if (count[s] < 0 || count[s] > steps->step[s].ranks ||
			(value[s] < 0 && value[s] != STEP_SUMS_UNKNOWN))
			return false;
		series->value[s] = value[s];
		series->count[s] = (uint32_t)count[s];
	}
	return true;
}

static bool read_step_numbers(
	struct obs_reader *r, struct step_sums *steps, const struct obs_parts *parts)
{
	const size_t n = steps->step_count;
	const int64_t *value;

/* The member is narrower than the value, or as wide. */
#define READ(field, member)                                                                        \
	value = obs_list(parts, OBS_JOB_STEPS_##field, r->scratch, n);                             \
	if (!value)                                                                                \
		return false;                                                                      \
	for (size_t s = 0; s < n; s++)                                                             \
		if (__builtin_add_overflow(value[s], 0, &steps->step[s].member))                   \
			return false;
	OBS_JOB_STEP_LISTS(READ)
#undef READ
	for (size_t s = 0; s < n; s++) {
		steps->step[s].fingerprint = r->out->step[s].fingerprint;

		int64_t length;

		if (steps->step[s].ranks > ROW_SUMS_RANKS ||
			steps->step[s].timed > steps->step[s].ranks ||
			__builtin_sub_overflow(
				steps->step[s].end_ps, steps->step[s].start_ps, &length) ||
			length < 0 ||
			(steps->step[s].busy_ps < 0 && steps->step[s].busy_ps != STEP_SUMS_UNKNOWN))
			return false;
	}
	return true;
}

enum obs_result obs_read_job_steps(struct obs_reader *r, struct wire w)
{
	struct profile *out = r->out;
	struct obs_parts parts;
	struct step_sums *steps;
	struct wire inside, devices = w;

	if (out->job || !obs_parts_of(&parts, w))
		return OBS_DAMAGED;
	out->job = job_sums_new();
	steps = out->job->steps = step_sums_new(out->job->arena, out->step_count);
	if (!read_step_numbers(r, steps, &parts))
		return OBS_DAMAGED;
	while (obs_parts_next(&devices, OBS_JOB_STEPS_DEVICES, &inside))
		if (!read_devices(r, steps, inside))
			return OBS_DAMAGED;
	while (obs_parts_next(&w, OBS_JOB_STEPS_SERIES, &inside))
		if (!read_series(r, steps, inside))
			return OBS_DAMAGED;
	return OBS_READ;
}

/* ---- ranks ---- */

/* Values up to `most`; or unknown ones. */
static bool read_values(
	struct wire list, uint64_t most, bool or_unknown, uint64_t *out, size_t count)
{
	uint64_t sum = 0;

	if (obs_count(list) != count || !obs_differences(&list, &sum, 1, (int64_t *)out, count) ||
		list.at != list.end)
		return false;
	for (size_t t = 0; t < count; t++)
		if (out[t] > most && !(or_unknown && out[t] == JOB_SUMS_UNKNOWN))
			return false;
	return true;
}

static bool read_rank(struct obs_reader *r, struct sums_set *set, struct wire w)
{
	struct obs_parts parts;
	const char *name, *group;
	struct sums_rank *rank;
	struct wire work, all;

	if (!obs_parts_of(&parts, w) || set->rank_count == ROW_SUMS_RANKS)
		return false;
	name = obs_text(&parts, OBS_JOB_RANK_NAME, r->scratch, NULL);
	group = obs_text(&parts, OBS_JOB_RANK_GROUP, r->scratch, "");
	work = all = obs_bytes(&parts, OBS_JOB_RANK_WORK);
	if (obs_has_bytes(&parts, OBS_JOB_RANK_ALL))
		all = obs_bytes(&parts, OBS_JOB_RANK_ALL);
	if (!name || !group || obs_count(work) != set->step_count)
		return false;
	rank = sums_set_rank(r->out->job, set, name, group);
	if (set->rank_count > 1 && job_sums_compare_names(rank[-1].name, rank->name) >= 0)
		return false;
	return read_values(work, ROW_SUMS_MOST, true, rank->work, set->step_count) &&
	       read_values(all, ROW_SUMS_MOST, true, rank->all, set->step_count);
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

/* The places of the steps of a set, ascending; NULL: they are none. */
static int64_t *read_places(struct obs_reader *r, const struct obs_parts *parts, size_t *count)
{
	const bool numbers = obs_has_bytes(parts, OBS_JOB_SET_NUMBER);
	const uint32_t field = numbers ? OBS_JOB_SET_NUMBER : OBS_JOB_SET_PLACE;
	const size_t n = obs_count(obs_bytes(parts, field));
	int64_t *place = n && n <= ROW_SUMS_STEPS ? obs_list(parts, field, r->scratch, n) : NULL;

	if (!place || (numbers && !find_places(r->out, place, n)))
		return NULL;
	for (size_t i = 1; i < n; i++)
		if (place[i - 1] >= place[i])
			return NULL;
	*count = n;
	return place[0] >= 0 && (uint64_t)place[n - 1] < r->out->step_count ? place : NULL;
}

enum obs_result obs_read_job_set(struct obs_reader *r, struct wire w, struct error *err)
{
	struct obs_parts parts;
	struct sums_set *set;
	struct wire rank;
	int64_t *place;
	size_t n, before;

	if (!r->out->job || !obs_parts_of(&parts, w) || !(place = read_places(r, &parts, &n)))
		return OBS_DAMAGED;
	before = r->out->job->set_count;
	set = job_sums_set(r->out->job, place, n, err);
	if (!set)
		return OBS_FAILED;
	if (r->out->job->set_count ==
		before) /* it was there: sets are no more than JOB_SUMS_SETS */
		return OBS_DAMAGED;
	while (obs_parts_next(&w, OBS_JOB_SET_RANK, &rank))
		if (!read_rank(r, set, rank))
			return OBS_DAMAGED;
	return OBS_READ;
}

/* ---- rows ---- */

/* Below 2^192: what is computed from it stays below 2^256. */
static bool read_wide(const struct obs_parts *parts, uint32_t number, struct wide *out)
{
	const struct wire bytes = obs_bytes(parts, number);

	*out = (struct wide){{0}};
	for (size_t i = 0; i < obs_size(bytes) && i < 24; i++)
		out->limb[i / 8] |= (uint64_t)bytes.at[i] << (8 * (i % 8));
	return obs_size(bytes) <= 24;
}

/* Values in units: at most 2^53 each. */
static bool read_units(struct wire list, uint64_t unit, uint64_t *out, size_t count)
{
	const bool good = read_values(list, ROW_SUMS_MOST / unit, false, out, count);

	for (size_t t = 0; good && t < count; t++)
		out[t] *= unit;
	return good;
}

static bool read_step_sums(
	struct obs_reader *r, const struct obs_parts *parts, uint64_t unit, struct row_sums *sums)
{
	const size_t n = sums->steps;
	const int64_t *low = obs_list(parts, OBS_JOB_ROW_STEP, r->scratch, n);
	const bool wide = obs_size(obs_bytes(parts, OBS_JOB_ROW_STEP_HIGH)) > 0;
	const uint64_t *high =
		wide ? obs_plain_list(parts, OBS_JOB_ROW_STEP_HIGH, r->scratch, n) : NULL;

	if (!low || (wide && !high))
		return false;
	for (size_t t = 0; t < n; t++) {
		wide_half value;

		/* At most 2^24 ranks of 2^53. */
		if (wide && high[t] >> 13)
			return false;
		value = (wide_half)(wide ? high[t] : 0) << 64 | (uint64_t)low[t];
		if (value > (((wide_half)1 << 77) - 1) / unit)
			return false;
		sums->step_sum[t] = value * unit;
	}
	return true;
}

static bool read_slowest(
	struct obs_reader *r, struct wire w, uint64_t unit, size_t ranks, struct row_sums *sums)
{
	uint64_t *x = arena_array(r->scratch, sums->steps, sizeof(*x));
	struct obs_parts parts;
	uint64_t rank;

	if (!obs_parts_of(&parts, w))
		return false;
	rank = obs_number(&parts, OBS_JOB_SLOWEST_RANK, UINT64_MAX);
	if (rank >= ranks || sums->slowest_count == ROW_SUMS_SLOWEST ||
		sums->slowest_count == sums->ranks ||
		!read_units(obs_bytes(&parts, OBS_JOB_SLOWEST_VALUE), unit, x, sums->steps))
		return false;
	for (size_t i = 0; i < sums->slowest_count; i++)
		if (sums->slowest[i].rank == rank)
			return false;
	return row_sums_append_slowest(sums, (uint32_t)rank, x);
}

/* Sums of the row of the element, which comes after the one before it; NULL: it had them. */
static struct row_sums *find_row(
	struct obs_reader *r, const struct obs_parts *parts, struct sums_set *set)
{
	const uint64_t of = obs_number(parts, OBS_JOB_ROW_OF, OBS_OF_CLASS);
	const char *group = obs_text(parts, OBS_JOB_ROW_GROUP, r->scratch, "");
	const size_t before = set->row_count;
	struct row_sums *sums;
	struct sums_row *row;
	size_t groups;

	if (of > OBS_OF_HOST || !group ||
		!obs_next_name(parts, OBS_JOB_ROW_SHARED, OBS_JOB_ROW_REST, &r->row_name))
		return NULL;
	row = sums_set_row(r->out->job, set, text_string(&r->row_name), of == OBS_OF_CLASS,
		of == OBS_OF_ACCELERATOR);
	r->row_name_bytes += set->row_count > before ? r->row_name.size : 0;
	groups = row->group_count;
	sums = sums_row_group(r->out->job, set, row, group);
	return row->group_count == groups ? NULL : sums;
}

static bool read_row(struct obs_reader *r, struct wire w)
{
	struct obs_parts parts;
	uint64_t number, ranks, unit;
	struct row_sums *sums;
	struct sums_set *set;
	struct wire slowest;

	if (!obs_parts_of(&parts, w) || !r->out->job)
		return false;
	number = obs_number(&parts, OBS_JOB_ROW_SET, 0);
	ranks = obs_number(&parts, OBS_JOB_ROW_RANKS, 0);
	unit = obs_number(&parts, OBS_JOB_ROW_UNIT, 0);
	if (number >= r->out->job->set_count || unit > ROW_SUMS_MOST)
		return false;
	set = &r->out->job->set[number];
	if (ranks == 0 || ranks > set->rank_count ||
		obs_count(obs_bytes(&parts, OBS_JOB_ROW_STEP)) != set->step_count ||
		!(sums = find_row(r, &parts, set)))
		return false;
	sums->ranks = ranks;
	sums->unit = unit;
	unit = unit ? unit : 1;
#define READ(field, member)                                                                        \
	if (!read_wide(&parts, OBS_JOB_ROW_##field, &sums->member))                                \
		return false;
	OBS_JOB_ROW_WIDES(READ)
#undef READ
	if (!read_step_sums(r, &parts, unit, sums))
		return false;

	const size_t n = sums->steps;
	const int64_t *rank = obs_list(&parts, OBS_JOB_ROW_LONGEST_RANK, r->scratch, n);

	if (!rank || !read_units(obs_bytes(&parts, OBS_JOB_ROW_LONGEST), unit, sums->longest, n))
		return false;
	for (size_t t = 0; t < n; t++) {
		if (rank[t] < 0 || (uint64_t)rank[t] > set->rank_count)
			return false;
		sums->longest_rank[t] = rank[t] ? (uint32_t)rank[t] - 1 : ROW_SUMS_SEVERAL;
	}
	while (obs_parts_next(&w, OBS_JOB_ROW_SLOWEST, &slowest))
		if (!read_slowest(r, slowest, unit, set->rank_count, sums))
			return false;
	return sums->slowest_count == (ranks < ROW_SUMS_SLOWEST ? ranks : ROW_SUMS_SLOWEST) &&
	       row_sums_are_possible(sums);
}

/* Names share their beginnings in the file, so that a few bytes can ask for a long one. */
enum obs_result obs_read_job_row(struct obs_reader *r, struct wire w, struct error *err)
{
	const size_t most = r->opt->limits.name_bytes;

	if (!read_row(r, w))
		return OBS_DAMAGED;
	if (!most || r->row_name_bytes <= most + NAME_BYTES_OF_BYTE * input_offset(r->in))
		return OBS_READ;
	error_set(err, ERROR_LIMIT, r->out->path,
		"names of rows of sums of more than %zu bytes together", most);
	return error_hint(err, "max-names in stepstat.yaml allows more");
}
