/* Checkpoints of both forms: V1 has a table for each file, with a list of what is in it and, under
 * the keys of slices, the values. V2 (TensorBundle) has the descriptions in the table PREFIX.index
 * and the bytes in PREFIX.data-SSSSS-of-NNNNN. Which form it is decides the existence of
 * PREFIX.index, as in the original. Files are open only while something is read: there may be
 * thousands of shards. */
#include "tfprof/files/checkpoint.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/checksum.h"
#include "base/order.h"
#include "base/packed_number.h"
#include "base/text.h"
#include "ingest/input/span_file.h"
#include "ingest/protobuf/text_proto.h"
#include "ingest/protobuf/wire.h"
#include "tfprof/files/checkpoint_value.h"
#include "tfprof/files/sstable.h"

#define ELEMENTS_MOST (INT64_C(1) << 27)
#define NAMES_MOST ((size_t)256 << 20)
#define DESCRIBED_MOST ((size_t)1 << 20) /* bytes of the description of a variable */
#define HEADER_MOST ((size_t)4096)
#define UNPACKED_TIMES 8  /* a description is so many times as large in memory, roughly */
#define SHARDS_MOST 99999 /* five digits */
#define BUNDLE_VERSION 1
#define NO_FILES                                                                                   \
	"Unsuccessful TensorSliceReader constructor: Failed to find any matching files for %s"

/* Entry of a key (V2) or a variable (V1). */
struct checkpoint_entry {
	const char *key; /* also encoded keys of slices, which hold zeros */
	size_t key_size;
	bool is_variable;
	struct checkpoint_variable variable; /* type and shape of slices too */
	Graph__Slice **slice;
	size_t slice_count;
	size_t table;		     /* V1: the file that its first slice is in */
	int64_t shard, offset, size; /* V2: where its bytes are */
	uint32_t crc;
};

struct checkpoint {
	struct arena *arena;
	const struct checkpoint_file *memory; /* or NULL */
	size_t memory_count;
	bool unchecked, v2;
	const char *prefix;
	size_t names_bytes;
	struct checkpoint_entry *entry; /* in the order of keys */
	size_t entry_count, entry_room;
	struct checkpoint_entry **variable;
	size_t variable_count;
	const char **table; /* paths */
	size_t table_count;
	size_t present;	     /* the table that is read */
	int64_t shard_count; /* V2 */
};

/* ---- files ---- */

static const struct checkpoint_file *in_memory(const struct checkpoint *c, const char *path)
{
	for (size_t i = 0; i < c->memory_count; i++)
		if (text_equal(c->memory[i].path, path))
			return &c->memory[i];
	return NULL;
}

static int open_file(
	const struct checkpoint *c, const char *path, struct span_file *file, struct error *err)
{
	const struct checkpoint_file *memory = in_memory(c, path);

	if (!c->memory)
		return span_file_open(file, path, err);
	if (!memory)
		return error_set(err, ERROR_INPUT, path, "no such file");
	span_file_memory(file, path, memory->bytes, memory->size);
	return 0;
}

/* The tables: PREFIX.index, or else the files of V1. */
static int find_tables(struct checkpoint *c, struct error *err)
{
	const char *index = arena_printf(c->arena, "%s.index", c->prefix);
	glob_t found = {0};
	int status = 0;

	c->v2 = c->memory ? in_memory(c, index) != NULL : access(index, F_OK) == 0;
	if (!c->memory && !c->v2)
		status = glob(c->prefix, 0, NULL, &found);
	c->table =
		arena_array(c->arena, 1 + found.gl_pathc + c->memory_count, sizeof(const char *));
	if (c->v2)
		c->table[c->table_count++] = index;
	for (size_t i = 0; !c->v2 && i < c->memory_count; i++)
		if (text_starts(c->memory[i].path, c->prefix))
			c->table[c->table_count++] = c->memory[i].path;
	for (size_t i = 0; status == 0 && i < found.gl_pathc; i++)
		c->table[c->table_count++] = arena_strdup(c->arena, found.gl_pathv[i]);
	globfree(&found);
	if (status == GLOB_NOSPACE)
		return error_set(err, ERROR_LIMIT, c->prefix, "too many files match");
	return c->table_count > 0 ? 0 : error_set(err, ERROR_INPUT, NULL, NO_FILES, c->prefix);
}

/* ---- entries ---- */

/* One more entry with this key, type, shape and slices, else zeroed. NULL: ERROR_LIMIT, or damaged
 * as the message says. */
static struct checkpoint_entry *add_entry(struct checkpoint *c, const void *key, size_t key_size,
	int32_t dtype, const Graph__TensorShape *shape, Graph__Slice **slice, size_t slice_count)
{
	size_t dims = shape ? shape->n_dim : 0;
	bool good = dims <= CHECKPOINT_RANK_MOST;
	struct checkpoint_entry *e;

	for (size_t i = 0; i < slice_count; i++)
		good &= slice[i]->n_extent <= CHECKPOINT_RANK_MOST;
	if (!good)
		return NULL;
	c->entry = arena_make_room(
		c->arena, c->entry, c->entry_count, &c->entry_room, sizeof(*c->entry));
	e = &c->entry[c->entry_count++];
	*e = (struct checkpoint_entry){.key = arena_strndup(c->arena, key, key_size),
		.key_size = key_size,
		.variable = {.dtype = dtype, .dim_count = dims},
		.slice = slice,
		.slice_count = slice_count};
	e->variable.name = e->key;
	e->variable.dim = arena_array(c->arena, dims, sizeof(*e->variable.dim));
	for (size_t i = 0; i < dims; i++)
		e->variable.dim[i] = shape->dim[i]->size;
	return e;
}

/* Keys that share beginnings are much longer in memory than in the file. */
static int count_names(struct checkpoint *c, size_t key_size, struct error *err)
{
	c->names_bytes += key_size + sizeof(struct checkpoint_entry);
	return c->names_bytes <= NAMES_MOST
		       ? 0
		       : error_set(err, ERROR_LIMIT, c->prefix, "too many names in the checkpoint");
}

static struct checkpoint_entry *find_entry(
	const struct checkpoint *c, const void *key, size_t key_size)
{
	size_t low = 0, high = c->entry_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		struct checkpoint_entry *e = &c->entry[middle];
		int order = sstable_compare(e->key, e->key_size, key, key_size);

		if (order == 0)
			return e;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* ---- values ---- */

/* A value of the entry's type and shape, without elements. */
static int begin_value(const struct checkpoint *c, const struct checkpoint_entry *e,
	struct checkpoint_value *out, struct error *err)
{
	const struct checkpoint_variable *v = &e->variable;
	int64_t count = 1;
	bool bad = false, empty = false;

	for (size_t i = 0; i < v->dim_count; i++) {
		bad |= v->dim[i] < 0;
		empty |= v->dim[i] == 0;
	}
	for (size_t i = 0; i < v->dim_count && !empty; i++)
		bad |= __builtin_mul_overflow(count, v->dim[i], &count);
	if (bad)
		return error_set(err, ERROR_INPUT, c->prefix,
			"a variable has a shape that cannot be: negative or too large");
	if (!empty && count > ELEMENTS_MOST)
		return error_set(err, ERROR_LIMIT, c->prefix,
			"a variable has more than %lld elements", (long long)ELEMENTS_MOST);
	*out = (struct checkpoint_value){.dtype = v->dtype,
		.dim = v->dim,
		.dim_count = v->dim_count,
		.count = empty ? 0 : (size_t)count};
	return 0;
}

/* ---- V1 ---- */

static int damaged_list(const struct checkpoint *c, struct error *err)
{
	return error_set(
		err, ERROR_INPUT, c->table[c->present], "the list of variables is damaged");
}

/* Adds the variables of a list. Each is counted before it takes memory. */
static int add_list(struct checkpoint *c, const struct wire_field *list, struct error *err)
{
	ProtobufCAllocator allocator = arena_allocator(c->arena);
	struct wire w = wire_inside(list);
	enum wire_result got;
	struct wire_field f;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		const Graph__SavedVariable *v = NULL;
		struct checkpoint_entry *e;

		if (f.number != 1)
			continue;
		if (f.type == WIRE_BYTES && f.size <= DESCRIBED_MOST) {
			if (count_names(c, f.size * UNPACKED_TIMES, err))
				return -1;
			v = graph__saved_variable__unpack(&allocator, f.size, f.bytes);
		}
		e = v ? add_entry(c, v->name.len ? (const char *)v->name.data : "", v->name.len,
				v->type, v->shape, v->slice, v->n_slice)
		      : NULL;
		if (!e)
			return damaged_list(c, err);
		e->is_variable = true;
		e->table = c->present;
	}
	return got == WIRE_END ? 0 : damaged_list(c, err);
}

/* The list is under the empty key, which is the first. */
static int visit_list(void *context, const struct sstable_entry *entry, struct error *err)
{
	struct checkpoint *c = context;
	struct wire w = {entry->value, entry->value + entry->value_size};
	enum wire_result got;
	struct wire_field f;

	if (entry->key_size > 0)
		return error_set(
			err, ERROR_INPUT, c->table[c->present], "table has no list of variables");
	while ((got = wire_next(&w, &f)) == WIRE_FIELD)
		if (f.number == 1 && f.type == WIRE_BYTES && add_list(c, &f, err))
			return -1;
	return got == WIRE_END ? 1 : damaged_list(c, err);
}

ORDERED(compare_entries, struct checkpoint_entry,
	sstable_compare(x->key, x->key_size, y->key, y->key_size) ?: ORDER(x->table, y->table));

static bool same_variable(const struct checkpoint_variable *a, const struct checkpoint_variable *b)
{
	return a->dtype == b->dtype && a->dim_count == b->dim_count &&
	       (a->dim_count == 0 || memcmp(a->dim, b->dim, a->dim_count * sizeof(*a->dim)) == 0);
}

/* One entry for each name, with the number of slices in all files: more than one are not read. */
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
		if (last->slice_count == 0)
			last->slice = e->slice;
		last->slice_count += e->slice_count;
	}
	c->entry_count = kept;
	return 0;
}

/* Copies the numbers of the tensor that are of the value's type. False: not as many as it has. */
static bool copy_elements(
	const Graph__TensorWhole *from, struct checkpoint_value *to, struct arena *arena)
{
#define COPY(array, field)                                                                         \
	if (from->n_##field != to->count)                                                          \
		return false;                                                                      \
	for (size_t i = 0; i < to->count; i++)                                                     \
		to->array[i] = from->field[i];                                                     \
	return true

	switch (to->dtype) {
	case GRAPH__DATA_TYPE__DT_FLOAT:
		COPY(real, float_val);
	case GRAPH__DATA_TYPE__DT_DOUBLE:
		COPY(real, double_val);
	case GRAPH__DATA_TYPE__DT_INT64:
		COPY(integer, int64_val);
	case GRAPH__DATA_TYPE__DT_BOOL:
		COPY(integer, bool_val);
	case GRAPH__DATA_TYPE__DT_STRING:
		for (size_t i = 0; i < to->count && i < from->n_string_val; i++)
			checkpoint_value_string(
				to, i, from->string_val[i].data, from->string_val[i].len, arena);
		return from->n_string_val == to->count;
	default:
		COPY(integer, int_val);
	}
#undef COPY
}

/* The values of an entry whose table is open. Returns 1; 0 when they are not there or damaged. */
static int read_saved(const struct checkpoint *c, const struct checkpoint_entry *e,
	const struct span_file *file, struct arena *arena, struct checkpoint_value *out,
	struct error *err)
{
	struct arena *scratch = arena_new();
	ProtobufCAllocator allocator = arena_allocator(scratch);
	struct sstable *t = sstable_open(file, c->unchecked, scratch, err);
	struct sstable_entry entry;
	struct text key;
	int found = -1;

	text_init(&key);
	slice_key(e->variable.name, e->slice[0], &key);
	if (t)
		found = sstable_find(t, text_string(&key), key.size, scratch, &entry, err);
	/* A value takes at least a byte: no room for more than there can be. A number takes at
	 * most ten: no bytes for more than there are. */
	if (found > 0 && (out->count > entry.value_size ||
				 (out->dtype != GRAPH__DATA_TYPE__DT_STRING &&
					 entry.value_size / 11 > out->count + DESCRIBED_MOST)))
		found = 0;
	if (found > 0) {
		const Graph__SavedSlices *saved =
			graph__saved_slices__unpack(&allocator, entry.value_size, entry.value);
		const Graph__TensorWhole *data = saved && saved->data ? saved->data->data : NULL;
		const Graph__TensorWhole nothing = GRAPH__TENSOR_WHOLE__INIT;

		checkpoint_value_make(out, arena);
		found = saved && copy_elements(data ? data : &nothing, out, arena);
	}
	text_release(&key);
	arena_free(scratch);
	return found;
}

/* As in the original, a variable is read when it has one slice and one of nine types. */
static int v1_read(const struct checkpoint *c, const char *name, const struct checkpoint_entry *e,
	struct arena *arena, struct checkpoint_value *out, struct error *err)
{
	struct span_file file;
	int result = 0;

	if (!e)
		return error_set(err, ERROR_INPUT, NULL, "%s not found in checkpoint file", name);
	if (e->slice_count > 1)
		return error_set(err, ERROR_INPUT, NULL, "Sliced checkpoints are not supported");
	if (!checkpoint_element(e->variable.dtype).v1)
		return error_set(err, ERROR_INPUT, NULL, "Data type not supported");
	if (e->slice_count == 1 && slice_is_whole(e->slice[0], &e->variable)) {
		if (begin_value(c, e, out, err) || open_file(c, c->table[e->table], &file, err))
			return -1;
		result = read_saved(c, e, &file, arena, out, err);
		span_file_close(&file);
	}
	if (result == 0)
		return error_set(
			err, ERROR_INPUT, c->prefix, "the values of '%s' cannot be read", name);
	return result > 0 ? 0 : -1;
}

/* ---- V2 ---- */

static int damaged_entry(const struct checkpoint *c, struct error *err)
{
	return error_set(err, ERROR_INPUT, c->prefix, "the description of a variable is damaged");
}

static int read_header(struct checkpoint *c, const struct sstable_entry *entry, struct error *err)
{
	ProtobufCAllocator allocator = arena_allocator(c->arena);
	const Graph__BundleHeader *header =
		entry->value_size <= HEADER_MOST
			? graph__bundle_header__unpack(&allocator, entry->value_size, entry->value)
			: NULL;
	int least = header && header->version ? header->version->min_consumer : 0;

	if (!header || header->num_shards < 1 || header->num_shards > SHARDS_MOST)
		return damaged_entry(c, err);
	c->shard_count = header->num_shards;
	if (header->endianness != 0)
		return error_set(err, ERROR_INPUT, c->prefix,
			"checkpoint is from a big-endian machine, which is not supported");
	if (least > BUNDLE_VERSION)
		return error_set(err, ERROR_INPUT, c->prefix,
			"checkpoint has version %d of its format; %d is the latest known", least,
			BUNDLE_VERSION);
	return 0;
}

static int visit_entry(void *context, const struct sstable_entry *entry, struct error *err)
{
	struct checkpoint *c = context;
	ProtobufCAllocator allocator = arena_allocator(c->arena);
	Graph__BundleEntry *from = NULL;
	struct checkpoint_entry *e;

	if (entry->key_size == 0)
		return read_header(c, entry, err);
	if (c->shard_count == 0) /* the header's key is the first */
		return error_set(err, ERROR_INPUT, c->prefix, "checkpoint has no header");
	if (count_names(c, entry->key_size + entry->value_size * UNPACKED_TIMES, err))
		return -1;
	if (entry->value_size <= DESCRIBED_MOST)
		from = graph__bundle_entry__unpack(&allocator, entry->value_size, entry->value);
	if (!from || from->shard_id < 0 || from->shard_id >= c->shard_count || from->offset < 0 ||
		from->size < 0)
		return damaged_entry(c, err);
	e = add_entry(c, entry->key, entry->key_size, from->dtype, from->shape, from->slices,
		from->n_slices);
	if (!e)
		return damaged_entry(c, err);
	e->shard = from->shard_id;
	e->offset = from->offset;
	e->size = from->size;
	e->crc = from->crc32c;
	e->is_variable = e->key[0] != 0; /* else a slice of one */
	return 0;
}

/* The bytes of an entry, in the arena. */
static unsigned char *read_bytes(const struct checkpoint *c, const struct checkpoint_entry *e,
	struct arena *arena, struct error *err)
{
	const char *path = arena_printf(
		arena, "%s.data-%05d-of-%05d", c->prefix, (int)e->shard, (int)c->shard_count);
	unsigned char *bytes = NULL;
	struct span_file file;

	if (open_file(c, path, &file, err))
		return NULL;
	if ((uint64_t)e->size > file.size || (uint64_t)e->offset > file.size - (uint64_t)e->size) {
		span_file_damaged(&file, file.size, "file ends before a variable does", err);
	} else {
		bytes = arena_alloc(arena, (size_t)e->size + 1);
		if (span_file_read(
			    &file, (uint64_t)e->offset, bytes, (size_t)e->size, "a variable", err))
			bytes = NULL;
	}
	span_file_close(&file);
	return bytes;
}

static int wrong_checksum(
	const struct checkpoint *c, const struct checkpoint_entry *e, struct error *err)
{
	return error_set(err, ERROR_INPUT, c->prefix,
		"checksum of the values of '%s' does not match", e->variable.name);
}

static int wrong_size(
	const struct checkpoint *c, const struct checkpoint_entry *e, struct error *err)
{
	return error_set(err, ERROR_INPUT, c->prefix,
		"a value of this type and shape does not have %lld bytes", (long long)e->size);
}

static int read_numbers(const struct checkpoint *c, const struct checkpoint_entry *e,
	struct arena *arena, struct checkpoint_value *out, struct error *err)
{
	const struct element element = checkpoint_element(out->dtype);
	unsigned above = 64 - 8 * element.bytes;
	unsigned char *bytes;

	if ((uint64_t)e->size != out->count * element.bytes)
		return wrong_size(c, e, err);
	bytes = read_bytes(c, e, arena, err);
	if (!bytes)
		return -1;
	if (!c->unchecked && crc32c_mask(crc32c(0, bytes, (size_t)e->size)) != e->crc)
		return wrong_checksum(c, e, err);
	checkpoint_value_make(out, arena);
	for (size_t i = 0; i < out->count; i++) {
		uint64_t bits = packed_little_endian(bytes + i * element.bytes, element.bytes);

		if (out->real)
			out->real[i] = checkpoint_real(out->dtype, bits);
		else if (element.kind == ELEMENT_SIGNED)
			out->integer[i] = (int64_t)(bits << above) >> above;
		else
			out->integer[i] = (int64_t)bits;
	}
	return 0;
}

/* All lengths, their checksum, then the bytes; the checksum of the entry goes over the lengths (in
 * four bytes, or eight when one needs them), the first checksum and the bytes. */
static int read_strings(const struct checkpoint *c, const struct checkpoint_entry *e,
	struct arena *arena, struct checkpoint_value *out, struct error *err)
{
	unsigned char *bytes;
	struct wire w;
	uint32_t crc = 0;

	if ((uint64_t)e->size < out->count)
		return wrong_size(c, e, err);
	bytes = read_bytes(c, e, arena, err);
	if (!bytes)
		return -1;
	w = (struct wire){bytes, bytes + e->size};
	checkpoint_value_make(out, arena);
	for (size_t i = 0; i < out->count; i++) {
		uint64_t length;

		if (!wire_varint(&w, &length) || length > (uint64_t)e->size)
			return wrong_size(c, e, err);
		out->string_size[i] = (size_t)length;
		length = little_64(length);
		crc = crc32c(crc, &length, out->string_size[i] <= UINT32_MAX ? 4 : 8);
	}
	if (w.end - w.at < 4)
		return wrong_size(c, e, err);
	if (!c->unchecked && crc32c_mask(crc) != packed_little_endian(w.at, 4))
		return wrong_checksum(c, e, err);
	crc = crc32c(crc, w.at, 4);
	w.at += 4;
	if (!c->unchecked && crc32c_mask(crc32c(crc, w.at, (size_t)(w.end - w.at))) != e->crc)
		return wrong_checksum(c, e, err);
	for (size_t i = 0; i < out->count; i++) {
		if (out->string_size[i] > (size_t)(w.end - w.at))
			return wrong_size(c, e, err);
		checkpoint_value_string(out, i, w.at, out->string_size[i], arena);
		w.at += out->string_size[i];
	}
	return w.at == w.end ? 0 : wrong_size(c, e, err);
}

/* An entry that has its bytes itself. */
static int read_whole(const struct checkpoint *c, const struct checkpoint_entry *e,
	struct arena *arena, struct checkpoint_value *out, struct error *err)
{
	if (begin_value(c, e, out, err))
		return -1;
	switch (checkpoint_element(out->dtype).kind) {
	case ELEMENT_UNKNOWN:
		return 0;
	case ELEMENT_STRING:
		return read_strings(c, e, arena, out, err);
	default:
		return read_numbers(c, e, arena, out, err);
	}
}

/* The values of an entry in slices: every element must be in one. */
static int read_parts(const struct checkpoint *c, const struct checkpoint_entry *e,
	struct arena *arena, struct checkpoint_value *out, struct error *err)
{
	size_t placed_count = 0;
	bool *placed;

	if (begin_value(c, e, out, err))
		return -1;
	if (checkpoint_element(out->dtype).kind == ELEMENT_UNKNOWN)
		return 0;
	checkpoint_value_make(out, arena);
	placed = arena_array(arena, out->count, sizeof(*placed));
	for (size_t i = 0; i < e->slice_count; i++) {
		const struct checkpoint_entry *found;
		struct checkpoint_value part;
		struct text key;

		text_init(&key);
		slice_key(e->variable.name, e->slice[i], &key);
		found = find_entry(c, text_string(&key), key.size);
		text_release(&key);
		if (!found || found->slice_count > 0)
			return error_set(err, ERROR_INPUT, c->prefix,
				"a slice of '%s' is not there", e->variable.name);
		if (read_whole(c, found, arena, &part, err))
			return -1;
		if (!slice_fits(out, e->slice[i], &part))
			return error_set(err, ERROR_INPUT, c->prefix,
				"a slice of '%s' is not inside it", e->variable.name);
		placed_count += slice_place(out, e->slice[i], &part, placed);
	}
	if (placed_count != out->count)
		return error_set(err, ERROR_INPUT, c->prefix, "the slices of '%s' leave gaps",
			e->variable.name);
	return 0;
}

/* ---- both ---- */

static int read_tables(struct checkpoint *c, struct error *err)
{
	int result = find_tables(c, err);

	for (c->present = 0; result == 0 && c->present < c->table_count; c->present++) {
		struct arena *scratch;
		struct span_file file;
		struct sstable *t;

		if (open_file(c, c->table[c->present], &file, err))
			return -1;
		scratch = arena_new();
		t = sstable_open(&file, c->unchecked, scratch, err);
		result = t ? sstable_each(t, c->v2 ? visit_entry : visit_list, c, err) : -1;
		arena_free(scratch);
		span_file_close(&file);
	}
	return result || c->v2 ? result : join_entries(c, err);
}

struct checkpoint *checkpoint_open_memory(const char *prefix, const struct checkpoint_file *file,
	size_t count, bool unchecked, struct error *err)
{
	struct arena *arena = arena_new();
	struct checkpoint *c = arena_alloc(arena, sizeof(*c));

	*c = (struct checkpoint){.arena = arena,
		.memory = file,
		.memory_count = count,
		.unchecked = unchecked,
		.prefix = arena_strdup(arena, prefix)};
	if (read_tables(c, err)) {
		checkpoint_free(c);
		return NULL;
	}
	c->variable = arena_array(c->arena, c->entry_count, sizeof(struct checkpoint_entry *));
	for (size_t i = 0; i < c->entry_count; i++)
		if (c->entry[i].is_variable)
			c->variable[c->variable_count++] = &c->entry[i];
	return c;
}

struct checkpoint *checkpoint_open(const char *prefix, struct error *err)
{
	return checkpoint_open_memory(prefix, NULL, 0, false, err);
}

void checkpoint_free(struct checkpoint *c)
{
	if (c)
		arena_free(c->arena);
}

size_t checkpoint_count(const struct checkpoint *c)
{
	return c->variable_count;
}

const struct checkpoint_variable *checkpoint_at(const struct checkpoint *c, size_t index)
{
	return &c->variable[index]->variable;
}

int checkpoint_read(struct checkpoint *c, const char *name, struct arena *arena,
	struct checkpoint_value *out, struct error *err)
{
	const struct checkpoint_entry *e = find_entry(c, name, strlen(name));

	if (!c->v2)
		return v1_read(c, name, e, arena, out, err);
	if (!e || !e->is_variable)
		return error_set(err, ERROR_INPUT, NULL, "Key %s not found in checkpoint", name);
	return e->slice_count > 0 ? read_parts(c, e, arena, out, err)
				  : read_whole(c, e, arena, out, err);
}
