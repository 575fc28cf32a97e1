/*
 * A view as a report: the shown nodes as rows of numbers with units, for the writers of CSV,
 * Markdown, JSON and text. It builds no view and knows no format.
 */
#ifndef STEPSTAT_TFPROF_VIEW_REPORT_H
#define STEPSTAT_TFPROF_VIEW_REPORT_H

#include "base/error.h"
#include "report/report.h"
#include "tfprof/view/view.h"

/* Rows in the order of printing. Columns: name, depth, then self and total of what is selected
 * (over several steps: mean and CV of each), then texts. The self value of a node that is not
 * accounted is unknown. report_free releases it. */
struct report *view_report(const struct view *view, const struct tfprof_options *options);

/* Writes it to the outfile of the options, in the format that their output names. */
int view_report_write(
	const struct view *view, const struct tfprof_options *options, struct error *err);

#endif
