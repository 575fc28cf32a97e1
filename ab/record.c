/* Writing and reading the folder of a session. */
#include "ab/record.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "base/day.h"
#include "base/number.h"
#include "base/output/outfile.h"
#include "base/platform.h"
#include "base/temporary_file.h"
#include "base/text.h"

#define SETTINGS "ab.txt"
#define RUNS "runs.csv"
#define RUNS_HEADER                                                                                \
	"round,side,start_ns,wall_ns,user_ns,system_ns,peak_bytes,exit,signal,timed_out,left,"     \
	"load_milli,clock_mhz"
/* Older records lack these. */
#define RUNS_HEADER_MORE ",instructions,cycles,peak_of_tree\n"
#define FIELDS_LEAST 13
#define FIELDS 16

struct ab_record {
	struct arena *arena;
	const char *folder;
	int runs; /* descriptor of runs.csv; -1: read only */
};

static int fail(const char *path, struct error *err)
{
	return error_set(err, ERROR_OUTPUT, path, "cannot be written: %s", strerror(errno));
}

static const char *path_in(const struct ab_record *record, const char *name)
{
	return arena_printf(record->arena, "%s/%s", record->folder, name);
}

bool ab_record_is(const char *path)
{
	struct text name;
	struct stat info;
	bool is;

	text_init(&name);
	text_printf(&name, "%s/" SETTINGS, path);
	is = stat(text_string(&name), &info) == 0 && S_ISREG(info.st_mode);
	text_release(&name);
	return is;
}

/* Lines NAME=VALUE of ab.txt beside the commands; a text has its visible form. */
enum setting_kind { SETTING_REAL, SETTING_TEXT, SETTING_INTEGER };

#define SETTING(of_name, member, of_kind, largest)                                                 \
	{                                                                                          \
		.name = of_name, .kind = of_kind, .at = offsetof(struct ab_session, member),       \
		.bytes = sizeof(((struct ab_session *)NULL)->member), .most = largest              \
	}
#define REAL(name, member) SETTING(name, member, SETTING_REAL, 0)
#define TEXT(name, member) SETTING(name, member, SETTING_TEXT, 0)
#define INTEGER(name, member, most) SETTING(name, member, SETTING_INTEGER, most)

static const struct setting {
	const char *name;
	enum setting_kind kind;
	size_t at, bytes;
	int64_t most;
} settings[] = {
	INTEGER("seed", options.seed, INT64_MAX),
	REAL("margin", options.margin_relative),
	REAL("margin_ps", options.margin_ps),
	REAL("alpha", options.alpha),
	TEXT("prepare", options.prepare),
	TEXT("cleanup", options.cleanup),
	TEXT("cpu", options.cpus),
	TEXT("reads", options.reads),
	INTEGER("no_shell", options.no_shell, 1),
	INTEGER("ignore_failure", options.ignore_failure, 1),
	INTEGER("limit_ns", options.limit_ns, INT64_MAX),
	INTEGER("cool_down_ns", options.cool_down_ns, INT64_MAX),
	INTEGER("max_time_ns", options.max_time_ns, INT64_MAX),
	INTEGER("max_rounds", options.max_rounds, INT64_MAX),
	INTEGER("end", end, AB_FAILED),
	INTEGER("signal", signal, 64),
	INTEGER("processors", processors, INT64_MAX),
	INTEGER("throttled", throttled, INT64_MAX),
	INTEGER("device_users", device_users, INT64_MAX),
	INTEGER("device_busy", device_busy, 100),
	TEXT("governor", governor),
	TEXT("uncounted", uncounted),
	TEXT("reason", reason),
	TEXT("remedy", remedy),
	REAL("shell_ns", shell_ns),
	REAL("shell_cpu_ns", shell_cpu_ns),
};

#define SETTINGS_COUNT (sizeof(settings) / sizeof(*settings))

static void add_text(struct text *out, const char *name, const char *value)
{
	if (!value)
		return;
	text_printf(out, "%s=", name);
	text_add_visible(out, value);
	text_add_char(out, '\n');
}

static void add_setting(
	struct text *out, const struct setting *setting, const struct ab_session *session)
{
	const void *member = (const char *)session + setting->at;
	char number[NUMBER_TEXT_SIZE];
	const char *value = number;

	if (setting->kind == SETTING_TEXT)
		memcpy(&value, member, sizeof(value));
	else if (setting->kind == SETTING_REAL)
		number_format_shortest(number, *(const double *)member);
	else
		number_format_int(number, setting->bytes == 1	? *(const bool *)member
					  : setting->bytes == 4 ? *(const int32_t *)member
								: *(const int64_t *)member);
	add_text(out, setting->name, value);
}

int ab_record_end(
	const struct ab_record *record, const struct ab_session *session, struct error *err)
{
	struct outfile *file = outfile_open(path_in(record, SETTINGS), err);
	struct text text;

	if (!file)
		return -1;
	text_init(&text);
	text_add(&text, "stepstat=ab 1\n");
	for (size_t i = 0; i < session->options.sides; i++) {
		add_text(&text, "command", session->options.command[i]);
		if (session->options.from[i])
			text_printf(&text, "from=%zu\n", session->options.from[i]);
	}
	for (size_t i = 0; i < SETTINGS_COUNT; i++)
		add_setting(&text, &settings[i], session);
	outfile_write(file, text_string(&text), text.size);
	text_release(&text);
	return outfile_commit(file, err);
}

static int make_folder(const char *path, struct error *err)
{
	return mkdir(path, 0777) == 0 || errno == EEXIST ? 0 : fail(path, err);
}

/* Makes the folder; one that holds anything is an error. */
static int make_new_folder(const char *path, struct error *err)
{
	DIR *folder;
	size_t entries = 0;

	if (mkdir(path, 0777) == 0)
		return 0;
	folder = errno == EEXIST ? opendir(path) : NULL;
	if (!folder)
		return fail(path, err);
	while (readdir(folder))
		entries++;
	closedir(folder);
	if (entries <= 2) /* . and .. */
		return 0;
	error_set(err, ERROR_OUTPUT, path, "the folder of a new record must be empty");
	return ab_record_is(path)
		       ? error_hint(err, "stepstat ab --resume %s adds to this record", path)
		       : error_hint(err, "-o %s-2/", path);
}

static int make_folders(
	const struct ab_record *record, const struct ab_session *session, struct error *err)
{
	if (make_folder(record->folder, err) < 0 || make_folder(path_in(record, "output"), err) < 0)
		return -1;
	for (size_t i = 0; i < session->options.sides; i++) {
		const char *side = ab_side_name(session, i);

		if (make_folder(path_in(record, side), err) < 0)
			return -1;
	}
	return 0;
}

static int lock(struct ab_record *record, struct error *err)
{
	const char *path = path_in(record, RUNS);

	record->runs = file_open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC);
	if (record->runs < 0)
		return fail(path, err);
	if (flock(record->runs, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
		return error_set(
			err, ERROR_OUTPUT, path, "another stepstat ab is adding to this record");
	return 0;
}

static struct ab_record *record_alloc(const char *path)
{
	struct arena *arena = arena_new();
	struct ab_record *record = arena_alloc(arena, sizeof(*record));

	*record =
		(struct ab_record){.arena = arena, .folder = arena_strdup(arena, path), .runs = -1};
	return record;
}

void ab_record_free(struct ab_record *record)
{
	if (!record)
		return;
	if (record->runs >= 0)
		close(record->runs);
	arena_free(record->arena);
}

/* Appends whole or not at all. */
static int append(const struct ab_record *record, const char *bytes, size_t size, struct error *err)
{
	const off_t before = lseek(record->runs, 0, SEEK_END);

	if (temporary_file_write(record->runs, bytes, size, (uint64_t)before) == 0)
		return 0;
	fail(path_in(record, RUNS), err);
	if (ftruncate(record->runs, before) < 0)
		error_hint(err, "its last line is cut: --resume removes it");
	return -1;
}

struct ab_record *ab_record_new(
	const char *path, const struct ab_session *session, struct error *err)
{
	struct ab_record *record = record_alloc(path);

	if (make_new_folder(path, err) == 0 && make_folders(record, session, err) == 0 &&
		lock(record, err) == 0 &&
		append(record, RUNS_HEADER RUNS_HEADER_MORE, strlen(RUNS_HEADER RUNS_HEADER_MORE),
			err) == 0 &&
		ab_record_end(record, session, err) == 0)
		return record;
	ab_record_free(record);
	return NULL;
}

/* The bytes of the file, in the arena with a 0 behind them; NULL: *err is set. */
static char *read_whole(struct arena *arena, const char *path, size_t *size, struct error *err)
{
	const int fd = file_open(path, O_RDONLY | O_CLOEXEC);
	struct stat info;
	char *bytes;

	if (fd < 0 || fstat(fd, &info) < 0 || !S_ISREG(info.st_mode)) {
		error_set(err, ERROR_INPUT, path, "cannot be read: %s",
			fd < 0 ? strerror(errno) : "it is no file");
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	*size = (size_t)info.st_size;
	bytes = arena_alloc(arena, *size + 1);
	if (temporary_file_read(fd, bytes, *size, 0) < 0) {
		error_set(err, ERROR_INPUT, path, "cannot be read: %s", strerror(errno));
		bytes = NULL;
	}
	close(fd);
	return bytes;
}

static const char *read_text(struct ab_session *session, const char *value)
{
	return arena_strdup(session->arena, visible_decode(value, session->arena));
}

/* Sets what the line names; false: the value is none of it. */
static bool set_setting(struct ab_session *session, const char *name, const char *value)
{
	for (size_t i = 0; i < SETTINGS_COUNT; i++) {
		const struct setting *setting = &settings[i];
		void *member = (char *)session + setting->at;
		int64_t number;

		if (!text_equal(setting->name, name))
			continue;
		if (setting->kind == SETTING_REAL)
			return number_parse_real(value, strlen(value), member);
		if (setting->kind == SETTING_TEXT)
			*(const char **)member = read_text(session, value);
		else if (!number_parse_int(value, strlen(value), &number) || number < 0 ||
			 number > setting->most)
			return false;
		else if (setting->bytes == 1)
			*(bool *)member = number;
		else if (setting->bytes == 4)
			*(int32_t *)member = (int32_t)number;
		else
			*(int64_t *)member = number;
		return true;
	}
	return text_equal(name, "stepstat") && text_equal(value, "ab 1");
}

static int read_settings(
	const struct ab_record *record, struct ab_session *session, struct error *err)
{
	const char **command = arena_array(session->arena, AB_SIDES_MOST + 1, sizeof(const char *));
	struct ab_options *o = &session->options;
	size_t size, line = 0;
	int64_t from;
	char *at = read_whole(record->arena, path_in(record, SETTINGS), &size, err);

	if (!at)
		return -1;
	for (char *next; *at; at = next) {
		char *equals = strchr(at, '='), *end = strchr(at, '\n');

		line++;
		next = end ? end + 1 : at + strlen(at);
		if (end)
			*end = '\0';
		if (equals)
			*equals = '\0';
		if (equals && text_equal(at, "command") && o->sides < AB_SIDES_MOST)
			command[o->sides++] = read_text(session, equals + 1);
		else if (equals && text_equal(at, "from") && o->sides > 2 &&
			 number_parse_int(equals + 1, strlen(equals + 1), &from) && from > 0 &&
			 from <= AB_ROUNDS_MOST)
			o->from[o->sides - 1] = (size_t)from;
		else if (!end || !equals || !set_setting(session, at, equals + 1))
			return error_set(err, ERROR_INPUT,
				arena_printf(
					record->arena, "%s:%zu", path_in(record, SETTINGS), line),
				"expected NAME=VALUE as stepstat ab writes it");
	}
	o->command = command;
	if (o->sides < 2)
		return error_set(err, ERROR_INPUT, path_in(record, SETTINGS),
			"expected two commands or more, found %zu", o->sides);
	return 0;
}

/* The fields of a line as numbers, -1 where it has no such field; false: it is none. */
static bool read_fields(const char *line, size_t n, int64_t field[FIELDS])
{
	for (size_t i = 0; i < FIELDS; i++) {
		const char *comma = line ? memchr(line, ',', n) : NULL;
		const size_t size = comma ? (size_t)(comma - line) : n;

		field[i] = -1;
		if (!line)
			continue;
		if (!number_parse_int(line, size, &field[i]) || (!comma && i + 1 < FIELDS_LEAST) ||
			(comma && i + 1 == FIELDS))
			return false;
		line = comma ? comma + 1 : NULL;
		n -= comma ? size + 1 : size;
	}
	return true;
}

static int read_runs(
	struct ab_record *record, bool add, struct ab_session *session, struct error *err)
{
	const char *path = path_in(record, RUNS);
	size_t size, line = 1;
	const char *bytes = read_whole(record->arena, path, &size, err), *at = bytes, *end;

	if (!bytes)
		return -1;
	for (; (end = strchr(at, '\n')) != NULL; at = end + 1, line++) {
		int64_t f[FIELDS];
		struct ab_run run;

		if (line == 1 && text_starts(at, RUNS_HEADER))
			continue;
		if (line == 1 || !read_fields(at, (size_t)(end - at), f) || f[0] < 0 ||
			f[0] > AB_ROUNDS_MOST || f[1] < 0 ||
			f[1] >= (int64_t)session->options.sides)
			return error_set(err, ERROR_INPUT,
				arena_printf(record->arena, "%s:%zu", path, line),
				"expected a run as stepstat ab writes it");
		run = (struct ab_run){.round = (size_t)f[0],
			.side = (size_t)f[1],
			.result = {.start_ns = f[2],
				.wall_ns = f[3],
				.user_ns = f[4],
				.system_ns = f[5],
				.peak_bytes = f[6],
				.count = {f[13], f[14]},
				.peak_of_tree = f[15] > 0,
				.exit_status = (int)f[7],
				.signal = (int)f[8],
				.timed_out = f[9] != 0,
				.left = (size_t)f[10]},
			.load = f[11] < 0 ? NAN : (double)f[11] / 1000,
			.clock_mhz = f[12] < 0 ? NAN : (double)f[12]};
		ab_session_add(session, &run);
	}
	if (add && at < bytes + size && ftruncate(record->runs, at - bytes) < 0)
		return fail(path, err);
	return 0;
}

struct ab_record *ab_record_open(
	const char *path, bool add, struct ab_session *session, struct error *err)
{
	struct ab_record *record = record_alloc(path);

	if (read_settings(record, session, err) == 0 &&
		(!add || (make_folders(record, session, err) == 0 && lock(record, err) == 0)) &&
		read_runs(record, add, session, err) == 0)
		return record;
	ab_record_free(record);
	return NULL;
}

int ab_record_begin(
	const struct ab_record *record, const struct ab_session *session, struct error *err)
{
	return make_folders(record, session, err) == 0 ? ab_record_end(record, session, err) : -1;
}

int ab_record_output(struct ab_record *record, const struct ab_session *session, size_t round,
	size_t side, const char **name, struct error *err)
{
	int fd;

	*name = arena_printf(session->arena, "%s/output/%s-%04zu.txt", record->folder,
		ab_side_name(session, side), round);
	fd = file_open(*name, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC);
	return fd < 0 ? fail(*name, err) : fd;
}

const char *ab_record_folder(struct ab_record *record, const struct ab_session *session,
	size_t round, size_t side, struct error *err)
{
	const char *top = path_in(record, round ? "reads" : "warmup");
	const char *side_path =
		arena_printf(record->arena, "%s/%s", top, ab_side_name(session, side));
	const char *path =
		round ? arena_printf(record->arena, "%s/%04zu", side_path, round) : side_path;
	char absolute[PATH_MAX];

	beside_remove_folder(path);
	if (make_folder(top, err) < 0 || make_folder(side_path, err) < 0 ||
		make_folder(path, err) < 0)
		return NULL;
	if (!realpath(path, absolute)) {
		fail(path, err);
		return NULL;
	}
	return arena_strdup(session->arena, absolute);
}

/* Copies to a new file; -1: errno is set. */
static int copy_file(const char *from, const char *to, const struct stat *info)
{
	const struct timespec times[] = {info->st_atim, info->st_mtim};
	const int in = file_open(from, O_RDONLY | O_CLOEXEC);
	const int out = in < 0 ? -1 : file_open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC);
	char bytes[1 << 16];
	ssize_t n = out < 0 ? -1 : 1;
	int error;

	for (uint64_t at = 0; n > 0 && (n = read(in, bytes, sizeof(bytes))) > 0; at += (uint64_t)n)
		if (temporary_file_write(out, bytes, (size_t)n, at) < 0) {
			n = -1;
			break;
		}
	if (n == 0 && futimens(out, times) < 0)
		n = -1;
	error = errno;
	if (in >= 0)
		close(in);
	if (out >= 0 && close(out) < 0 && n == 0) {
		error = errno;
		n = -1;
	}
	if (out >= 0 && n < 0)
		unlink(to);
	errno = error;
	return n < 0 ? -1 : 0;
}

/* Moves the file into the folder, by its path behind `fixed` bytes; never over another. */
static int move_file(const struct ab_record *record, const char *from, size_t fixed,
	const char *folder, const struct stat *info, struct error *err)
{
	char *to = arena_printf(record->arena, "%s/%s", folder, from + fixed);

	if (strstr(from + fixed, "../"))
		return error_set(
			err, ERROR_USAGE, "--reads", "expected no \"..\" behind a wildcard");
	for (char *slash = to + strlen(folder) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
		*slash = '\0';
		if (make_folder(to, err) < 0)
			return -1;
		*slash = '/';
	}
	if (link(from, to) < 0 && (errno == EEXIST || copy_file(from, to, info) < 0))
		return fail(to, err);
	return unlink(from) < 0 ? fail(from, err) : 0;
}

int ab_record_collect(const struct ab_record *record, const struct ab_session *session,
	const struct command_result *run, const char *folder, struct error *err)
{
	glob_t found;
	const char *pattern = session->options.reads;
	size_t fixed;
	int status = 0;

	if (!pattern)
		return 0;
	for (fixed = strcspn(pattern, "*?[\\"); fixed && pattern[fixed - 1] != '/';)
		fixed--;
	status = glob(pattern, 0, NULL, &found);
	if (status == GLOB_NOMATCH)
		return 0;
	if (status)
		return error_set(err, ERROR_INPUT, "--reads", "cannot look for \"%s\"", pattern);
	for (size_t i = 0; i < found.gl_pathc && !status; i++) {
		const char *from = found.gl_pathv[i];
		struct stat info;

		/* The clock of files may be a tick behind. */
		if (stat(from, &info) < 0 || !S_ISREG(info.st_mode) ||
			info.st_mtim.tv_sec * INT64_C(1000000000) + info.st_mtim.tv_nsec <
				run->start_ns - INT64_C(20000000))
			continue;
		status = move_file(record, from, fixed, folder, &info, err);
	}
	globfree(&found);
	return status;
}

int ab_record_add(struct ab_record *record, const struct ab_session *session, struct error *err)
{
	const struct ab_run *run = &session->run[session->count - 1];
	const struct command_result *r = &run->result;
	struct text line;
	int status;

	text_init(&line);
	text_printf(&line,
		"%zu,%zu,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64
		",%d,%d,%d,%zu,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%d\n",
		run->round, run->side, r->start_ns, r->wall_ns, r->user_ns, r->system_ns,
		r->peak_bytes, r->exit_status, r->signal, r->timed_out, r->left,
		isnan(run->load) ? -1 : (int64_t)(run->load * 1000),
		isnan(run->clock_mhz) ? -1 : (int64_t)run->clock_mhz, r->count[COUNT_INSTRUCTIONS],
		r->count[COUNT_CYCLES], r->peak_of_tree);
	status = append(record, text_string(&line), line.size, err);
	text_release(&line);
	return status;
}

static int write_side(const struct ab_record *record, const struct ab_session *session, size_t side,
	const char *machine, struct error *err)
{
	struct outfile *file = outfile_open(
		path_in(record,
			arena_printf(record->arena, "%s/runs.csv", ab_side_name(session, side))),
		err);

	if (!file)
		return -1;
	outfile_puts(file, "run,start,machine,benchmark,time_ns,cpu_ns,peak_bytes\n");
	for (size_t round = session->options.from[side] + 1; round <= session->rounds; round++) {
		const struct ab_run *run = ab_session_run(session, round, side);
		char start[MOMENT_TEXT_SIZE];

		outfile_printf(file, "%04zu,%s,%s,run,%.0f,%.0f,", round,
			moment_to_text(start, run->result.start_ns), machine,
			ab_value(session, run, side, AB_WALL) / PS_PER_NS,
			ab_value(session, run, side, AB_CPU) / PS_PER_NS);
		if (run->result.peak_bytes >= 0)
			outfile_printf(file, "%" PRId64, run->result.peak_bytes);
		outfile_puts(file, "\n");
	}
	return outfile_commit(file, err);
}

int ab_record_write_sides(
	const struct ab_record *record, const struct ab_session *session, struct error *err)
{
	struct utsname name;
	char machine[sizeof(name.nodename) + 1];

	uname(&name);
	snprintf(machine, sizeof(machine), "%s", name.nodename);
	for (char *p = machine; *p; p++)
		if (strchr(",\"\n\r", *p))
			*p = '_';
	for (size_t side = 0; side < session->options.sides; side++)
		if (write_side(record, session, side, machine, err) < 0)
			return -1;
	return 0;
}
