/* The words of a command line: chooses the command, prints what it reports, turns errors into
 * messages and exit statuses. */
#include "cli/program.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "base/file_nearest.h"
#include "base/memory.h"
#include "base/output/outfile.h"
#include "base/text.h"
#include "cli/help/usage.h"
#include "cli/options/command.h"
#include "cli/options/foreign_options.h"
#include "cli/options/options.h"
#include "cli/report_output.h"
#include "cli/screen.h"
#include "config.h"
#include "ingest/load.h"
#include "model/own/measure_own.h"
#include "pipeline/store.h"
#include "templates/templates.h"

struct progress_line;

/* NULL is fine */

#define FIRST_MS 1000
#define NEXT_MS 200

struct progress_line {
	struct progress *progress;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t stopped;
	bool stop;
	bool shown; /* the terminal's line is not empty */
};

static void *run(void *object)
{
	struct progress_line *w = object;
	long wait_ms = FIRST_MS;

	pthread_mutex_lock(&w->lock);
	while (!w->stop) {
		struct timespec until;

		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += wait_ms % 1000 * 1000000;
		until.tv_sec += wait_ms / 1000 + until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&w->stopped, &w->lock, &until);
		if (!w->stop) {
			uint64_t done = atomic_load(&w->progress->bytes_done);
			uint64_t total = atomic_load(&w->progress->bytes_total);
			uint64_t files = atomic_load(&w->progress->files_done);
			uint64_t all = atomic_load(&w->progress->files_total);

			if (total > 0 && done > total) /* threads read the edges of windows twice */
				done = total;
			fprintf(stderr, "\rreading: %.1f", (double)done / 1e6);
			/* The size of a pipe is unknown. */
			if (total > 0)
				fprintf(stderr, " of %.1f", (double)total / 1e6);
			fputs(" MB", stderr);
			if (all > 1)
				fprintf(stderr, ", %llu of %llu files", (unsigned long long)files,
					(unsigned long long)all);
			fputs("\033[K", stderr);
			fflush(stderr);
			w->shown = true;
		}
		wait_ms = NEXT_MS;
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* NULL when nothing will be shown. `progress` must outlive the line. */
static struct progress_line *progress_line_start(struct progress *progress)
{
	struct progress_line *w;

	if (!isatty(STDERR_FILENO))
		return NULL;
	w = memory_alloc(sizeof(*w));
	w->progress = progress;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->stopped, NULL);
	if (pthread_create(&w->thread, NULL, run, w) == 0)
		return w;
	memory_free(w);
	return NULL;
}

static void progress_line_stop(struct progress_line *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->stop = true;
	pthread_cond_signal(&w->stopped);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->thread, NULL);
	if (w->shown)
		fputs("\r\033[K", stderr);
	pthread_cond_destroy(&w->stopped);
	pthread_mutex_destroy(&w->lock);
	memory_free(w);
}

#define NAMES_MOST 32

static int report_error(const struct error *err)
{
	struct text line;

	text_init(&line);
	text_printf(&line, "%s%s%s", err->place, *err->place ? ": " : "", err->message);
	diagnostic_line("stepstat: ", text_string(&line));
	if (*err->hint)
		diagnostic_line("stepstat: hint: ", err->hint);
	text_release(&line);
	return err->kind == ERROR_USAGE ? 2 : 3;
}

static int print_text(const char *text)
{
	struct error err = {0};
	struct outfile *out = screen_open(&err);

	if (!out)
		return report_error(&err);
	outfile_puts(out, text);
	return outfile_commit(out, &err) < 0 ? report_error(&err) : 0;
}

static int print_version(void)
{
	return print_text("stepstat " PACKAGE_VERSION "\n"
			  "License GPL-3.0-or-later: free software, without any warranty. "
			  "stepstat --licences has its text.\n");
}

/* -v is the version: there is no verbose mode. */
static bool is_version(const char *word)
{
	return text_equal(word, "--version") || text_equal(word, "-V") || text_equal(word, "-v");
}

static int print_usage(void (*usage)(struct outfile *))
{
	struct error err = {0};
	struct outfile *out = screen_open(&err);

	if (!out)
		return report_error(&err);
	usage(out);
	return outfile_commit(out, &err) < 0 ? report_error(&err) : 0;
}

/* The first word is a command or an input of report; otherwise the message names the nearest
 * command. */
static const struct command *choose_command(
	int argc, char *const *argv, int *first, struct error *err)
{
	const struct command *command = command_find(argv[1]);
	const char *names[NAMES_MOST];
	struct stat info;
	size_t count = 0;
	int nearest;

	(void)argc;
	if (command) {
		*first = 2;
		return command;
	}
	*first = 1;
	if (argv[1][0] == '-' || *store_selector(argv[1]) || stat(argv[1], &info) == 0)
		return command_find("report");
	for (; count < command_count && count < NAMES_MOST; count++)
		names[count] = command_table[count]->name;
	nearest = text_nearest(argv[1], names, count);
	error_set(err, ERROR_INPUT, argv[1], "no such file or folder, and no command of that name");
	if (foreign_command_find(argv[1]))
		error_hint(err, "%s", foreign_command_find(argv[1]));
	else if (nearest >= 0)
		error_hint(err, "did you mean the command \"%s\"? stepstat --help lists them",
			names[nearest]);
	else {
		struct text near;

		text_init(&near);
		if (file_nearest(argv[1], &near))
			error_hint(err, "did you mean the file \"%s\"?", text_string(&near));
		else
			error_hint(err, "stepstat --help lists the commands");
		text_release(&near);
	}
	return NULL;
}

/* Part that the next word names, for a command with parts; the command itself for its help. */
static const struct command *choose_part(
	const struct command *command, int argc, char *const *argv, int *first, struct error *err)
{
	const char *word = *first < argc ? argv[*first] : "";
	const struct command *part = command_part(command, word);
	const char *names[NAMES_MOST];
	size_t count = 0;
	int nearest;

	if (part) {
		++*first;
		return part;
	}
	if (!command->part || text_equal(word, "--help") || text_equal(word, "-h"))
		return command;
	for (; command->part[count] && count < NAMES_MOST; count++)
		names[count] = command_last_word(command->part[count]);
	nearest = text_nearest(word, names, count);
	if (*word)
		error_set(err, ERROR_USAGE, NULL, "\"%s\" has no command \"%s\"", command->name,
			word);
	else
		error_set(err, ERROR_USAGE, NULL, "\"%s\" needs a command", command->name);
	if (nearest >= 0)
		error_hint(err, "did you mean \"%s\"? stepstat %s --help lists them",
			names[nearest], command->name);
	else
		error_hint(err, "stepstat %s --help lists them", command->name);
	return NULL;
}

/* Commands without options accept --help and as many words as their arguments show: none, one,
 * or any number ("[TOPIC]..."). */
static int parse_words(struct settings *settings, const struct command *command, int argc,
	char *const *argv, struct error *err)
{
	size_t most = strstr(command->arguments, "...") ? SIZE_MAX : *command->arguments ? 1 : 0;

	for (int i = 0; i < argc; i++) {
		if (text_equal(argv[i], "--help") || text_equal(argv[i], "-h")) {
			settings->help = true;
			continue;
		}
		if (argv[i][0] == '-' && most != SIZE_MAX)
			return error_set(err, ERROR_USAGE, NULL,
				"\"%s\" does not have the option %s", command->name, argv[i]);
		if (settings->job.input.count == most)
			return error_set(err, ERROR_USAGE, NULL, "\"%s\" takes %s, found \"%s\"",
				command->name, most ? "one word" : "no arguments", argv[i]);
		if (job_settings_add_input(&settings->job, argv[i], err) < 0)
			return -1;
	}
	return 0;
}

/* `stepstat --quiet compare a b` reads as a report of the file "compare". */
static int check_order(const struct settings *settings, const char *first, struct error *err)
{
	for (size_t i = 0; first[0] == '-' && i < settings->job.input.count; i++) {
		const char *word = *(const char **)vec_at(&settings->job.input, i);
		struct stat info;

		if (!command_find(word) || stat(word, &info) == 0)
			continue;
		error_set(err, ERROR_USAGE, NULL, "the command \"%s\" follows an option", word);
		return error_hint(err, "the command comes first: stepstat %s [OPTION]... %s", word,
			command_find(word)->arguments);
	}
	return 0;
}

static int run_command(const struct command *command, const char *first, int argc,
	char *const *argv, struct error *err)
{
	struct settings *settings = settings_new();
	int status;

	settings->job.display = (struct progress_display){progress_line_start, progress_line_stop};
	settings->any_output = command->output_help != NULL;
	settings->command_name = command->name;
	settings->word = argv;
	settings->word_count = argc;
	if (argc == 1 && is_version(argv[0])) {
		settings_free(settings);
		return print_version();
	}
	if (command->letter)
		status = options_parse(settings, command->letter, command->name, argc, argv, err);
	else
		status = parse_words(settings, command, argc, argv, err);
	if (!status)
		status = check_order(settings, first, err);
	if (!status && settings->help) {
		struct outfile *out = screen_open(err);

		status = out ? 0 : -1;
		if (out) {
			usage_command(out, command, settings->help_all);
			status = outfile_commit(out, err);
		}
	} else if (!status) {
		for (size_t i = 0; i < settings->note.count; i++)
			diagnostic_line("stepstat: note: ",
				*(const char *const *)vec_at(&settings->note, i));
		outfile_set_sync(!settings->no_sync);
		if (command->shows_all_rows && settings->job.on == ON_AUTO)
			settings->job.on = ON_ALL;
		status = outputs_check(settings, err);
		if (!status)
			status = command->run(settings, err);
	}
	settings_free(settings);
	return status;
}

/* A command that parses its own words, called by the program's name (a link) or by the first
 * word. */
static const struct command *own_words(
	int argc, char *const *argv, const char **program, int *first)
{
	const struct command *command = command_find(text_base_name(argv[0]));

	*program = argv[0];
	*first = 1;
	if ((!command || !command->run_words) && argc > 1) {
		command = command_find(argv[1]);
		*program = argv[1];
		*first = 2;
	}
	return command && command->run_words ? command : NULL;
}

int program_run(int argc, char *const *argv)
{
	struct error err = {0};
	const struct command *command;
	const char *program;
	int first, status;

	measure_own_reset();
	command = own_words(argc, argv, &program, &first);
	if (command) {
		status = command->run_words(program, argc - first, argv + first, &err);
		return status < 0 ? report_error(&err) : status;
	}
	if (argc < 2)
		return print_usage(usage_brief);
	if (is_version(argv[1]))
		return print_version();
	if (text_equal(argv[1], "--licences") || text_equal(argv[1], "--licenses"))
		return print_text(template_find("notices.txt"));
	if (text_equal(argv[1], "--help") || text_equal(argv[1], "-h"))
		return print_usage(usage_commands);
	command = choose_command(argc, argv, &first, &err);
	if (command)
		command = choose_part(command, argc, argv, &first, &err);
	status = command ? run_command(command, argv[1], argc - first, argv + first, &err) : -1;
	return status < 0 ? report_error(&err) : status;
}
