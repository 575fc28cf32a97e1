/* The table of readers, the search by name, and the choice by content. */
#define _GNU_SOURCE /* memmem */
#include "ingest/reader.h"

#include <string.h>
#include <strings.h>
#include "base/text.h"

#define MEGABYTE ((size_t)1 << 20)
#define A_DATABASE "an SQLite database"
#define UNKNOWN_JSON "JSON of an unknown kind"
#define SUFFIX_POINTS 5

const struct read_options read_options_default = {
	.limits = PROFILE_LIMITS,
	.max_record_bytes = 64 * MEGABYTE,
	.trace = {.max_spill_bytes = (uint64_t)64 << 30},
};

#define READER(name) extern const struct reader reader_##name;
#include "ingest/readers.def"
#undef READER

const struct reader *const reader_table[] = {
#define READER(name) &reader_##name,
#include "ingest/readers.def"
#undef READER
};

#define READER_COUNT (sizeof(reader_table) / sizeof(reader_table[0]))
const size_t reader_count = READER_COUNT;

const struct reader *reader_find(const char *name, struct error *err)
{
	const char *names[READER_COUNT];
	size_t count = 0;
	int nearest;

	for (size_t i = 0; i < READER_COUNT; i++) {
		if (text_equal(name, reader_table[i]->name))
			return reader_table[i];
		if (reader_table[i]->read)
			names[count++] = reader_table[i]->name;
	}
	nearest = text_nearest(name, names, count);
	error_set(err, ERROR_USAGE, "--from", "unknown format \"%s\"", name);
	if (nearest >= 0)
		error_hint(err, "did you mean \"%s\"? `stepstat formats` lists what can be read",
			names[nearest]);
	else
		error_hint(err, "`stepstat formats` lists what can be read");
	return NULL;
}

struct look {
	const char *magic;
	size_t size;
	const char *what;
};

static const struct look look_table[] = {
	{"\x7f"
	 "ELF",
		4, "a program (ELF)"},
	{"\x89PNG", 4, "a picture (PNG)"},
	{"\xff\xd8\xff", 3, "a picture (JPEG)"},
	{"%PDF", 4, "a PDF document"},
	{"SQLite format 3", 15, A_DATABASE},
	{"\x1f\x8b", 2, "gzip data inside gzip data"},
	{"BZh", 3, "bzip2 data"},
	{"\xfd"
	 "7zXZ",
		5, "xz data"},
	{"\x28\xb5\x2f\xfd", 4, "zstd data"},
	{"PK\x03\x04", 4, "a zip archive"},
	{"#!", 2, "a script"},
};

/* A description of bytes that no reader accepts. */
static const char *describe_bytes(const struct probe *p)
{
	size_t text = 0, length;

	if (p->size == 0)
		return "empty file";
	for (size_t i = 0; i < sizeof(look_table) / sizeof(look_table[0]); i++)
		if (p->size >= look_table[i].size &&
			memcmp(p->bytes, look_table[i].magic, look_table[i].size) == 0)
			return look_table[i].what;

	/* U+FFFD in the place of bytes: something opened the file as text and saved it. */
	size_t count = 0;

	for (size_t i = 0; i + 3 <= p->size; i++)
		count += memcmp(p->bytes + i, "\xef\xbf\xbd", 3) == 0;
	if (count >= 4 && count > p->size / 100)
		return "binary data that was saved as text, which ruins it";
	while (text < p->size && p->bytes[text] != 0 &&
		(length = text_utf8_length((const char *)p->bytes + text, p->size - text)))
		text += length;
	if (text + 4 <= p->size || (text < p->size && p->whole))
		return "binary data of an unknown kind";
	size_t first = 0;

	while (first < p->size && strchr(" \t\r\n", p->bytes[first]))
		first++;
	if (first < p->size && (p->bytes[first] == '{' || p->bytes[first] == '['))
		return UNKNOWN_JSON;
	return "text of an unknown kind";
}

static bool has_set(const struct probe *p, const char *const *word)
{
	size_t i = 0;

	while (i < SIGN_WORDS && word[i] && probe_has(p, word[i]))
		i++;
	return i > 0 && (i == SIGN_WORDS || !word[i]);
}

int reader_probe(const struct reader *reader, const struct probe *p)
{
	const struct reader_signs *signs = &reader->signs;

	if (reader->probe)
		return reader->probe(p);
	if (signs->begins && !probe_begins(p, signs->begins))
		return 0;
	for (size_t i = 0; i < SIGN_SETS && signs->has[i][0]; i++)
		if (has_set(p, signs->has[i]))
			return signs->score;
	return signs->has[0][0] ? 0 : signs->score;
}

int reader_read(const struct reader *reader, struct input *in, struct profile *out,
	const struct read_options *opt, struct error *err)
{
	struct read_options own = *opt;

	own.source = reader->source;
	return reader->read(in, out, &own, err);
}

bool probe_name_ends(const char *name, const char *suffix)
{
	const size_t size = strlen(name), n = strlen(suffix);

	return size >= n && strcasecmp(name + size - n, suffix) == 0;
}

struct probe_pairs {
	bool known;
	bool has[65536];
};

static uint16_t pair_at(const void *bytes)
{
	uint16_t pair;

	memcpy(&pair, bytes, sizeof(pair));
	return pair;
}

static int reader_score(const struct reader *reader, const struct probe *p)
{
	int score = reader_probe(reader, p);

	for (size_t i = 0; score > 0 && reader->suffixes && reader->suffixes[i]; i++)
		if (p->path && probe_name_ends(p->path, reader->suffixes[i]))
			return score + SUFFIX_POINTS;
	return score;
}

const struct reader *reader_detect(const struct probe *p, struct error *err)
{
	const struct reader *best = NULL, *second = NULL;
	struct probe_pairs pairs; /* most readers look for words that are not there */
	struct probe seen = *p;
	int top = 0;

	pairs.known = false;
	seen.pairs = &pairs;
	for (size_t i = 0; i < READER_COUNT && top < 100 + SUFFIX_POINTS; i++) {
		int score = reader_score(reader_table[i], &seen);

		if (score > top) {
			top = score;
			best = reader_table[i];
			second = NULL;
		} else if (score == top && score > 0) {
			second = reader_table[i];
		}
	}
	if (!best) {
		const char *what = describe_bytes(p);

		error_set(err, ERROR_INPUT, p->path, "%s", what);
		if (p->path && probe_name_ends(p->path, ".nsys-rep")) {
			error_hint(err,
				"nsys export --type sqlite FILE makes the database that is read");
		} else if (p->size > 0) {
			/* Databases and JSON are what other profilers write. */
			bool profiler =
				text_equal(what, A_DATABASE) || text_equal(what, UNKNOWN_JSON);

			error_hint(err,
				"give a profile or a trace: `stepstat formats` lists what can be "
				"read%s",
				profiler ? "; the numbers of another profiler go in as a table: "
					   "stepstat help csv"
					 : "");
		} else if (p->path && probe_name_ends(p->path, ".json"))
			error_hint(err, "ONNX Runtime writes its profile when end_profiling() is "
					"called or the session ends, not before");
		return NULL;
	}
	if (second) {
		error_set(err, ERROR_INPUT, p->path, "may be \"%s\" or \"%s\"", best->name,
			second->name);
		error_hint(err, "say which with --from=%s or --from=%s", best->name, second->name);
		return NULL;
	}
	return best;
}

/* ---- inputs ---- */

int probe_input(struct input *in, struct probe *probe, struct error *err)
{
	*probe = (struct probe){.path = input_path(in)};
	if (input_peek(in, PROBE_BYTES, &probe->bytes, &probe->size, err) != 0)
		return -1;
	probe->whole = probe->size < PROBE_BYTES;
	probe->size = probe->size > PROBE_BYTES ? PROBE_BYTES : probe->size;
	return 0;
}

struct input *probe_file(const char *path, const char *name, struct probe *probe, struct error *err)
{
	struct input *in = input_open_as(path, name, err);

	if (in && probe_input(in, probe, err) == 0)
		return in;
	input_close(in);
	return NULL;
}

void input_report_tail(const struct input *in, struct issue_list *issues)
{
	if (input_trailing_garbage(in))
		issue_add(issues, ISSUE_LOSS, "gzip-garbage",
			"bytes after the gzip data that are not gzip, not read", 1, input_path(in));
}

/* ---- for probes ---- */

bool probe_has(const struct probe *p, const char *what)
{
	const size_t size = strlen(what);
	struct probe_pairs *pairs = p->pairs;

	if (pairs && !pairs->known) {
		memset(pairs->has, 0, sizeof(pairs->has));
		for (size_t i = 0; i + 1 < p->size; i++)
			pairs->has[pair_at(p->bytes + i)] = true;
		pairs->known = true;
	}
	for (size_t i = 0; pairs && i + 1 < size; i++)
		if (!pairs->has[pair_at(what + i)])
			return false;
	return size <= p->size && memmem(p->bytes, p->size, what, size) != NULL;
}

bool probe_begins(const struct probe *p, const char *what)
{
	size_t at = 0, size = strlen(what);

	if (p->size >= 3 && memcmp(p->bytes, "\xef\xbb\xbf", 3) == 0)
		at = 3;
	while (at < p->size && p->bytes[at] && strchr(" \t\r\n", p->bytes[at]))
		at++;
	return p->size - at >= size && strncasecmp((const char *)p->bytes + at, what, size) == 0;
}

bool probe_is_json(const struct probe *p)
{
	return probe_begins(p, "{") || probe_begins(p, "[");
}

bool probe_is_merged(const struct probe *p)
{
	return probe_begins(p, "{\"stepstat\": {\"timeline\": \"merged\", ") &&
	       probe_has(p, "\"parts\": [");
}
