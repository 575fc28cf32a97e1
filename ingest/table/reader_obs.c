/*
 * Reader of .obs files, the binary form of observations (proto/obs.proto). Elements are framed from
 * the stream, one in memory at a time; series are decoded straight into the columns of the profile.
 */
#include <string.h>
#include "base/checksum/crc32.h"
#include "base/memory.h"
#include "base/vec.h"
#include "base/number.h"
#include "ingest/table/obs_table.h"
#include "ingest/table/obs_format.h"
#include "ingest/table/part_table.h"
#include "ingest/table/step_values.h"
#include "model/own/measure_own.h"

struct obs_reader {
	struct obs_context context;
	struct profile *out;
	struct obs_table self, totals;
	struct part_table part;
	struct step_values values;
	const char *magic;
	uint32_t crc, last; /* of all bytes so far; number of the last element */
	bool ended;
};

/* ---- source, issues, measures, texts ---- */

/* False when it is none. A fact of a later version has a name that is not known here. */
static bool read_fact(struct obs_reader *r, struct wire w)
{
	const char *name = NULL;
	struct fact_value value = {.place = r->out->path};
	struct wire_field f;
	enum wire_result got;
	enum fact_id id;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (obs_is_bytes(&f, OBS_FACT_NAME))
			name = obs_copy_text(r->context.scratch, &f);
		else if (obs_is_bytes(&f, OBS_FACT_VALUE))
			value.text = obs_copy_text(r->context.scratch, &f);
		else if (obs_is_number(&f, OBS_FACT_FILES))
			value.files = f.value;
	}
	if (got == WIRE_BAD || !name || !value.text || value.files == 0)
		return false;
	id = fact_find(name);
	if (id == FACT_COUNT)
		return true;
	if (!facts_is_value(id, value.text))
		return false;
	fact_lists_add(&r->out->file_facts, r->out->arena, id, &value);
	return true;
}

static int read_source(struct obs_reader *r, struct wire w, struct error *err)
{
	struct wire_field f;
	enum wire_result got;
	uint64_t version = 0;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (obs_is_number(&f, OBS_SOURCE_VERSION))
			version = f.value;
		if (obs_is_number(&f, OBS_SOURCE_PRINTED))
			r->out->is_printed = f.value != 0;
		if (obs_is_number(&f, OBS_SOURCE_BENCHMARKS))
			r->out->benchmarks = f.value != 0;
		if (obs_is_bytes(&f, OBS_SOURCE_FACT) && !read_fact(r, wire_inside(&f)))
			return obs_damaged(&r->context, "the source", err);
		if (!obs_is_bytes(&f, OBS_SOURCE_TITLE))
			continue;
		r->out->format_title = obs_copy_text(r->out->arena, &f);
		if (!r->out->format_title)
			return obs_damaged(&r->context, "the source", err);
	}
	if (got == WIRE_BAD || version == 0)
		return obs_damaged(&r->context, "the source", err);
	profile_share_facts(r->out);
	if (version == OBS_VERSION)
		return 0;
	error_set(err, ERROR_INPUT, r->out->path,
		"version %llu of the format, this program reads version %d",
		(unsigned long long)version, OBS_VERSION);
	return error_hint(
		err, "read it with the version of stepstat that wrote it, or a newer one");
}

/* The unit of an effect, one of its bounds, or a number of the loss. */
static bool read_effect_number(
	const struct wire_field *f, struct issue_effect *effect, struct issue_loss *loss)
{
	int64_t *const bound = obs_is_number(f, OBS_ISSUE_LOW)	      ? &effect->low
			       : obs_is_number(f, OBS_ISSUE_HIGH)     ? &effect->high
			       : obs_is_number(f, OBS_ISSUE_RECORDED) ? &effect->recorded
			       : obs_is_number(f, OBS_ISSUE_LOST)     ? &loss->lost
			       : obs_is_number(f, OBS_ISSUE_ALL)      ? &loss->all
								      : NULL;

	if (bound) {
		*bound = (int64_t)f->value;
		return f->value <= INT64_MAX;
	}
	if (obs_is_number(f, OBS_ISSUE_LOSS)) {
		loss->kind = (enum loss_kind)f->value;
		return f->value < LOSS_KINDS;
	}
	if (!obs_is_number(f, OBS_ISSUE_UNIT))
		return true;
	effect->unit = (enum effect_unit)f->value;
	return f->value <= EFFECT_EVENTS;
}

static int read_issue(struct obs_reader *r, struct wire w, struct error *err)
{
	struct wire_field f;
	enum wire_result got;
	const char *part[OBS_ISSUE_STEPS + 1] = {[OBS_ISSUE_PLACE] = "", [OBS_ISSUE_STEPS] = ""};
	struct issue_effect effect = {
		.low = EFFECT_UNKNOWN, .high = EFFECT_UNKNOWN, .recorded = EFFECT_UNKNOWN};
	struct issue_loss loss = {.kind = LOSS_NONE};
	uint64_t severity = 0, count = 0;
	bool is_sound = true;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (obs_is_number(&f, OBS_ISSUE_SEVERITY))
			severity = f.value;
		else if (obs_is_number(&f, OBS_ISSUE_COUNT))
			count = f.value;
		else if (f.type == WIRE_BYTES && f.number >= OBS_ISSUE_CODE &&
			 f.number <= OBS_ISSUE_STEPS)
			part[f.number] = obs_copy_text(r->context.scratch, &f);
		else
			is_sound &= read_effect_number(&f, &effect, &loss);
	}
	effect.row = part[OBS_ISSUE_ROW];
	effect.steps = part[OBS_ISSUE_STEPS];
	if (got == WIRE_BAD || severity > ISSUE_ERROR || count == 0 || count > SIZE_MAX / 2 ||
		!part[OBS_ISSUE_CODE] || !part[OBS_ISSUE_TEXT] || !part[OBS_ISSUE_PLACE] ||
		!is_sound || loss.lost > loss.all || !effect.steps ||
		(effect.unit != EFFECT_NONE && !effect.row))
		return obs_damaged(&r->context, "an issue", err);
	issue_add(&r->out->issues, (enum issue_severity)severity, part[OBS_ISSUE_CODE],
		part[OBS_ISSUE_TEXT], (size_t)count, part[OBS_ISSUE_PLACE]);
	issue_set_effect(&r->out->issues, part[OBS_ISSUE_CODE], &effect);
	issue_set_loss(&r->out->issues, part[OBS_ISSUE_CODE], &loss);
	return 0;
}

/* A measure of its own has another unit than "count". */
static int find_own(struct obs_reader *r, const char *name, char *unit)
{
	struct own_measure own = {.name = name};
	struct error none = {0};
	enum measure_id id;
	bool base;

	if (text_equal(unit, "count") || measure_lookup(name) ||
		!measure_split_unit(unit, &own, &base) || measure_own(&own, &id, &none) < 0 ||
		(!base && measure_factor(id, own.unit) != 1))
		return -1;
	profile_have(r->out, id);
	return (int)id;
}

static int find_measure(struct obs_reader *r, const char *name, char *unit)
{
	const struct measure *measure = measure_lookup(name);
	const char *base = !measure				   ? ""
			   : measure->dimension == DIMENSION_TIME  ? "ps"
			   : measure->dimension == DIMENSION_BYTES ? "bytes"
								   : "count";

	if (measure && measure->id < MEASURE_STEP_COUNT && text_equal(base, unit))
		return (int)measure->id;
	return find_own(r, name, unit);
}

static int read_measure(struct obs_reader *r, struct wire w, struct error *err)
{
	char *name = NULL, *unit = NULL;
	struct wire_field f;
	enum wire_result got;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (obs_is_bytes(&f, OBS_MEASURE_NAME))
			name = obs_copy_text(r->context.scratch, &f);
		if (obs_is_bytes(&f, OBS_MEASURE_UNIT))
			unit = obs_copy_text(r->context.scratch, &f);
	}
	if (got == WIRE_BAD || !name || !unit || r->context.measure_count == OBS_MEASURES_MOST)
		return obs_damaged(&r->context, "a measure", err);
	int id = find_measure(r, name, unit);

	for (size_t i = 0; i < r->context.measure_count; i++)
		if (id >= 0 && r->context.measure[i] == id)
			return obs_damaged(&r->context, "a measure", err);
	r->context.measure[r->context.measure_count++] = id;
	if (id >= 0)
		return 0;
	struct text place;

	text_init(&place);
	text_printf(&place, "%s: ", r->out->path);
	text_add_visible(&place, name);
	issue_add(&r->out->issues, ISSUE_LOSS, "measure-unknown",
		"measures that this version does not know, not read", 1, text_string(&place));
	text_release(&place);
	return 0;
}

static int read_text(struct obs_reader *r, const struct wire_field *f, struct error *err)
{
	char *copy = obs_copy_text(r->out->arena, f);

	if (!copy)
		return obs_damaged(&r->context, "a text", err);
	r->context.text = memory_make_room(r->context.text, &r->context.text_room,
		r->context.text_count + 1, sizeof(*r->context.text));
	r->context.text[r->context.text_count++] = copy;
	return 0;
}

/* ---- runs ---- */

struct run_parts {
	const char *name, *rank, *rank_group, *kinds; /* NULL: not there */
	struct wire_field number, fingerprint, timed, start, wall, busy, base, start_ns, kind;
};

static bool find_run_parts(struct obs_reader *r, struct wire w, struct run_parts *parts)
{
	const struct wire_field none = obs_nothing();
	struct wire_field f;
	enum wire_result got;

	*parts = (struct run_parts){
		NULL, NULL, NULL, NULL, none, none, none, none, none, none, none, none, none};
	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		struct wire_field *into[] = {[OBS_RUN_NUMBER] = &parts->number,
			[OBS_RUN_FINGERPRINT] = &parts->fingerprint,
			[OBS_RUN_TIMED] = &parts->timed,
			[OBS_RUN_START] = &parts->start,
			[OBS_RUN_WALL] = &parts->wall,
			[OBS_RUN_BUSY] = &parts->busy,
			[OBS_RUN_BASE] = &parts->base,
			[OBS_RUN_KIND] = &parts->kind,
			[OBS_RUN_START_NS] = &parts->start_ns};
		const char **name = f.number == OBS_RUN_NAME	     ? &parts->name
				    : f.number == OBS_RUN_RANK	     ? &parts->rank
				    : f.number == OBS_RUN_RANK_GROUP ? &parts->rank_group
				    : f.number == OBS_RUN_KINDS	     ? &parts->kinds
								     : NULL;

		if (f.type != WIRE_BYTES ||
			(!name && (f.number > OBS_RUN_START_NS || !into[f.number])))
			continue;
		if (!name) {
			*into[f.number] = f;
			continue;
		}
		*name = obs_copy_text(r->out->arena, &f);
		if (!*name)
			return false;
	}
	return got == WIRE_END;
}

static uint64_t read_fixed(const unsigned char *bytes)
{
	uint64_t value = 0;

	for (size_t i = 0; i < 8; i++)
		value |= (uint64_t)bytes[i] << (8 * i);
	return value;
}

/* Times of the steps that have them; false when they are not times. */
static bool read_times(
	struct obs_reader *r, const struct run_parts *parts, struct step *step, size_t count)
{
	bool *timed = arena_array(r->context.scratch, count, sizeof(bool));
	struct wire wall = wire_inside(&parts->wall), busy = wire_inside(&parts->busy);
	int64_t *start, *base, *alone; /* alone: starts of the steps without times */
	size_t n = 0, at = 0;

	if (!obs_stretches(&parts->timed, true, false, timed, count))
		return false;
	for (size_t i = 0; i < count; i++)
		n += timed[i];
	start = arena_array(r->context.scratch, n, sizeof(*start));
	base = arena_array(r->context.scratch, n, sizeof(*base));
	alone = arena_array(r->context.scratch, count - n, sizeof(*alone));
	if (!obs_differences(&parts->start, 1, start, n) ||
		(parts->base.size && !obs_differences(&parts->base, 1, base, n)) ||
		(parts->start_ns.size && !obs_differences(&parts->start_ns, 1, alone, count - n)))
		return false;
	for (size_t i = 0; i < count; i++) {
		uint64_t length, part;

		if (!timed[i]) {
			step[i].base_ns = alone[i - at];
			continue;
		}
		if (!wire_varint(&wall, &length) || !wire_varint(&busy, &part) ||
			length > INT64_MAX || part > length ||
			!number_add(start[at], (int64_t)length, &step[i].end_ps))
			return false;
		step[i].has_wall = true;
		step[i].base_ns = base[at];
		step[i].start_ps = start[at++];
		step[i].busy_ps = (int64_t)part;
	}
	return wall.at == wall.end && busy.at == busy.end;
}

static void report_unknown_kind(struct obs_reader *r, const char *kind)
{
	struct text place;

	text_init(&place);
	text_printf(&place, "%s: ", r->out->path);
	text_add_visible(&place, kind);
	issue_add(&r->out->issues, ISSUE_LOSS, "step-series-unknown",
		"durations of steps that this version does not know, not read", 1,
		text_string(&place));
	text_release(&place);
}

struct series_parts {
	const char *kind, *device;
	struct wire_field known, value;
};

static bool find_series_parts(struct obs_reader *r, struct wire w, struct series_parts *parts)
{
	struct wire_field f;
	enum wire_result got;

	*parts = (struct series_parts){NULL, "", obs_nothing(), obs_nothing()};
	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (obs_is_bytes(&f, OBS_RUN_SERIES_KIND))
			parts->kind = obs_copy_text(r->context.scratch, &f);
		else if (obs_is_bytes(&f, OBS_RUN_SERIES_DEVICE))
			parts->device = obs_copy_text(r->context.scratch, &f);
		else if (obs_is_bytes(&f, OBS_RUN_SERIES_KNOWN))
			parts->known = f;
		else if (obs_is_bytes(&f, OBS_RUN_SERIES_VALUE))
			parts->value = f;
	}
	return got == WIRE_END && parts->kind && parts->device;
}

/* One series of the `count` steps from `first` on; false when it is not one. */
static bool read_series(struct obs_reader *r, struct wire w, uint32_t first, size_t count)
{
	struct series_parts parts;
	enum step_series_kind kind;
	bool *known = arena_array(r->context.scratch, count, sizeof(bool));
	int64_t *value;
	uint32_t series;
	size_t n = 0, at = 0;

	if (!find_series_parts(r, w, &parts) ||
		!obs_stretches(&parts.known, true, true, known, count))
		return false;
	for (size_t i = 0; i < count; i++)
		n += known[i];
	value = arena_array(r->context.scratch, n, sizeof(*value));
	if (!obs_differences(&parts.value, 1, value, n))
		return false;
	if (!step_series_kind_of(parts.kind, &kind)) {
		report_unknown_kind(r, parts.kind);
		return true;
	}
	if ((kind >= SERIES_DEVICE_FIRST) != (*parts.device != '\0'))
		return false;
	series = step_values_series(&r->values, kind, parts.device);
	for (size_t i = 0; i < count; i++)
		if (known[i] &&
			(value[at] < 0 || step_values_set(&r->values, series, first + (uint32_t)i,
						  value[at++]) != STEP_VALUE_SET))
			return false;
	return true;
}

static int read_run_series(
	struct obs_reader *r, struct wire w, uint32_t first, size_t count, struct error *err)
{
	struct wire_field f;

	while (wire_next(&w, &f) == WIRE_FIELD)
		if (obs_is_bytes(&f, OBS_RUN_SERIES) &&
			!read_series(r, wire_inside(&f), first, count))
			return obs_damaged(&r->context, "the durations of steps", err);
	return 0;
}

/* False: they are no places in the words. */
static bool read_kinds(
	struct obs_reader *r, const struct run_parts *parts, struct step *step, size_t count)
{
	struct wire kind = wire_inside(&parts->kind);
	struct vec word; /* const char * */
	bool good = true;
	uint64_t of;

	if (!parts->kinds)
		return true;
	vec_init(&word, sizeof(const char *), SIZE_MAX, "kinds");
	for (const char *at = parts->kinds; *at; at += strcspn(at, "\n"), at += *at == '\n')
		*(const char **)vec_push(&word, NULL) =
			arena_strndup(r->out->arena, at, strcspn(at, "\n"));
	for (size_t i = 0; i < count && good; i++) {
		good = wire_varint(&kind, &of) && of <= word.count;
		if (good && of)
			step[i].kind = *(const char **)vec_at(&word, of - 1);
	}
	vec_release(&word);
	return good && kind.at == kind.end;
}

static int read_run(struct obs_reader *r, struct wire w, struct error *err)
{
	const uint32_t first = (uint32_t)r->out->step_count;
	struct run_parts parts;
	int64_t *number;
	struct step *step;
	size_t count;
	uint32_t index;

	if (!find_run_parts(r, w, &parts))
		return obs_damaged(&r->context, "a run", err);
	count = obs_count(&parts.number);
	number = arena_array(r->context.scratch, count, sizeof(*number));
	step = arena_array(r->context.scratch, count, sizeof(*step));
	if (!obs_differences(&parts.number, 1, number, count) ||
		parts.fingerprint.size != 8 * (uint64_t)count ||
		!read_times(r, &parts, step, count) || !read_kinds(r, &parts, step, count))
		return obs_damaged(&r->context, "a run", err);
	for (size_t i = 0; i < count; i++) {
		step[i].number = number[i];
		step[i].has_index = true;
		step[i].index = (uint32_t)i;
		step[i].run = parts.name;
		step[i].rank = parts.rank;
		step[i].rank_group = parts.rank_group;
		step[i].fingerprint = read_fixed(parts.fingerprint.bytes + 8 * i);
		if (profile_add_step(r->out, &step[i], &index, &r->context.opt->limits, err) < 0)
			return -1;
	}
	return read_run_series(r, w, first, count, err);
}

/* ---- the whole ---- */

static int read_end(struct obs_reader *r, struct wire w, uint32_t crc, struct error *err)
{
	uint64_t observations = 0, expected = 0;
	struct wire_field f;
	enum wire_result got;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (obs_is_number(&f, OBS_END_OBSERVATIONS))
			observations = f.value;
		else if (f.number == OBS_END_CRC32 && f.type == WIRE_FIXED32)
			expected = f.value;
	}
	r->ended = true;
	if (got == WIRE_BAD || observations != r->context.observations)
		return obs_damaged(&r->context, "the end", err);
	if (expected == crc)
		return 0;
	error_set(err, ERROR_INPUT, r->out->path, "the checksum of the observations is wrong");
	return error_hint(err, "the file was changed on its way: copy or export it again");
}

static struct obs_table *totals_of(struct obs_reader *r)
{
	if (!r->out->totals) {
		r->out->totals = profile_new(r->out->path);
		obs_table_init(&r->totals, r->out->totals);
	}
	return &r->totals;
}

static int read_magic(struct obs_reader *r, const struct wire_field *f, struct error *err)
{
	if (f->size == strlen(r->magic) && memcmp(f->bytes, r->magic, f->size) == 0)
		return 0;
	return error_set(err, ERROR_INPUT, r->out->path, "no .%s file: it does not begin like one",
		strrchr(r->magic, '.') + 1);
}

static bool is_part(const struct obs_reader *r)
{
	return text_equal(r->magic, PART_MAGIC);
}

static int read_element(
	struct obs_reader *r, const struct wire_field *f, uint32_t crc_before, struct error *err)
{
	struct wire w = wire_inside(f);

	switch (f->number) {
	case OBS_MAGIC_FIELD:
		return read_magic(r, f, err);
	case OBS_SOURCE:
		return read_source(r, w, err);
	case OBS_ISSUE:
		return read_issue(r, w, err);
	case OBS_MEASURE:
		return read_measure(r, w, err);
	case OBS_TEXT:
		return read_text(r, f, err);
	case OBS_RUN:
		return read_run(r, w, err);
	case OBS_OP:
		return obs_table_op(&r->self, &r->context, w, err);
	case OBS_SERIES:
		return obs_table_series(&r->self, &r->context, w, err);
	case OBS_TOTAL_OP:
		return obs_table_op(totals_of(r), &r->context, w, err);
	case OBS_TOTAL_SERIES:
		return obs_table_series(totals_of(r), &r->context, w, err);
	case OBS_COLLECTIVES:
		return obs_table_collectives(&r->self, &r->context, w, err);
	case OBS_JOB_STEPS:
		return is_part(r) ? part_table_steps(&r->context, w, err) : 0;
	case OBS_JOB_SET:
		return is_part(r) ? part_table_set(&r->context, w, err) : 0;
	case OBS_JOB_ROW:
		return is_part(r) ? part_table_row(&r->part, &r->context, w, err) : 0;
	case OBS_END:
		return read_end(r, w, crc_before, err);
	default:
		return 0;
	}
}

/* Adds an element as the writer puts it, head and contents. */
static uint32_t add_crc(uint32_t crc, const struct wire_field *f)
{
	char head[2 * PROTOBUF_VARINT_MOST];
	size_t n = protobuf_varint(head, protobuf_tag(f->number, WIRE_BYTES));

	n += protobuf_varint(head + n, f->size);
	return crc32_add(crc32_add(crc, head, n), f->bytes, (size_t)f->size);
}

/* First the magic, then the source, then the others in order of their numbers, nothing behind the
 * end. */
static bool is_in_place(const struct obs_reader *r, const struct wire_field *f)
{
	if (f->type != WIRE_BYTES || r->ended)
		return false;
	if (r->last < OBS_SOURCE)
		return f->number == r->last + 1;
	return r->last == OBS_SOURCE ? f->number > OBS_SOURCE : f->number >= r->last;
}

/* One element of the file; 0 at the end. */
static int next_element(struct obs_reader *r, struct error *err)
{
	struct obs_context *c = &r->context;
	struct wire_field f;
	uint32_t before = r->crc;
	int got;

	c->start = input_offset(c->in);
	got = wire_stream_next(c->in, UINT64_MAX, "the file", &f, err);
	if (got <= 0)
		return got;
	if (!is_in_place(r, &f))
		return obs_damaged(c, "the file", err);
	if (input_read(c->in, (size_t)f.size, c->opt->max_record_bytes, "an element", &f.bytes,
		    err) < 0)
		return -1;
	r->crc = add_crc(r->crc, &f);
	r->last = f.number;
	if (read_element(r, &f, before, err) < 0)
		return -1;
	arena_reset(c->scratch);
	return 1;
}

static int read_file(struct obs_reader *r, struct error *err)
{
	int got;

	while ((got = next_element(r, err)) > 0)
		;
	if (got < 0)
		return -1;
	if (!r->ended) {
		error_set(err, ERROR_INPUT, r->out->path, "the file ends too early");
		return error_hint(err, "the file is cut off: copy or export it again");
	}
	if (is_part(r) && !r->out->job)
		return obs_damaged(&r->context, "the file", err);
	input_report_tail(r->context.in, &r->out->issues);
	return 0;
}

static int read_observations(struct input *in, struct profile *out, const struct read_options *opt,
	const char *magic, struct error *err)
{
	struct obs_reader r = {
		.context = {.in = in, .out = out, .opt = opt, .scratch = arena_new()},
		.out = out,
		.magic = magic,
	};
	int result;

	part_table_init(&r.part);

	obs_table_init(&r.self, out);
	step_values_init(&r.values, out, &opt->limits);
	result = read_file(&r, err);
	if (result == 0) {
		step_values_finish(&r.values);
		collective_calls_sort(&out->collectives, out->step_count);
		collective_calls_report(&out->collectives, &out->issues, out->path);
	}
	step_values_release(&r.values);
	part_table_release(&r.part);
	obs_table_release(&r.self);
	if (out->totals)
		obs_table_release(&r.totals);
	obs_context_release(&r.context);
	arena_free(r.context.scratch);
	return result;
}

static int obs_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return read_observations(in, out, opt, OBS_MAGIC, err);
}

static int part_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return read_observations(in, out, opt, PART_MAGIC, err);
}

static int probe_magic(const struct probe *p, const char *magic)
{
	size_t n = strlen(magic);

	return p->size >= n + 2 && p->bytes[0] == (OBS_MAGIC_FIELD << 3 | WIRE_BYTES) &&
			       p->bytes[1] == n && memcmp(p->bytes + 2, magic, n) == 0
		       ? 100
		       : 0;
}

static int obs_probe(const struct probe *p)
{
	return probe_magic(p, OBS_MAGIC);
}

static int part_probe(const struct probe *p)
{
	return probe_magic(p, PART_MAGIC);
}

const struct reader reader_part = {
	.name = "part",
	.title = "ranks of a job, added up (.part)",
	.summary = "what `stepstat merge RANK.obs... -o JOB.part` writes",
	.suffixes = (const char *const[]){".part", NULL},
	.probe = part_probe,
	.read = part_read,
};

const struct reader reader_obs = {
	.name = "obs",
	.title = "observations (.obs)",
	.summary = "observations as `stepstat export -o FILE.obs` writes them",
	.suffixes = (const char *const[]){".obs", NULL},
	.probe = obs_probe,
	.read = obs_read,
};
