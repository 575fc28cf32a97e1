/* Reads the table of ranks and groups. */
#include "ingest/table/rank_groups.h"

#include <string.h>
#include "base/intern.h"
#include "base/text.h"
#include "ingest/table/csv_rows.h"

#define ROW_BYTES_MOST ((size_t)1 << 16)
#define RANKS_MOST ((size_t)1000000)

struct rank_groups {
	struct intern *ranks;
	const char **group; /* by id of the rank */
	size_t room;
};

static int add_row(struct rank_groups *groups, struct cell_rows *rows, const struct cell_row *row,
	struct arena *arena, struct error *err)
{
	const struct table_cell *rank = &row->field[0];
	uint32_t id;

	if (row->count != 2 || !rank->given || !row->field[1].given) {
		cell_rows_error(rows, 0, err, "expected a rank and its group, found %zu %s",
			row->count, row->count == 1 ? "field" : "fields");
		return error_hint(err, "a line for each rank: 3,stage 0");
	}
	if (intern_find(groups->ranks, rank->text, rank->size, &id)) {
		cell_rows_error(rows, 0, err, "rank %s is there twice", rank->text);
		return error_hint(err, "a rank belongs to one group");
	}
	id = intern_id(groups->ranks, rank->text, rank->size);
	if (id >= RANKS_MOST)
		return cell_rows_error(rows, 0, err, "more than %zu ranks", RANKS_MOST);
	groups->group =
		arena_make_room(arena, groups->group, id, &groups->room, sizeof(*groups->group));
	groups->group[id] = arena_strdup(arena, row->field[1].text);
	return 0;
}

static bool is_header(const struct cell_row *row)
{
	return row->line == 1 && row->count == 2 && text_equal(row->field[0].text, "rank");
}

struct rank_groups *rank_groups_read(const char *path, struct arena *arena, struct error *err)
{
	struct rank_groups *groups = arena_alloc(arena, sizeof(*groups));
	struct input *in = input_open(path, err);
	struct cell_rows *rows;
	struct cell_row row;
	int got;

	if (!in)
		return NULL;
	groups->ranks = intern_new(arena);
	rows = csv_rows_new(in, ',', ROW_BYTES_MOST);
	while ((got = rows->next(rows, &row, err)) > 0)
		if (!is_header(&row) && add_row(groups, rows, &row, arena, err) < 0) {
			got = -1;
			break;
		}
	csv_rows_free(rows);
	input_close(in);
	return got < 0 ? NULL : groups;
}

const char *rank_groups_find(void *object, const char *rank)
{
	const struct rank_groups *groups = object;
	uint32_t id;

	return intern_find(groups->ranks, rank, strlen(rank), &id) ? groups->group[id] : NULL;
}
