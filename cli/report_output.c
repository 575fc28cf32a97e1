/* Sends a report to standard output and to files. */
#include "cli/report_output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/output/file_identity.h"
#include "base/output/outfolder.h"
#include "base/text.h"
#include "cli/options/command_line.h"
#include "cli/options/options.h"
#include "cli/screen.h"
#include "config.h"
#include "ingest/read_file.h"
#include "report/build.h"
#include "report/build_tables.h"
#include "report/page/build_page_compare.h"

static bool want_color(const struct settings *s)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (s->color != COLOR_AUTO)
		return s->color == COLOR_ALWAYS;
	return isatty(STDOUT_FILENO) && !(no && *no) && term && !text_equal(term, "dumb");
}

/* Fonts of the Linux console and what calls itself dumb may lack the characters. */
static enum writer_bars choose_bars(const struct settings *s)
{
	const char *term = getenv("TERM");
	bool ascii = screen_is_ascii(STDOUT_FILENO);

	if (s->bars == COLOR_ALWAYS)
		return ascii ? BARS_ASCII : BARS_BLOCKS;
	if (s->bars == COLOR_NEVER || ascii || !isatty(STDOUT_FILENO) || !term ||
		text_equal(term, "dumb") || text_equal(term, "linux"))
		return BARS_NONE;
	return BARS_BLOCKS;
}

struct output {
	bool is_screen;		  /* standard output that no -o names */
	struct outfile *file;	  /* NULL: handed to its folder */
	struct outfolder *folder; /* the folder that it is in, or NULL */
	bool last;		  /* of its folder */
	const char *table;	  /* the table in the file; NULL: as chosen */
	const struct writer *writer;
	struct writer_options options;
};

static bool is_stdout(const char *path)
{
	return text_equal(path, "-");
}

/* Rows that a writer shows. Markdown is for people: it has the rows of the screen and folds the
 * others, unless the user chose a number of rows. Other files are complete unless the user did. */
static void choose_rows(const struct settings *s, const struct writer *writer, bool to_file,
	struct writer_options *opt)
{
	bool is_md = text_equal(writer->name, "md");

	opt->complete = !is_md && (to_file || !text_equal(writer->name, "text")) &&
			!(s->job.top_given && s->job.top != SIZE_MAX);
	opt->whole_names = s->job.whole_names;
	opt->file = to_file;
	opt->fold = is_md && !s->job.top_given;
}

static bool is_table_file(const char *name)
{
	size_t n = strlen(name);

	return n > 4 && text_equal(name + n - 4, ".csv");
}

/* -o NAME/: all tables, a file each. */
static int open_folder(const struct settings *s, const struct report *report, const char *path,
	struct output *output, size_t *count, struct error *err)
{
	struct outfolder *folder;

	if (!report->more_count) {
		error_set(err, ERROR_USAGE, "-o",
			"\"%s\" is a folder: `stepstat %s` makes one table", path, report->command);
		return error_hint(err, "name a file: -o ops.csv");
	}
	folder = outfolder_open(path, is_table_file, err);
	if (!folder)
		return -1;
	for (size_t i = 0; i <= report->more_count; i++) {
		const char *name = i ? report->more[i - 1].name : report->data.name;
		struct outfile *file =
			outfolder_file(folder, arena_printf(report->arena, "%s.csv", name), err);

		if (!file) {
			if (!i)
				outfolder_discard(folder);
			else
				output[*count - 1].last = true;
			return -1;
		}
		output[(*count)++] = (struct output){.file = file,
			.folder = folder,
			.last = i == report->more_count,
			.table = name,
			.writer = writer_find("csv", err),
			.options = {.complete = true,
				.long_shape = s->shape == SHAPE_LONG,
				.csv_safe = s->csv_safe,
				.decimal_comma = s->decimal_comma}};
	}
	return 0;
}

static int check_terminal(const struct writer *writer, struct error *err)
{
	if (!writer->binary || !isatty(STDOUT_FILENO))
		return 0;
	error_set(err, ERROR_USAGE, "--to", "%s is nothing for a terminal", writer->name);
	return error_hint(err, "-o FILE%s, or into a pipe or file: --to=%s > FILE%s",
		writer->suffixes[0], writer->name, writer->suffixes[0]);
}

/* An option that no output heeds was typed for another one. */
static int check_heeded(
	const struct settings *s, const struct output *output, size_t count, struct error *err)
{
	const struct origin *origin = &s->origin[options_find("csv") - option_table];
	bool shapes = false;

	for (size_t i = 0; i < count; i++)
		shapes |= output[i].writer->has_shapes;
	if (s->shape == SHAPE_LONG && !shapes && !origin->from_file && origin->value &&
		strstr(origin->value, "long")) {
		error_set(err, ERROR_USAGE, "--shape=long", "no output is CSV or JSON");
		return error_hint(err, "add -o ops.csv, or --to=csv");
	}
	return 0;
}

static int open_outputs(const struct settings *s, const struct report *report,
	struct output *output, size_t *count, struct error *err)
{
	bool to_stdout = !(s->quiet && s->output.count);

	for (size_t i = 0; i < s->output.count; i++) {
		const char *path = *(const char **)vec_at(&s->output, i);
		struct output *o = &output[*count];

		if (output_ends_in_slash(path)) {
			if (open_folder(s, report, path, output, count, err) < 0)
				return -1;
			continue;
		}
		o->options = (struct writer_options){.long_shape = s->shape == SHAPE_LONG,
			.csv_safe = s->csv_safe,
			.decimal_comma = s->decimal_comma};
		o->writer = s->to && is_stdout(path) ? s->to
			    : is_stdout(path)	     ? writer_find("csv", err)
						     : writer_for_path(path, err);
		if (!o->writer)
			return -1;
		if (is_stdout(path) && check_terminal(o->writer, err) < 0)
			return -1;
		choose_rows(s, o->writer, true, &o->options);
		o->file = outfile_open(path, err);
		if (!o->file)
			return -1;
		++*count;
		to_stdout &= !is_stdout(path);
	}
	if (to_stdout) {
		struct output *o = &output[*count];

		o->is_screen = true;
		o->writer = s->to ? s->to : writer_find("text", err);
		o->options = (struct writer_options){
			.width = screen_width(),
			.long_shape = s->shape == SHAPE_LONG,
			.csv_safe = s->csv_safe,
			.decimal_comma = s->decimal_comma,
			.color = want_color(s),
			.bars = choose_bars(s),
		};
		if (check_terminal(o->writer, err) < 0)
			return -1;
		choose_rows(s, o->writer, false, &o->options);
		o->file = s->screen				? outfile_memory()
			  : text_equal(o->writer->name, "text") ? screen_open(err)
								: outfile_open("-", err);
		if (!o->file)
			return -1;
		++*count;
	}
	return 0;
}

/* Names the files, which come before standard output among the outputs. */
static void add_footer(
	const struct settings *s, const struct output *output, size_t count, struct report *report)
{
	struct text names;
	bool all = true;

	if (!s->output.count)
		return;
	text_init(&names);
	for (size_t i = 0; i < count; i++)
		all = all &&
		      (output[i].is_screen || output[i].options.complete || output[i].options.fold);
	for (size_t i = 0; i < s->output.count; i++) {
		text_add(&names, i ? ", " : "");
		text_add_visible(&names, *(const char **)vec_at(&s->output, i));
	}
	report_footer(report, "Written%s: %s", all ? " (all rows)" : "", text_string(&names));
	text_release(&names);
}

/* Some writers hold all tables; the others have one. */
static const struct report *report_for(
	struct report *report, struct report *chosen, const struct output *output)
{
	if (output->table)
		return report_of_table(report, output->table, NULL);
	return output->writer->wants_page ? report : chosen;
}

/* Finishes all outputs, standard output included, before any file is put in place. */
static int finish(struct output *output, size_t count, struct text *screen, struct error *err)
{
	int status = 0;

	for (size_t i = 0; i < count && !status; i++) {
		if (!output[i].folder) {
			status = outfile_finish(output[i].file, err);
			if (output[i].is_screen && screen) {
				size_t size;
				const char *bytes = outfile_data(output[i].file, &size);

				text_clear(screen);
				text_add_bytes(screen, bytes, size);
			}
			continue;
		}
		status = outfolder_close(output[i].folder, output[i].file, err);
		output[i].file = NULL;
	}
	return status;
}

static int commit(struct output *output, struct error *err)
{
	if (!output->folder)
		return outfile_commit(output->file, err);
	return output->last ? outfolder_commit(output->folder, err) : 0;
}

/* Numbers of --steps that are not steps change the whole report: standard error names them
 * where no output can. */
static void print_unknown_steps(
	const struct output *output, size_t count, const struct report *report)
{
	for (size_t i = 0; i < count; i++)
		if (!output[i].writer->without_notes)
			return;
	if (report->issues)
		diagnostic_issue(report->issues, "steps-unknown");
}

/* The writer of an output; NULL: it is standard output, a folder, or not known. */
static const struct writer *writer_of_output(const struct settings *settings, size_t i)
{
	const char *path = *(const char **)vec_at(&settings->output, i);
	struct error ignored = {0};

	return is_stdout(path) || output_ends_in_slash(path) ? NULL
							     : writer_for_path(path, &ignored);
}

static bool holds_page(const struct writer *writer, bool of_sides)
{
	return writer && (of_sides ? writer->draws_sides : writer->wants_page);
}

bool report_output_wants_page(const struct settings *settings, bool of_sides)
{
	bool wants = holds_page(settings->to, of_sides);

	for (size_t i = 0; i < settings->output.count; i++)
		wants |= holds_page(writer_of_output(settings, i), of_sides);
	return wants;
}

bool report_output_is_of_ops(const struct settings *settings)
{
	bool is_of_ops = !settings->table && !(settings->to && settings->to->holds_all);

	for (size_t i = 0; i < settings->output.count; i++) {
		const struct writer *writer = writer_of_output(settings, i);

		is_of_ops &= writer && !writer->holds_all;
	}
	return is_of_ops;
}

int report_output_write(const struct settings *settings, struct report *report, struct error *err)
{
	struct output *output = arena_array(report->arena,
		settings->output.count * (report->more_count + 1) + 1, sizeof(*output));
	struct report *chosen = report;
	size_t count = 0, done = 0;
	int status = 0;

	if (settings->table) {
		chosen = report_of_table(report, settings->table, err);
		if (!chosen)
			return -1;
	}
	status = open_outputs(settings, report, output, &count, err);
	if (!status)
		status = check_heeded(settings, output, count, err);
	if (!status)
		add_footer(settings, output, count, report);
	if (chosen != report) {
		chosen->footer = report->footer;
		chosen->footer_count = report->footer_count;
	}
	for (size_t i = 0; i < count && !status; i++)
		status = output[i].writer->write(report_for(report, chosen, &output[i]),
			&output[i].options, output[i].file, err);
	if (!status)
		status = finish(output, count, settings->screen, err);
	for (; done < count && !status; done++)
		status = commit(&output[done], err);
	if (!status)
		print_unknown_steps(output, count, report);
	for (; done < count; done++) {
		if (output[done].file)
			outfile_discard(output[done].file);
		if (output[done].last)
			outfolder_discard(output[done].folder);
	}
	return status;
}

void report_output_page_of_sides(const struct settings *s, const struct two_sides *sides,
	const struct build_options *build, struct report *report)
{
	struct page_compare_source source = {.base = &sides->base_runs,
		.new = &sides->new_runs,
		.comparison = &sides->comparison,
		.opt = &sides->options,
		.build = build,
		.command = command_line_text(s),
		.version = "stepstat " PACKAGE_VERSION};

	if (!report_output_wants_page(s, true) || s->job.compare.explain)
		return;
	source.input = command_line_inputs(s, &source.input_count);
	source.option = command_line_options(s, &source.option_count);
	build_page_compare(report, &source);
}

/* Names the inputs of a command to base/output/file_identity.h. */

struct outputs {
	const struct settings *settings;
	struct file_identity *identity;
	size_t count;
	bool written; /* by this job: they are no inputs */
};

bool outputs_include(
	const struct file_identity *output, size_t count, const struct found_file *file)
{
	const struct file_identity self = {
		.kind = FILE_REGULAR, .device = file->device, .inode = file->inode};
	struct file_identity folder = {0};

	if (file->group)
		file_identity_of(file->group, &folder);
	for (size_t i = 0; i < count; i++)
		if (file_identity_equal(&output[i], &self) ||
			file_identity_equal(&output[i], &folder))
			return true;
	return false;
}

/* An earlier report among the inputs may be replaced when no reader accepts it. */
static void add_found(const struct outputs *outputs, const struct found_file *file)
{
	if (!file->named && outputs_include(outputs->identity, outputs->count, file) &&
		(outputs->written ||
			!attempt_would_read(file->path, outputs->settings->job.from, NULL, NULL)))
		return;
	if (file->is_stdin)
		output_guard_add("-");
	else
		output_guard_add_file(file->path, file->device, file->inode);
}

/* The command reports what cannot be found. */
static void add_path(const struct outputs *outputs, const char *path)
{
	struct arena *arena = arena_new();
	struct vec found, skipped;
	struct error ignored = {0};

	if (find_files(&path, 1, arena, &found, &skipped, &ignored) == 0)
		for (size_t i = 0; i < found.count; i++)
			add_found(outputs, vec_at(&found, i));
	vec_release(&found);
	vec_release(&skipped);
	arena_free(arena);
}

static void add_list(const struct outputs *outputs, const struct vec *list)
{
	for (size_t i = 0; i < list->count; i++)
		add_path(outputs, *(const char *const *)vec_at(list, i));
}

static void add_file(const char *path)
{
	if (path && *path)
		output_guard_add(path);
}

static void add_inputs(const struct outputs *outputs)
{
	const struct settings *s = outputs->settings;

	add_list(outputs, &s->job.input);
	add_list(outputs, &s->job.compare.base);
	add_list(outputs, &s->job.compare.new_side);
	if (s->job.compare.noise_path)
		add_path(outputs, s->job.compare.noise_path);
	add_file(s->job.graph_path);
	add_file(s->job.op_log_path);
	add_file(s->config);
	for (size_t i = 0; i < s->rules_file.count; i++)
		add_file(*(const char *const *)vec_at(&s->rules_file, i));
}

static struct outputs outputs_of(const struct settings *s)
{
	struct outputs outputs = {.settings = s, .count = s->output.count};

	outputs.identity = arena_array(s->arena, outputs.count + 1, sizeof(*outputs.identity));
	for (size_t i = 0; i < outputs.count; i++)
		file_identity_of(*(const char *const *)vec_at(&s->output, i), &outputs.identity[i]);
	return outputs;
}

void outputs_guard_again(const struct settings *s)
{
	struct outputs outputs = outputs_of(s);

	outputs.written = true;
	output_guard_forget_inputs();
	add_inputs(&outputs);
}

int outputs_check(const struct settings *s, struct error *err)
{
	const struct outputs outputs = outputs_of(s);
	int *open = arena_array(s->arena, outputs.count + 1, sizeof(*open));
	size_t opened = 0;
	int status = 0;

	add_inputs(&outputs);
	for (; opened < outputs.count && !status; opened++) {
		const char *path = *(const char *const *)vec_at(&s->output, opened);

		status = output_guard_check(path, err);
		open[opened] = status ? -1 : output_guard_open(path);
	}
	for (size_t i = 0; i < opened; i++)
		output_guard_close(open[i]);
	return status;
}

/* A checkpoint is named by the prefix of its files. */
static void add_checkpoint(const char *prefix)
{
	static const char *const ends[] = {"", ".index", ".data-00000-of-00001"};
	struct text path;

	text_init(&path);
	for (size_t i = 0; prefix && *prefix && i < sizeof(ends) / sizeof(*ends); i++) {
		text_clear(&path);
		text_printf(&path, "%s%s", prefix, ends[i]);
		output_guard_add(text_string(&path));
	}
	text_release(&path);
}

int outputs_check_tfprof(const struct tfprof_flags *flags, struct error *err)
{
	const struct tfprof_inputs *in = &flags->inputs;

	add_file(in->profile_path);
	add_file(in->graph_path);
	add_file(in->op_log_path);
	add_checkpoint(in->checkpoint_path);
	for (size_t i = 0; i < in->run_meta_count; i++)
		add_file(in->run_meta_path[i]);
	return flags->write_profile ? output_guard_check(flags->write_profile, err) : 0;
}
