/* stepstat tfprof, and the program's other name, tfprof: TensorFlow's profiler on the command
 * line, word for word. It has the flags, the output and the exit statuses of the original. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "base/text.h"
#include "cli/options/command.h"
#include "cli/prompt.h"
#include "cli/report_output.h"
#include "tfprof/options/flags.h"
#include "tfprof/options/old_words.h"
#include "tfprof/session.h"

#define STATUS_UNWRITTEN 3 /* as of any output that cannot be written */

static int print(FILE *file, struct text *text)
{
	size_t written = fwrite(text_string(text), 1, text->size, file);
	bool failed = written != text->size || fflush(file) != 0;

	text_clear(text);
	return failed ? -1 : 0;
}

/* Prints both texts and empties them. */
static int print_both(struct text *out, struct text *messages, struct error *err)
{
	int status = print(stdout, out);

	if (status < 0)
		error_set(
			err, ERROR_OUTPUT, "standard output", "cannot write: %s", strerror(errno));
	print(stderr, messages);
	return status;
}

static int run_lines(
	struct tfprof_session *session, struct text *out, struct text *messages, struct error *err)
{
	struct prompt *prompt = prompt_new(&prompt_style_tfprof);
	bool typed = false;
	const char *line;
	int status = 0;

	while (status == 0 && (line = prompt_line(prompt))) {
		struct arena *arena = arena_new();

		typed = true;
		line = tfprof_line_of_today(line, arena, messages);
		if (!tfprof_session_line(session, line, out, messages))
			tfprof_hint_line(line, messages);
		arena_free(arena);
		status = print_both(out, messages, err);
	}
	if (status == 0 && ferror(stdin))
		status = error_set(
			err, ERROR_INPUT, "standard input", "cannot read: %s", strerror(errno));
	else if (!typed)
		text_add(messages, "Cannot start interative shell, use 'bazel-bin' instead of "
				   "'bazel run'.\n");
	prompt_free(prompt);
	return status < 0 ? -1 : print_both(out, messages, err);
}

/* Without a view this is the whole job: there is no prompt. */
static int run_asked(const struct tfprof_flags *flags, struct tfprof_model *model, struct text *out,
	struct text *messages, struct error *err)
{
	if (flags->write_profile && tfprof_model_write(model, flags->write_profile, err) < 0)
		return -1;
	if (flags->write_profile && flags->command == COMMAND_NONE)
		return 0;

	struct tfprof_session session;
	int status;

	tfprof_session_init(&session, model, &flags->options);
	if (flags->command == COMMAND_NONE) {
		status = run_lines(&session, out, messages, err);
	} else {
		tfprof_session_run(&session, flags->command, &flags->options, out, messages);
		status = print_both(out, messages, err);
		if (status == 0 &&
			session.failed) /* reported already, in the text of the original */
			status = STATUS_UNWRITTEN;
	}
	tfprof_session_release(&session);
	return status;
}

static int run_flags(
	struct tfprof_flags *flags, struct text *out, struct text *messages, struct error *err)
{
	struct tfprof_model *model;
	int status, asked;

	if (outputs_check_tfprof(flags, err) < 0)
		return -2;
	model = tfprof_model_load(&flags->inputs, out, messages, &status);
	if (model->unread && !flags->write_profile) {
		/* The original continues with an empty profile, and its message about a missing
		 * file has no line end. */
		const char *said = text_string(messages);
		size_t n = strlen(said);

		if (n && said[n - 1] != '\n')
			text_add(messages, "\n");
		text_add(messages, "the profile was not read: what follows is of an empty one\n");
	}
	if (print_both(out, messages, err) < 0)
		status = -2;
	else if (status < 0 && (asked = run_asked(flags, model, out, messages, err)) != 0)
		status = asked < 0 ? -2 : asked;
	tfprof_model_free(model);
	return status;
}

static int run_words(const char *program, int argc, char *const *argv, struct error *err)
{
	struct arena *arena = arena_new();
	const struct tfprof_command_line line = {program, argc, argv};
	struct tfprof_flags flags = {.command = COMMAND_NONE};
	struct text out, messages;
	int status;

	text_init(&out);
	text_init(&messages);
	status = tfprof_flags_parse(&flags, &line, arena, &out, &messages);
	if (print_both(&out, &messages, err) < 0)
		status = -2;
	else if (status < 0)
		status = run_flags(&flags, &out, &messages, err);
	text_release(&out);
	text_release(&messages);
	arena_free(arena);
	return status == -2 ? -1 : status < 0 ? 0 : status;
}

const struct command command_tfprof = {
	.name = "tfprof",
	.arguments = "[--FLAG=VALUE]... [VIEW]",
	.summary = "TensorFlow's profiler on the command line, unchanged",
	.run_words = run_words,
};
