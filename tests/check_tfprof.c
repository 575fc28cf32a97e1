/* Compares the answers of the tfprof command line with recorded ones of TensorFlow's own program,
 * case by case: standard output, standard error, exit status and files, byte by byte. Speaks TAP.
 *
 * usage: check_tfprof [--rewritten] DATA-FOLDER ARCHIVE.gz...
 *
 * With --rewritten each model is written as a profile, and that profile, read again, has to give
 * the recorded answers; written once more it has to be the same bytes.
 *
 * An archive is a text: "@ CASE KIND SIZE", SIZE bytes, a line end; tests/data/tfprof-cli/README.md
 * has the kinds. Runs in a folder of its own, where a case's OUTFILE is written; inputs that are
 * stored packed are read as they are. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include "base/arena.h"
#include "base/memory.h"
#include "tfprof/options/flags.h"
#include "tfprof/session.h"

#define OUTFILE "OUTFILE"
#define WRITTEN "WRITTEN"

struct entry {
	char name[32], kind[32];
	const char *bytes;
	size_t size;
};

struct archive {
	struct text text;
	size_t at;
};

/* A model with what loading it printed. */
struct dataset {
	struct arena *arena;
	char *name, *folder;
	struct tfprof_flags flags;
	struct tfprof_model *model;
	struct text out, messages;
	int status;
};

/* The parts of one recorded case. */
struct recorded {
	char name[32];
	struct entry part[16];
	size_t count;
};

static bool rewritten; /* --rewritten */

static void die(const char *what, const char *name)
{
	printf("Bail out! %s: %s\n", name, what);
	exit(1);
}

static void read_packed(const char *path, struct text *out)
{
	gzFile file = gzopen(path, "rb");
	char buffer[65536];
	int n;

	if (!file)
		die("cannot open", path);
	while ((n = gzread(file, buffer, sizeof(buffer))) > 0)
		text_add_bytes(out, buffer, (size_t)n);
	if (n < 0 || gzclose(file) != Z_OK)
		die("cannot read", path);
}

static bool next_entry(struct archive *archive, struct entry *entry)
{
	const char *p = archive->text.data + archive->at;
	int head = 0;

	if (archive->at >= archive->text.size)
		return false;
	if (sscanf(p, "@ %31s %31s %zu%n", entry->name, entry->kind, &entry->size, &head) != 3 ||
		p[head] != '\n' ||
		entry->size + (size_t)head + 2 > archive->text.size - archive->at)
		die("no header line", entry->name);
	entry->bytes = p + head + 1;
	archive->at += (size_t)head + 1 + entry->size + 1;
	return true;
}

/* Paths are relative to the dataset's folder, which may hold them packed. */
static const char *input_path(const struct dataset *data, const char *root, const char *path)
{
	char *plain = arena_printf(data->arena, "%s/%s/%s", root, data->folder, path);
	char *packed = arena_printf(data->arena, "%s.gz", plain);

	return access(plain, F_OK) != 0 && access(packed, F_OK) == 0 ? packed : plain;
}

static void place_inputs(struct dataset *data, const char *root)
{
	struct tfprof_inputs *in = &data->flags.inputs;
	const char **paths[] = {
		&in->profile_path, &in->graph_path, &in->op_log_path, &in->checkpoint_path};

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		if (**paths[i])
			*paths[i] = input_path(data, root, *paths[i]);
	for (size_t i = 0; i < in->run_meta_count; i++)
		in->run_meta_path[i] = input_path(data, root, in->run_meta_path[i]);
}

static void write_profile(struct tfprof_model *model, const char *path)
{
	struct error err = {.kind = ERROR_NONE};

	if (tfprof_model_write(model, path, &err) < 0)
		die(err.message, "a profile is not written");
}

static void require_same_files(const char *a, const char *b, const char *name)
{
	struct text x, y;

	text_init(&x);
	text_init(&y);
	read_packed(a, &x);
	read_packed(b, &y);
	if (x.size != y.size || memcmp(text_string(&x), text_string(&y), x.size) != 0)
		die("the second profile is not the first", name);
	text_release(&x);
	text_release(&y);
}

/* The model becomes that of the profile that it is written as. What was printed stays. */
static void rewrite(struct dataset *data)
{
	struct tfprof_inputs inputs = {
		.profile_path = WRITTEN, .checkpoint_path = data->flags.inputs.checkpoint_path};
	struct tfprof_model *first = data->model;
	struct text unused;
	int status;

	if (data->status >= 0 || first->unread)
		return;
	text_init(&unused);
	write_profile(first, WRITTEN);
	data->model = tfprof_model_load(&inputs, &unused, &unused, &status);
	if (status >= 0)
		die("a written profile is refused", data->folder);
	write_profile(data->model, WRITTEN "-2");
	require_same_files(WRITTEN, WRITTEN "-2", data->folder);
	/* Views of a profile do not say that streams are missing, which it records. */
	struct graph_detail *detail = data->model->graph->detail;

	if (detail->profile_misses_stream !=
		(first->graph->detail->misses_stream | first->graph->detail->profile_misses_stream))
		die("the missing stream is not recorded", data->folder);
	detail->misses_stream = first->graph->detail->misses_stream;
	tfprof_model_free(first);
	text_release(&unused);
}

static void load(struct dataset *data, const char *root, const char *flags)
{
	char *words = arena_strdup(data->arena, flags);
	char *argv[16];
	int argc = 0;
	struct text unused;

	for (char *p = words; p && *p; argc++) {
		argv[argc] = p;
		p = strchr(p, ' ');
		if (p)
			*p++ = 0;
	}
	text_init(&unused);
	if (tfprof_flags_parse(&data->flags, &(struct tfprof_command_line){"tfprof", argc, argv},
		    data->arena, &unused, &unused) >= 0)
		die("flags are refused", flags);
	text_release(&unused);
	place_inputs(data, root);
	data->model =
		tfprof_model_load(&data->flags.inputs, &data->out, &data->messages, &data->status);
	if (rewritten)
		rewrite(data);
}

static void forget(struct dataset *data)
{
	tfprof_model_free(data->model);
	text_release(&data->out);
	text_release(&data->messages);
	arena_free(data->arena);
	memset(data, 0, sizeof(*data));
}

static void begin_dataset(struct dataset *data, const char *root, const struct entry *entry)
{
	if (text_equal(entry->kind, "dataset")) {
		if (data->arena)
			forget(data);
		data->arena = arena_new();
		text_init(&data->out);
		text_init(&data->messages);
		data->name = arena_strndup(data->arena, entry->bytes, entry->size);
	} else if (text_equal(entry->kind, "dir")) {
		data->folder = arena_strndup(data->arena, entry->bytes, entry->size);
	} else {
		load(data, root, arena_strndup(data->arena, entry->bytes, entry->size));
	}
}

static const struct entry *part(const struct recorded *r, const char *kind)
{
	for (size_t i = 0; i < r->count; i++)
		if (text_equal(r->part[i].kind, kind))
			return &r->part[i];
	return NULL;
}

/* The original prints "Incomplete shape." whenever it computes one, which no one can count. */
static void leave_out(struct text *messages, const char *start)
{
	char *to = messages->data, *p = messages->data;

	if (!messages->size)
		return;
	while (*p) {
		size_t n = strcspn(p, "\n");

		n += p[n] == '\n';
		if (!text_starts(p, start)) {
			memmove(to, p, n);
			to += n;
		}
		p += n;
	}
	messages->size = (size_t)(to - messages->data);
	*to = 0;
}

static bool compare(const struct entry *entry, const char *kind, const char *found, size_t size)
{
	const char *bytes = entry ? entry->bytes : "";
	size_t most = entry ? entry->size : 0, at = 0, line = 1, start = 0;

	if (size == most && memcmp(bytes, found, size) == 0)
		return true;
	for (; at < size && at < most && found[at] == bytes[at]; at++)
		if (found[at] == '\n') {
			line++;
			start = at + 1;
		}
	printf("# %s, line %zu: expected %.*s\n", kind, line,
		(int)strcspn(bytes + start, "\n") > 300 ? 300 : (int)strcspn(bytes + start, "\n"),
		most ? bytes + start : "nothing");
	printf("# %s, line %zu: found    %.*s\n", kind, line,
		size && (int)strcspn(found + start, "\n") > 300 ? 300
		: size						? (int)strcspn(found + start, "\n")
								: 7,
		size ? found + start : "nothing");
	return false;
}

/* ---- pprof's message as text, as protobuf prints it ---- */

enum { PROFILE, VALUE_TYPE, SAMPLE, LABEL, LOCATION, LINE, FUNCTION, STRING, NUMBERS };

/* Kinds below STRING are messages; NUMBERS is one or, packed, many. */
static const struct {
	int message;
	unsigned number;
	const char *name;
	int kind;
} fields[] = {
	{PROFILE, 1, "sample_type", VALUE_TYPE},
	{PROFILE, 2, "sample", SAMPLE},
	{PROFILE, 4, "location", LOCATION},
	{PROFILE, 5, "function", FUNCTION},
	{PROFILE, 6, "string_table", STRING},
	{PROFILE, 13, "comment", NUMBERS},
	{VALUE_TYPE, 1, "type", NUMBERS},
	{VALUE_TYPE, 2, "unit", NUMBERS},
	{SAMPLE, 1, "location_id", NUMBERS},
	{SAMPLE, 2, "value", NUMBERS},
	{SAMPLE, 3, "label", LABEL},
	{LABEL, 1, "key", NUMBERS},
	{LABEL, 2, "str", NUMBERS},
	{LOCATION, 1, "id", NUMBERS},
	{LOCATION, 4, "line", LINE},
	{LINE, 1, "function_id", NUMBERS},
	{LINE, 2, "line", NUMBERS},
	{FUNCTION, 1, "id", NUMBERS},
	{FUNCTION, 2, "name", NUMBERS},
	{FUNCTION, 4, "filename", NUMBERS},
	{FUNCTION, 5, "start_line", NUMBERS},
};

static uint64_t varint(const unsigned char **p)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		unsigned char byte = *(*p)++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			break;
	}
	return value;
}

static size_t find_field(int message, uint64_t number)
{
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (fields[i].message == message && fields[i].number == number)
			return i;
	die("an unknown field", "pprof");
	return 0;
}

static void add_number(const char *name, size_t indent, uint64_t value, struct text *out)
{
	text_add_repeat(out, ' ', indent);
	text_printf(out, "%s: %" PRId64 "\n", name, (int64_t)value);
}

/* Messages are four deep. */
static void message_text(int message, size_t indent, const unsigned char *p,
	const unsigned char *end, struct text *out)
{
	while (p < end) {
		uint64_t tag = varint(&p);
		size_t i = find_field(message, tag >> 3);
		uint64_t value = varint(&p);

		if ((tag & 7) == 0) {
			add_number(fields[i].name, indent, value, out);
			continue;
		}
		const unsigned char *inner_end = p + value;

		if (fields[i].kind == STRING) {
			text_printf(
				out, "%s: \"%.*s\"\n", fields[i].name, (int)value, (const char *)p);
		} else if (fields[i].kind == NUMBERS) {
			while (p < inner_end)
				add_number(fields[i].name, indent, varint(&p), out);
		} else {
			text_add_repeat(out, ' ', indent);
			text_printf(out, "%s {\n", fields[i].name);
			message_text(fields[i].kind, indent + 2, p, inner_end, out);
			text_add_repeat(out, ' ', indent);
			text_add(out, "}\n");
		}
		p = inner_end;
	}
}

static void as_text(struct text *bytes)
{
	const unsigned char *p = (const unsigned char *)text_string(bytes);
	struct text out;

	text_init(&out);
	message_text(PROFILE, 0, p, p + bytes->size, &out);
	text_release(bytes);
	*bytes = out;
}

static bool compare_file(const struct entry *entry, const char *path)
{
	struct text found;
	bool same;

	if (access(path, F_OK) != 0) {
		printf("# no file %s was made\n", path);
		return false;
	}
	text_init(&found);
	read_packed(path, &found);
	if (text_equal(entry->kind, "pprof.txt"))
		as_text(&found);
	same = compare(entry, entry->kind, text_string(&found), found.size);
	text_release(&found);
	return same;
}

static bool compare_files(const struct recorded *r)
{
	bool same = true;

	for (size_t i = 0; i < r->count; i++) {
		const struct entry *entry = &r->part[i];
		char path[64] = OUTFILE;

		if (text_starts(entry->kind, "timeline_"))
			snprintf(path, sizeof(path), OUTFILE "_%.*s",
				(int)strcspn(entry->kind + 9, "."), entry->kind + 9);
		else if (!text_equal(entry->kind, "file.txt") &&
			 !text_equal(entry->kind, "pprof.txt"))
			continue;
		same = compare_file(entry, path) && same;
		remove(path);
	}
	if (access(OUTFILE, F_OK) == 0) {
		printf("# a file was made that is not recorded\n");
		same = false;
		remove(OUTFILE);
	}
	return same;
}

static void run_lines(const struct dataset *data, const struct recorded *r, struct text *out,
	struct text *messages)
{
	struct tfprof_session session;
	const struct entry *typed = part(r, "line");
	char *lines = memory_alloc(typed->size + 1), *line = lines;

	memcpy(lines, typed->bytes, typed->size);
	tfprof_session_init(&session, data->model, &data->flags.options);
	while (line) {
		char *end = strchr(line, '\n');

		if (end)
			*end++ = 0;
		tfprof_session_line(&session, line, out, messages);
		line = end;
	}
	tfprof_session_release(&session);
	memory_free(lines);
}

static bool check(const struct dataset *data, const struct recorded *r)
{
	struct text out, messages;
	const struct entry *status = part(r, "exit"), *expected = part(r, "out");
	bool same;

	text_init(&out);
	text_init(&messages);
	text_add_bytes(&out, text_string(&data->out), data->out.size);
	text_add_bytes(&messages, text_string(&data->messages), data->messages.size);
	if (data->status < 0)
		run_lines(data, r, &out, &messages);
	leave_out(&messages, "Incomplete shape.\n");
	same = compare(expected, "stdout", text_string(&out), out.size);
	if (text_equal(r->name, "605")) /* RE2's own words */
		leave_out(&messages, "re2/");
	else
		same = compare(part(r, "err"), "stderr", text_string(&messages), messages.size) &&
		       same;
	same = compare_files(r) && same;
	if (status->size != 1 || *status->bytes - '0' != (data->status < 0 ? 0 : data->status)) {
		printf("# exit status %d\n", data->status < 0 ? 0 : data->status);
		same = false;
	}
	text_release(&out);
	text_release(&messages);
	return same;
}

static void end_case(const struct dataset *data, struct recorded *r, int *number)
{
	const struct entry *line = part(r, "line");

	if (!line)
		return;
	*number += 1;
	if (*part(r, "exit")->bytes == '-') {
		printf("ok %d - %s %s # SKIP the original crashes\n", *number, data->name, r->name);
	} else if (check(data, r)) {
		printf("ok %d - %s %s\n", *number, data->name, r->name);
	} else {
		printf("# %.*s\n", (int)strcspn(line->bytes, "\n@"), line->bytes);
		printf("not ok %d - %s %s\n", *number, data->name, r->name);
	}
	r->count = 0;
}

static void check_archive(const char *path, const char *root, int *number)
{
	struct archive archive = {.at = 0};
	struct dataset data = {.arena = NULL};
	struct recorded r = {.count = 0};
	struct entry entry;

	read_packed(path, &archive.text);
	while (next_entry(&archive, &entry)) {
		if (!text_equal(entry.name, r.name))
			end_case(&data, &r, number);
		snprintf(r.name, sizeof(r.name), "%s", entry.name);
		if (text_equal(entry.name, "-"))
			begin_dataset(&data, root, &entry);
		else if (r.count < sizeof(r.part) / sizeof(*r.part))
			r.part[r.count++] = entry;
	}
	end_case(&data, &r, number);
	if (data.arena)
		forget(&data);
	text_release(&archive.text);
}

int main(int argc, char **argv)
{
	int number = 0;

	if (argc > 1 && text_equal(argv[1], "--rewritten")) {
		rewritten = true;
		argc--;
		argv++;
	}
	if (argc < 3)
		die("usage: check_tfprof [--rewritten] DATA-FOLDER ARCHIVE.gz...", "arguments");
	for (int i = 2; i < argc; i++)
		check_archive(argv[i], argv[1], &number);
	printf("1..%d\n", number);
	fflush(stdout); /* a leak checker ends the process before the library does */
	return 0;
}
