/*
 * What was typed, beside what was compared.
 */
#include "cli/compare/page_of_sides.h"

#include "cli/options/command_line.h"
#include "cli/report_output.h"
#include "config.h"
#include "report/page/build_page_compare.h"

void page_of_sides(const struct settings *s, const struct two_sides *sides,
	const struct build_options *build, struct report *report)
{
	struct page_compare_source source = {.base = &sides->base_runs,
		.new = &sides->new_runs,
		.comparison = &sides->comparison,
		.opt = &sides->options,
		.build = build,
		.command = command_line_text(s),
		.version = "stepstat " PACKAGE_VERSION};

	if (!report_output_wants_page(s) || s->job.compare.explain)
		return;
	source.input = command_line_inputs(s, &source.input_count);
	source.option = command_line_options(s, &source.option_count);
	build_page_compare(report, &source);
}
