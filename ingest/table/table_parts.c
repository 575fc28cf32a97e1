/* A part is a table of its own. Where it holds what one reader would refuse, cap or count
 * otherwise, nothing of it is used, and the caller's thread reads its rows again, one by one: what
 * is said of them is then the same for any number of threads. */
#include "ingest/table/table_parts.h"

#include <stdatomic.h>
#include <string.h>
#include "base/ordered_work.h"

#define STEPS_KNOWN_MOST 4096
#define ROOM_MOST ((size_t)1 << 22) /* for observations that a file says it has */
#define FAILED_MOST 4 /* parts that are read twice, before the rest is read by one thread */
/* Limits of all parts together: names, and copies of rows that are no observations. */
#define NAME_BYTES_MOST ((size_t)64 << 20)
#define KEPT_BYTES_MOST ((size_t)64 << 20)

/* Numbers of the whole table for those of a part. */
struct part_map {
	uint32_t *id;
	size_t count, room;
	size_t bytes; /* of the names of so many */
};

/* A part, and the reader of it, which goes on with another one: its names and steps stay. */
struct table_part {
	struct table_reader reader;
	struct profile *out;	/* NULL: there is no reader */
	struct cell_rows *rows; /* NULL: nothing is in this part */
	struct part_map recording, step, op[2];
	bool good;
	const atomic_bool *is_over; /* nothing is read any more */
};

struct table_parts {
	struct table_reader *whole;
	struct cell_rows *rows; /* of all of it */
	struct table_part *part;
	size_t slots, failed;
	struct read_options part_opt; /* with the limits of a part */
	atomic_bool is_over;
};

static void map_room(struct part_map *map, size_t count)
{
	map->id = memory_make_room(map->id, &map->room, count, sizeof(*map->id));
}

/* ---- one part ---- */

/* Steps that are known become the first ones of the part, so that they have the same order there:
 * rows by op, whose steps then come in order. */
static void add_known_steps(struct table_part *part, const struct table_reader *whole)
{
	struct table_reader *r = &part->reader;
	const size_t count = whole->out->step_count;
	uint32_t *recording, *step;

	if (count > STEPS_KNOWN_MOST)
		return;
	recording = arena_array(r->arena, whole->recordings.item.count, sizeof(*recording));
	step = arena_array(r->arena, count, sizeof(*step));
	if (!csv_recordings_join(&r->recordings, &whole->recordings, recording) ||
		!csv_steps_join(&r->steps, &whole->steps, 0, &r->recordings, recording, step))
		return;
	for (size_t s = 0; s < count; s++)
		table_reader_add_step(r, step[s], recording[whole->facts[s].recording]);
}

static void release_reader(struct table_part *part)
{
	if (!part->out)
		return;
	arena_free(part->reader.kept);
	table_reader_release(&part->reader);
	profile_free(part->out);
	memory_free(part->recording.id);
	memory_free(part->step.id);
	for (size_t t = 0; t < 2; t++)
		memory_free(part->op[t].id);
	*part = (struct table_part){.rows = part->rows, .is_over = part->is_over};
}

static void release_part(struct table_part *part)
{
	if (part->rows)
		part->rows->free(part->rows);
	part->rows = NULL;
}

static void make_reader(struct table_parts *parts, struct table_part *part)
{
	const struct table_reader *whole = parts->whole;

	part->out = profile_new(whole->out->path);
	table_reader_init(&part->reader, part->rows, part->out, &parts->part_opt);
	part->reader.columns = whole->columns;
	part->reader.is_part = true;
	part->reader.kept = arena_new();
	part->reader.kept_most = KEPT_BYTES_MOST / parts->slots;
	add_known_steps(part, whole);
	table_reader_know_measures(&part->reader, whole);
}

/* True if the reader has so many names that the next part may find no room. */
static bool has_many_names(const struct table_parts *parts, const struct table_part *part)
{
	const struct table_reader *r = &part->reader;

	return intern_bytes(part->out->names) + intern_bytes(r->names) + intern_bytes(r->units) +
		       (part->out->totals ? intern_bytes(part->out->totals->names) : 0) >
	       parts->part_opt.limits.name_bytes / 2;
}

static void *begin_part(void *context, size_t slot)
{
	struct table_parts *parts = context;
	struct table_part *part = &parts->part[slot];

	part->rows = parts->failed < FAILED_MOST ? parts->rows->part(parts->rows) : NULL;
	if (!part->rows)
		return NULL;
	part->is_over = &parts->is_over;
	if (!part->out)
		make_reader(parts, part);
	part->reader.rows = part->rows;
	return part;
}

static void clear_reader(struct table_reader *r)
{
	csv_table_clear(&r->self);
	if (r->out->totals)
		csv_table_clear(&r->totals);
	vec_clear(&r->later);
	arena_reset(r->kept);
	arena_reset(r->scratch);
	memset(r->rounded, 0, sizeof(r->rounded));
	for (size_t t = 0; t < 2; t++)
		r->at[t].op_line = r->at[t].row_line = 0;
	r->row.line = 0;
	r->met_measure = false;
}

static void read_part(void *item, size_t thread)
{
	struct table_part *part = item;
	int got;

	(void)thread;
	part->good = false;
	part->rows->rewind(part->rows); /* first here: the next time is the caller's */
	if (atomic_load(part->is_over))
		return;
	while ((got = table_reader_next(&part->reader, NULL)) > 0)
		;
	part->good = got == 0;
}

/* ---- joining ---- */

/* True if no limit is near, so that what the part has finds room. */
static bool has_room(const struct table_reader *whole, const struct table_part *part)
{
	const struct profile_limits *limits = &whole->opt->limits;

	for (size_t t = 0; t < 2; t++) {
		const struct profile *to = t ? whole->out->totals : whole->out,
				     *from = t ? part->out->totals : part->out;

		if (!from)
			continue;
		if (from->issues.count ||
			from->op_count - part->op[t].count + (to ? to->op_count : 0) >
				limits->ops ||
			from->obs.count + (to ? to->obs.count : 0) > limits->observations)
			return false;
		if (limits->name_bytes && intern_bytes(from->names) - part->op[t].bytes +
							  (to ? intern_bytes(to->names) : 0) >
						  limits->name_bytes)
			return false;
	}
	return part->out->step_count - part->step.count + whole->out->step_count <= limits->steps &&
	       (!limits->name_bytes ||
		       part->out->run_bytes - part->step.bytes + whole->out->run_bytes <=
			       limits->name_bytes / 4);
}

static bool map_steps(struct table_reader *whole, struct table_part *part)
{
	const struct table_reader *from = &part->reader;
	const size_t before = whole->out->step_count, count = part->out->step_count;

	map_room(&part->recording, from->recordings.item.count);
	map_room(&part->step, count);
	if (!csv_recordings_join(&whole->recordings, &from->recordings, part->recording.id) ||
		!csv_steps_join(&whole->steps, &from->steps, part->step.count, &whole->recordings,
			part->recording.id, part->step.id))
		return false;
	for (size_t s = part->step.count; s < count; s++)
		if (part->step.id[s] >= before)
			table_reader_add_step(whole, part->step.id[s],
				part->recording.id[from->facts[s].recording]);
	part->step.count = count;
	part->step.bytes = part->out->run_bytes;
	return true;
}

static void map_ops(struct table_reader *whole, struct table_part *part, bool total)
{
	const struct profile *from = total ? part->out->totals : part->out;
	struct part_map *map = &part->op[total];
	bool shared;

	map_room(map, from->op_count);
	for (; map->count < from->op_count; map->count++) {
		const char *name = from->op[map->count].name;

		map->id[map->count] = csv_table_op(table_reader_table(whole, total), name,
			strlen(name), &shared, &whole->opt->limits);
	}
	map->bytes = intern_bytes(from->names);
}

static void join_rounded(struct table_reader *whole, const struct table_reader *part)
{
	for (size_t i = 0; i < 2; i++) {
		if (!whole->rounded[i] && part->rounded[i]) {
			whole->rounded_line[i] = part->rounded_line[i];
			memcpy(whole->rounded_place[i], part->rounded_place[i],
				sizeof(whole->rounded_place[i]));
		}
		whole->rounded[i] += part->rounded[i];
	}
}

/* False: the part has to be read again. */
static bool join_part(struct table_reader *whole, struct table_part *part)
{
	struct csv_table_rows *rows[2] = {0};

	if (!part->good || !has_room(whole, part) || !map_steps(whole, part))
		return false;
	for (size_t t = 0; t < 2; t++) {
		if (t && !part->out->totals)
			continue;
		map_ops(whole, part, t);
		rows[t] = csv_table_find_rows(table_reader_table(whole, t),
			t ? &part->reader.totals : &part->reader.self, part->op[t].id,
			part->step.id, part->reader.kept);
		if (!rows[t])
			return false;
	}
	for (size_t t = 0; t < 2; t++)
		if (rows[t])
			csv_table_add_rows(
				table_reader_table(whole, t), rows[t], &whole->opt->limits);
	join_rounded(whole, &part->reader);
	return true;
}

/* Reads rows of the part that are no observations, as rows of the whole. */
static int read_later(struct table_reader *whole, struct table_part *part, struct error *err)
{
	const struct vec *later = &part->reader.later;

	for (size_t i = 0; i < later->count; i++) {
		const struct cell_row *row = vec_at(later, i);

		whole->row = *row;
		if (table_reader_row(whole, NULL) == 0)
			continue;
		/* The place of the error is in the row itself. */
		int got;

		part->rows->rewind(part->rows);
		while ((got = part->rows->next(part->rows, &whole->row, err)) > 0 &&
			whole->row.line != row->line)
			;
		return got < 0 ? -1 : table_reader_row(whole, err);
	}
	if (part->reader.row.line) /* the last part may have no row */
		whole->row.line = part->reader.row.line;
	arena_reset(whole->scratch);
	return 0;
}

static int read_again(struct table_reader *whole, struct table_part *part, struct error *err)
{
	int got;

	part->rows->rewind(part->rows);
	while ((got = table_reader_next(whole, err)) > 0)
		;
	return got;
}

/* ---- all parts ---- */

/* True if rows are, as a rule, observations alone. */
static bool can_be_divided(const struct table_reader *r)
{
	const struct csv_columns *columns = &r->columns;

	if (r->opt->threads < 2 || !r->rows->part || columns->has_texts ||
		columns->at[COLUMN_STEP] == NO_COLUMN)
		return false;
	for (size_t i = 0; i < columns->count; i++)
		if (columns->role[i] == COLUMN_QUANTITY &&
			columns->quantity[i].kind != QUANTITY_MEASURE)
			return false;
	return true;
}

int table_parts_read(struct table_reader *r, struct error *err)
{
	struct cell_rows *rows = r->rows;
	struct table_parts parts = {.whole = r, .rows = rows};
	struct table_part *part;
	struct ordered_work *work;
	int result = 0;

	if (!can_be_divided(r))
		return 0;
	work = ordered_work_new(r->opt->threads, read_part);
	parts.slots = ordered_work_depth(work);
	parts.part_opt = *r->opt;
	parts.part_opt.limits.name_bytes = NAME_BYTES_MOST / parts.slots;
	parts.part = memory_alloc(memory_product(parts.slots, sizeof(*parts.part)));
	part = begin_part(&parts, 0);
	if (part) {
		profile_reserve(r->out, rows->rows_said < ROOM_MOST ? rows->rows_said : ROOM_MOST);
		r->rows = part->rows;
		result = read_again(r, part, err);
		release_reader(part);
		release_part(part);
	}
	while (result == 0 && (part = ordered_work_next(work, begin_part, &parts))) {
		r->rows = part->rows;
		if (join_part(r, part)) {
			result = read_later(r, part, err);
			clear_reader(&part->reader);
			/* Kinds are those of this part. */
			if (r->columns.at[COLUMN_KIND] != NO_COLUMN || has_many_names(&parts, part))
				release_reader(part);
		} else {
			parts.failed += !part->reader.met_measure;
			result = read_again(r, part, err);
			release_reader(part);
		}
		release_part(part);
	}
	r->rows = rows;
	atomic_store(&parts.is_over, true);
	ordered_work_drop(work);
	for (size_t i = 0; i < parts.slots; i++) {
		release_reader(&parts.part[i]);
		release_part(&parts.part[i]);
	}
	ordered_work_free(work);
	memory_free(parts.part);
	return result;
}
