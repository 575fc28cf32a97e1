/*
 * The short names of a table for people: the same in every writer and in the sentences above it.
 */
#include "base/text.h"
#include "base/names/short_names.h"
#include "writers/writer.h"

void writer_short_names(const struct table *table, size_t column, size_t width, struct arena *arena,
	const char **cut)
{
	const char **name = arena_array(arena, table->row_count, sizeof(*name));
	bool known = width == SHORT_NAME_WIDTH && table->column[column].names;

	for (size_t i = 0; i < table->row_count; i++) {
		const struct cell *cell = &table->row[i].cell[column];

		name[i] = table->row[i].role == ROW_BODY && cell->kind == CELL_TEXT ? cell->text
										    : NULL;
		known = known && (!name[i] || table->row[i].short_name);
	}
	if (!known) {
		short_names(name, table->row_count, width, arena, cut);
		return;
	}
	for (size_t i = 0; i < table->row_count; i++)
		cut[i] = name[i] ? table->row[i].short_name : NULL;
}

bool writer_name_is_cut(const char *name, const char *cut)
{
	struct text visible;
	bool same;

	if (!cut || !*name || text_equal(name, cut))
		return false;
	text_init(&visible);
	text_add_shown(&visible, name);
	same = text_equal(text_string(&visible), cut);
	text_release(&visible);
	return !same;
}
