/*
 * The loop of --follow: wait, read what is new, make the report, paint it. Files are read once; the
 * reports of all of them are made anew each time.
 */
#include "cli/report/follow.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/watch/folder_watch.h"
#include "base/text.h"
#include "cli/diagnostic.h"
#include "cli/outputs.h"
#include "cli/screen.h"
#include "ingest/profile_cache.h"
#include "ingest/trace_tally.h"
#include "pipeline/one_side.h"

#define CLEAR_SCREEN "\033[H\033[2J"

struct follower {
	struct settings *settings;
	int (*report)(struct settings *settings, struct error *err);
	struct folder_watch *watch;
	struct file_identity *output; /* what is written is no input */
	struct text screen, next;     /* the last whole report, and the one that is being made */
	struct text said;	      /* the last message */
	bool on_terminal, painted;
	int wake; /* of signals; -1: they end the program at once, since there is no report yet */
};

/* ---- what can be followed ---- */

static int check_folder(const char *path, struct error *err)
{
	struct stat info;

	if (text_equal(path, "-")) {
		error_set(err, ERROR_USAGE, "--follow", "standard input ends, and is no folder");
		return error_hint(err, "name the folder that the dumps are written to");
	}
	if (stat(path, &info) != 0)
		return error_set(
			err, ERROR_INPUT, path, "cannot follow the folder: %s", strerror(errno));
	if (S_ISDIR(info.st_mode))
		return 0;
	error_set(err, ERROR_USAGE, path, "is not a folder, and --follow watches folders");
	return error_hint(err, "name the folder that the dumps are written to");
}

static int refuse(const char *option, const char *why, struct error *err)
{
	return error_set(err, ERROR_USAGE, option, "%s: leave out --follow", why);
}

static int check(const struct settings *s, struct error *err)
{
	if (s->explain_inputs)
		return refuse("--explain-inputs", "is no report", err);
	if (s->layout == LAYOUT_NOTEBOOK)
		return refuse("--layout=notebook", "is a sheet of finished steps", err);
	if (s->job.read.calls)
		return refuse("--per=call", "needs the events of all files each time", err);
	for (size_t i = 0; i < s->job.input.count; i++)
		if (check_folder(*(const char *const *)vec_at(&s->job.input, i), err) < 0)
			return -1;
	return 0;
}

/* Each folder is a run of its name, unless the user says what a run is. */
static void name_runs(struct settings *s)
{
	const char **name = arena_array(s->arena, s->job.input.count, sizeof(*name));

	for (size_t i = 0; i < s->job.input.count; i++) {
		const char *path = *(const char *const *)vec_at(&s->job.input, i);
		size_t n = strlen(path);

		while (n > 1 && path[n - 1] == '/')
			n--;
		name[i] = arena_strndup(s->arena, path, n);
	}
	s->job.input_run = name;
	if (s->job.runs_mode == RUNS_AUTO)
		s->job.runs_mode = RUNS_INPUTS;
}

static bool is_input(const void *context, const struct found_file *file)
{
	const struct follower *f = context;

	return !outputs_include(f->output, f->settings->output.count, file);
}

static bool is_whole(const void *context, const struct found_file *file)
{
	return folder_watch_is_whole(((const struct follower *)context)->watch, file->path);
}

/* ---- signals ---- */

static bool is_ignored(int number)
{
	struct sigaction action;

	return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/* Catches signals from the first report on: a signal waits until the report that is being made is
 * whole. */
static void catch_signals(struct follower *f)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGWINCH};
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (!is_ignored(numbers[i]) && (numbers[i] != SIGWINCH || f->on_terminal))
			sigaddset(&set, numbers[i]);
	f->wake = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (f->wake >= 0)
		sigprocmask(SIG_BLOCK, &set, NULL);
}

/* 0: none. */
static int take_signal(const struct follower *f)
{
	struct signalfd_siginfo info;

	return read(f->wake, &info, sizeof(info)) == sizeof(info) ? (int)info.ssi_signo : 0;
}

/* ---- the screen ---- */

static size_t count_lines(const char *s)
{
	size_t lines = 0;

	for (; (s = strchr(s, '\n')); s++)
		lines++;
	return lines;
}

static const char *after_lines(const char *s, size_t lines)
{
	for (; lines; lines--)
		s = strchr(s, '\n') + 1;
	return s;
}

/* Prints the screen, or as much as fits; the rest is left to the whole report at the end. */
static void put_fitting(const struct follower *f, struct outfile *out)
{
	const char *text = text_string(&f->screen);
	const size_t lines = count_lines(text);
	struct winsize size;
	size_t room = SIZE_MAX;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 2)
		room = size.ws_row - 1u;
	if (lines <= room) {
		outfile_puts(out, text);
		return;
	}
	outfile_write(out, text, (size_t)(after_lines(text, room - 1) - text));
	outfile_printf(out, "[%zu more lines: Ctrl-C ends with all of them]\n", lines - (room - 1));
}

static int paint(struct follower *f, bool whole, struct error *err)
{
	const bool separate =
		f->painted && (!f->settings->to || text_equal(f->settings->to->name, "text"));
	struct outfile *out = f->screen.size ? screen_open(err) : NULL;

	if (!f->screen.size) /* --quiet, -o - */
		return 0;
	if (!out)
		return -1;
	if (f->on_terminal)
		outfile_puts(out, CLEAR_SCREEN);
	else if (separate)
		outfile_puts(out, "---\n");
	if (f->on_terminal && !whole)
		put_fitting(f, out);
	else
		outfile_puts(out, text_string(&f->screen));
	f->painted = true;
	return outfile_commit(out, err);
}

/* ---- one look at the folders ---- */

/* A message that lasts is said once. */
static void say(struct follower *f, const char *start, const char *text)
{
	if (text_equal(text_string(&f->said), text))
		return;
	text_clear(&f->said);
	text_add(&f->said, text);
	diagnostic_line(start, text);
}

static void say_error(struct follower *f, const struct error *err)
{
	struct text line;

	text_init(&line);
	text_printf(&line, "%s%s%s%s%s%s", err->place, *err->place ? ": " : "", err->message,
		*err->hint ? " (" : "", err->hint, *err->hint ? ")" : "");
	say(f, "stepstat: not yet: ", text_string(&line));
	text_release(&line);
}

static void say_broken(struct profile_cache *cache)
{
	for (size_t i = 0; i < cache->count; i++) {
		struct cached_file *file = &cache->file[i];
		struct text line;

		if (!file->broken || file->said)
			continue;
		file->said = true;
		text_init(&line);
		text_printf(&line, "%s cannot be read as it is now: %s", file->as_read.path,
			file->reason);
		diagnostic_line("stepstat: note: ", text_string(&line));
		text_release(&line);
	}
}

static void say_waiting(struct follower *f)
{
	const struct vec *input = &f->settings->job.input;
	struct text line;

	text_init(&line);
	text_add(&line, "waiting for the first dump in ");
	for (size_t i = 0; i < input->count; i++)
		text_printf(&line, "%s%s", i ? ", " : "", *(const char *const *)vec_at(input, i));
	text_add(&line, " ...");
	say(f, "stepstat: ", text_string(&line));
	text_release(&line);
}

/* Makes one report; values that it adds to the settings last as long as the report. */
static int report_once(struct follower *f, struct error *err)
{
	struct arena *kept = f->settings->arena;
	int status;

	f->settings->arena = arena_new();
	text_clear(&f->next);
	outputs_guard_again(f->settings);
	status = f->report(f->settings, err);
	arena_free(f->settings->arena);
	f->settings->arena = kept;
	return status;
}

/* Files of one folder that hold the same steps with other times are several runs. */
static int make_report(struct follower *f, struct error *err)
{
	struct job_settings *job = &f->settings->job;
	struct error first = {0}, second = {0};

	if (report_once(f, &first) >= 0)
		return 0;
	if (first.kind == ERROR_INPUT && job->runs_mode == RUNS_INPUTS) {
		job->runs_mode = RUNS_AUTO;
		if (report_once(f, &second) >= 0)
			return 0;
		job->runs_mode = RUNS_INPUTS;
	}
	*err = first;
	return -1;
}

/* Only what more dumps cannot mend is an error. */
static int update(struct follower *f, struct error *err)
{
	struct error now = {0};

	if (make_report(f, &now) == 0) {
		const struct text before = f->screen;

		f->screen = f->next;
		f->next = before;
		text_clear(&f->said);
		if (paint(f, false, err) < 0)
			return -1;
		if (f->wake < 0)
			catch_signals(f);
		return 0;
	}
	if (now.kind == ERROR_USAGE || now.kind == ERROR_OUTPUT) {
		*err = now;
		return -1;
	}
	say_error(f, &now);
	return 0;
}

static int look(struct follower *f, bool forced, struct error *err)
{
	struct settings *s = f->settings;
	struct profile_cache *cache = s->job.cache;
	struct arena *arena = arena_new();
	struct error now = {0};
	struct loaded *loaded;
	const bool was_empty = !cache->profiles;

	for (size_t i = 0; i < s->output.count; i++)
		file_identity_of(*(const char *const *)vec_at(&s->output, i), &f->output[i]);
	loaded = side_read(&s->job, s->job.input.data, s->job.input.count, arena, &now);
	loaded_free(loaded);
	arena_free(arena);
	if (!loaded && now.kind == ERROR_USAGE) {
		*err = now;
		return -1;
	}
	if (!loaded) {
		say_error(f, &now);
		return 0;
	}
	say_broken(cache);
	forced |= cache->changed;
	cache->changed = false;
	if (!cache->profiles) {
		if (!was_empty)
			text_clear(&f->said);
		say_waiting(f);
		return 0;
	}
	return forced ? update(f, err) : 0;
}

/* Prints the whole report where a part may have been on the screen, and ends as the signal asks. */
static int end(struct follower *f, int number, struct error *err)
{
	sigset_t set;

	if (f->on_terminal && paint(f, true, err) < 0)
		return -1;
	sigemptyset(&set);
	sigaddset(&set, number);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	return 0;
}

static int loop(struct follower *f, struct error *err)
{
	bool forced = false;
	const char *limit = NULL;

	for (;;) {
		if (look(f, forced, err) < 0)
			return -1;
		if (!limit && (limit = folder_watch_limit(f->watch))) {
			diagnostic_line(
				"stepstat: note: looking at the folders every second: ", limit);
		}
		forced = false;
		if (folder_watch_wait(f->watch, f->wake) == FOLDER_CHANGED)
			continue;
		for (int number; (number = take_signal(f));) {
			if (number != SIGWINCH)
				return end(f, number, err);
			forced = true;
		}
	}
}

int follow(struct settings *s, int (*report)(struct settings *settings, struct error *err),
	struct error *err)
{
	struct follower f = {.settings = s, .report = report, .wake = -1};
	const struct profile_cache_options cache = {is_input, is_whole, &f};
	int status;

	if (check(s, err) < 0)
		return -1;
	name_runs(s);
	text_init(&f.screen);
	text_init(&f.next);
	text_init(&f.said);
	f.output = arena_array(s->arena, s->output.count + 1, sizeof(*f.output));
	f.on_terminal = isatty(STDOUT_FILENO) && (!s->to || text_equal(s->to->name, "text"));
	s->screen = &f.next;
	s->job.cache = profile_cache_new(&cache);
	trace_tally_reset(s->job.read.trace.tally);
	f.watch = folder_watch_new();
	for (size_t i = 0; i < s->job.input.count; i++)
		folder_watch_add(f.watch, *(const char *const *)vec_at(&s->job.input, i));
	status = loop(&f, err);
	if (f.wake >= 0)
		close(f.wake);
	folder_watch_free(f.watch);
	profile_cache_free(s->job.cache);
	s->job.cache = NULL;
	s->screen = NULL;
	text_release(&f.screen);
	text_release(&f.next);
	text_release(&f.said);
	return status;
}
