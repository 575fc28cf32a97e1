/*
 * Runs and ranks by their names, as the table writes them.
 */
#include "ingest/table/csv_recordings.h"

#include <string.h>
#include "base/text.h"

enum part { PART_RUN, PART_RANK, PART_GROUP };

bool csv_remembered(const struct memory_of_text *memory, const struct table_cell *field)
{
	return memory->known && memory->text.size == field->size &&
	       memcmp(text_string(&memory->text), field->text, field->size) == 0;
}

void csv_remember(struct memory_of_text *memory, const struct table_cell *field, uint32_t id)
{
	text_clear(&memory->text);
	text_add_bytes(&memory->text, field->text, field->size);
	memory->id = id;
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

static int other_group(struct cell_rows *rows, const struct csv_columns *columns,
	const struct csv_recording *recording, struct error *err)
{
	struct text text;

	text_init(&text);
	text_add_visible(&text, recording->rank);
	cell_rows_error(rows, columns->at[COLUMN_GROUP], err, "rank %s was in another group before",
		text_string(&text));
	text_release(&text);
	return error_hint(err, "a rank of a run belongs to one group in all rows");
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
			!text_equal(recording->rank_group, name_of(r, PART_GROUP))))
		return other_group(rows, columns, recording, err);
	return 0;
}
