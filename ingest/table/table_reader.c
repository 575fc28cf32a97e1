/* Parts of the reader of rows, made and freed. */
#include "ingest/table/table_reader.h"

#include <string.h>

void table_reader_init(struct table_reader *r, struct cell_rows *rows, struct profile *out,
	const struct read_options *opt)
{
	*r = (struct table_reader){
		.out = out, .opt = opt, .rows = rows, .arena = arena_new(), .scratch = arena_new()};
	csv_recordings_init(&r->recordings, out->arena);
	run_facts_init(&r->run_facts, r->arena);
	csv_steps_init(&r->steps, out, &opt->limits, r->arena);
	r->names = intern_new(r->arena);
	r->units = intern_new(r->arena);
	r->process_groups = intern_new(out->arena);
	csv_table_init(&r->self, out);
	step_values_init(&r->values, out, &opt->limits);
	vec_init(&r->later, sizeof(struct cell_row), SIZE_MAX, "rows");
}

void table_reader_release(struct table_reader *r)
{
	vec_release(&r->later);
	step_values_release(&r->values);
	csv_table_release(&r->self);
	csv_table_release(&r->totals);
	for (size_t i = 0; i < 2; i++)
		cell_memo_release(&r->op_memo[i]);
	cell_memo_release(&r->name_memo);
	cell_memo_release(&r->unit_memo);
	memory_free(r->quantity);
	memory_free(r->unit);
	memory_free(r->facts);
	csv_recordings_release(&r->recordings);
	run_facts_release(&r->run_facts);
	csv_steps_release(&r->steps);
	arena_free(r->arena);
	arena_free(r->scratch);
}

const struct csv_quantity *table_reader_add_quantity(
	struct table_reader *r, const char *key, size_t size, const struct csv_quantity *q)
{
	const uint32_t id = intern_id(r->names, key, size);

	r->quantity = memory_make_room(
		r->quantity, &r->quantity_room, (size_t)id + 1, sizeof(*r->quantity));
	r->quantity[id] = *q;
	return &r->quantity[id];
}

void table_reader_know_measures(struct table_reader *r, const struct table_reader *from)
{
	for (uint32_t id = 0; id < intern_count(from->names); id++) {
		const char *key = intern_name(from->names, id);

		if (strchr(key, '\n'))
			table_reader_add_quantity(r, key, strlen(key), &from->quantity[id]);
	}
}
