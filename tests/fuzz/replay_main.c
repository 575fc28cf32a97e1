/* A plain main for a fuzz target, so that its corpus is a regression test without a fuzzing engine.
 * Replays each file as it is, cut at several places, and with single bytes changed; says so in
 * TAP. */
#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define VARIANTS 64
#define VARIANT_BYTES_MAX 65536 /* larger files are replayed only as they are */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A copy of exactly `size` bytes, so that the address sanitizer sees a read past the end. */
static void run_copy(const uint8_t *data, size_t size, size_t change_at, uint8_t change)
{
	uint8_t *copy = malloc(size ? size : 1);

	if (!copy)
		abort();
	if (size)
		memcpy(copy, data, size);
	if (change_at < size)
		copy[change_at] ^= change;
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static void run_variants(const uint8_t *data, size_t size)
{
	uint32_t random = 2463534242u; /* xorshift (Marsaglia 2003): the same variants each time */

	for (size_t i = 0; i < VARIANTS && i < size; i++) {
		random ^= random << 13;
		random ^= random >> 17;
		random ^= random << 5;
		run_copy(data, size < VARIANTS ? i : size * i / VARIANTS, SIZE_MAX, 0);
		run_copy(data, size, random % size, (uint8_t)(1u << (random >> 8) % 8));
	}
}

static int replay_file(const char *path)
{
	FILE *in = fopen(path, "rb");
	uint8_t *data = NULL;
	size_t size = 0, room = 0, got = 1;

	if (!in)
		return -1;
	while (got > 0) {
		if (size == room) {
			room = room ? 2 * room : VARIANT_BYTES_MAX;
			data = realloc(data, room);
			if (!data)
				abort();
		}
		got = fread(data + size, 1, room - size, in);
		size += got;
	}
	if (ferror(in) | fclose(in)) {
		free(data);
		return -1;
	}
	run_copy(data, size, SIZE_MAX, 0);
	if (size <= VARIANT_BYTES_MAX)
		run_variants(data, size);
	free(data);
	return 0;
}

/* Counts the files replayed; -1 when one of them, or the folder, cannot be read. */
static int replay_path(const char *path)
{
	struct stat st;
	struct dirent **entry;
	int names, files = 0;

	if (stat(path, &st))
		return -1;
	if (!S_ISDIR(st.st_mode))
		return replay_file(path) ? -1 : 1;
	names = scandir(path, &entry, NULL, alphasort);
	if (names < 0)
		return -1;
	for (int i = 0; i < names; i++) {
		char inner[4096];
		int n = -1;

		if (entry[i]->d_name[0] == '.')
			n = 0;
		else if (snprintf(inner, sizeof(inner), "%s/%s", path, entry[i]->d_name) <
			 (int)sizeof(inner))
			n = replay_path(inner);
		files = n < 0 || files < 0 ? -1 : files + n;
		free(entry[i]);
	}
	free(entry);
	return files;
}

static void report(int number, const char *path, int files)
{
	if (files > 0)
		printf("ok %d - replayed %d files of %s\n", number, files, path);
	else
		printf("not ok %d - %s: %s\n", number, path, files ? "not readable" : "no files");
}

/* Without arguments: the corpus of the target, by the program's own name (fuzz_X). */
int main(int argc, char **argv)
{
	const char *top = getenv("top_srcdir"), *name = strrchr(argv[0], '/');
	char corpus[4096];

	printf("1..%d\n", argc > 1 ? argc - 1 : 1);
	fflush(stdout);
	for (int i = 1; i < argc; i++)
		report(i, argv[i], replay_path(argv[i]));
	if (argc > 1)
		return 0;
	name = name ? name + 1 : argv[0];
	if (!strncmp(name, "fuzz_", 5))
		name += 5;
	snprintf(corpus, sizeof(corpus), "%s/tests/fuzz/corpus/%s", top ? top : ".", name);
	report(1, name, replay_path(corpus));
	return 0;
}
