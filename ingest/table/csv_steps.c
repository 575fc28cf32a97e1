/* Rows of a step, and of a recording, stand together as a rule: the one found last is looked at
 * first. */
#include "ingest/table/csv_steps.h"

#include <inttypes.h>
#include <string.h>
#include "base/intern.h"
#include "base/number.h"
#include "base/text.h"

/* The name of a step in `keys`. */
struct step_key {
	int64_t number, place;
	uint64_t recording;
};

/* ---- recordings ---- */

enum part { PART_RUN, PART_RANK, PART_GROUP };

bool csv_remembered(const struct memory_of_text *memory, const struct table_cell *field)
{
	return memory->known &&
	       (table_cell_is_entry(field, memory->dictionary, memory->entry) ||
		       (memory->text.size == field->size &&
			       memcmp(text_string(&memory->text), field->text, field->size) == 0));
}

void csv_remember(struct memory_of_text *memory, const struct table_cell *field, uint32_t id)
{
	text_clear(&memory->text);
	text_add_bytes(&memory->text, field->text, field->size);
	memory->id = id;
	memory->dictionary = field->dictionary;
	memory->entry = field->entry;
	memory->known = true;
}

void csv_recordings_init(struct csv_recordings *recordings, struct arena *arena)
{
	*recordings = (struct csv_recordings){
		.keys = intern_new(arena), .names = intern_new(arena), .last = UINT32_MAX};
	vec_init(&recordings->item, sizeof(struct csv_recording), SIZE_MAX, "recordings");
	for (size_t i = 0; i < 3; i++)
		text_init(&recordings->of[i].text);
}

void csv_recordings_release(struct csv_recordings *recordings)
{
	for (size_t i = 0; i < 3; i++)
		text_release(&recordings->of[i].text);
	vec_release(&recordings->item);
}

const struct csv_recording *csv_recording_at(
	const struct csv_recordings *recordings, uint32_t recording)
{
	return vec_at(&recordings->item, recording);
}

/* True if the field is what it was in the row before. Otherwise remembers it. */
static bool is_same(struct csv_recordings *r, enum part part, const struct table_cell *field,
	struct arena *scratch)
{
	const char *name;

	if (!field->given && !r->given[part] && r->last != UINT32_MAX)
		return true;
	if (field->given && r->given[part] && csv_remembered(&r->of[part], field))
		return true;
	r->given[part] = field->given;
	if (!field->given)
		return false;
	name = visible_decode(field->text, scratch);
	csv_remember(&r->of[part], field, intern_id(r->names, name, strlen(name)));
	return false;
}

static const char *name_of(const struct csv_recordings *r, enum part part)
{
	return r->given[part] ? intern_name(r->names, r->of[part].id) : NULL;
}

int csv_recording_of_row(struct csv_recordings *r, struct cell_rows *rows,
	const struct cell_row *row, const struct csv_columns *columns, struct arena *scratch,
	uint32_t *out, struct error *err)
{
	static const enum column_role role[] = {COLUMN_RUN, COLUMN_RANK, COLUMN_GROUP};
	static const struct table_cell none = {.text = ""};
	struct csv_recording *recording;
	bool same = true;
	uint32_t key[2];

	for (enum part part = PART_RUN; part <= PART_GROUP; part++) {
		const size_t at = columns->at[role[part]];

		same &= is_same(r, part, at == NO_COLUMN ? &none : &row->field[at], scratch);
	}
	*out = r->last;
	if (same)
		return 0;
	for (enum part part = PART_RUN; part <= PART_RANK; part++)
		key[part] = r->given[part] ? r->of[part].id : UINT32_MAX;
	*out = r->last = intern_id(r->keys, (const char *)key, sizeof(key));
	if (*out == r->item.count) {
		recording = vec_push(&r->item, NULL);
		recording->run = name_of(r, PART_RUN);
		recording->rank = name_of(r, PART_RANK);
		recording->rank_group = name_of(r, PART_GROUP);
		return 0;
	}
	recording = vec_at(&r->item, *out);
	if (recording->rank && r->given[PART_GROUP] &&
		(!recording->rank_group ||
			!text_equal(recording->rank_group, name_of(r, PART_GROUP)))) {
		struct text text;

		text_init(&text);
		text_add_visible(&text, recording->rank);
		cell_rows_error(rows, columns->at[COLUMN_GROUP], err,
			"rank %s was in another group before", text_string(&text));
		text_release(&text);
		return error_hint(err, "a rank of a run belongs to one group in all rows");
	}
	return 0;
}

bool csv_recordings_join(struct csv_recordings *r, const struct csv_recordings *part, uint32_t *map)
{
	for (size_t i = 0; i < part->item.count; i++) {
		const struct csv_recording *from = vec_at(&part->item, i);
		const char *name[] = {from->run, from->rank};
		struct csv_recording *into;
		uint32_t key[2];

		for (enum part p = PART_RUN; p <= PART_RANK; p++)
			key[p] = name[p] ? intern_id(r->names, name[p], strlen(name[p]))
					 : UINT32_MAX;
		map[i] = intern_id(r->keys, (const char *)key, sizeof(key));
		if (map[i] == r->item.count) {
			into = vec_push(&r->item, NULL);
			into->run = from->run ? intern_name(r->names, key[PART_RUN]) : NULL;
			into->rank = from->rank ? intern_name(r->names, key[PART_RANK]) : NULL;
			into->rank_group = intern_copy(r->names, from->rank_group);
			continue;
		}
		into = vec_at(&r->item, map[i]);
		if (from->rank_group && into->rank &&
			(!into->rank_group || !text_equal(into->rank_group, from->rank_group)))
			return false;
	}
	return true;
}

/* ---- steps ---- */

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
	s->has_empty_kind |= !*name;
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
	s->recording = recording;
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
	struct step_key key = {0};

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
	*step = s->step.id + 1; /* as a rule */
	if ((*step >= intern_count(s->keys) ||
		    memcmp(intern_name(s->keys, *step), &key, sizeof(key)) != 0) &&
		!intern_find(s->keys, (const char *)&key, sizeof(key), step)) {
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

bool csv_steps_join(struct csv_steps *s, const struct csv_steps *part, size_t first,
	const struct csv_recordings *recordings, const uint32_t *recording_map, uint32_t *map)
{
	if (part->has_empty_kind)
		return false;
	for (uint32_t i = (uint32_t)first; i < intern_count(part->keys); i++) {
		const struct csv_recording *of;
		struct step step = part->out->step[i];
		const char **kind;
		struct step_key key;

		memcpy(&key, intern_name(part->keys, i), sizeof(key));
		key.recording = recording_map[key.recording];
		of = csv_recording_at(recordings, (uint32_t)key.recording);
		if (!intern_find(s->keys, (const char *)&key, sizeof(key), &map[i])) {
			map[i] = intern_id(s->keys, (const char *)&key, sizeof(key));
			step.run = of->run;
			step.rank = of->rank;
			step.rank_group = of->rank_group;
			step.kind = NULL;
			if (profile_add_step(s->out, &step, &map[i], s->limits, NULL) < 0)
				return false;
		}
		kind = &s->out->step[map[i]].kind;
		if (!*kind)
			*kind = intern_copy(s->kinds, part->out->step[i].kind);
		else if (part->out->step[i].kind)
			s->kinds_differ |= !text_equal(*kind, part->out->step[i].kind);
	}
	s->kinds_differ |= part->kinds_differ;
	return true;
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
