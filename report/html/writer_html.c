/* One file for a browser: no server, no network, no script from elsewhere. Sentences and tables are
 * in the markup; the script draws the plots of the data, sorts and filters. */
#include <stdlib.h>
#include "report/html/html_compare.h"
#include "report/html/html_data.h"
#include "report/html/html_page.h"
#include "report/html/html_report.h"
#include "writers/writer.h"

static int html_write(const struct report *report, const struct writer_options *opt,
	struct outfile *out, struct error *err)
{
	const struct web_page *page = report->page;
	struct text body;
	struct html_frame frame = {.report = report};

	(void)opt;
	(void)err;
	text_init(&body);
	if (page && page->compare) {
		html_compare(&body, report, page);
		frame.script = page->compare->benchmarks ? "page_suite.js" : "page_compare.js";
	} else if (page) {
		html_report(&body, report, page);
		frame.script = "page_report.js";
	} else {
		html_plain(&body, report);
		frame.script = html_find_table(report, "pairs")	   ? "page_compare.js"
			       : html_find_table(report, "series") ? "page_history.js"
								   : NULL;
	}
	frame.data = frame.script ? html_data : NULL;
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
	.draws_sides = true,
	.holds_all = true,
	.write = html_write,
};
