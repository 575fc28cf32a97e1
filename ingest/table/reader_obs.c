/* Reader of containers of observations (.obs, .part; proto/obs.proto). Elements are framed from the
 * stream, one in memory at a time; series are decoded straight into the columns of the profile. */
#include <string.h>
#include "base/checksum.h"
#include "base/memory.h"
#include "base/number.h"
#include "ingest/table/obs_head.h"
#include "ingest/table/obs_parts.h"
#include "model/own/measure_own.h"

/* ---- source, issues, measures, texts ---- */

/* False when it is none. A fact of a later version has a name that is not known here. */
static bool read_fact(struct obs_reader *r, struct wire w)
{
	struct obs_parts parts;

	if (!obs_parts_of(&parts, w))
		return false;
	const char *name = obs_text(&parts, OBS_FACT_NAME, r->scratch, NULL);
	const struct fact_value value = {.place = r->out->path,
		.text = obs_text(&parts, OBS_FACT_VALUE, r->scratch, NULL),
		.files = obs_number(&parts, OBS_FACT_FILES, 0)};
	enum fact_id id;

	if (!name || !value.text || value.files == 0)
		return false;
	id = fact_find(name);
	if (id == FACT_COUNT)
		return true;
	if (!facts_is_value(id, value.text))
		return false;
	fact_lists_add(&r->out->file_facts, r->out->arena, id, &value);
	return true;
}

static enum obs_result read_source(struct obs_reader *r, struct wire w, struct error *err)
{
	struct obs_parts parts;
	struct wire fact;
	uint64_t version;

	if (!obs_parts_of(&parts, w))
		return OBS_DAMAGED;
	version = obs_number(&parts, OBS_SOURCE_VERSION, 0);
	r->out->is_printed = obs_number(&parts, OBS_SOURCE_PRINTED, 0) != 0;
	r->out->benchmarks = obs_number(&parts, OBS_SOURCE_BENCHMARKS, 0) != 0;
	r->out->format_title =
		obs_text(&parts, OBS_SOURCE_TITLE, r->out->arena, r->out->format_title);
	if (!version || (obs_has_bytes(&parts, OBS_SOURCE_TITLE) && !r->out->format_title))
		return OBS_DAMAGED;
	while (obs_parts_next(&w, OBS_SOURCE_FACT, &fact))
		if (!read_fact(r, fact))
			return OBS_DAMAGED;
	profile_share_facts(r->out);
	r->has_sums |= version == OBS_VERSION_SUMS;
	if (version <= OBS_VERSION_SUMS)
		return OBS_READ;
	error_set(err, ERROR_INPUT, r->out->path,
		"version %llu of the format, this program reads versions up to %d",
		(unsigned long long)version, OBS_VERSION_SUMS);
	return error_hint(
		err, "read it with the version of stepstat that wrote it, or a newer one");
}

static enum obs_result read_issue(struct obs_reader *r, struct wire w)
{
	struct obs_parts p;

	if (!obs_parts_of(&p, w))
		return OBS_DAMAGED;
	const uint64_t unknown = (uint64_t)EFFECT_UNKNOWN,
		       severity = obs_number(&p, OBS_ISSUE_SEVERITY, 0),
		       count = obs_number(&p, OBS_ISSUE_COUNT, 0),
		       unit = obs_number(&p, OBS_ISSUE_UNIT, EFFECT_NONE),
		       kind = obs_number(&p, OBS_ISSUE_LOSS, LOSS_NONE);
	const char *code = obs_text(&p, OBS_ISSUE_CODE, r->scratch, NULL),
		   *text = obs_text(&p, OBS_ISSUE_TEXT, r->scratch, NULL),
		   *place = obs_text(&p, OBS_ISSUE_PLACE, r->scratch, "");
	const struct issue_effect effect = {.row = obs_text(&p, OBS_ISSUE_ROW, r->scratch, NULL),
		.unit = (enum effect_unit)unit,
		.low = (int64_t)obs_number(&p, OBS_ISSUE_LOW, unknown),
		.high = (int64_t)obs_number(&p, OBS_ISSUE_HIGH, unknown),
		.recorded = (int64_t)obs_number(&p, OBS_ISSUE_RECORDED, unknown),
		.steps = obs_text(&p, OBS_ISSUE_STEPS, r->scratch, "")};
	const struct issue_loss loss = {.kind = (enum loss_kind)kind,
		.lost = (int64_t)obs_number(&p, OBS_ISSUE_LOST, 0),
		.all = (int64_t)obs_number(&p, OBS_ISSUE_ALL, 0)};

	if (severity > ISSUE_ERROR || count == 0 || count > SIZE_MAX / 2 || !code || !text ||
		!place || !effect.steps || unit > EFFECT_EVENTS || kind >= LOSS_KINDS ||
		(unit != EFFECT_NONE && !effect.row) || loss.lost < 0 || loss.lost > loss.all)
		return OBS_DAMAGED;
	for (uint32_t bound = OBS_ISSUE_LOW; bound <= OBS_ISSUE_RECORDED; bound++)
		if (obs_number(&p, bound, 0) > INT64_MAX)
			return OBS_DAMAGED;
	issue_add(&r->out->issues, (enum issue_severity)severity, code, text, (size_t)count, place);
	issue_set_effect(&r->out->issues, code, &effect);
	issue_set_loss(&r->out->issues, code, &loss);
	return OBS_READ;
}

/* Reports a word that only a later version knows. */
static void report_unknown(
	struct obs_reader *r, const char *code, const char *what, const char *word)
{
	struct text place;

	text_init(&place);
	text_printf(&place, "%s: ", r->out->path);
	text_add_visible(&place, word);
	issue_add(&r->out->issues, ISSUE_LOSS, code, what, 1, text_string(&place));
	text_release(&place);
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

static int find_measure(struct obs_reader *r, const char *name, const char *unit)
{
	const struct measure *measure = measure_lookup(name);

	if (measure && measure->id < MEASURE_STEP_COUNT &&
		text_equal(measure_base_unit(measure), unit))
		return (int)measure->id;
	return find_own(r, name, arena_strdup(r->scratch, unit));
}

static enum obs_result read_measure(struct obs_reader *r, struct wire w)
{
	struct obs_parts parts;
	const char *name, *unit;
	int id;

	if (!obs_parts_of(&parts, w))
		return OBS_DAMAGED;
	name = obs_text(&parts, OBS_MEASURE_NAME, r->scratch, NULL);
	unit = obs_text(&parts, OBS_MEASURE_UNIT, r->scratch, NULL);
	if (!name || !unit || r->measure_count == OBS_MEASURES_MOST)
		return OBS_DAMAGED;
	id = find_measure(r, name, unit);
	for (size_t i = 0; i < r->measure_count; i++)
		if (id >= 0 && r->measure[i] == id)
			return OBS_DAMAGED;
	r->measure[r->measure_count++] = id;
	if (id < 0)
		report_unknown(r, "measure-unknown",
			"measures that this version does not know, not read", name);
	return OBS_READ;
}

static enum obs_result read_text(struct obs_reader *r, struct wire w)
{
	const char *copy = obs_copy(w, r->out->arena);

	if (!copy)
		return OBS_DAMAGED;
	r->text = memory_make_room(r->text, &r->text_room, r->text_count + 1, sizeof(*r->text));
	r->text[r->text_count++] = copy;
	return OBS_READ;
}

/* ---- runs ---- */

/* Times of the steps that have them; false when they are not times. */
static bool read_times(
	struct obs_reader *r, const struct obs_parts *parts, struct step *step, size_t count)
{
	struct obs_stretches timed =
		obs_stretches_of(obs_bytes(parts, OBS_RUN_TIMED), true, false, count);
	size_t n, at = 0;

	if (!obs_stretches_count(timed, &n))
		return false;
	const int64_t *start = obs_list(parts, OBS_RUN_START, r->scratch, n),
		      *base = obs_list_or_zeros(parts, OBS_RUN_BASE_NS, r->scratch, n),
		      /* Starts of the steps without times. */
			      *alone = obs_list_or_zeros(
				      parts, OBS_RUN_START_NS, r->scratch, count - n);
	const uint64_t *wall = obs_plain_list(parts, OBS_RUN_WALL, r->scratch, n),
		       *busy = obs_plain_list(parts, OBS_RUN_BUSY, r->scratch, n);

	if (!start || !base || !alone || !wall || !busy)
		return false;
	while (obs_stretches_next(&timed))
		for (size_t i = timed.from; i < timed.to; i++) {
			if (!timed.is_set) {
				step[i].base_ns = alone[i - at];
				continue;
			}
			if (wall[at] > INT64_MAX || busy[at] > wall[at] ||
				!number_add(start[at], (int64_t)wall[at], &step[i].end_ps))
				return false;
			step[i].has_wall = true;
			step[i].base_ns = base[at];
			step[i].start_ps = start[at];
			step[i].busy_ps = (int64_t)busy[at++];
		}
	return true;
}

/* One series of the `count` steps from `first` on; false when it is not one. It takes no memory but
 * for its values: a file may have any number of series without one. */
static bool read_step_series(struct obs_reader *r, struct wire w, uint32_t first, size_t count)
{
	struct obs_parts parts;

	if (!obs_parts_of(&parts, w))
		return false;
	struct obs_stretches known =
		obs_stretches_of(obs_bytes(&parts, OBS_STEP_SERIES_KNOWN), true, true, count);
	struct wire list = obs_bytes(&parts, OBS_STEP_SERIES_VALUE);
	const char *name = obs_text(&parts, OBS_STEP_SERIES_KIND, r->scratch, NULL),
		   *device = obs_text(&parts, OBS_STEP_SERIES_DEVICE, r->scratch, ""),
		   *cause = obs_text(&parts, OBS_STEP_SERIES_CAUSE, r->scratch, "");
	enum step_series_kind kind;
	uint64_t sum = 0;
	uint32_t series;
	int64_t value;

	if (!name || !device || !cause)
		return false;
	if (!step_series_kind_of(name, &kind)) {
		report_unknown(r, "step-series-unknown",
			"durations of steps that this version does not know, not read", name);
		return true;
	}
	if (!step_series_is_one(kind, device, cause))
		return false;
	series = step_values_series(&r->values, kind, device, cause);
	while (obs_stretches_next(&known))
		for (size_t i = known.from; known.is_set && i < known.to; i++)
			if (!obs_differences(&list, &sum, 1, &value, 1) || value < 0 ||
				step_values_set(&r->values, series, first + (uint32_t)i, value) !=
					STEP_VALUE_SET)
				return false;
	return !known.bad && list.at == list.end;
}

/* False: they are no places in the words. */
static bool read_kinds(
	struct obs_reader *r, const struct obs_parts *parts, struct step *step, size_t count)
{
	const char *kinds = obs_text(parts, OBS_RUN_KINDS, r->out->arena, NULL);
	const uint64_t *kind = obs_plain_list(parts, OBS_RUN_KIND, r->scratch, count);
	struct vec word; /* const char * */
	bool good = kind != NULL;

	if (!kinds)
		return !obs_has_bytes(parts, OBS_RUN_KINDS);
	vec_init(&word, sizeof(const char *), SIZE_MAX, "kinds");
	for (const char *at = kinds; *at; at += strcspn(at, "\n"), at += *at == '\n')
		*(const char **)vec_push(&word, NULL) =
			arena_strndup(r->out->arena, at, strcspn(at, "\n"));
	for (size_t i = 0; i < count && good; i++) {
		good = kind[i] <= word.count;
		if (good && kind[i])
			step[i].kind = *(const char **)vec_at(&word, kind[i] - 1);
	}
	vec_release(&word);
	return good;
}

/* The text of a field that may be missing; false: it is no text. */
static bool read_name(const struct obs_reader *r, const struct obs_parts *parts, uint32_t number,
	const char **out)
{
	*out = obs_text(parts, number, r->out->arena, NULL);
	return *out || !obs_has_bytes(parts, number);
}

static enum obs_result read_run(struct obs_reader *r, struct wire w, struct error *err)
{
	const uint32_t first = (uint32_t)r->out->step_count;
	const char *name, *rank, *rank_group;
	struct obs_parts parts;
	struct wire print, series;
	int64_t *number;
	struct step *step;
	size_t count;
	uint32_t index;

	if (!obs_parts_of(&parts, w))
		return OBS_DAMAGED;
	count = obs_count(obs_bytes(&parts, OBS_RUN_NUMBER));
	number = obs_list(&parts, OBS_RUN_NUMBER, r->scratch, count);
	print = obs_bytes(&parts, OBS_RUN_FINGERPRINT);
	if (!number || obs_size(print) != 8 * (uint64_t)count)
		return OBS_DAMAGED;
	step = arena_array(r->scratch, count, sizeof(*step));
	if (!read_name(r, &parts, OBS_RUN_NAME, &name) ||
		!read_name(r, &parts, OBS_RUN_RANK, &rank) ||
		!read_name(r, &parts, OBS_RUN_RANK_GROUP, &rank_group) ||
		!read_times(r, &parts, step, count) || !read_kinds(r, &parts, step, count))
		return OBS_DAMAGED;
	for (size_t i = 0; i < count; i++) {
		step[i].number = number[i];
		step[i].has_index = true;
		step[i].index = (uint32_t)i;
		step[i].run = name;
		step[i].rank = rank;
		step[i].rank_group = rank_group;
		step[i].fingerprint = packed_take(&print.at, 8);
		if (profile_add_step(r->out, &step[i], &index, &r->opt->limits, err) < 0)
			return OBS_FAILED;
	}
	while (obs_parts_next(&w, OBS_RUN_SERIES, &series))
		if (!read_step_series(r, series, first, count))
			return OBS_DAMAGED;
	return OBS_READ;
}

/* ---- the whole ---- */

static enum obs_result read_end(
	struct obs_reader *r, struct wire w, uint32_t crc, struct error *err)
{
	struct obs_parts parts;

	r->ended = true;
	if (!obs_parts_of(&parts, w) ||
		obs_number(&parts, OBS_END_OBSERVATIONS, 0) != r->observations ||
		(r->has_sums && !r->out->job))
		return OBS_DAMAGED;
	if (obs_number(&parts, OBS_END_CRC32, 0) == crc)
		return OBS_READ;
	error_set(err, ERROR_INPUT, r->out->path, "the checksum of the observations is wrong");
	return error_hint(err, "the file was changed on its way: copy or export it again");
}

static struct obs_table *totals_of(struct obs_reader *r)
{
	if (!r->out->totals) {
		r->out->totals = profile_new(r->out->path);
		r->totals.profile = r->out->totals;
	}
	return &r->totals;
}

static enum obs_result read_magic(struct obs_reader *r, struct wire w, struct error *err)
{
	const char *text = obs_copy(w, r->scratch);

	r->has_sums = text && text_equal(text, OBS_MAGIC_OLD_PART);
	if (r->has_sums || (text && text_equal(text, OBS_MAGIC_TEXT)))
		return OBS_READ;
	return error_set(err, ERROR_INPUT, r->out->path,
		"no .obs or .part file: it does not begin like one");
}

static enum obs_result read_contents(
	struct obs_reader *r, uint32_t number, struct wire w, uint32_t crc, struct error *err)
{
	switch (number) {
	case OBS_MAGIC:
		return read_magic(r, w, err);
	case OBS_SOURCE:
		return read_source(r, w, err);
	case OBS_ISSUE:
		return read_issue(r, w);
	case OBS_MEASURE:
		return read_measure(r, w);
	case OBS_TEXT:
		return read_text(r, w);
	case OBS_RUN:
		return read_run(r, w, err);
	case OBS_OP:
		return obs_read_op(r, &r->self, w);
	case OBS_SERIES:
		return obs_read_series(r, &r->self, w, err);
	case OBS_TOTAL_OP:
		return obs_read_op(r, totals_of(r), w);
	case OBS_TOTAL_SERIES:
		return obs_read_series(r, totals_of(r), w, err);
	case OBS_COLLECTIVES:
		return obs_read_collectives(r, w);
	case OBS_JOB_STEPS:
		return r->has_sums ? obs_read_job_steps(r, w) : OBS_READ;
	case OBS_JOB_SET:
		return r->has_sums ? obs_read_job_set(r, w, err) : OBS_READ;
	case OBS_JOB_ROW:
		return r->has_sums ? obs_read_job_row(r, w, err) : OBS_READ;
	case OBS_END:
		return read_end(r, w, crc, err);
	default:
		return OBS_READ;
	}
}

/* Name of an element in the message about a damaged one. */
static const char *const element_name[] = {[OBS_SOURCE] = "the source",
	[OBS_ISSUE] = "an issue",
	[OBS_MEASURE] = "a measure",
	[OBS_TEXT] = "a text",
	[OBS_RUN] = "a run",
	[OBS_OP] = "an op",
	[OBS_SERIES] = "a series",
	[OBS_TOTAL_OP] = "an op",
	[OBS_TOTAL_SERIES] = "a series",
	[OBS_COLLECTIVES] = "collectives",
	[OBS_JOB_STEPS] = "the steps of a job",
	[OBS_JOB_SET] = "a set of ranks",
	[OBS_JOB_ROW] = "a row of a job",
	[OBS_END] = "the end"};

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
	const uint64_t start = input_offset(r->in);
	const uint32_t before = r->crc;
	enum obs_result result;
	struct wire_field f;
	int got = wire_stream_next(r->in, UINT64_MAX, "the file", &f, err);

	if (got <= 0)
		return got;
	if (!is_in_place(r, &f))
		return wire_damaged(r->in, start, "the file", err);
	if (input_read(r->in, (size_t)f.size, r->opt->max_record_bytes, "an element", &f.bytes,
		    err) < 0)
		return -1;

	char head[2 * PACKED_VARINT_MOST];
	size_t n = packed_varint(head, protobuf_tag(f.number, WIRE_BYTES));

	n += packed_varint(head + n, f.size);
	r->crc = crc32_add(crc32_add(r->crc, head, n), f.bytes, (size_t)f.size);
	r->last = f.number;
	result = read_contents(r, f.number, wire_inside(&f), before, err);
	arena_reset(r->scratch);
	if (result == OBS_DAMAGED)
		return wire_damaged(r->in, start, element_name[f.number], err);
	return result == OBS_READ ? 1 : -1;
}

static int read_elements(struct obs_reader *r, struct error *err)
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
	step_values_finish(&r->values);
	collective_calls_sort(&r->out->collectives, r->out->step_count);
	collective_calls_report(&r->out->collectives, &r->out->issues, r->out->path);
	input_report_tail(r->in, &r->out->issues);
	return 0;
}

static int obs_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	struct obs_reader r = {.in = in, .out = out, .opt = opt, .scratch = arena_new()};
	int result;

	obs_table_init(&r.self, out);
	obs_table_init(&r.totals, NULL);
	text_init(&r.row_name);
	step_values_init(&r.values, out, &opt->limits);
	result = read_elements(&r, err);
	step_values_release(&r.values);
	text_release(&r.row_name);
	obs_table_release(&r.self);
	obs_table_release(&r.totals);
	memory_free(r.text);
	memory_free(r.present);
	arena_free(r.scratch);
	return result;
}

#define HEAD_MOST ((size_t)1 << 20) /* bytes of the facts of a file */

int obs_head_read(const char *path, struct arena *arena, struct facts *facts, struct error *err)
{
	const struct read_options opt = {.max_record_bytes = HEAD_MOST};
	struct input *in = input_open(path, err);
	struct obs_reader r = {.in = in, .opt = &opt};
	int got = in ? 1 : -1;

	if (!in)
		return -1;
	r.scratch = arena_new();
	r.out = profile_new(path);
	while (got > 0 && r.last < OBS_SOURCE)
		got = next_element(&r, err);
	if (got > 0)
		*facts = *facts_copy(&r.out->facts, arena);
	else if (!got)
		error_set(err, ERROR_INPUT, path, "the file ends too early");
	profile_free(r.out);
	arena_free(r.scratch);
	input_close(in);
	return got > 0 ? 0 : -1;
}

static int obs_probe(const struct probe *p)
{
	static const char *const magic[] = {OBS_MAGIC_TEXT, OBS_MAGIC_OLD_PART};

	for (size_t i = 0; i < 2; i++) {
		const size_t n = strlen(magic[i]);

		if (p->size >= n + 2 && p->bytes[0] == (OBS_MAGIC << 3 | WIRE_BYTES) &&
			p->bytes[1] == n && memcmp(p->bytes + 2, magic[i], n) == 0)
			return 100;
	}
	return 0;
}

const struct reader reader_obs = {
	.name = "obs",
	.title = "observations (.obs, .part)",
	.summary = "what `stepstat export -o FILE.obs` and `stepstat merge -o JOB.part` write",
	.suffixes = (const char *const[]){".obs", ".part", NULL},
	.probe = obs_probe,
	.read = obs_read,
};
