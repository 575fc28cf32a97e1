/*
 * Options and notes of the parts of `stepstat timeline`.
 */
#include "cli/timeline_part.h"

#include <inttypes.h>
#include "base/text.h"
#include "cli/diagnostic.h"

int timeline_check(
	const struct settings *s, const char *example, const char *output, struct error *err)
{
	if (!s->job.input.count) {
		error_set(err, ERROR_USAGE, NULL, "no input is given");
		return error_hint(err, "%s", example);
	}
	if (s->output.count == 1)
		return 0;
	error_set(err, ERROR_USAGE, "-o", "expected one file name, found %s",
		s->output.count ? "several" : "none");
	return error_hint(err, "-o %s, -o %s.gz; - is standard output", output, output);
}

const char *timeline_output(const struct settings *s)
{
	return *(const char **)vec_at(&s->output, 0);
}

struct merge_job timeline_job(const struct settings *s)
{
	return (struct merge_job){
		.paths = s->job.input.data,
		.path_count = s->job.input.count,
		.output = timeline_output(s),
		.input_name = s->job.input_name,
		.from = s->job.from,
		.read = s->job.read,
		.clock = s->timeline.clock,
		.take = s->job.range.data,
		.take_count = s->job.range.count,
		.found = arena_array(s->arena, s->job.range.count, sizeof(bool)),
		.skip = s->timeline.skip.data,
		.skip_count = s->timeline.skip.count,
		.rules = s->job.rules,
		.max_bytes = s->timeline.max_bytes,
		.strict = s->job.strict,
		.cv_of_population = s->job.sample.population,
	};
}

void timeline_report(const char *note)
{
	diagnostic_line("stepstat: note: ", note);
}

void timeline_report_issues(const struct issue_list *issues, enum issue_severity least)
{
	struct text line;

	text_init(&line);
	for (size_t i = 0; i < issues->count; i++) {
		if (issues->issue[i].severity < least)
			continue;
		text_clear(&line);
		issue_add_sentence(&line, &issues->issue[i]);
		timeline_report(text_string(&line));
	}
	text_release(&line);
}

void timeline_report_count(uint64_t count, const char *what)
{
	struct text line;

	if (!count)
		return;
	text_init(&line);
	text_printf(&line, "%" PRIu64 " %s", count, what);
	timeline_report(text_string(&line));
	text_release(&line);
}
