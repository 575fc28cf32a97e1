/*
 * Reports of the library: the pipeline with its default settings, into memory.
 */
#include <string.h>
#include <gsl/gsl_errno.h>
#include "tfprof/api/model.h"
#include "base/memory.h"
#include "base/text.h"
#include "pipeline/one_side.h"
#include "pipeline/report_choices.h"
#include "report/build_tables.h"
#include "writers/writer.h"

/* Report of the side; all but the report is in the side's arena. */
static struct report *make_report(
	struct side *side, struct job_settings *settings, struct error *err)
{
	struct build_options opt;
	struct report *report;

	if (side_select(side, settings, err) < 0 || side_summarize(side, settings, NULL, err) < 0 ||
		report_choices_make(settings, side, &opt, err) < 0)
		return NULL;
	report = build_report(side->summary, NULL, side->self, &opt);
	build_tables(report, totals_make(side->summary, side->self, side->arena), side->self, &opt);
	return report;
}

static char *write_report(
	const struct report *report, const struct writer *writer, struct error *err)
{
	const bool is_md =
		text_equal(writer->name, "md"); /* as in -o FILE.md, smaller rows are folded */
	const struct writer_options opt = {.complete = !is_md, .fold = is_md, .file = true};
	struct outfile *out = outfile_memory();
	char *text = NULL;

	if (writer->write(report, &opt, out, err) == 0) {
		size_t size;
		const char *data = outfile_data(out, &size);

		text = memory_alloc(size + 1);
		memcpy(text, data, size);
	}
	outfile_discard(out);
	return text;
}

static char *run(struct job_settings *settings, const char *const *paths, size_t count,
	const struct writer *writer, struct error *err)
{
	struct side *side = side_load(settings, paths, count, err);
	struct report *report = side ? make_report(side, settings, err) : NULL;
	char *text = report ? write_report(report, writer, err) : NULL;

	report_free(report);
	side_free(side);
	return text;
}

static const struct writer *find_writer(const char *format)
{
	static const char *const formats[] = {"json", "csv", "md"};

	for (size_t i = 0; format && i < sizeof(formats) / sizeof(*formats); i++)
		if (text_equal(formats[i], format))
			return writer_find(format, NULL);
	return NULL;
}

char *stepstat_report(
	const char *const *paths, size_t count, const char *format, struct stepstat_error *error)
{
	const struct writer *writer = find_writer(format);
	struct error err = {0};
	struct job_settings settings;
	struct arena *arena;
	char *text;

	for (size_t i = 0; i < count; i++)
		if (!paths[i] || text_equal(paths[i], "-"))
			writer = NULL;
	if (!count || !writer) {
		api_fail(error, STEPSTAT_BAD_CALL,
			"expected paths of files and a format: json, csv or md");
		return NULL;
	}
	gsl_set_error_handler_off();
	arena = arena_new();
	job_settings_init(&settings, arena);
	settings.jobs = 1;
	report_choices_set_stats(&settings);
	text = run(&settings, paths, count, writer, &err);
	if (!text)
		api_error(error, &err);
	arena_free(arena);
	return text;
}

void stepstat_report_free(char *report)
{
	memory_free(report);
}
