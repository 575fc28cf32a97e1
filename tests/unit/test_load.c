/* From paths to profiles: folders, twins, order, what is skipped and what is an error, gzip,
 * --from. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "ingest/load.h"
#include "tests/unit/encode.h"
#include "tests/unit/test.h"

#define MOST 16

/* A folder of its own for each test, entered; everything is removed by name at the end. */
struct place {
	char folder[64];
	char made[64][64];
	size_t count;
};

static int enter(void **state)
{
	struct place *at = calloc(1, sizeof(*at));

	snprintf(at->folder, sizeof(at->folder), "test_load.XXXXXX");
	if (!at || !mkdtemp(at->folder) || chdir(at->folder))
		return -1;
	*state = at;
	return 0;
}

static int leave(void **state)
{
	struct place *at = *state;

	while (at->count > 0)
		if (remove(at->made[--at->count]))
			return -1;
	if (chdir("..") || rmdir(at->folder))
		return -1;
	free(at);
	return 0;
}

static void made(struct place *at, const char *path)
{
	assert_true(at->count < 64);
	snprintf(at->made[at->count++], sizeof(at->made[0]), "%s", path);
}

static void make_folder(struct place *at, const char *path)
{
	assert_int_equal(mkdir(path, 0700), 0);
	made(at, path);
}

static void make_file(struct place *at, const char *path, const void *bytes, size_t size)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
	made(at, path);
}

static size_t load_data(const char *name, char *bytes, size_t room)
{
	char path[1024];
	FILE *f = fopen(data_path(path, sizeof(path), name), "rb");

	assert_non_null(f);
	size_t size = fread(bytes, 1, room, f);

	fclose(f);
	return size;
}

/* A copy of a file of the test data. */
static void copy_file(struct place *at, const char *path, const char *name)
{
	static char bytes[100000];

	make_file(at, path, bytes, load_data(name, bytes, sizeof(bytes)));
}

static struct loaded *load_from(const char *from, struct error *err, const char *first, ...)
{
	struct load_options opt = {.read = read_options_default};
	const char *paths[MOST];
	size_t count = 0;
	va_list args;

	*err = (struct error){.kind = ERROR_NONE};
	if (from)
		opt.from = reader_find(from, err);
	va_start(args, first);
	for (const char *path = first; path; path = va_arg(args, const char *))
		paths[count++] = path;
	va_end(args);
	return load_inputs(paths, count, &opt, err);
}

#define load(err, ...) load_from(NULL, err, __VA_ARGS__, NULL)

static void profile_is(const struct loaded *l, size_t index, const char *path, const char *group)
{
	assert_true(index < l->count);
	assert_string_equal(l->profile[index]->path, path);
	if (group)
		assert_string_equal(l->profile[index]->group, group);
	else
		assert_null(l->profile[index]->group);
	assert_string_equal(l->profile[index]->format, "tfprof");
	assert_string_equal(l->profile[index]->format_title, "TensorFlow profile");
}

#define in_a_folder(name) TEST_WITH(name, enter, leave)

in_a_folder(natural_order_whatever_was_typed)
{
	struct error err;

	copy_file(*state, "profile_10", "tfprof/odd/names");
	copy_file(*state, "profile_9", "tfprof/odd/loops");
	copy_file(*state, "profile_100", "tfprof/mnist_softmax_20.gz");
	struct loaded *l = load(&err, "profile_100", "profile_10", "profile_9");

	assert_non_null(l);
	assert_int_equal(l->count, 3);
	profile_is(l, 0, "profile_9", NULL);
	profile_is(l, 1, "profile_10", NULL);
	profile_is(l, 2, "profile_100", NULL);
	assert_int_equal(l->profile[2]->step_count, 19);
	assert_int_equal(l->skipped_count, 0);
	loaded_free(l);
	loaded_free(NULL);
}

in_a_folder(folder_with_everything_around_it)
{
	struct error err;

	make_folder(*state, "runs");
	make_folder(*state, "runs/b");
	make_folder(*state, "runs/.hidden");
	copy_file(*state, "runs/profile_1", "tfprof/synth_1");
	copy_file(*state, "runs/b/profile_1", "tfprof/odd/names");
	copy_file(*state, "runs/.hidden/profile_1", "tfprof/odd/names");
	copy_file(*state, "runs/.profile_2", "tfprof/odd/names");
	copy_file(*state, "runs/graph.pb", "detect/graph");
	make_file(*state, "runs/trace.xlsx", "PK\x03\x04[Content_Types].xml", 23);
	make_file(*state, "runs/notes.txt", "hello\n", 6);
	make_file(*state, "runs/empty", "", 0);
	assert_int_equal(mkfifo("runs/pipe", 0600), 0);
	made(*state, "runs/pipe");
	assert_int_equal(symlink("nowhere", "runs/link"), 0);
	made(*state, "runs/link");
	assert_int_equal(symlink("..", "runs/b/up"), 0); /* a circle */
	made(*state, "runs/b/up");
	struct loaded *l = load(&err, "runs//");

	assert_non_null(l);
	assert_int_equal(l->count, 2);
	profile_is(l, 0, "runs/b/profile_1", "runs/b");
	profile_is(l, 1, "runs/profile_1", "runs");
	const char *const expected[][2] = {
		{"runs/link", "No such file or directory"},
		{"runs/pipe", "not a regular file"},
		{"runs/empty", "empty file"},
		{"runs/graph.pb", "a TensorFlow graph (GraphDef), which holds no measurements"},
		{"runs/notes.txt", "text of an unknown kind"},
		{"runs/trace.xlsx", "an XLSX workbook, which this version does not read yet"},
	};

	assert_int_equal(l->skipped_count, 6);
	for (size_t i = 0; i < 6; i++) {
		assert_string_equal(l->skipped[i].path, expected[i][0]);
		assert_string_equal(l->skipped[i].reason, expected[i][1]);
		assert_true(l->skipped[i].companion == (i == 3));
	}
	loaded_free(l);
}

in_a_folder(twins_are_read_once)
{
	struct error err;

	make_folder(*state, "runs");
	copy_file(*state, "runs/profile_1", "tfprof/synth_1");
	assert_int_equal(symlink("profile_1", "runs/profile_2"), 0);
	made(*state, "runs/profile_2");
	struct loaded *l = load(&err, "runs/profile_1", "./runs/profile_1", "runs", "runs/");

	assert_non_null(l);
	assert_int_equal(l->count, 1);
	profile_is(l, 0, "./runs/profile_1", "runs");
	loaded_free(l);
	copy_file(*state, "runs/profile_3", "tfprof/synth_1"); /* a copy is another file */
	l = load(&err, "runs");
	assert_non_null(l);
	assert_int_equal(l->count, 2);
	loaded_free(l);
}

static void fails(const char *from, const char *path, enum error_kind kind, const char *place,
	const char *message)
{
	struct error err;

	assert_null(load_from(from, &err, path, NULL));
	assert_int_equal(err.kind, kind);
	assert_string_equal(err.place, place);
	assert_string_equal(err.message, message);
}

in_a_folder(named_file_must_be_a_profile)
{
	struct error err;

	copy_file(*state, "graph.pb", "detect/graph");
	make_file(*state, "book.xlsx", "PK\x03\x04 [Content_Types].xml", 24);
	make_file(*state, "x", "", 0);
	make_file(*state, "garbage", "\xff\xfe not a profile", 16);
	make_file(*state, "cut.gz", "\x1f\x8b\x08\0\0\0\0\0\0\x03\x01\x02", 12);
	fails(NULL, "graph.pb", ERROR_INPUT, "graph.pb",
		"a TensorFlow graph (GraphDef), which holds no measurements");
	fails(NULL, "book.xlsx", ERROR_INPUT, "book.xlsx",
		"an XLSX workbook, which this version does not read yet");
	fails(NULL, "x", ERROR_INPUT, "x", "empty file");
	fails(NULL, "garbage", ERROR_INPUT, "garbage", "binary data of an unknown kind");
	fails(NULL, "cut.gz", ERROR_INPUT, "cut.gz:byte 12", "the gzip data end too early");
	fails(NULL, "no/file", ERROR_INPUT, "no/file", "cannot open: No such file or directory");
	assert_null(load(&err, "graph.pb"));
	assert_non_null(strstr(err.hint, "stepstat run_meta_N --graph=FILE; or give the profile"));
	assert_null(load(&err, "book.xlsx"));
	assert_non_null(strstr(err.hint, "save the sheet as CSV"));
}

in_a_folder(from_overrides_the_detection)
{
	struct error err;

	copy_file(*state, "profile_1", "tfprof/odd/names");
	make_file(*state, "garbage", "\xff\xfe not a profile", 16);
	fails("tfprof", "garbage", ERROR_INPUT, "garbage:byte 0", "damaged inside the profile");
	fails("xlsx", "garbage", ERROR_USAGE, "--from",
		"\"xlsx\" is recognised, but this version does not read it yet");
	struct loaded *l = load_from("tfprof", &err, ".", NULL); /* folders still choose */

	assert_non_null(l);
	assert_int_equal(l->count, 1);
	assert_int_equal(l->skipped_count, 1);
	assert_string_equal(l->skipped[0].reason, "not --from=tfprof");
	loaded_free(l);
}

in_a_folder(broken_profile_in_a_folder_is_a_loss)
{
	char bytes[20000];
	size_t size = load_data("tfprof/synth_1", bytes, sizeof(bytes));

	make_folder(*state, "runs");
	copy_file(*state, "runs/profile_1", "tfprof/synth_1");
	make_file(*state, "runs/profile_2", bytes, size - 5000);
	struct error err;
	struct loaded *loaded = load(&err, "runs");

	assert_non_null(loaded);
	assert_int_equal(loaded->count, 1);
	assert_int_equal(loaded->skipped_count, 1);
	assert_true(loaded->skipped[0].broken);
	assert_string_equal(loaded->skipped[0].path, "runs/profile_2");
	assert_non_null(strstr(loaded->skipped[0].reason, ": ends inside "));
	loaded_free(loaded);
	/* Nothing else is there. */
	make_folder(*state, "only");
	make_file(*state, "only/profile_2", bytes, size - 5000);
	assert_null(load(&err, "only"));
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_int_equal(strncmp(err.place, "only/profile_2:byte ", 20), 0);
	assert_int_equal(strncmp(err.message, "ends inside ", 12), 0);
}

/* Bytes or name tell that a file is a cut one: xxd and the formats' own pages say what they begin
 * with. */
in_a_folder(beginnings_under_any_name)
{
	static const struct {
		const char *name, *bytes;
		size_t size;
		bool is_lost;
	} files[] = {{"runs/a1", "SQLite for", 10, true}, {"runs/a2", "PAR1", 4, true},
		{"runs/a3", "\n\x0cstepstat.obs", 14, true}, {"runs/a4", "{\"traceEv", 9, true},
		{"runs/a5", "[\n{\"cat\" :", 11, true},
		{"runs/a6", "\x0a\xd1\x3f\x0a\xce\x3f\x0a\x2c/jo", 11, true}, /* RunMetadata */
		{"runs/a7", "\x0a\xff\xa0\x03\x12\x0e/hos", 10, true},	      /* XSpace */
		{"runs/a8", "\x0a\xbf\x03\x08\xe5\x01\x12\xb9\x03\x0a#v", 12, true},
		{"runs/a9.gz", "\x1f", 1, true},
		{"runs/b1", "\x1f\x8b\x08\0\0\0\0\0\0\x03\x01\x02", 12, true},
		{"runs/b2.PT.TRACE.JSON.GZ", "", 0, true}, {"runs/b3.CSV", "", 0, true},
		{"runs/B4.Json", "", 0, true}, {"runs/PROFILE_9", "", 0, true},
		{"runs/c1", "", 0, false}, {"runs/c2", "\n\n\n\n\n\n\n\n", 8, false},
		{"runs/c3", "[section]\nkey = {", 17, false},
		{"runs/c4", "\n\xd0\x9f\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82", 13, false},
		{"runs/c5.md", "# {\"not\": [", 12, false}, {"runs/c6", "{\"a\": [1]}", 10, false}};
	struct error err;
	struct loaded *l;
	size_t lost = 0;

	make_folder(*state, "runs");
	copy_file(*state, "runs/profile_1", "tfprof/synth_1");
	copy_file(*state, "runs/.profile_2.tmp-abc234", "tfprof/synth_1"); /* being written */
	copy_file(*state, "runs/profile_3.tmp-abc234", "tfprof/synth_1");
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		make_file(*state, files[i].name, files[i].bytes, files[i].size);
	l = load(&err, "runs");
	assert_non_null(l);
	assert_int_equal(l->count, 1);
	for (size_t k = 0; k < l->skipped_count; k++)
		for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
			if (strcmp(l->skipped[k].path, files[i].name) == 0) {
				if (l->skipped[k].broken != files[i].is_lost)
					print_message("%s\n", files[i].name);
				assert_int_equal(l->skipped[k].broken, files[i].is_lost);
				lost += files[i].is_lost;
			}
	assert_int_equal(lost, 14);
	loaded_free(l);
}

in_a_folder(profile_without_steps)
{
	struct text t, entry, node;
	struct error err;

	text_init(&t);
	text_init(&entry);
	text_init(&node);
	put_string(&node, 1, "a");
	put_string(&node, 9, "Const");
	put_message(&entry, 2, &node);
	put_message(&t, 1, &entry);
	make_folder(*state, "runs");
	make_file(*state, "runs/profile_0", t.data, t.size);
	fails(NULL, "runs/profile_0", ERROR_INPUT, "runs/profile_0",
		"no step was traced: 1 op and not one execution");
	assert_null(load(&err, "runs/profile_0"));
	assert_non_null(strstr(err.hint, "trace_steps"));
	copy_file(*state, "runs/profile_1", "tfprof/synth_1");
	struct loaded *l = load(&err, "runs"); /* beside others it is left out, and said */

	assert_non_null(l);
	assert_int_equal(l->count, 1);
	assert_int_equal(l->skipped_count, 1);
	assert_string_equal(l->skipped[0].reason, "no step was traced");
	loaded_free(l);
	text_release(&t);
	text_release(&entry);
	text_release(&node);
}

in_a_folder(folder_without_profiles)
{
	struct error err;

	make_folder(*state, "runs");
	assert_null(load(&err, "runs"));
	assert_string_equal(err.place, "runs");
	assert_string_equal(err.message, "no files there");
	make_file(*state, "runs/a.xlsx", "PK\x03\x04[Content_Types].xml", 23);
	make_file(*state, "runs/b.xlsx", "PK\x03\x04[Content_Types].xml", 23);
	copy_file(*state, "runs/c.pb", "detect/graph");
	assert_null(load(&err, "runs"));
	assert_string_equal(err.message,
		"no profile among 3 files (a.xlsx and 1 like it: an XLSX workbook, which this "
		"version does not read yet; c.pb: a TensorFlow graph (GraphDef), which holds no "
		"measurements)");
	assert_non_null(strstr(err.hint, "stepstat formats"));
}

in_a_folder(standard_input)
{
	struct error err;
	int saved = dup(STDIN_FILENO);

	copy_file(*state, "p.gz", "tfprof/mnist_softmax_20.gz");
	int fd = open("p.gz", O_RDONLY);

	assert_true(fd >= 0 && saved >= 0);
	assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO);
	struct loaded *l = load(&err, "-", "-");

	assert_non_null(l);
	assert_int_equal(l->count, 1);
	profile_is(l, 0, "standard input", NULL);
	assert_int_equal(l->profile[0]->step_count, 19);
	loaded_free(l);
	close(fd);
	assert_int_equal(dup2(saved, STDIN_FILENO), STDIN_FILENO);
	close(saved);
}
