/* Writes reports to standard output, with the terminal's width and colours, and to the files of
 * -o. All outputs are complete before any is put in place. */
#pragma once

#include "base/output/file_identity.h"
#include "cli/options/settings.h"
#include "ingest/find.h"
#include "pipeline/two_sides.h"
#include "report/build.h"
#include "report/report.h"
#include "tfprof/options/flags.h"

/* Writes the report as the settings say and adds the footer that names the files. */
int report_output_write(const struct settings *settings, struct report *report, struct error *err);

/* True if a writer holds report->page, of a comparison where of_sides is set. */
bool report_output_wants_page(const struct settings *settings, bool of_sides);
/* True if only the first lines and the table of ops are shown. */
bool report_output_is_of_ops(const struct settings *settings);
/* The report of a comparison or gate gets its page, where one is written; one that explains rows
 * (--explain) has none. */
void report_output_page_of_sides(const struct settings *s, const struct two_sides *sides,
	const struct build_options *build, struct report *report);

/* No output replaces an input: before any file is opened, compares the outputs of a command with
 * its inputs and with each other. */

/* ERROR_USAGE when an output is an input or the same file as another output. A file in a folder
 * counts when a reader accepts it. */
int outputs_check(const struct settings *settings, struct error *err);
/* Records the inputs that are there now, for a job that writes its outputs again and again. */
void outputs_guard_again(const struct settings *settings);
/* True if a file of a folder would be replaced: it is one of these outputs, or in one. */
bool outputs_include(
	const struct file_identity *output, size_t count, const struct found_file *file);
/* The same for the words of tfprof; outputs that are typed at its prompt are checked when they are
 * opened. */
int outputs_check_tfprof(const struct tfprof_flags *flags, struct error *err);
