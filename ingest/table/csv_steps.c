/*
 * Rows of a step stand together as a rule: the one found last is looked at first.
 */
#include "ingest/table/csv_steps.h"

#include <inttypes.h>
#include <string.h>
#include "base/intern.h"
#include "base/number.h"
#include "base/text.h"

void csv_steps_init(struct csv_steps *steps, struct profile *out,
	const struct profile_limits *limits, struct arena *arena)
{
	*steps = (struct csv_steps){.out = out,
		.limits = limits,
		.keys = intern_new(arena),
		.rows = intern_new(arena),
		.kinds = intern_new(out->arena)};
	vec_init(&steps->times, sizeof(int64_t), SIZE_MAX, "rows");
}

void csv_steps_release(struct csv_steps *steps)
{
	vec_release(&steps->times);
	text_release(&steps->step.text);
	text_release(&steps->kind.text);
}

/* NULL: the row has none. */
static const struct table_cell *field_of(const struct csv_row *row, enum column_role role)
{
	const size_t at = row->columns->at[role];

	return at != NO_COLUMN && row->row->field[at].given ? &row->row->field[at] : NULL;
}

static int add_step(struct csv_steps *s, const struct csv_row *row, const struct csv_recording *of,
	int64_t number, int64_t place, struct error *err)
{
	const struct step step = {.number = number,
		.has_index = row->columns->at[COLUMN_INDEX] != NO_COLUMN && place >= 0 &&
			     place <= UINT32_MAX,
		.index = (uint32_t)place,
		.run = of->run,
		.rank = of->rank,
		.rank_group = of->rank_group};
	uint32_t index;

	return profile_add_step(s->out, &step, &index, s->limits, err);
}

static bool is_step_before(const struct csv_steps *s, const struct table_cell *field)
{
	if (field->kind == TABLE_TEXT)
		return csv_remembered(&s->step, field);
	return field->kind == TABLE_INTEGER && s->step.known && s->number == field->integer;
}

static void remember_step(struct csv_steps *s, const struct table_cell *field, uint32_t step)
{
	if (field->kind == TABLE_TEXT) {
		csv_remember(&s->step, field, step);
		return;
	}
	s->step.id = step;
	s->step.known = field->kind == TABLE_INTEGER;
	s->number = field->integer;
}

static int no_number(
	const struct csv_row *row, enum column_role role, const char *expected, struct error *err)
{
	char digits[NUMBER_TEXT_SIZE];
	struct text text;

	text_init(&text);
	text_add_visible(&text, table_cell_text(field_of(row, role), digits));
	cell_rows_error(row->rows, row->columns->at[role], err, "\"%s\" is not %s",
		text_string(&text), expected);
	text_release(&text);
	return -1;
}

static void note_kind(struct csv_steps *s, const struct csv_row *row, uint32_t step)
{
	const struct table_cell *field = field_of(row, COLUMN_KIND);
	const char **kind = &s->out->step[step].kind, *name;

	if (!field || (csv_remembered(&s->kind, field) && s->kind.id == step))
		return;
	csv_remember(&s->kind, field, step);
	name = visible_decode(field->text, row->scratch);
	if (!*kind)
		*kind = *name ? intern_copy(s->kinds, name) : NULL;
	else
		s->kinds_differ |= !text_equal(*kind, name);
}

/* A table without steps: the first row of an op in a run is of its step 1, the second of step 2. */
static int step_of_repetition(struct csv_steps *s, const struct csv_row *row,
	struct csv_recordings *recordings, uint32_t *step, struct error *err)
{
	static const enum column_role role[] = {COLUMN_OP, COLUMN_MEASURE, COLUMN_UNIT};
	const char *key = "";
	uint32_t recording, id;
	int64_t *times;

	*step = s->step.id;
	if (s->step.known && s->line == row->row->line)
		return 0;
	*step = CSV_NO_STEP;
	if (!field_of(row, COLUMN_OP))
		return 0;
	if (csv_recording_of_row(recordings, row->rows, row->row, row->columns, row->scratch,
		    &recording, err) < 0)
		return -1;
	for (size_t i = 0; i < sizeof(role) / sizeof(*role); i++) {
		const struct table_cell *field = field_of(row, role[i]);

		key = arena_printf(row->scratch, "%s\n%s", key, field ? field->text : "");
	}
	key = arena_printf(row->scratch, "%" PRIu32 "%s", recording, key);
	id = intern_id(s->rows, key, strlen(key));
	if (id == s->times.count) {
		times = vec_push(&s->times, err);
		if (!times)
			return -1;
		*times = 0;
	}
	times = vec_at(&s->times, id);
	*times += 1;
	if (*times > s->times_most)
		s->times_most = *times;
	const struct {
		int64_t number, recording;
	} of = {*times, recording};

	if (!intern_find(s->keys, (const char *)&of, sizeof(of), step)) {
		*step = intern_id(s->keys, (const char *)&of, sizeof(of));
		if (add_step(s, row, csv_recording_at(recordings, recording), *times, -1, err) < 0)
			return -1;
	}
	s->step.id = *step;
	s->step.known = true;
	s->line = row->row->line;
	return 0;
}

int csv_step_of_row(struct csv_steps *s, const struct csv_row *row,
	struct csv_recordings *recordings, uint32_t *step, struct error *err)
{
	const struct table_cell *field = field_of(row, COLUMN_STEP),
				*index = field_of(row, COLUMN_INDEX);
	uint32_t recording;
	bool inexact;
	struct {
		int64_t number, place;
		uint64_t recording;
	} key = {0};

	if (row->columns->at[COLUMN_STEP] == NO_COLUMN)
		return step_of_repetition(s, row, recordings, step, err);
	*step = CSV_NO_STEP;
	if (!field)
		return 0;
	if (csv_recording_of_row(recordings, row->rows, row->row, row->columns, row->scratch,
		    &recording, err) < 0)
		return -1;
	if (index && !table_cell_scaled(index, 1, &key.place, &inexact))
		return no_number(row, COLUMN_INDEX,
			"the place of a step in its run, expected a whole number", err);
	key.recording = recording;
	if (s->recording == recording && key.place == s->place && is_step_before(s, field)) {
		*step = s->step.id;
		note_kind(s, row, *step);
		return 0;
	}
	if (!table_cell_scaled(field, 1, &key.number, &inexact))
		return no_number(row, COLUMN_STEP, "a step number, expected a whole number", err);
	if (!intern_find(s->keys, (const char *)&key, sizeof(key), step)) {
		*step = intern_id(s->keys, (const char *)&key, sizeof(key));
		if (add_step(s, row, csv_recording_at(recordings, recording), key.number, key.place,
			    err) < 0)
			return -1;
	}
	note_kind(s, row, *step);
	remember_step(s, field, *step);
	s->recording = recording;
	s->place = key.place;
	return 0;
}

void csv_steps_end(struct csv_steps *steps)
{
	for (size_t i = 0; i < steps->out->step_count; i++) {
		struct step *step = &steps->out->step[i];

		if (steps->kinds_differ)
			step->kind = NULL;
		if (steps->times_most < 2 || step->run)
			continue;
		step->run = arena_printf(steps->out->arena, "%" PRId64, step->number);
		steps->out->repeats = true;
	}
}
