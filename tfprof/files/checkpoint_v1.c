/*
 * V1: each file is a table with a list of what is in it and, under the keys of slices, the values.
 * As in the original, a variable is read when it has one slice and one of nine types.
 */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include "base/order.h"
#include "tfprof/files/checkpoint_parts.h"

#define NO_FILES                                                                                   \
	"Unsuccessful TensorSliceReader constructor: Failed to find any matching files for %s"

static int damaged(const char *path, struct error *err)
{
	return error_set(err, ERROR_INPUT, path, "the list of variables is damaged");
}

static int find_on_disk(struct checkpoint *c, struct error *err)
{
	glob_t found = {0};
	int status = glob(c->prefix, 0, NULL, &found);

	if (status == 0) {
		c->table_count = found.gl_pathc;
		c->table = arena_array(c->arena, c->table_count, sizeof(const char *));
		for (size_t i = 0; i < c->table_count; i++)
			c->table[i] = arena_strdup(c->arena, found.gl_pathv[i]);
	}
	globfree(&found);
	if (status == GLOB_NOSPACE)
		return error_set(err, ERROR_LIMIT, c->prefix, "too many files match");
	return c->table_count > 0 ? 0 : error_set(err, ERROR_INPUT, NULL, NO_FILES, c->prefix);
}

static int find_tables(struct checkpoint *c, struct error *err)
{
	if (!c->memory)
		return find_on_disk(c, err);
	c->table = arena_array(c->arena, c->memory_count, sizeof(const char *));
	for (size_t i = 0; i < c->memory_count; i++)
		if (text_starts(c->memory[i].path, c->prefix))
			c->table[c->table_count++] = c->memory[i].path;
	return c->table_count > 0 ? 0 : error_set(err, ERROR_INPUT, NULL, NO_FILES, c->prefix);
}

/* SavedSliceMeta: first the name, which makes the entry. */
static struct checkpoint_entry *entry_of(
	struct checkpoint *c, const struct wire_field *meta, struct error *err)
{
	struct wire w = wire_inside(meta);
	const unsigned char *name = NULL;
	struct wire_field f;
	size_t size = 0;

	while (wire_next(&w, &f) == WIRE_FIELD)
		if (f.number == 1 && f.type == WIRE_BYTES) {
			name = f.bytes;
			size = (size_t)f.size;
		}
	return checkpoint_entry_add(c, name ? (const void *)name : "", size, err);
}

static int add_variable(
	struct checkpoint *c, size_t table, const struct wire_field *meta, struct error *err)
{
	struct checkpoint_entry *e = entry_of(c, meta, err);
	struct wire w = wire_inside(meta);
	struct tensor_slice slice;
	enum wire_result got;
	struct wire_field f;
	bool good = true;

	if (!e)
		return -1;
	e->is_variable = true;
	e->table = table;
	while (good && (got = wire_next(&w, &f)) != WIRE_END) {
		if (got == WIRE_BAD)
			good = false;
		else if (f.number == 3 && f.type == WIRE_VARINT)
			e->variable.dtype = (int32_t)f.value;
		else if (f.number == 2 && f.type == WIRE_BYTES)
			good = tensor_shape_read(
				&f, c->arena, &e->variable.dim, &e->variable.dim_count);
		else if (f.number == 4 && f.type == WIRE_BYTES) {
			good = tensor_slice_read(&f, c->arena, &slice);
			if (good)
				checkpoint_entry_slice(c, e, &slice);
		}
	}
	return good ? 0 : damaged(c->table[table], err);
}

struct list_job {
	struct checkpoint *c;
	size_t table;
};

static int read_names(
	struct checkpoint *c, size_t table, const struct wire_field *list, struct error *err)
{
	struct wire w = wire_inside(list);
	struct wire_field f;
	enum wire_result got;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD)
		if (f.number == 1 && f.type == WIRE_BYTES && add_variable(c, table, &f, err))
			return -1;
	return got == WIRE_END ? 0 : damaged(c->table[table], err);
}

/* The list is under the empty key, which is the first. */
static int visit(void *context, const struct sstable_entry *entry, struct error *err)
{
	struct list_job *job = context;
	struct wire w = {entry->value, entry->value + entry->value_size};
	enum wire_result got;
	struct wire_field f;

	if (entry->key_size > 0)
		return error_set(err, ERROR_INPUT, job->c->table[job->table],
			"table has no list of variables");
	while ((got = wire_next(&w, &f)) == WIRE_FIELD)
		if (f.number == 1 && f.type == WIRE_BYTES &&
			read_names(job->c, job->table, &f, err))
			return -1;
	return got == WIRE_END ? 1 : damaged(job->c->table[job->table], err);
}

static int read_list(struct checkpoint *c, size_t table, struct error *err)
{
	struct list_job job = {c, table};
	struct arena *scratch;
	struct span_file file;
	struct sstable *t;
	int result = -1;

	if (checkpoint_file_open(c, c->table[table], &file, err))
		return -1;
	scratch = arena_new();
	t = sstable_open(&file, c->unchecked, scratch, err);
	if (t)
		result = sstable_each(t, visit, &job, err);
	arena_free(scratch);
	span_file_close(&file);
	return result;
}

static int compare_entries(const void *a, const void *b)
{
	const struct checkpoint_entry *x = a, *y = b;

	return sstable_compare(x->key, x->key_size, y->key, y->key_size)
		       ?: ORDER(x->table, y->table);
}

static bool same_variable(const struct checkpoint_variable *a, const struct checkpoint_variable *b)
{
	return a->dtype == b->dtype && a->dim_count == b->dim_count &&
	       (a->dim_count == 0 || memcmp(a->dim, b->dim, a->dim_count * sizeof(*a->dim)) == 0);
}

/* One entry for each name, with the slices of all files. */
static int join_entries(struct checkpoint *c, struct error *err)
{
	size_t kept = 0;

	if (c->entry_count > 0)
		qsort(c->entry, c->entry_count, sizeof(*c->entry), compare_entries);
	for (size_t i = 0; i < c->entry_count; i++) {
		struct checkpoint_entry *e = &c->entry[i],
					*last = kept > 0 ? &c->entry[kept - 1] : NULL;

		if (!last || sstable_compare(last->key, last->key_size, e->key, e->key_size)) {
			c->entry[kept++] = *e;
			continue;
		}
		if (!same_variable(&last->variable, &e->variable))
			return error_set(err, ERROR_INPUT, c->prefix,
				"a variable has different types or shapes in two places");
		for (size_t s = 0; s < e->slice_count; s++)
			checkpoint_entry_slice(c, last, &e->slice[s]);
	}
	c->entry_count = kept;
	return 0;
}

int checkpoint_v1_open(struct checkpoint *c, struct error *err)
{
	if (find_tables(c, err))
		return -1;
	for (size_t i = 0; i < c->table_count; i++)
		if (read_list(c, i, err))
			return -1;
	return join_entries(c, err);
}

/* The field of TensorProto that holds values of this type; 0: not read. */
static uint32_t value_field(int32_t dtype)
{
	switch (dtype) {
	case TENSOR_FLOAT:
		return 5;
	case TENSOR_DOUBLE:
		return 6;
	case TENSOR_INT32:
	case TENSOR_INT16:
	case TENSOR_INT8:
	case TENSOR_UINT8:
		return 7;
	case TENSOR_STRING:
		return 8;
	case TENSOR_INT64:
		return 10;
	case TENSOR_BOOL:
		return 11;
	default:
		return 0;
	}
}

/* Wire type of a value of that field that is not packed. */
static enum wire_type single_type(int32_t dtype)
{
	switch (dtype) {
	case TENSOR_FLOAT:
		return WIRE_FIXED32;
	case TENSOR_DOUBLE:
		return WIRE_FIXED64;
	case TENSOR_STRING:
		return WIRE_BYTES;
	default:
		return WIRE_VARINT;
	}
}

struct value_sink {
	struct checkpoint_value *value;
	struct arena *arena;
	size_t at; /* may pass the count: then nothing is kept */
};

static void sink_number(struct value_sink *s, uint64_t bits)
{
	uint32_t low = (uint32_t)bits;
	float single;

	if (s->at < s->value->count) {
		if (s->value->dtype == TENSOR_FLOAT) {
			memcpy(&single, &low, sizeof(single));
			s->value->real[s->at] = single;
		} else if (s->value->real) {
			memcpy(&s->value->real[s->at], &bits, sizeof(double));
		} else {
			s->value->integer[s->at] = (int64_t)bits;
		}
	}
	s->at++;
}

/* Packed values. */
static bool sink_packed(struct value_sink *s, const struct wire_field *f)
{
	size_t size = s->value->dtype == TENSOR_FLOAT	 ? 4
		      : s->value->dtype == TENSOR_DOUBLE ? 8
							 : 0;
	struct wire w = wire_inside(f);
	uint64_t bits;

	while (w.at < w.end) {
		bits = 0;
		if (size == 0 && !wire_varint(&w, &bits))
			return false;
		if (size > (size_t)(w.end - w.at))
			return false;
		for (size_t i = 0; i < size; i++)
			bits |= (uint64_t)w.at[i] << (8 * i);
		w.at += size;
		sink_number(s, bits);
	}
	return true;
}

static void sink_string(struct value_sink *s, const struct wire_field *f)
{
	if (s->at < s->value->count) {
		s->value->string[s->at] =
			arena_strndup(s->arena, (const char *)f->bytes, (size_t)f->size);
		s->value->string_size[s->at] = (size_t)f->size;
	}
	s->at++;
}

static bool sink_tensor(struct value_sink *s, const struct wire_field *tensor)
{
	uint32_t wanted = value_field(s->value->dtype);
	enum wire_type single = single_type(s->value->dtype);
	struct wire w = wire_inside(tensor);
	enum wire_result got;
	struct wire_field f;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		/* A field of another type is unknown, as everywhere in protobuf. */
		if (f.number != wanted || (f.type != WIRE_BYTES && f.type != single))
			continue;
		if (f.type != WIRE_BYTES)
			sink_number(s, f.value);
		else if (s->value->string)
			sink_string(s, &f);
		else if (!sink_packed(s, &f))
			return false;
	}
	return got == WIRE_END;
}

/* Calls sink_tensor for field 3 of field 2: SavedTensorSlices.data.data. */
static bool sink_slices(struct value_sink *s, const struct sstable_entry *entry)
{
	struct wire w = {entry->value, entry->value + entry->value_size};
	struct wire_field f, g;

	while (wire_next(&w, &f) == WIRE_FIELD) {
		if (f.number != 2 || f.type != WIRE_BYTES)
			continue;
		struct wire inner = wire_inside(&f);

		while (wire_next(&inner, &g) == WIRE_FIELD)
			if (g.number == 3 && g.type == WIRE_BYTES && !sink_tensor(s, &g))
				return false;
	}
	return true;
}

static bool is_whole(const struct checkpoint_entry *e)
{
	const struct tensor_slice *slice = e->slice;

	if (e->slice_count != 1 || slice->rank != e->variable.dim_count)
		return false;
	for (size_t i = 0; i < slice->rank; i++)
		if (slice->length[i] >= 0 &&
			(slice->start[i] != 0 || slice->length[i] != e->variable.dim[i]))
			return false;
	return true;
}

static int not_readable(const struct checkpoint *c, const char *name, struct error *err)
{
	return error_set(err, ERROR_INPUT, c->prefix, "the values of '%s' cannot be read", name);
}

static int read_numbers(const struct checkpoint *c, const struct checkpoint_entry *e,
	const struct sstable_entry *entry, struct arena *arena, struct checkpoint_value *out,
	struct error *err)
{
	struct value_sink s = {out, arena, 0};

	/* A value takes at least a byte: no room for more than there can be. */
	if (out->count > entry->value_size)
		return not_readable(c, e->variable.name, err);
	checkpoint_value_make(out, arena);
	if (!sink_slices(&s, entry) || s.at != out->count)
		return not_readable(c, e->variable.name, err);
	return 0;
}

static int read_values(const struct checkpoint *c, const struct checkpoint_entry *e,
	struct arena *arena, struct checkpoint_value *out, struct error *err)
{
	struct arena *scratch = arena_new();
	struct sstable_entry entry;
	struct span_file file;
	struct text key;
	int found = -1, result = -1;

	text_init(&key);
	tensor_slice_key(e->variable.name, e->slice, &key);
	if (checkpoint_file_open(c, c->table[e->table], &file, err) == 0) {
		struct sstable *t = sstable_open(&file, c->unchecked, scratch, err);

		if (t)
			found = sstable_find(t, text_string(&key), key.size, scratch, &entry, err);
		if (found > 0)
			result = read_numbers(c, e, &entry, arena, out, err);
		else if (found == 0)
			not_readable(c, e->variable.name, err);
		span_file_close(&file);
	}
	text_release(&key);
	arena_free(scratch);
	return result;
}

int checkpoint_v1_read(struct checkpoint *c, const char *name, struct arena *arena,
	struct checkpoint_value *out, struct error *err)
{
	const struct checkpoint_entry *e = checkpoint_entry_find(c, name, strlen(name));

	if (!e)
		return error_set(err, ERROR_INPUT, NULL, "%s not found in checkpoint file", name);
	if (e->slice_count > 1)
		return error_set(err, ERROR_INPUT, NULL, "Sliced checkpoints are not supported");
	if (value_field(e->variable.dtype) == 0)
		return error_set(err, ERROR_INPUT, NULL, "Data type not supported");
	if (!is_whole(e))
		return not_readable(c, name, err);
	*out = (struct checkpoint_value){.dtype = e->variable.dtype,
		.dim = e->variable.dim,
		.dim_count = e->variable.dim_count};
	if (checkpoint_value_check(c, out, err))
		return -1;
	out->count = (size_t)tensor_element_count(out->dim, out->dim_count);
	return read_values(c, e, arena, out, err);
}
