/* Rows of the tables, out of the selected observations. */
#include "export/tables.h"

#include <string.h>
#include "base/arena.h"
#include "base/number.h"
#include "base/text.h"
#include "model/own/measure_own.h"
#include "model/profile.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

#define RANK_SUMMARY "process of a job; null where the source names none"
#define RANK_GROUP_SUMMARY "what ranks have in common, such as a pipeline stage; null: unknown"

static const struct table_field obs_fields[] = {
	{"run", FIELD_TEXT, true, "run; with rank and step_index the key of the table steps"},
	{"step", FIELD_INTEGER, true, "step number"},
	{"op", FIELD_TEXT, true, "name of the row after the rules; the key of the table ops"},
	{"measure", FIELD_TEXT, true, "what is measured; the key of the table measures"},
	{"value", FIELD_INTEGER, false,
		"sum over the executions in this step, in ps, bytes or 1; null: it ran, the value "
		"is not known"},
	{"rank", FIELD_TEXT, false, RANK_SUMMARY},
	{"rank_group", FIELD_TEXT, false, RANK_GROUP_SUMMARY},
	{"step_index", FIELD_INTEGER, true, STEP_INDEX_SUMMARY},
};
static const struct table_form table_obs = {"obs",
	"one row for each op that ran in a step of a rank, and measure; no row: it did not run "
	"there",
	obs_fields, COUNT(obs_fields)};

static const struct table_field steps_fields[] = {
	{"run", FIELD_TEXT, true, "run"},
	{"step", FIELD_INTEGER, true, "step number as recorded; it may come again in a run"},
	{"place", FIELD_INTEGER, true,
		"place among the steps of the run and rank that are here, from 1"},
	{"kind", FIELD_INTEGER, true, "kind of step, numbered by size"},
	{"start_ps", FIELD_INTEGER, false, "first start of an op, since base_ns"},
	{"wall_ps", FIELD_INTEGER, false, "last end minus first start"},
	{"busy_ps", FIELD_INTEGER, false, "the part of it in which any op ran"},
	{"base_ns", FIELD_INTEGER, false,
		"where start_ps is 0, in ns of the clock of the source; null: at the 0 of its "
		"times"},
	{"step_time_ps", FIELD_INTEGER, false,
		"step time of the kind --step-time; null where not known"},
	{"rank", FIELD_TEXT, false, RANK_SUMMARY},
	{"rank_group", FIELD_TEXT, false, RANK_GROUP_SUMMARY},
	{"step_index", FIELD_INTEGER, true, STEP_INDEX_SUMMARY},
	{"kind_name", FIELD_TEXT, false, "kind of step in the source's words; null: it says none"},
};
const struct table_form table_steps = {"steps",
	"one row for each step of a rank that was used, also if no op ran in it", steps_fields,
	COUNT(steps_fields)};

static const struct table_field ranks_fields[] = {
	{"run", FIELD_TEXT, true, "run"},
	{"rank", FIELD_TEXT, false, RANK_SUMMARY},
	{"rank_group", FIELD_TEXT, false, RANK_GROUP_SUMMARY},
	{"steps", FIELD_INTEGER, true, "its rows in the table steps"},
	{"source", FIELD_TEXT, true, "the files that it was read from, as --explain-inputs says"},
};
static const struct table_form table_ranks = {"ranks",
	"one row for each rank of each run; of a run on one process one row", ranks_fields,
	COUNT(ranks_fields)};

static const struct table_field step_series_fields[] = {
	{"run", FIELD_TEXT, true, "run; with rank and step_index the key of the table steps"},
	{"step", FIELD_INTEGER, true, "step number"},
	{"device", FIELD_TEXT, false, "device; null: of the step itself"},
	{"series", FIELD_TEXT, true,
		"marker, period, span; of a device compute, communication_alone, copies_alone and "
		"idle, which add up to its window, communication_hidden, a part of compute, and "
		"idle_..., parts of idle by cause, and host_late_..., parts of idle_host_late by "
		"what the host did (device in NAME)"},
	{"dur_ps", FIELD_INTEGER, true, "duration in this step"},
	{"rank", FIELD_TEXT, false, RANK_SUMMARY},
	{"step_index", FIELD_INTEGER, true, STEP_INDEX_SUMMARY},
};
static const struct table_form table_step_series = {"step_series",
	"one row for each duration of a step that the source knows: its times and what each device "
	"did in it",
	step_series_fields, COUNT(step_series_fields)};

static const struct table_field ops_fields[] = {
	{"op", FIELD_TEXT, true, "name of the row after the rules"},
	{"type", FIELD_TEXT, false,
		"kind of op, such as Conv2D, of the accelerator's events where it has any; null "
		"where unknown or not the same"},
	{"device", FIELD_TEXT, false, "device; null where unknown or not the same"},
	{"shape", FIELD_TEXT, false, "shape of its outputs"},
	{"params", FIELD_INTEGER, false, "number of parameters"},
	{"float_ops_each", FIELD_INTEGER, false, "float operations of one execution"},
	{"defined", FIELD_INTEGER, false, "graph nodes in the row"},
	{"ran", FIELD_INTEGER, true, "steps in which it ran, those of each rank counted; 0: never"},
};
const struct table_form table_ops = {
	"ops", "one row for each op, also if it never ran", ops_fields, COUNT(ops_fields)};

static const struct table_field measures_fields[] = {
	{"measure", FIELD_TEXT, true, "name of the measure"},
	{"base_unit", FIELD_TEXT, true, "unit of obs.value: ps, bytes or count"},
	{"unit", FIELD_TEXT, true, "unit that files of the program use: us, bytes or count"},
	{"factor", FIELD_INTEGER, true, "base units in one unit"},
	{"summary", FIELD_TEXT, true, "what it is"},
};
static const struct table_form table_measures = {
	"measures", "one row for each measure in obs", measures_fields, COUNT(measures_fields)};

static const struct table_field meta_fields[] = {
	{"key", FIELD_TEXT, true, "name of the fact; issue may come several times"},
	{"value", FIELD_TEXT, false, "as text"},
};
static const struct table_form table_meta = {"meta",
	"where the tables are from, with losses, oddities and assumptions", meta_fields,
	COUNT(meta_fields)};

static const struct unit *file_unit(enum measure_id id)
{
	switch (measure_at(id)->dimension) {
	case DIMENSION_TIME:
		return unit_lookup("us");
	case DIMENSION_BYTES:
		return unit_lookup("B");
	case DIMENSION_NONE:
	case DIMENSION_COUNT:
	case DIMENSION_FRACTION:
		return unit_lookup("count");
	default:
		return unit_choose(measure_at(id)->dimension, 0);
	}
}

/* A text that every database accepts; the same spelling in all tables, so that they can be joined.
 */
static const char *clean(struct arena *arena, const char *s)
{
	struct text visible;
	const char *out = s;

	text_init(&visible);
	text_add_visible(&visible, s);
	if (!text_equal(text_string(&visible), s))
		out = arena_strdup(arena, text_string(&visible));
	text_release(&visible);
	return out;
}

static struct table_value text_or_null(struct arena *arena, const char *s)
{
	return table_text(s && *s ? clean(arena, s) : NULL);
}

/* ---- meta ---- */

static int put_meta(struct table_sink *sink, const char *key, const char *value, struct error *err)
{
	struct table_value row[] = {table_text(key), table_text(value)};

	return sink->row(sink, row, err);
}

static int put_count(struct table_sink *sink, const char *key, size_t count, struct error *err)
{
	char digits[NUMBER_TEXT_SIZE];

	return put_meta(sink, key, number_format_int(digits, (int64_t)count), err);
}

static int put_issues(
	const struct cube *cube, struct arena *arena, struct table_sink *sink, struct error *err)
{
	static const char *const severities[] = {
		[ISSUE_INFO] = "info", [ISSUE_LOSS] = "loss", [ISSUE_ERROR] = "error"};

	for (size_t i = 0; i < cube->issues.count; i++) {
		const struct issue *issue = &cube->issues.issue[i];
		struct text text;
		const char *sentence;

		text_init(&text);
		text_printf(&text, "%s: ", severities[issue->severity]);
		issue_add_sentence(&text, issue);
		sentence = clean(arena, arena_strdup(arena, text_string(&text)));
		text_release(&text);
		if (put_meta(sink, "issue", sentence, err) < 0)
			return -1;
	}
	return 0;
}

static int put_facts(
	const struct cube *cube, struct arena *arena, struct table_sink *sink, struct error *err)
{
	for (enum fact_id id = 0; id < FACT_COUNT; id++)
		for (size_t i = 0; i < cube->facts.of[id].count; i++)
			if (put_meta(sink, fact_name(id),
				    clean(arena, cube->facts.of[id].value[i].text), err) < 0)
				return -1;
	return 0;
}

/* Each rank of a run is a run of the cube; of one name they follow each other. */
static size_t count_runs(const struct observation_set *set)
{
	const struct run *run = set->cube->run;
	const uint32_t *kept = set->steps->run;
	size_t n = 0;

	for (size_t r = 0; r < set->steps->run_count; r++)
		n += r == 0 || !text_equal(run[kept[r]].name, run[kept[r - 1]].name);
	return n;
}

static int write_meta(const struct table_source *source, struct arena *arena,
	struct table_sink *sink, struct error *err)
{
	const struct observation_set *set = source->set;
	const struct cube *cube = set->cube;

	if (sink->begin(sink, &table_meta, err) < 0 ||
		put_meta(sink, "tables_version", "1", err) < 0 ||
		put_meta(sink, "program", source->program, err) < 0 ||
		put_meta(sink, "source", clean(arena, source->label), err) < 0 ||
		put_meta(sink, "format", cube->format_title, err) < 0 ||
		put_count(sink, "runs", count_runs(set), err) < 0 ||
		put_count(sink, "steps", set->steps->count, err) < 0 ||
		put_meta(sink, "value", cube->totals ? "total" : "self", err) < 0 ||
		put_meta(sink, "printed", set->printed ? "yes" : "no", err) < 0 ||
		put_facts(cube, arena, sink, err) < 0 || put_issues(cube, arena, sink, err) < 0)
		return -1;
	return sink->end(sink, err);
}

/* "ps", "bytes", "1e-9 tokens/s" */
static const char *base_unit(
	const struct measure *measure, const struct unit *unit, struct arena *arena)
{
	struct text text;
	const char *out;

	if (!measure_is_own(measure->id))
		return measure->dimension == DIMENSION_TIME ? "ps" : unit->key;
	text_init(&text);
	measure_add_unit(measure, true, &text);
	out = arena_strdup(arena, text_string(&text));
	text_release(&text);
	return out;
}

static int write_measures(const struct table_source *source, struct arena *arena,
	struct table_sink *sink, struct error *err)
{
	const struct observation_set *set = source->set;

	if (sink->begin(sink, &table_measures, err) < 0)
		return -1;
	for (size_t m = 0; m < set->measure_count; m++) {
		const struct measure *measure = measure_at(set->measure[m]);
		const struct unit *unit = file_unit(set->measure[m]);
		struct table_value row[] = {
			table_text(measure->name),
			table_text(base_unit(measure, unit, arena)),
			table_text(unit->key),
			table_integer(unit->factor),
			table_text(measure->summary),
		};

		if (sink->row(sink, row, err) < 0)
			return -1;
	}
	return sink->end(sink, err);
}

/* ---- steps and ops ---- */

static int put_step(const struct table_source *source, struct arena *arena, size_t r, size_t i,
	struct table_sink *sink, struct error *err)
{
	const struct step_set *steps = source->set->steps;
	const struct step *step = &source->set->cube->step[steps->step[i]];
	const int64_t *time_ps = source->set->cube->times.time_ps;
	const struct run *run = &source->set->cube->run[steps->run[r]];
	struct table_value row[] = {
		table_text(clean(arena, run->name)),
		table_integer(step->number),
		table_integer((int64_t)(i - steps->first[r] + 1)),
		table_integer(steps->kinds.of_step[steps->step[i]]),
		{.known = step->has_wall, .integer = step->start_ps},
		{.known = step->has_wall, .integer = step->end_ps - step->start_ps},
		{.known = step_knows_busy(step), .integer = step->busy_ps},
		{.known = step->has_wall && step->base_ns != 0, .integer = step->base_ns},
		{.known = time_ps && time_ps[steps->step[i]] != CELL_ABSENT,
			.integer = time_ps ? time_ps[steps->step[i]] : 0},
		text_or_null(arena, run->rank),
		text_or_null(arena, run->rank_group),
		table_integer(step->index),
		text_or_null(arena, step->kind),
	};

	return sink->row(sink, row, err);
}

static int write_steps(const struct table_source *source, struct arena *arena,
	struct table_sink *sink, struct error *err)
{
	const struct step_set *steps = source->set->steps;

	if (sink->begin(sink, &table_steps, err) < 0)
		return -1;
	for (size_t r = 0; r < steps->run_count; r++)
		for (size_t i = steps->first[r]; i < steps->first[r + 1]; i++)
			if (put_step(source, arena, r, i, sink, err) < 0)
				return -1;
	return sink->end(sink, err);
}

static int write_ranks(const struct table_source *source, struct arena *arena,
	struct table_sink *sink, struct error *err)
{
	const struct step_set *steps = source->set->steps;

	if (sink->begin(sink, &table_ranks, err) < 0)
		return -1;
	for (size_t r = 0; r < steps->run_count; r++) {
		const struct run *run = &source->set->cube->run[steps->run[r]];
		struct table_value row[] = {
			table_text(clean(arena, run->name)),
			text_or_null(arena, run->rank),
			text_or_null(arena, run->rank_group),
			table_integer((int64_t)(steps->first[r + 1] - steps->first[r])),
			table_text(clean(arena, run->sources)),
		};

		if (sink->row(sink, row, err) < 0)
			return -1;
	}
	return sink->end(sink, err);
}

static struct table_value static_value(
	const struct cube *cube, const struct group *group, enum measure_id id)
{
	struct table_value value = {0};

	value.known = grouping_static(cube, group, id, &value.integer);
	return value;
}

static int write_ops(const struct table_source *source, struct arena *arena,
	struct table_sink *sink, struct error *err)
{
	const struct observation_set *set = source->set;
	const struct grouping *all = set->all ? set->all : set->rows;
	struct observation_set none = *set;
	struct op_series series;

	none.measure_count = 0; /* presence alone */
	op_series_init(&series, &none, false, arena);
	if (sink->begin(sink, &table_ops, err) < 0)
		return -1;
	for (size_t g = 0; g < all->count; g++) {
		op_series_read(&series, &all->group[g]);

		const struct cube *cube = source->set->cube;
		int64_t each = op_series_float_ops_each(cube, &all->group[g]);
		struct table_value row[] = {
			table_text(clean(arena, all->group[g].name)),
			text_or_null(arena, all->group[g].type),
			text_or_null(arena, all->group[g].device),
			text_or_null(arena, grouping_shape(cube, &all->group[g])),
			static_value(cube, &all->group[g], MEASURE_PARAMS),
			{.known = each != CELL_ABSENT, .integer = each},
			static_value(cube, &all->group[g], MEASURE_DEFINED),
			table_integer((int64_t)series.ran),
		};

		if (sink->row(sink, row, err) < 0)
			return -1;
	}
	return sink->end(sink, err);
}

/* ---- by step ---- */

/* Values that are the same in many rows. */
struct step_words {
	const char **run; /* of each kept step */
	struct table_value *rank, *rank_group;
	int64_t *number, *index;
};

static struct step_words read_words(const struct observation_set *set, struct arena *arena)
{
	const struct step_set *steps = set->steps;
	struct step_words words = {
		.run = arena_array(arena, steps->count, sizeof(*words.run)),
		.rank = arena_array(arena, steps->count, sizeof(*words.rank)),
		.rank_group = arena_array(arena, steps->count, sizeof(*words.rank_group)),
		.number = arena_array(arena, steps->count, sizeof(*words.number)),
		.index = arena_array(arena, steps->count, sizeof(*words.index)),
	};

	for (size_t r = 0; r < steps->run_count; r++) {
		const struct run *run = &set->cube->run[steps->run[r]];
		const char *name = clean(arena, run->name);
		const struct table_value rank = text_or_null(arena, run->rank),
					 group = text_or_null(arena, run->rank_group);

		for (size_t i = steps->first[r]; i < steps->first[r + 1]; i++) {
			words.run[i] = name;
			words.rank[i] = rank;
			words.rank_group[i] = group;
			words.number[i] = set->cube->step[steps->step[i]].number;
			words.index[i] = set->cube->step[steps->step[i]].index;
		}
	}
	return words;
}

static int write_step_series(const struct table_source *source, struct arena *arena,
	struct table_sink *sink, struct error *err)
{
	const struct observation_set *set = source->set;
	const struct step_series_list *list = &set->cube->series;
	struct step_words words = read_words(set, arena);

	if (sink->begin(sink, &table_step_series, err) < 0)
		return -1;
	for (size_t k = 0; k < list->count; k++) {
		const struct step_series *series = &list->item[k];
		struct table_value row[7] = {
			[2] = text_or_null(
				arena, step_series_place(arena, series->device, series->cause)),
			[3] = table_text(step_series_name(series->kind))};

		for (size_t i = 0; i < set->steps->count; i++) {
			const int64_t value = series->value_ps[set->steps->step[i]];

			if (value == CELL_ABSENT)
				continue;
			row[0] = table_text(words.run[i]);
			row[1] = table_integer(words.number[i]);
			row[4] = table_integer(value);
			row[5] = words.rank[i];
			row[6] = table_integer(words.index[i]);
			if (sink->row(sink, row, err) < 0)
				return -1;
		}
	}
	return sink->end(sink, err);
}

/* ---- observations ---- */

static int put_observations(const struct op_series *series, const struct step_words *words,
	const char *op, struct table_sink *sink, struct error *err)
{
	struct table_value row[8];

	row[2] = table_text(op);
	for (size_t k = 0; k < series->ran; k++) {
		uint32_t i = series->step[k];

		row[0] = table_text(words->run[i]);
		row[1] = table_integer(words->number[i]);
		row[5] = words->rank[i];
		row[6] = words->rank_group[i];
		row[7] = table_integer(words->index[i]);
		for (size_t m = 0; m < series->measure_count; m++) {
			row[3] = table_text(measure_at(series->measure[m])->name);
			row[4] = table_integer(series->value[m][i]);
			row[4].known = series->state[m][i] == 1;
			if (sink->row(sink, row, err) < 0)
				return -1;
		}
	}
	return 0;
}

static int write_obs(const struct table_source *source, struct arena *arena,
	struct table_sink *sink, struct error *err)
{
	const struct grouping *rows = source->set->rows;
	struct step_words words = read_words(source->set, arena);
	struct op_series series;

	op_series_init(&series, source->set, false, arena);
	if (sink->begin(sink, &table_obs, err) < 0)
		return -1;
	for (size_t g = 0; g < rows->count; g++) {
		op_series_read(&series, &rows->group[g]);
		if (put_observations(
			    &series, &words, clean(arena, rows->group[g].name), sink, err) < 0)
			return -1;
	}
	return sink->end(sink, err);
}

/* The name is the key of a row. */
static int check_names(const struct observation_set *set, struct error *err)
{
	for (size_t g = 1; g < set->rows->count; g++) {
		if (!text_equal(set->rows->group[g - 1].name, set->rows->group[g].name))
			continue;
		error_set(err, ERROR_USAGE, "on-collision", "two rows have the name \"%s\"",
			set->rows->group[g].name);
		return error_hint(err, "tables have one row for each name: on-collision: sum in "
				       "stepstat.yaml adds them up");
	}
	return 0;
}

/* ---- Events as rows of `events`, with the step that each counts for, and of `flat`, the
 * columns that the timelines of TensorFlow were flattened to for BigQuery ---- */

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const struct table_field events_fields[] = {
	{"run", FIELD_TEXT, false, "run; with rank and step_index the key of the table steps"},
	{"step", FIELD_INTEGER, false, "step that it counts for; null: none"},
	{"op", FIELD_TEXT, true, "name of the op as recorded, before any rule"},
	{"type", FIELD_TEXT, false, "its type or category"},
	{"device", FIELD_TEXT, false, "device"},
	{"process", FIELD_TEXT, false, "name of the process"},
	{"lane", FIELD_TEXT, false, "thread or stream"},
	{"start_ps", FIELD_INTEGER, true, "start, since base_ns"},
	{"dur_ps", FIELD_INTEGER, true, "duration"},
	{"self_ps", FIELD_INTEGER, true, "duration without nested events"},
	{"depth", FIELD_INTEGER, true, "0: nothing around it on its lane"},
	{"link", FIELD_INTEGER, false, "correlation id of a launch and of what it started"},
	{"bytes", FIELD_INTEGER, false, "bytes, where the event has them"},
	{"base_ns", FIELD_INTEGER, false,
		"where start_ps is 0, in ns of the clock of the source; null: at the 0 of its "
		"times"},
	{"rank", FIELD_TEXT, false, "process of a job; null where the source names none"},
	{"step_index", FIELD_INTEGER, false, STEP_INDEX_SUMMARY "; null: it counts for none"},
};
const struct table_form table_events = {"events", "one row for each event that counts as an op",
	events_fields, COUNT(events_fields)};

static const struct table_field flat_fields[] = {
	{"index", FIELD_INTEGER, true, "place among the events of all files, from 0"},
	{"ph", FIELD_TEXT, false, "phase of the Chrome trace format"},
	{"cat", FIELD_TEXT, false, "category"},
	{"name", FIELD_TEXT, false, "name"},
	{"pid", FIELD_INTEGER, false, "process; null where it is not a number"},
	{"tid", FIELD_INTEGER, false, "thread; null where it is not a number"},
	{"ts", FIELD_MICROS, false, "start in us, as in the file"},
	{"dur", FIELD_MICROS, false, "duration in us"},
	{"arg_name", FIELD_TEXT, false, "args.name: the node, in TensorFlow's timelines"},
	{"arg_op", FIELD_TEXT, false, "args.op: its type"},
};
const struct table_form table_flat = {"flat",
	"one row for each event as in the files, without a step", flat_fields, COUNT(flat_fields)};

const struct table_form *const table_forms[] = {&table_meta, &table_measures, &table_steps,
	&table_ranks, &table_step_series, &table_ops, &table_obs, &table_events};
const size_t table_form_count = COUNT(table_forms);

struct event_writer {
	struct table_sink *sink;
	int64_t index;
	struct text raw, text[8]; /* the texts of one row, harmless */
	size_t used;
};

static struct table_value text(struct event_writer *w, const char *s)
{
	struct text *t = &w->text[w->used++];

	text_clear(t);
	text_add_visible(t, s);
	return table_text(text_string(t));
}

/* Text of the log; "" becomes null. */
static struct table_value word(struct event_writer *w, const char *s)
{
	return s && *s ? text(w, s) : table_text(NULL);
}

/* A value of the file: an empty text is one, null is none. */

static struct table_value json_word(struct event_writer *w, const struct json_value *value)
{
	if (!value->kind ||
		(value->kind == 'w' && value->size == 4 && memcmp(value->at, "null", 4) == 0))
		return table_text(NULL);
	text_clear(&w->raw);
	json_add_text(&w->raw, value);
	return text(w, text_string(&w->raw));
}

static struct table_value json_number(const struct json_value *value)
{
	struct table_value out = {0};

	out.known = json_integer(value, &out.integer);
	return out;
}

static struct table_value micros(const struct trace_time *time)
{
	return (struct table_value){.known = time->known, .integer = time->us, .ps = time->ps};
}

static int put_event(
	void *to, const struct event_place *at, const struct event_row *row, struct error *err)
{
	struct event_writer *w = to;
	const struct event *e = row->event;

	w->used = 0;
	struct table_value value[] = {word(w, at->run),
		{.known = at->step, .integer = at->step ? at->step->number : 0}, word(w, row->op),
		word(w, row->type), word(w, row->device), word(w, row->process), word(w, row->lane),
		table_integer(e->start_ps), table_integer(e->dur_ps), table_integer(row->self_ps),
		table_integer(row->depth),
		{.known = e->link && e->link <= INT64_MAX, .integer = (int64_t)e->link},
		{.known = e->bytes_kind != BYTES_NONE, .integer = e->bytes},
		{.known = row->profile->base_ns != 0, .integer = row->profile->base_ns},
		word(w, at->rank), {.known = at->step, .integer = at->step ? at->step->index : 0}};

	if (!value[2].known)
		value[2] = table_text("");
	return w->sink->row(w->sink, value, err);
}

static int put_flat(void *to, const struct trace_event *e, struct error *err)
{
	struct event_writer *w = to;
	const char phase[] = {e->phase, 0};
	struct json_value name = trace_arg(e, "name"), op = trace_arg(e, "op");

	w->used = 0;
	struct table_value value[] = {table_integer(w->index++), word(w, phase),
		json_word(w, &e->category), json_word(w, &e->name), json_number(&e->process),
		json_number(&e->thread), micros(&e->start), micros(&e->duration),
		json_word(w, &name), json_word(w, &op)};

	return w->sink->row(w->sink, value, err);
}

static int write_all(
	const struct event_files *files, bool flat, struct table_sink *sink, struct error *err)
{
	struct event_writer w = {.sink = sink};
	int status = sink->begin(sink, flat ? &table_flat : &table_events, err);

	text_init(&w.raw);
	for (size_t i = 0; i < COUNT(w.text); i++)
		text_init(&w.text[i]);
	if (!status)
		status = flat ? events_each_raw(files, put_flat, &w, err)
			      : events_each(files, put_event, &w, err);
	if (!status)
		status = sink->end(sink, err);
	for (size_t i = 0; i < COUNT(w.text); i++)
		text_release(&w.text[i]);
	text_release(&w.raw);
	return status;
}

int tables_write_flat(const struct event_files *files, struct table_sink *sink, struct error *err)
{
	return write_all(files, true, sink, err);
}

/* ---- all of them ---- */

int tables_write(const struct table_source *source, struct table_sink *sink, struct error *err)
{
	struct arena *arena = arena_new();
	int status = check_names(source->set, err);

	if (!status)
		status = write_meta(source, arena, sink, err);
	if (!status)
		status = write_measures(source, arena, sink, err);
	if (!status)
		status = write_steps(source, arena, sink, err);
	if (!status)
		status = write_ranks(source, arena, sink, err);
	if (!status)
		status = write_step_series(source, arena, sink, err);
	if (!status)
		status = write_ops(source, arena, sink, err);
	if (!status)
		status = write_obs(source, arena, sink, err);
	if (!status && source->events)
		status = write_all(source->events, false, sink, err);
	arena_free(arena);
	return status;
}
