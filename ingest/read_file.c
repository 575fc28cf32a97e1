/* Opens, detects and reads single files, several at a time. */
#include "ingest/read_file.h"

#include <string.h>
#include <strings.h>
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "base/threads.h"
#include "ingest/protobuf/message_shape.h"
#include "model/packed_rows.h"

#define JOBS_MOST 256
#define TOLD_BYTES 1024 /* fewer may not tell the format */
#define DATABASE_MAGIC "SQLite format 3"

static const char *article(const char *title)
{
	static const char *const vowels[] = {"A", "E", "I", "O", "XL", "XS", "XP", "HT"};

	for (size_t i = 0; i < sizeof(vowels) / sizeof(vowels[0]); i++)
		if (text_starts(title, vowels[i]))
			return "an";
	return "a";
}

static int cannot_read(const struct reader *reader, const char *path, struct error *err)
{
	const char *refusal = !reader->companion ? "which this version does not read yet"
			      : reader->refusal	 ? reader->refusal
						 : "which holds no measurements";

	error_set(err, ERROR_INPUT, path, "%s %s, %s", article(reader->title), reader->title,
		refusal);
	if (reader->advice)
		error_hint(err, "%s", reader->advice);
	return -1;
}

/* Endings that files of other programs have, too. */
static bool is_shared_suffix(const char *suffix)
{
	static const char *const shared[] = {
		".json", ".csv", ".tsv", ".db", ".sqlite", ".txt", ".pbtxt"};

	for (size_t i = 0; i < sizeof(shared) / sizeof(shared[0]); i++)
		if (text_equal(suffix, shared[i]))
			return true;
	return false;
}

/* The ending of a file that is packed, or "". Of these only gzip is unpacked. */
static const char *packing_of(const char *name)
{
	static const char *const packing[] = {".gz", ".zst", ".xz", ".bz2", ".lz4"};

	for (size_t i = 0; i < sizeof(packing) / sizeof(packing[0]); i++)
		if (probe_name_ends(name, packing[i]))
			return packing[i];
	return "";
}

/* The longest ending of the name, without that of a packing, that a format has; NULL: none. */
static const char *suffix_of(const char *name)
{
	const size_t size = strlen(name) - strlen(packing_of(name));
	const char *longest = NULL;

	for (size_t r = 0; r < reader_count; r++) {
		const char *const *suffix = reader_table[r]->suffixes;

		for (; reader_table[r]->read && suffix && *suffix; suffix++) {
			const size_t n = strlen(*suffix);

			if (n < size && strncasecmp(name + size - n, *suffix, n) == 0 &&
				(!longest || n > strlen(longest)))
				longest = *suffix;
		}
	}
	return longest;
}

/* Names that TensorFlow's examples give to files: profile_100, run_meta_7, run_meta_7.pb. */
static bool is_numbered_name(const char *name)
{
	static const char *const stem[] = {"profile_", "run_meta_", "run_metadata_"};

	for (size_t i = 0; i < sizeof(stem) / sizeof(stem[0]); i++) {
		const size_t n = strlen(stem[i]);

		if (strncasecmp(name, stem[i], n) == 0 && name[n]) {
			const char *rest = name + n + strspn(name + n, "0123456789");

			rest += strncasecmp(rest, ".pb", 3) == 0 ? 3 : 0;
			if (text_equal(rest, packing_of(name)))
				return true;
		}
	}
	return false;
}

/* True if JSON of which the whole is here ends inside of a bracket or a string. Texts begin with
 * brackets, too: without the suffix what follows has to be of JSON. */
static bool is_open_json(const struct probe *p, bool has_suffix)
{
	size_t depth = 0;
	bool in_text = false;
	unsigned char before = 0;

	for (size_t i = 0; i < p->size; i++) {
		const unsigned char c = p->bytes[i];

		if (!has_suffix && depth == 1 && before && !strchr(" \t\r\n", c)) {
			if (c != '"' && !(c == '{' && before == '['))
				return false;
			before = 0;
		}
		if (c == '"')
			in_text = !in_text;
		else if (in_text)
			i += c == '\\';
		else if (c == '{' || c == '[')
			before = depth++ ? before : c;
		else if (depth && (c == '}' || c == ']'))
			depth--;
	}
	return depth > 0;
}

/* True if a database of SQLite is shorter than its head says: 16 bytes, size of a page, at 28 the
 * number of pages. */
static bool is_cut_database(const struct probe *p)
{
	uint64_t page_bytes, pages = 0;

	if (p->size < 100)
		return true;
	page_bytes = (uint64_t)p->bytes[16] << 8 | p->bytes[17];
	for (size_t i = 28; i < 32; i++)
		pages = pages << 8 | p->bytes[i];
	return (page_bytes == 1 ? 65536 : page_bytes) * pages > p->size;
}

/* True if there are control characters that texts do not have: logs have colours. */
static bool has_binary_bytes(const struct probe *p)
{
	for (size_t i = 0; i < p->size; i++)
		if (p->bytes[i] < ' ' && !memchr("\t\n\v\f\r\x1b", p->bytes[i], 6))
			return true;
	return false;
}

/* The format by the bytes that it begins with: its name, or NULL. A part of `least` bytes does. */
static const char *magic_of(const struct probe *p, size_t least)
{
	static const char *const magic[] = {
		DATABASE_MAGIC, "PAR1", "\n\x0cstepstat.obs", "\n\x0dstepstat.part"};

	for (size_t i = 0; i < sizeof(magic) / sizeof(magic[0]); i++) {
		const size_t n = strlen(magic[i]);

		if (p->size >= least && memcmp(p->bytes, magic[i], p->size < n ? p->size : n) == 0)
			return magic[i];
	}
	return NULL;
}

/* True if a file that no reader accepts has lost its end, or all of it: by its bytes, or because
 * its name is that of a format and its bytes are neither whole nor those of something else. probe
 * is NULL for what cannot be looked at. */
static bool is_cut(const char *path, const struct probe *probe)
{
	const char *name = text_base_name(path), *suffix = suffix_of(name);
	const char *packing = packing_of(name);
	const bool is_named = suffix ? !text_equal(suffix, ".txt") : is_numbered_name(name);

	if (!probe)
		return is_named || (suffix && *packing);
	if (probe->size == 0 || (*packing && probe->size == 1 && *probe->bytes == '\x1f'))
		return is_named || *packing;
	for (size_t i = 0; i < reader_count; i++)
		if (reader_probe(reader_table[i], probe) > 0)
			return false;
	if (is_named && (!suffix || !is_shared_suffix(suffix)))
		return true;
	if (!probe->whole || (*packing && !probe_name_ends(packing, ".gz")))
		return false;
	if (suffix && (text_equal(suffix, ".csv") || text_equal(suffix, ".tsv")))
		return !memchr(probe->bytes, '\n', probe->size);
	if (suffix && text_equal(suffix, ".pbtxt"))
		return !memchr(probe->bytes, '}', probe->size);

	const char *magic = magic_of(probe, suffix ? 1 : 4);

	if (magic)
		return !text_equal(magic, DATABASE_MAGIC) || is_cut_database(probe);
	if (probe_is_json(probe))
		return is_open_json(probe, suffix && text_equal(suffix, ".json"));
	/* A text may begin with an empty line, which is the first field of these. */
	return (has_binary_bytes(probe) || (probe->size > 1 && probe->bytes[1] >= 0x80)) &&
	       shape_is_cut(probe);
}

bool attempt_is_lost(const char *path)
{
	return is_cut(path, NULL);
}

/* True if the line of the fault has no end: the text may have been cut in it, or before it. */
static bool is_fault_at_end(const struct attempt *a)
{
	const char *place =
		text_starts(a->err.place, a->path) ? a->err.place + strlen(a->path) : "";
	struct input *in = input_open(a->path, NULL);
	unsigned char bytes[4096];
	int64_t lines = 0, fault;
	size_t got = 0;
	int result;

	while (in && (result = input_take(in, bytes, sizeof(bytes), &got, NULL)) == 0 && got)
		for (size_t i = 0; i < got; i++)
			lines += bytes[i] == '\n';
	input_close(in);
	if (!in || result < 0)
		return true;
	return *place == ':' &&
	       number_parse_int(place + 1, strspn(place + 1, "0123456789"), &fault) &&
	       fault > lines;
}

/* True if what could be unpacked before the fault is of a format, or too little to tell. */
static bool begins_as_format(struct input *in)
{
	struct probe probe = {.path = input_path(in)};

	if (input_peek(in, 1, &probe.bytes, &probe.size, NULL) != 0 || probe.size < TOLD_BYTES)
		return true;
	probe.size = probe.size > PROBE_BYTES ? PROBE_BYTES : probe.size;
	for (size_t i = 0; i < reader_count; i++)
		if (reader_table[i]->read && reader_probe(reader_table[i], &probe) > 0)
			return true;
	return magic_of(&probe, 4) != NULL;
}

/* The reader for the file, or NULL with the reason. */
static const struct reader *choose_reader(
	struct attempt *a, const struct load_options *opt, struct input *in)
{
	const struct reader *reader = opt->from;
	struct probe probe;

	if (probe_input(in, &probe, &a->err) != 0) {
		a->cut = attempt_is_lost(a->path) || begins_as_format(in);
		return NULL;
	}

	const char *name = text_base_name(a->path), *suffix = suffix_of(name);

	a->is_text = probe.size > 0 && !has_binary_bytes(&probe) && !probe_is_json(&probe) &&
		     !magic_of(&probe, 4) && !is_numbered_name(name) &&
		     (!suffix || (is_shared_suffix(suffix) && !text_equal(suffix, ".pbtxt")));
	if (!reader) {
		reader = reader_detect(&probe, &a->err);
		a->cut = !reader && is_cut(a->path, &probe);
	}
	if (opt->from && !a->named &&
		(opt->read.log ? !a->is_text : reader_probe(reader, &probe) == 0))
		return error_set(&a->err, ERROR_INPUT, probe.path, "not --from=%s", reader->name),
		       NULL;
	if (reader && !reader->read && opt->from) {
		error_set(&a->err, ERROR_USAGE, "--from",
			"\"%s\" is recognised, but this version does not read it yet",
			reader->name);
		return NULL;
	}
	if (reader && reader->holds && reader->holds(in, &opt->read, &a->err) < 0)
		return NULL;
	if (reader && (!reader->read || (reader->companion && !a->named && !opt->from))) {
		a->companion = reader->companion;
		return cannot_read(reader, probe.path, &a->err), NULL;
	}
	return reader;
}

/* How much of the time of an op is below 0, and how the rest bounds it. */
static void bound_negative(
	struct profile *profile, const int64_t *column, uint32_t op, size_t count)
{
	const struct observations *obs = &profile->obs;
	struct issue_effect effect = {.unit = EFFECT_PS, .row = profile->op[op].name};
	int64_t longest = 0, more;

	for (size_t r = 0; r < obs->count; r++) {
		if (obs->op[r] != op || column[r] == CELL_ABSENT)
			continue;
		if (!number_add(effect.low, column[r], &effect.low))
			return;
		longest = column[r] > longest ? column[r] : longest;
	}
	effect.recorded = effect.low;
	effect.high = EFFECT_UNKNOWN;
	if (number_multiply(longest, (int64_t)count, &more))
		(void)number_add(effect.low, more, &effect.high);
	issue_set_effect(&profile->issues, "negative-time", &effect);
}

/* No work takes less than no time, whatever the format. What a reader has found counts as 0
 * already. */
static void check_times(struct profile *profile)
{
	const struct observations *obs = &profile->obs;
	size_t *found = memory_alloc(memory_product(profile->op_count + 1, sizeof(*found)));

	for (enum measure_id id = 0; id < MEASURE_STEP_COUNT; id++) {
		int64_t *column = obs->column[id];
		uint32_t most = 0;

		if (!column || measure_is_own(id) || measure_at(id)->dimension != DIMENSION_TIME)
			continue;
		memset(found, 0, (profile->op_count + 1) * sizeof(*found));
		for (size_t r = 0; r < obs->count; r++) {
			const uint32_t op = obs->op[r];

			if (column[r] >= 0 || column[r] == CELL_ABSENT)
				continue;
			column[r] = 0;
			most = ++found[op] > found[most] ? op : most;
			issue_add(&profile->issues, ISSUE_LOSS, "negative-time",
				"times below 0, counted as 0", 1,
				found[op] > 1 ? ""
					      : arena_printf(profile->arena, "%s: op %s",
							profile->path, profile->op[op].name));
		}
		if (profile->op_count && found[most])
			bound_negative(profile, column, most, found[most]);
	}
	memory_free(found);
}

static void read_one(struct attempt *a, const struct load_options *opt)
{
	struct input *in = input_open_as(a->path, a->name, &a->err);
	const struct reader *reader;

	a->state = ATTEMPT_FAILED;
	if (!in)
		return;
	if (opt->progress)
		input_count(in, &opt->progress->bytes_done);
	reader = choose_reader(a, opt, in);
	if (!reader) {
		a->state = ATTEMPT_REFUSED;
		input_close(in);
		return;
	}
	a->profile = profile_new(input_path(in));
	a->profile->argument = a->argument;
	a->profile->is_stdin = a->is_stdin;
	a->profile->format = reader->name;
	a->profile->format_title = reader->title;
	a->profile->is_file_a_step = reader->is_file_a_step;
	if (a->group)
		a->profile->group = arena_strdup(a->profile->arena, a->group);
	if (reader_read(reader, in, a->profile, &opt->read, &a->err) == 0) {
		a->state = ATTEMPT_READ;
		for (struct profile *p = a->profile; p; p = p->next)
			check_times(p);
	} else {
		a->is_foreign = a->is_text && a->profile->op_count == 0 && !is_fault_at_end(a);
		profile_free(a->profile);
		a->profile = NULL;
	}
	input_close(in);
}

struct read_queue {
	struct attempt *attempt;
	size_t count;
	const struct load_options *opt;
};

/* Files that name their rank may be the many of one job: they wait in little memory. */
static void pack_ranks(struct profile *profile)
{
	for (; profile; profile = profile->next)
		if (profile->step_count &&
			(profile->run_is_rank || profile->host_is_rank || profile->step[0].rank))
			profile->packed = packed_rows_of(profile);
}

static void read_next(void *object, size_t i, size_t thread)
{
	struct read_queue *work = object;

	(void)thread;
	read_one(&work->attempt[i], work->opt);
	if (work->count > 1 && !work->opt->cache)
		pack_ranks(work->attempt[i].profile);
	if (work->opt->progress)
		atomic_fetch_add(&work->opt->progress->files_done, 1);
}

void attempt_all(struct attempt *attempt, size_t count, size_t jobs, const struct load_options *opt)
{
	struct load_options shared = *opt;
	struct read_queue work = {.attempt = attempt, .count = count, .opt = &shared};

	if (opt->progress) {
		for (size_t i = 0; i < count; i++)
			atomic_fetch_add(&opt->progress->bytes_total, attempt[i].size_bytes);
		atomic_fetch_add(&opt->progress->files_total, count);
	}
	jobs = jobs > JOBS_MOST ? JOBS_MOST : jobs < 1 ? 1 : jobs;
	shared.read.threads = count > 0 && count < jobs ? jobs / count : 1;
	threads_each(jobs, count, read_next, &work);
}

bool attempt_would_read(
	const char *path, const struct reader *from, struct arena *arena, struct vec *skipped)
{
	const struct load_options opt = {.from = from};
	struct attempt attempt = {.path = path};
	struct input *in = input_open(path, &attempt.err);
	bool reads = in && choose_reader(&attempt, &opt, in);
	struct skipped_file *why = reads || !skipped ? NULL : vec_push(skipped, NULL);

	input_close(in);
	if (why)
		*why = (struct skipped_file){.path = arena_strdup(arena, path),
			.reason = arena_strdup(arena, attempt.err.message),
			.companion = attempt.companion,
			.broken = !in || attempt.cut};
	return reads;
}
