/*
 * Sends a report to standard output and to files.
 */
#include "cli/emit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "base/number.h"
#include "base/text.h"
#include "report/build.h"

/* COLUMNS is rarely exported: who sets it wants it, on a terminal or not. */
static size_t page_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	int64_t n;

	if (columns && number_parse_int(columns, strlen(columns), &n) && n >= 20 && n <= 10000)
		return (size_t)n;
	if (!isatty(STDOUT_FILENO))
		return 0;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20)
		return size.ws_col;
	return 80;
}

static bool want_color(const struct settings *s)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (s->color != COLOR_AUTO)
		return s->color == COLOR_ALWAYS;
	return isatty(STDOUT_FILENO) && !(no && *no) && term && !text_equal(term, "dumb");
}

struct output {
	struct outfile *file;
	const struct writer *writer;
	struct writer_options options;
};

static bool is_stdout(const char *path)
{
	return text_equal(path, "-");
}

static int open_outputs(
	const struct settings *s, struct output *output, size_t *count, struct error *err)
{
	bool to_stdout = !(s->quiet && s->output.count);

	for (size_t i = 0; i < s->output.count; i++) {
		const char *path = *(const char **)vec_at(&s->output, i);
		struct output *o = &output[*count];

		o->options = (struct writer_options){.complete = true,
			.long_shape = s->shape == SHAPE_LONG,
			.csv_safe = s->csv_safe};
		o->writer = s->to && is_stdout(path) ? s->to
			    : is_stdout(path)	     ? writer_find("csv", err)
						     : writer_for_path(path, err);
		if (!o->writer)
			return -1;
		o->file = outfile_open(path, err);
		if (!o->file)
			return -1;
		++*count;
		to_stdout &= !is_stdout(path);
	}
	if (to_stdout) {
		struct output *o = &output[*count];

		o->writer = s->to ? s->to : writer_find("text", err);
		o->options = (struct writer_options){
			.width = page_width(),
			.complete = s->to && !text_equal(s->to->name, "text"),
			.long_shape = s->shape == SHAPE_LONG,
			.csv_safe = s->csv_safe,
			.color = want_color(s),
		};
		o->file = outfile_open("-", err);
		if (!o->file)
			return -1;
		++*count;
	}
	return 0;
}

static void add_footer(const struct settings *s, struct report *report)
{
	struct text names;

	if (!s->output.count)
		return;
	text_init(&names);
	for (size_t i = 0; i < s->output.count; i++) {
		text_add(&names, i ? ", " : "");
		text_add_visible(&names, *(const char **)vec_at(&s->output, i));
	}
	report_footer(report, "Written (all rows): %s", text_string(&names));
	text_release(&names);
}

int emit_report(const struct settings *settings, struct report *report, struct error *err)
{
	struct output *output =
		arena_array(settings->arena, settings->output.count + 1, sizeof(*output));
	size_t count = 0, done = 0;
	int status = open_outputs(settings, output, &count, err);

	add_footer(settings, report);
	for (size_t i = 0; i < count && !status; i++)
		status = output[i].writer->write(report, &output[i].options, output[i].file, err);
	/* All of them, standard output too, before any file is put in place. */
	for (size_t i = 0; i < count && !status; i++)
		status = outfile_finish(output[i].file, err);
	for (; done < count && !status; done++)
		status = outfile_commit(output[done].file, err);
	for (; done < count; done++)
		outfile_discard(output[done].file);
	return status;
}
