/* Checkpoints: all values of TensorFlow's own reader for both formats, single, sharded and
 * partitioned, packed or not; tables made by hand with one mistake each; cuts at every byte, flips
 * of every bit.
 */
#include <math.h>
#include "base/number.h"
#include "tests/unit/test.h"
#include "tfprof/files/checkpoint.h"
#include "tests/unit/made_table.h"

#define PATH_SIZE 4096

/* ---- expected.tsv: name, type, shape, values ---- */

struct expected {
	char *text, *name, *type, *shape, *values;
};

static char *read_all(const char *path, size_t *size)
{
	FILE *in = fopen(path, "rb");
	char *bytes;
	long end;

	assert_non_null(in);
	assert_int_equal(fseek(in, 0, SEEK_END), 0);
	end = ftell(in);
	assert_true(end >= 0);
	rewind(in);
	bytes = malloc((size_t)end + 1);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, (size_t)end, in), end);
	bytes[end] = 0;
	fclose(in);
	*size = (size_t)end;
	return bytes;
}

/* The fields of a line, which are cut out of it; the rest of the text is the result. */
static char *take_line(char *at, struct expected *e)
{
	char **field[] = {&e->name, &e->type, &e->shape, &e->values};
	char *end = strchr(at, '\n');

	assert_non_null(end);
	*end = 0;
	for (size_t i = 0; i < 4; i++) {
		char *tab = strchr(at, '\t');

		*field[i] = at;
		assert_true((tab != NULL) == (i < 3));
		if (tab)
			*tab = 0;
		at = tab ? tab + 1 : at;
	}
	return end + 1;
}

static int32_t type_number(const char *name)
{
	static const struct {
		const char *name;
		int32_t number;
	} type[] = {{"float32", 1}, {"float64", 2}, {"int32", 3}, {"uint8", 4}, {"string", 7},
		{"int64", 9}, {"bool", 10}, {"float16", 19}};

	for (size_t i = 0; i < sizeof(type) / sizeof(*type); i++)
		if (text_equal(type[i].name, name))
			return type[i].number;
	fail_msg("no type %s", name);
	return 0;
}

static void check_shape(const char *shape, const int64_t *dim, size_t count)
{
	struct text t;

	text_init(&t);
	for (size_t i = 0; i < count; i++)
		text_printf(&t, "%s%lld", i ? "x" : "", (long long)dim[i]);
	assert_string_equal(text_string(&t), shape);
	text_release(&t);
}

static double element(const struct checkpoint_value *v, size_t i)
{
	return v->real ? v->real[i] : (double)v->integer[i]; /* all of them are below 2^53 */
}

/* "V x COUNT" is COUNT times V. */
static void check_numbers(const char *values, const struct checkpoint_value *v)
{
	const char *times = strstr(values, " x ");
	size_t count = 0;
	double wanted;

	assert_true((v->real != NULL) != (v->integer != NULL));
	assert_null(v->string);
	if (times) {
		assert_int_equal(strtoul(times + 3, NULL, 10), v->count);
		assert_true(number_parse_real(values, (size_t)(times - values), &wanted));
		for (size_t i = 0; i < v->count; i++)
			assert_true(element(v, i) == wanted);
		return;
	}
	while (*values) {
		size_t n = strcspn(values, " ");

		assert_true(number_parse_real(values, n, &wanted));
		assert_true(count < v->count && element(v, count) == wanted);
		count++;
		values += n + (values[n] == ' ');
	}
	assert_int_equal(count, v->count);
}

/* As in the file: the fourth is 200 times x. */
static void check_strings(const struct checkpoint_value *v)
{
	static const char *wanted[] = {"one", "", "a longer string, \xc3\xa9"};

	assert_int_equal(v->count, 4);
	assert_null(v->real);
	assert_null(v->integer);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(v->string_size[i], strlen(wanted[i]));
		assert_string_equal(v->string[i], wanted[i]);
	}
	assert_int_equal(v->string_size[3], 200);
	assert_int_equal(strspn(v->string[3], "x"), 200);
	assert_int_equal(v->string[3][200], 0);
}

static void check_variable(
	struct checkpoint *c, size_t index, const struct expected *e, const char *refusal)
{
	const struct checkpoint_variable *v = checkpoint_at(c, index);
	struct arena *arena = arena_new();
	struct checkpoint_value value;
	struct error err = {.kind = ERROR_NONE};

	assert_string_equal(v->name, e->name);
	assert_int_equal(v->dtype, type_number(e->type));
	check_shape(e->shape, v->dim, v->dim_count);
	if (refusal) {
		assert_int_equal(checkpoint_read(c, e->name, arena, &value, &err), -1);
		assert_int_equal(err.kind, ERROR_INPUT);
		assert_string_equal(err.message, refusal);
	} else {
		assert_int_equal(checkpoint_read(c, e->name, arena, &value, &err), 0);
		assert_int_equal(value.dtype, v->dtype);
		check_shape(e->shape, value.dim, value.dim_count);
		if (value.dtype == 7)
			check_strings(&value);
		else
			check_numbers(e->values, &value);
	}
	arena_free(arena);
}

static void check_all(const char *name, bool v1)
{
	char path[PATH_SIZE];
	size_t size, count = 0;
	char *text = read_all(data_path(path, sizeof(path), "ckpt_kinds/expected.tsv"), &size);
	char *at = strchr(text, '\n') + 1; /* headings */
	struct error err = {.kind = ERROR_NONE};
	struct checkpoint *c = checkpoint_open(data_path(path, sizeof(path), name), &err);
	struct expected e;

	assert_non_null(c);
	for (; *at; count++) {
		at = take_line(at, &e);
		check_variable(c, count, &e,
			!v1			     ? NULL
			: text_equal(e.name, "h")    ? "Data type not supported"
			: text_equal(e.name, "part") ? "Sliced checkpoints are not supported"
						     : NULL);
	}
	assert_int_equal(count, 14);
	assert_int_equal(checkpoint_count(c), 14);
	checkpoint_free(c);
	free(text);
}

TEST(v2_of_one_file)
{
	check_all("ckpt_kinds/v2", false);
}

TEST(v2_in_shards)
{
	check_all("ckpt_kinds/v2_sharded", false);
}

TEST(v1_of_one_file)
{
	check_all("ckpt_kinds/v1", true);
}

TEST(v1_in_shards_by_a_glob)
{
	check_all("ckpt_kinds/v1_sharded-[0-9]*-of-*", true);
}

/* The same tables, packed by a program of their own (tests/data/ckpt_snappy/make.py). */
TEST(packed_with_snappy)
{
	check_all("ckpt_snappy/v2", false);
	check_all("ckpt_snappy/v1", true);
	check_all("ckpt_snappy/v1_sharded-[0-9]*-of-*", true);
}

/* DW of TensorFlow 2.0's test data, as its own tests know it (six digits). */
TEST(test_data_of_tensorflow_2_0)
{
	static const double first[] = {-0.000534315, -0.00089602, -0.000417239, 0.00041444};
	static const double last[] = {-0.000317367, -0.000417829};
	char path[PATH_SIZE];
	struct error err;
	struct checkpoint *c =
		checkpoint_open(data_path(path, sizeof(path), "ckpt_tf2/ckpt"), &err);
	struct arena *arena = arena_new();
	struct checkpoint_value value;

	assert_non_null(c);
	assert_int_equal(checkpoint_count(c), 3);
	assert_int_equal(checkpoint_read(c, "DW", arena, &value, &err), 0);
	assert_int_equal(value.count, 162);
	for (size_t i = 0; i < 4; i++)
		assert_true(fabs(value.real[i] - first[i]) < 5e-10);
	for (size_t i = 0; i < 2; i++)
		assert_true(fabs(value.real[160 + i] - last[i]) < 5e-10);
	assert_int_equal(checkpoint_read(c, "ScalarW", arena, &value, &err), 0);
	assert_int_equal(value.count, 1);
	assert_int_equal(value.dim_count, 0);
	arena_free(arena);
	checkpoint_free(c);
}

/* ---- what cannot be had ---- */

static void check_missing(const char *name, const char *message)
{
	char path[PATH_SIZE];
	struct error err = {.kind = ERROR_NONE};
	struct checkpoint *c = checkpoint_open(data_path(path, sizeof(path), name), &err);
	struct arena *arena = arena_new();
	struct checkpoint_value value;

	assert_non_null(c);
	assert_int_equal(checkpoint_read(c, "none", arena, &value, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_string_equal(err.message, message);
	arena_free(arena);
	checkpoint_free(c);
}

TEST(names_that_are_not_there)
{
	check_missing("ckpt_kinds/v2", "Key none not found in checkpoint");
	check_missing("ckpt_kinds/v1", "none not found in checkpoint file");
}

TEST(files_that_are_not_there)
{
	char path[PATH_SIZE];
	struct text wanted;
	struct error err = {.kind = ERROR_NONE};

	data_path(path, sizeof(path), "ckpt_kinds/v1_sharded"); /* no glob, so nothing */
	assert_null(checkpoint_open(path, &err));
	text_init(&wanted);
	text_printf(&wanted,
		"Unsuccessful TensorSliceReader constructor: Failed to find any matching files for "
		"%s",
		path);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_string_equal(err.message, text_string(&wanted));
	text_release(&wanted);
	assert_null(
		checkpoint_open(data_path(path, sizeof(path), "ckpt_kinds/expected.tsv"), &err));
	assert_non_null(strstr(err.message, "not a table of a checkpoint"));
	assert_null(checkpoint_open(data_path(path, sizeof(path), "ckpt_kinds"), &err));
	assert_string_equal(err.message, "not a regular file");
}

/* Observed: the original opens it, as V1, and finds nothing in it. */
TEST(the_index_itself_has_no_variables)
{
	char path[PATH_SIZE];
	struct error err;
	struct checkpoint *c =
		checkpoint_open(data_path(path, sizeof(path), "ckpt_kinds/v2.index"), &err);

	assert_non_null(c);
	assert_int_equal(checkpoint_count(c), 0);
	checkpoint_free(c);
}

/* Check values: RFC 3720 B.4, and that of the catalogue of CRCs. */
TEST(checksum)
{
	unsigned char bytes[32] = {0};

	assert_int_equal(crc32c(0, "123456789", 9), 0xe3069283);
	assert_int_equal(crc32c(0, bytes, 32), 0x8a9136aa);
	memset(bytes, 0xff, sizeof(bytes));
	assert_int_equal(crc32c(0, bytes, 32), 0x62a8ab43);
	assert_int_equal(crc32c(crc32c(0, "1234", 4), "56789", 5), 0xe3069283);
}

/* ---- tables made by hand ---- */

struct table {
	struct text block, file;
	size_t entries;
};

static void table_init(struct table *t)
{
	text_init(&t->block);
	text_init(&t->file);
	t->entries = 0;
}

/* One data block, and all that a table has behind it. */
static void table_finish(struct table *t)
{
	struct text data;

	text_init(&data);
	put_block(&t->file, &t->block, 0, &data);
	put_end(&t->file, &data);
	text_release(&data);
	text_release(&t->block);
}

static void table_header(struct table *t, int64_t shards, int64_t endianness)
{
	struct text header;

	text_init(&header);
	put_number(&header, 1, shards);
	if (endianness)
		put_number(&header, 2, endianness);
	add_entry(&t->block, 0, "", 0, text_string(&header), header.size);
	text_release(&header);
}

static void put_dim(struct text *entry, int64_t size)
{
	struct text dim, shape;

	text_init(&dim);
	text_init(&shape);
	put_number(&dim, 1, size);
	put_message(&shape, 2, &dim);
	put_message(entry, 2, &shape);
	text_release(&dim);
	text_release(&shape);
}

/* A slice of a vector. */
static void put_slice(struct text *entry, int64_t start, int64_t length)
{
	struct text extent, slice;

	text_init(&extent);
	text_init(&slice);
	put_number(&extent, 1, start);
	put_number(&extent, 2, length);
	put_message(&slice, 1, &extent);
	put_message(entry, 7, &slice);
	text_release(&extent);
	text_release(&slice);
}

/* Values of a vector of bytes (uint8). */
static void add_bytes_entry(struct table *t, const char *key, size_t key_size, int64_t dim,
	int64_t offset, int64_t size)
{
	struct text entry;

	text_init(&entry);
	put_number(&entry, 1, 4);
	put_dim(&entry, dim);
	put_number(&entry, 4, offset);
	put_number(&entry, 5, size);
	add_entry(&t->block, 0, key, key_size, entry.data, entry.size);
	text_release(&entry);
}

static struct checkpoint *open_made(struct table *t, const char *data, bool v1, struct error *err)
{
	struct checkpoint_file file[] = {
		{v1 ? "made" : "made.index", t->file.data, t->file.size},
		{"made.data-00000-of-00001", data, strlen(data)},
	};
	static struct checkpoint_file kept[2]; /* outlives the checkpoint */

	memcpy(kept, file, sizeof(file));
	return checkpoint_open_memory("made", kept, v1 ? 1 : 2, true, err);
}

static void check_read(struct table *t, const char *data, const char *message)
{
	struct arena *arena = arena_new();
	struct checkpoint_value value;
	struct error err = {.kind = ERROR_NONE};
	struct checkpoint *c = open_made(t, data, false, &err);

	if (c && checkpoint_read(c, "v", arena, &value, &err) == 0) {
		assert_null(message);
		assert_int_equal(value.count, strlen(data));
		for (size_t i = 0; i < value.count; i++)
			assert_int_equal(value.integer[i], data[i]);
	} else {
		assert_non_null(message);
		assert_non_null(strstr(err.message, message));
	}
	arena_free(arena);
	checkpoint_free(c);
	text_release(&t->file);
}

TEST(headers)
{
	static const struct {
		int64_t shards, endianness;
		const char *message;
	} made[] = {{1, 1, "big-endian"}, {0, 0, "damaged"}, {100000, 0, "damaged"},
		{-1, 0, "damaged"}, {1, 0, NULL}};

	for (size_t i = 0; i < sizeof(made) / sizeof(*made); i++) {
		struct table t;

		table_init(&t);
		table_header(&t, made[i].shards, made[i].endianness);
		add_bytes_entry(&t, "v", 1, 3, 0, 3);
		table_finish(&t);
		check_read(&t, "abc", made[i].message);
	}
}

TEST(values_that_do_not_fit)
{
	static const struct {
		int64_t dim, offset, size;
		const char *message;
	} made[] = {{3, 0, 3, NULL}, {3, 1, 3, "file ends before"}, {4, 0, 4, "file ends before"},
		{3, 0, 2, "does not have"}, {-1, 0, 3, "cannot be"}, {3, -1, 3, "damaged"},
		{3, 0, -3, "damaged"}, {INT64_MAX, 0, 3, "more than"},
		{3, INT64_MAX, 3, "file ends before"}};

	for (size_t i = 0; i < sizeof(made) / sizeof(*made); i++) {
		struct table t;

		table_init(&t);
		table_header(&t, 1, 0);
		add_bytes_entry(&t, "v", 1, made[i].dim, made[i].offset, made[i].size);
		table_finish(&t);
		check_read(&t, "abc", made[i].message);
	}
}

TEST(keys_out_of_order)
{
	struct table t;

	table_init(&t);
	table_header(&t, 1, 0);
	add_bytes_entry(&t, "v", 1, 3, 0, 3);
	add_bytes_entry(&t, "u", 1, 3, 0, 3);
	table_finish(&t);
	check_read(&t, "abc", "not in order");
}

/* The key of one slice [start, start + length) of "v": 0, name, end of the name, one dimension, two
 * signed numbers below 64. */
static void add_slice_entry(struct table *t, int64_t start, int64_t length)
{
	char key[8] = {0, 'v', 0, 1, 1, 1, (char)(0x80 ^ start), (char)(0x80 ^ length)};

	add_bytes_entry(t, key, sizeof(key), length, start, length);
}

static void add_sliced_entry(struct table *t, int64_t dim, const int64_t (*slice)[2], size_t count)
{
	struct text entry;

	text_init(&entry);
	put_number(&entry, 1, 4);
	put_dim(&entry, dim);
	for (size_t i = 0; i < count; i++)
		put_slice(&entry, slice[i][0], slice[i][1]);
	add_entry(&t->block, 0, "v", 1, entry.data, entry.size);
	text_release(&entry);
}

TEST(slices)
{
	static const struct {
		int64_t second[2];
		const char *message;
	} made[] = {{{2, 3}, NULL}, {{1, 4}, NULL}, {{3, 2}, "leave gaps"},
		{{3, 3}, "is not inside"}, {{2, 2}, "leave gaps"}, {{4, 1}, "not there"}};

	for (size_t i = 0; i < sizeof(made) / sizeof(*made); i++) {
		const int64_t slice[2][2] = {{0, 2}, {made[i].second[0], made[i].second[1]}};
		struct table t;

		table_init(&t);
		table_header(&t, 1, 0);
		add_slice_entry(&t, 0, 2);
		if (i != 5)
			add_slice_entry(&t, slice[1][0], slice[1][1]);
		add_sliced_entry(&t, 5, slice, 2);
		table_finish(&t);
		check_read(&t, i == 3 ? "abcdef" : "abcde", made[i].message);
	}
}

/* ---- damage ---- */

struct loaded {
	struct checkpoint_file file[2];
	char *bytes[2], *good[2];
	size_t count;
};

/* Opens and reads all; counts the variables read. A checksum protects all of it. */
static size_t read_everything(const char *prefix, const struct loaded *l, bool unchecked)
{
	struct error err = {.kind = ERROR_NONE};
	struct checkpoint *c = checkpoint_open_memory(prefix, l->file, l->count, unchecked, &err);
	size_t good = 0;

	if (!c) {
		assert_true(err.kind == ERROR_INPUT || err.kind == ERROR_LIMIT);
		assert_true(err.message[0]);
		return 0;
	}
	for (size_t i = 0; i < checkpoint_count(c); i++) {
		struct arena *arena = arena_new();
		struct checkpoint_value value;

		good += checkpoint_read(c, checkpoint_at(c, i)->name, arena, &value, &err) == 0;
		arena_free(arena);
	}
	checkpoint_free(c);
	return good;
}

/* A copy of exactly the size, so that the address sanitizer sees a read past the end. */
static void set_bytes(struct loaded *l, size_t index, size_t size)
{
	free(l->bytes[index]);
	l->bytes[index] = malloc(size ? size : 1);
	assert_non_null(l->bytes[index]);
	memcpy(l->bytes[index], l->good[index], size);
	l->file[index].bytes = l->bytes[index];
	l->file[index].size = size;
}

static void load(struct loaded *l, const char *folder_file, const char *path)
{
	char whole[PATH_SIZE];
	size_t i = l->count++;

	l->good[i] = read_all(data_path(whole, sizeof(whole), folder_file), &l->file[i].size);
	l->file[i].path = path;
	set_bytes(l, i, l->file[i].size);
}

static void unload(struct loaded *l)
{
	for (size_t i = 0; i < l->count; i++) {
		free(l->bytes[i]);
		free(l->good[i]);
	}
}

static void damage(struct loaded *l, const char *prefix, size_t index, size_t readable)
{
	size_t size = l->file[index].size;

	assert_int_equal(read_everything(prefix, l, false), readable);
	for (size_t i = 0; i < size; i++) {
		set_bytes(l, index, i);
		assert_true(read_everything(prefix, l, false) < readable);
	}
	for (size_t bit = 0; bit < 8 * size; bit++) {
		set_bytes(l, index, size);
		l->bytes[index][bit / 8] ^= (char)(unsigned char)(1u << bit % 8);
		assert_true(read_everything(prefix, l, false) <= readable);
		read_everything(prefix, l, true);
	}
	set_bytes(l, index, size);
}

TEST(damaged_index_of_v2)
{
	struct loaded l = {.count = 0};

	load(&l, "ckpt_kinds/v2.index", "x.index");
	load(&l, "ckpt_kinds/v2.data-00000-of-00001", "x.data-00000-of-00001");
	damage(&l, "x", 0, 14);
	unload(&l);
}

TEST(damaged_table_of_v1)
{
	struct loaded l = {.count = 0};

	load(&l, "ckpt_kinds/v1_sharded-00001-of-00002", "x-1");
	damage(&l, "x", 0, 5); /* dbl, empty, i64, scope/deep/w, vec; not h and part */
	unload(&l);
}

TEST(damaged_packed_tables)
{
	struct loaded v1 = {.count = 0}, v2 = {.count = 0};

	load(&v1, "ckpt_snappy/v1_sharded-00001-of-00002", "x-1");
	damage(&v1, "x", 0, 5);
	unload(&v1);
	load(&v2, "ckpt_snappy/v2.index", "x.index");
	load(&v2, "ckpt_snappy/v2.data-00000-of-00001", "x.data-00000-of-00001");
	damage(&v2, "x", 0, 14);
	unload(&v2);
}

/* Every flip in the data of V2 is seen, and spoils one variable only. */
TEST(damaged_data_of_v2)
{
	struct loaded l = {.count = 0};

	load(&l, "ckpt_kinds/v2.index", "x.index");
	load(&l, "ckpt_kinds/v2.data-00000-of-00001", "x.data-00000-of-00001");
	for (size_t i = 0; i < 519; i++) { /* up to zeros, which begins there */
		set_bytes(&l, 1, l.file[1].size);
		l.bytes[1][i] ^= 4;
		assert_int_equal(read_everything("x", &l, false), 13);
	}
	unload(&l);
}
