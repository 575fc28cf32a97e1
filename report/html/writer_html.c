/*
 * One file for a browser: no server, no network, no script from elsewhere. Everything that is drawn
 * is in the markup; the script adds sorting, filtering and what follows the pointer.
 */
#include <stdlib.h>
#include "report/html/html_compare.h"
#include "report/html/html_data.h"
#include "report/html/html_page.h"
#include "report/html/html_report.h"
#include "writers/writer.h"

static const char *const report_script[] = {"page.js", "report.js", NULL};
static const char *const report_style[] = {"page.css", NULL};
static const char *const compare_script[] = {"page_compare.js", NULL};
static const char *const suite_script[] = {"page_suite.js", NULL};
static const char *const compare_style[] = {"style.css", NULL};

static int html_write(const struct report *report, const struct writer_options *opt,
	struct outfile *out, struct error *err)
{
	const struct web_page *page = report->page;
	struct text body;
	struct html_frame frame = {.report = report, .style = report_style};

	(void)opt;
	(void)err;
	text_init(&body);
	if (page && page->compare) {
		html_compare(&body, report, page);
		frame.data = html_compare_data;
		frame.script = page->compare->benchmarks ? suite_script : compare_script;
		frame.style = compare_style;
	} else if (page) {
		html_report(&body, report, page);
		frame.data = html_data;
		frame.script = report_script;
	} else {
		html_plain(&body, report);
		frame.style = compare_style;
		if (html_find_table(report, "pairs")) {
			frame.data = html_plain_data;
			frame.script = compare_script;
		}
	}
	frame.title = page && page->compare   ? arena_printf(report->arena, "%s: stepstat %s",
							page->title, report->command)
		      : page		      ? page->title
		      : report->heading_count ? report->heading[0]
					      : "stepstat";
	frame.body = text_string(&body);
	html_frame_write(out, &frame);
	text_release(&body);
	return 0;
}

static const char *const suffixes[] = {".html", ".htm", NULL};

const struct writer writer_html = {
	.name = "html",
	.summary = "a page for a browser: plots, sortable tables, every step; one file, no network",
	.suffixes = suffixes,
	.wants_page = true,
	.holds_all = true,
	.write = html_write,
};
