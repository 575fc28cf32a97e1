/* The stream: file and memory, gzip in all its states, taking, skipping, offsets. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>
#include "ingest/input/input.h"
#include "tests/unit/test.h"

#define SIZE ((size_t)3000000)

struct fixture {
	unsigned char *plain; /* SIZE bytes that hardly shrink */
	unsigned char *packed;
	size_t packed_size;
	char path[64];
};

static size_t pack(const unsigned char *bytes, size_t size, unsigned char *out, size_t room)
{
	z_stream z = {0};

	assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	z.next_in = (unsigned char *)(uintptr_t)bytes;
	z.avail_in = (uInt)size;
	z.next_out = out;
	z.avail_out = (uInt)room;
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	size_t packed = room - z.avail_out;

	deflateEnd(&z);
	return packed;
}

static void write_file(const char *path, const void *bytes, size_t size)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
}

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	uint32_t random = 2463534242u;

	f->plain = malloc(SIZE);
	for (size_t i = 0; i < SIZE; i++) {
		random ^= random << 13;
		random ^= random >> 17;
		random ^= random << 5;
		f->plain[i] = (unsigned char)random;
	}
	f->packed = malloc(2 * SIZE);
	f->packed_size = pack(f->plain, SIZE, f->packed, 2 * SIZE);
	snprintf(f->path, sizeof(f->path), "test_input.%ld.tmp", (long)getpid());
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	unlink(f->path);
	free(f->plain);
	free(f->packed);
	free(f);
	return 0;
}

/* The next n bytes by takes of what is left of them. */
static void take(struct fixture *f, struct input *in, size_t at, size_t n)
{
	unsigned char *to = malloc(n + 1);
	struct error err = {.kind = ERROR_NONE};

	to[n] = 'x';
	for (size_t have = 0, got = 1; have < n; have += got) {
		assert_int_equal(input_take(in, to + have, n - have, &got, &err), 0);
		assert_true(got > 0 && got <= n - have);
	}
	assert_memory_equal(to, f->plain + at, n);
	assert_int_equal(to[n], 'x');
	free(to);
}

/* Reads everything by takes of many sizes, peeks and skips. */
static void read_all(struct fixture *f, struct input *in)
{
	const size_t sizes[] = {1, 7, 0, 300000, 63, 1200000, 4096, 65536};
	struct error err = {.kind = ERROR_NONE};
	const unsigned char *bytes;
	unsigned char last;
	size_t at = 0, size;

	assert_non_null(in);
	for (size_t i = 0; at < SIZE; i++) {
		size_t n = sizes[i % 8] < SIZE - at ? sizes[i % 8] : SIZE - at;

		assert_int_equal(input_offset(in), at);
		if (i % 3 == 0) {
			assert_int_equal(input_peek(in, 20, &bytes, &size, &err), 0);
			assert_true(size >= 20 || size == SIZE - at);
			assert_memory_equal(bytes, f->plain + at, size);
		}
		if (i % 5 == 4) {
			assert_int_equal(input_discard(in, n, "it", &err), 0);
		} else if (i % 7 == 3) {
			take(f, in, at, n);
		} else {
			assert_int_equal(input_read(in, n, SIZE, "it", &bytes, &err), 0);
			assert_memory_equal(bytes, f->plain + at, n);
		}
		at += n;
	}
	assert_int_equal(input_peek(in, 20, &bytes, &size, &err), 0);
	assert_int_equal(size, 0);
	assert_int_equal(input_take(in, &last, 1, &size, &err), 0);
	assert_int_equal(size, 0);
	assert_int_equal(input_read(in, 0, SIZE, "it", &bytes, &err), 0);
	assert_int_equal(input_read(in, 1, SIZE, "it", &bytes, &err), -1);
	input_close(in);
}

TEST(memory_and_file_plain_and_packed)
{
	struct fixture *f = *state;
	struct error err = {.kind = ERROR_NONE};

	read_all(f, input_memory(f->plain, SIZE, "memory"));
	read_all(f, input_memory(f->packed, f->packed_size, "memory"));
	write_file(f->path, f->plain, SIZE);
	read_all(f, input_open(f->path, &err));
	write_file(f->path, f->packed, f->packed_size);
	read_all(f, input_open(f->path, &err));
	assert_int_equal(err.kind, ERROR_NONE);
}

TEST(several_members_are_one_stream)
{
	struct fixture *f = *state;
	unsigned char *both = malloc(3 * SIZE);
	size_t size = 0, third = SIZE / 3;
	struct error err = {.kind = ERROR_NONE};

	for (size_t i = 0; i < 3; i++)
		size += pack(f->plain + i * third, third, both + size, 3 * SIZE - size);
	size += pack(f->plain, 0, both + size, 3 * SIZE - size); /* an empty one */
	memset(both + size, 0, 1000);				 /* and padding */
	struct input *in = input_memory(both, size + 1000, "memory");

	assert_true(input_is_gzip(in));
	read_all(f, in);
	write_file(f->path, both, size + 1000);
	in = input_open(f->path, &err);
	read_all(f, in);
	free(both);
}

TEST(bytes_after_the_gzip_data_are_reported)
{
	struct fixture *f = *state;
	const char *const tails[] = {"garbage", "\x1f", "\0\0\0x"};
	const size_t sizes[] = {7, 1, 4};
	struct error err = {.kind = ERROR_NONE};

	for (size_t i = 0; i < 3; i++) {
		memcpy(f->packed + f->packed_size, tails[i], sizes[i]);
		struct input *in = input_memory(f->packed, f->packed_size + sizes[i], "memory");

		assert_int_equal(input_discard(in, SIZE, "it", &err), 0);
		const unsigned char *bytes;
		size_t size;

		assert_int_equal(input_peek(in, 1, &bytes, &size, &err), 0);
		assert_int_equal(size, 0);
		assert_true(input_trailing_garbage(in));
		input_close(in);
	}
	struct input *in = input_memory(f->packed, f->packed_size, "memory");

	assert_int_equal(input_discard(in, SIZE, "it", &err), 0);
	assert_int_equal(input_discard(in, 1, "it", &err), -1);
	assert_false(input_trailing_garbage(in));
	input_close(in);
}

TEST(truncated_gzip_is_an_error)
{
	struct fixture *f = *state;
	const size_t cuts[] = {
		2, 9, 10, 1000, f->packed_size / 2, f->packed_size - 8, f->packed_size - 1};

	for (size_t i = 0; i < 7; i++) {
		struct error err = {.kind = ERROR_NONE};
		struct input *in = input_memory(f->packed, cuts[i], "cut.gz");
		char place[64];

		assert_int_equal(input_discard(in, SIZE + 1, "it", &err), -1);
		assert_int_equal(err.kind, ERROR_INPUT);
		assert_string_equal(err.message, "the gzip data end too early");
		snprintf(place, sizeof(place), "cut.gz:byte %zu", cuts[i]);
		assert_string_equal(err.place, place);
		input_close(in);
	}
}

TEST(changed_gzip_is_an_error)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < 50; i++) {
		struct error err = {.kind = ERROR_NONE};
		size_t at = 10 + i * (f->packed_size - 20) / 50;
		struct input *in;

		f->packed[at] ^= 0x10;
		in = input_memory(f->packed, f->packed_size, "bad.gz");
		if (input_discard(in, SIZE, "it", &err) == 0)
			input_discard(in, 1, "it", &err);
		assert_int_equal(err.kind, ERROR_INPUT);
		input_close(in);
		f->packed[at] ^= 0x10;
	}
	struct error err = {.kind = ERROR_NONE};
	struct input *in;

	f->packed[f->packed_size - 6] ^= 1; /* the checksum itself */
	in = input_memory(f->packed, f->packed_size, "bad.gz");
	assert_int_equal(input_discard(in, SIZE + 1, "it", &err), -1);
	assert_string_equal(err.message, "the gzip data are damaged: wrong checksum");
	input_close(in);
	f->packed[f->packed_size - 6] ^= 1;
}

TEST(ends_inside_and_cap)
{
	struct fixture *f = *state;
	struct error err = {.kind = ERROR_NONE};
	const unsigned char *bytes;
	struct input *in = input_memory(f->plain, 100, "short");

	assert_int_equal(input_read(in, 40, 100, "a node", &bytes, &err), 0);
	assert_int_equal(input_read(in, 61, 100, "a node", &bytes, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_string_equal(err.place, "short:byte 100");
	assert_string_equal(err.message, "ends inside a node");
	assert_int_equal(input_read(in, 50, 49, "a node", &bytes, &err), -1);
	assert_int_equal(err.kind, ERROR_LIMIT);
	assert_string_equal(err.place, "short:byte 40");
	assert_string_equal(err.message, "50 bytes for a node, at most 49 are allowed");
	assert_non_null(strstr(err.hint, "max-record"));
	assert_int_equal(input_read(in, 60, 100, "a node", &bytes, &err), 0);
	assert_memory_equal(bytes, f->plain + 40, 60);
	input_close(in);
	/* A promise of much more than there is costs no memory. */
	in = input_memory(f->packed, f->packed_size, "short");
	assert_int_equal(input_read(in, (size_t)1 << 60, SIZE_MAX, "a node", &bytes, &err), -1);
	assert_string_equal(err.message, "ends inside a node");
	assert_int_equal(input_discard(in, UINT64_MAX, "a node", &err), -1);
	input_close(in);
}

TEST(what_cannot_be_opened)
{
	struct error err = {.kind = ERROR_NONE};

	assert_null(input_open("no/such/file", &err));
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_string_equal(err.place, "no/such/file");
	assert_string_equal(err.message, "cannot open: No such file or directory");
	assert_null(input_open(".", &err));
	assert_string_equal(err.message, "is a folder, expected a file");
	input_close(NULL);
}

TEST(seeks_over_big_parts)
{
	struct fixture *f = *state;
	struct error err = {.kind = ERROR_NONE};
	const unsigned char *bytes;

	write_file(f->path, f->plain, SIZE);
	struct input *in = input_open(f->path, &err);

	assert_non_null(in);
	assert_int_equal(input_read(in, 10, 100, "it", &bytes, &err), 0);
	assert_int_equal(input_discard(in, 2500000, "it", &err), 0);
	assert_int_equal(input_offset(in), 2500010);
	assert_int_equal(input_read(in, 10, 100, "it", &bytes, &err), 0);
	assert_memory_equal(bytes, f->plain + 2500010, 10);
	assert_int_equal(input_discard(in, SIZE, "it", &err), -1);
	assert_non_null(strstr(err.place, ":byte 3000000"));
	input_close(in);
}

#define MEMBERS 6 /* of SIZE bytes: long enough to be unpacked in a thread */

/* Reads up to `most` bytes as windows of the size that parsers want, each but a rest of 1 to 999
 * bytes of it. Returns how many; *status is that of the last peek. */
static size_t read_windows(
	struct fixture *f, struct input *in, size_t most, int *status, struct error *err)
{
	size_t at = 0;

	while (at < most) {
		const unsigned char *bytes;
		size_t size;

		*status = input_peek(in, (size_t)1 << 20, &bytes, &size, err);
		if (*status) /* what came before the damage can be had */
			*status = input_peek(in, 1, &bytes, &size, err);
		if (*status || size == 0)
			break;
		assert_int_equal(input_offset(in), at);
		for (size_t i = 0; i < size;) {
			size_t from = (at + i) % SIZE,
			       n = SIZE - from < size - i ? SIZE - from : size - i;

			assert_memory_equal(bytes + i, f->plain + from, n);
			i += n;
		}
		size_t rest = size > 1000 ? at % 999 + 1 : 0;

		input_skip(in, size - rest);
		at += size - rest;
	}
	return at;
}

/* Six times the data, gzipped each for itself, one after the other. */
static unsigned char *long_stream(const struct fixture *f)
{
	unsigned char *all = malloc(MEMBERS * f->packed_size + 10);

	assert_non_null(all);
	for (size_t i = 0; i < MEMBERS; i++)
		memcpy(all + i * f->packed_size, f->packed, f->packed_size);
	return all;
}

TEST(a_long_stream_is_unpacked_ahead)
{
	struct fixture *f = *state;
	struct error err = {.kind = ERROR_NONE};
	unsigned char *all = long_stream(f);
	size_t size = MEMBERS * f->packed_size;
	_Atomic uint64_t counter = 0;
	int status;

	memcpy(all + size, "garbage", 7);
	write_file(f->path, all, size + 7);
	struct input *in = input_open(f->path, &err);

	assert_non_null(in);
	input_count(in, &counter);
	assert_int_equal(read_windows(f, in, SIZE_MAX, &status, &err), MEMBERS * SIZE);
	assert_int_equal(status, 0);
	assert_true(input_trailing_garbage(in));
	assert_in_range(counter, size - 1000000, size + 7); /* all but the first block */
	input_close(in);
	in = input_memory(all, size, "memory");
	assert_int_equal(read_windows(f, in, SIZE_MAX, &status, &err), MEMBERS * SIZE);
	assert_int_equal(status, 0);
	assert_false(input_trailing_garbage(in));
	input_close(in);
	free(all);
}

TEST(a_long_stream_can_be_left_anywhere)
{
	struct fixture *f = *state;
	struct error err = {.kind = ERROR_NONE};
	unsigned char *all = long_stream(f);

	write_file(f->path, all, MEMBERS * f->packed_size);
	for (size_t i = 0; i < 40; i++) {
		struct input *in = input_open(f->path, &err);
		int status;

		assert_non_null(in);
		read_windows(f, in, i * 400000, &status, &err);
		input_close(in);
	}
	assert_int_equal(err.kind, ERROR_NONE);
	free(all);
}

/* Everything before the damage is given, then the error, again and again. */
TEST(damage_late_in_a_long_stream)
{
	struct fixture *f = *state;
	unsigned char *all = long_stream(f);
	size_t last = (MEMBERS - 1) * f->packed_size, size = last + f->packed_size;
	struct error err = {.kind = ERROR_NONE};
	struct input *in = input_memory(all, last + 1000, "cut.gz");
	char place[64];
	int status;

	assert_true(read_windows(f, in, SIZE_MAX, &status, &err) >= (MEMBERS - 1) * SIZE);
	assert_int_equal(status, -1);
	assert_string_equal(err.message, "the gzip data end too early");
	snprintf(place, sizeof(place), "cut.gz:byte %zu", last + 1000);
	assert_string_equal(err.place, place);
	memset(&err, 0, sizeof(err));
	assert_int_equal(input_discard(in, 1, "it", &err), -1);
	assert_string_equal(err.message, "the gzip data end too early");
	input_close(in);

	all[size - 8] ^= 1;
	in = input_memory(all, size, "bad.gz");
	assert_int_equal(read_windows(f, in, SIZE_MAX, &status, &err), MEMBERS * SIZE);
	assert_int_equal(status, -1);
	assert_string_equal(err.message, "the gzip data are damaged: wrong checksum");
	snprintf(place, sizeof(place), "bad.gz:byte %zu", size - 4); /* behind the checksum */
	assert_string_equal(err.place, place);
	input_close(in);
	free(all);
}

/* Whoever writes the pipe sleeps with all of it not yet written; the reader must not wait for
 * that. */
TEST(a_pipe_that_gives_no_more_can_be_left)
{
	struct fixture *f = *state;
	struct error err = {.kind = ERROR_NONE};
	unsigned char *all = long_stream(f);
	size_t given = 5 * f->packed_size / 2;
	int ends[2], status, standard_input = dup(STDIN_FILENO);

	assert_int_equal(pipe(ends), 0);
	pid_t writer = fork();

	assert_true(writer >= 0);
	if (writer == 0) {
		close(ends[0]);
		for (size_t at = 0; at < given;) {
			ssize_t n = write(ends[1], all + at, given - at);

			if (n <= 0)
				_exit(1);
			at += (size_t)n;
		}
		pause();
		_exit(0);
	}
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	alarm(60); /* kills a test that hangs */
	struct input *in = input_open("-", &err);

	assert_non_null(in);
	size_t had = read_windows(f, in, 4400000, &status, &err);

	assert_in_range(had, 4400000, 5 * SIZE / 2);
	assert_int_equal(status, 0);
	input_close(in);
	alarm(0);
	kill(writer, SIGKILL);
	waitpid(writer, NULL, 0);
	dup2(standard_input, STDIN_FILENO);
	close(standard_input);
	free(all);
}

/* A file, bytes in memory, and what has to be unpacked first: all can be read at offsets. */
TEST(any_input_is_read_at_offsets)
{
	struct fixture *f = *state;
	struct error err = {.kind = ERROR_NONE};
	const unsigned char *peeked;
	unsigned char bytes[1000];
	size_t size;

	write_file(f->path, f->plain, SIZE);
	for (size_t i = 0; i < 3; i++) {
		struct input *in = i == 0   ? input_open(f->path, &err)
				   : i == 1 ? input_memory(f->plain, SIZE, "m")
					    : input_memory(f->packed, f->packed_size, "z");
		struct span_file file;

		assert_int_equal(input_peek(in, 70000, &peeked, &size, &err), 0);
		assert_int_equal(input_seekable(in, NULL, SIZE, &file, &err), 0);
		assert_true(file.size == SIZE);
		for (size_t at = SIZE - 1000; at > 0; at /= 3) {
			assert_int_equal(
				span_file_read(&file, at, bytes, sizeof(bytes), "it", &err), 0);
			assert_memory_equal(bytes, f->plain + at, sizeof(bytes));
		}
		assert_int_equal(span_file_read(&file, SIZE - 999, bytes, 1000, "it", &err), -1);
		span_file_close(&file);
		input_close(in);
	}
}

TEST(a_copy_has_bounds)
{
	struct fixture *f = *state;
	struct error err = {.kind = ERROR_NONE};
	struct input *in = input_memory(f->packed, f->packed_size, "z");
	struct span_file file;

	assert_int_equal(input_seekable(in, NULL, SIZE - 1, &file, &err), -1);
	assert_int_equal(err.kind, ERROR_LIMIT);
	input_close(in);
	in = input_memory(f->packed, f->packed_size - 9, "z");
	assert_int_equal(input_seekable(in, NULL, SIZE, &file, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	input_close(in);
	in = input_memory(f->packed, f->packed_size, "z");
	assert_int_equal(input_seekable(in, "/nowhere", SIZE, &file, &err), -1);
	assert_int_equal(err.kind, ERROR_OUTPUT);
	assert_string_equal(err.place, "/nowhere");
	input_close(in);
}

TESTS_BEGIN((tests_set_up = set_up, tests_tear_down = tear_down));
