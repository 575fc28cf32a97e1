/* Reader of what tfprof prints: the scope, graph and op view, one report for one step, in the
 * spelling of every version. Columns are those of the legend line; the own values of a row are the
 * op's, the totals are kept beside them as printed. */
#include <string.h>
#include "base/number.h"
#include "base/text.h"
#include "ingest/input/input.h"
#include "ingest/reader.h"
#include "tfprof/files/tfprof_text.h"

#define ROOT "_TFProfRoot"
#define PLACE_BYTES 512
#define QUOTE_BYTES 80

struct text_reader {
	struct line_reader lines;
	struct tfprof_table table;
	/* Between reports. */
	bool has_step;
	int64_t step; /* of the last option table */
	enum tfprof_view doc_view;
	bool stream_missing;
	/* The present report. */
	bool inside, skipped;
	/* Values for the message when nothing fits. */
	size_t legend_line, misfits;
	char misfit_place[PLACE_BYTES];
	struct text misfit;
};

static void add_issue(
	struct text_reader *r, enum issue_severity severity, const char *code, const char *text)
{
	const struct profile *p = r->table.ops.profile;

	issue_add(&r->table.ops.profile->issues, severity, code, text, 1, p->path);
}

/* Bytes of a line for a message, at most a few words. */
static void set_quote(struct text *out, const char *bytes, size_t size)
{
	struct text plain;

	text_init(&plain);
	for (size_t i = 0; i < size && i < QUOTE_BYTES; i++)
		text_add_char(&plain, bytes[i] ? bytes[i] : '?');
	text_clear(out);
	text_add_visible(out, text_string(&plain));
	text_release(&plain);
}

/* ---- reports ---- */

static int code_view(struct text_reader *r, struct error *err)
{
	error_set(err, ERROR_INPUT, r->table.ops.profile->path,
		"tfprof's code view, whose rows are lines of Python and not ops");
	return error_hint(err, "give its scope or op view, or the profile itself (profile_N)");
}

static bool same_columns(const struct tfprof_legend *a, const struct tfprof_legend *b)
{
	return a->number_count == b->number_count &&
	       memcmp(a->number, b->number, a->number_count * sizeof(*a->number)) == 0 &&
	       a->device == b->device && a->types == b->types && a->occurrence == b->occurrence &&
	       a->shapes == b->shapes && a->given == b->given;
}

/* True if the report is a further step of the same kind of report. */
static bool is_further_step(const struct text_reader *r, const struct tfprof_legend *legend)
{
	const struct profile *p = r->table.ops.profile;

	if (!r->has_step || r->step < 0 || !same_columns(legend, &r->table.legend) ||
		(r->doc_view && r->doc_view != r->table.view))
		return false;
	for (size_t s = 0; s < p->step_count; s++)
		if (p->step[s].unnumbered || p->step[s].number < 0 || p->step[s].number == r->step)
			return false;
	return true;
}

static int begin_report(
	struct text_reader *r, const struct tfprof_legend *legend, struct error *err)
{
	int result;

	r->inside = true;
	r->skipped = r->table.reports && !is_further_step(r, legend);
	if (r->skipped) {
		r->has_step = false;
		tfprof_table_issue(&r->table, ISSUE_LOSS, "report-further",
			"further reports in one file, not read (each needs a step of its own in an "
			"option table above it, or a file of its own)");
		return 0;
	}
	if (!r->table.reports) {
		if (r->doc_view == VIEW_CODE)
			return code_view(r, err);
		r->table.legend = *legend;
		r->table.view = r->doc_view;
		r->legend_line = r->lines.number;
	}

	/* A step without a number gets one at the end. */
	struct step step = {.number = r->step, .unnumbered = !r->has_step};

	if (step.unnumbered)
		step.number = 0;
	if (step.number < 0) {
		step.number = -1;
		step.run = r->table.ops.profile->path; /* never among the steps of a run */
		tfprof_table_issue(&r->table, ISSUE_INFO, "tfprof-average",
			"reports of tfprof's average over the steps (-step -1), fractions cut off: "
			"one observation each, without spread");
	}
	result = tfprof_table_begin(&r->table, &step, err);
	r->has_step = false;
	return result;
}

static int begin_with_legend(struct text_reader *r, const char *line, size_t size,
	const struct tfprof_legend *legend, const char *bad, struct error *err)
{
	char place[PLACE_BYTES];

	line_reader_place(&r->lines, place, sizeof(place));
	if (bad) {
		struct text quote;

		text_init(&quote);
		set_quote(&quote, bad, (size_t)(line + size - bad));
		error_set(err, ERROR_INPUT, place,
			"unknown column in the legend of tfprof's text: \"%s\"",
			text_string(&quote));
		text_release(&quote);
		return -1;
	}
	if (!legend->number_count && !legend->occurrence) {
		error_set(err, ERROR_INPUT, place, "tfprof's text has no column of numbers");
		return error_hint(err, "let tfprof print some: -select micros,bytes,occurrence");
	}
	return begin_report(r, legend, err);
}

static int begin_without_legend(
	struct text_reader *r, const char *line, size_t size, struct error *err)
{
	struct tfprof_legend legend;
	char place[PLACE_BYTES];

	if (tfprof_legend_guess(line, size, &legend) && legend.number_count) {
		r->doc_view = VIEW_TREE;
		return begin_report(r, &legend, err);
	}
	error_set(err, ERROR_INPUT, line_reader_place(&r->lines, place, sizeof(place)),
		"no legend line (\"node name | ...\") above the row of the root: its columns are "
		"unknown");
	return -1;
}

static void report_misfit(struct text_reader *r, const char *line, size_t size)
{
	tfprof_table_issue(
		&r->table, ISSUE_LOSS, "line-odd", "lines that do not fit the legend, left out");
	if (r->misfits++)
		return;
	line_reader_place(&r->lines, r->misfit_place, sizeof(r->misfit_place));
	set_quote(&r->misfit, line, size);
}

/* Lines between rows that are not rows. */
static bool is_between_rows(const char *line, size_t size)
{
	static const char *const known[] = {
		"input_type: ", "Incomplete shape.", "...hidden ", "...omitted from display"};
	size_t blanks = 0;

	while (blanks < size && line[blanks] == ' ')
		blanks++;
	if (blanks == size || line[blanks] == '[' || line[blanks] == ']') /* values of tensors */
		return true;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (size - blanks >= strlen(known[i]) &&
			memcmp(line + blanks, known[i], strlen(known[i])) == 0)
			return true;
	return false;
}

static int parse_line(struct text_reader *r, const char *line, size_t size, struct error *err)
{
	struct tfprof_row row;
	bool zero = memchr(line, 0, size) != NULL, fits = false;

	if (r->skipped)
		return 0;
	if (!zero && r->table.view != VIEW_OP) {
		fits = tfprof_tree_row(&r->table.legend, line, size, r->table.opt->kilobyte, &row);
		if (fits)
			r->table.view = VIEW_TREE;
	}
	if (!fits && !zero && r->table.view != VIEW_TREE && r->table.legend.given) {
		fits = tfprof_op_row(&r->table.legend, line, size, r->table.opt->kilobyte, &row);
		if (fits)
			r->table.view = VIEW_OP;
	}
	if (fits)
		return tfprof_table_row(&r->table, &row, err);
	if (!is_between_rows(line, size))
		report_misfit(r, line, size);
	return 0;
}

/* ---- lines around reports ---- */

/* "-step                       12" of an option table; any option ends a report. */
static bool parse_option(struct text_reader *r, const char *line, size_t size)
{
	size_t word = 0, at;

	if (size < 2 || line[0] != '-' || line[1] < 'a' || line[1] > 'z')
		return false;
	while (word < size && line[word] != ' ')
		word++;
	for (size_t i = 1; i < word; i++)
		if ((line[i] < 'a' || line[i] > 'z') && line[i] != '_')
			return false;
	for (at = word; at < size && line[at] == ' ';)
		at++;
	if (word == strlen("-step") && text_begins(line, size, "-step"))
		r->has_step = number_parse_int(line + at, size - at, &r->step);
	return true;
}

/* Lines that end a report, or say something about the next. */
static bool parse_frame(struct text_reader *r, const char *line, size_t size)
{
	if (text_begins(line, size, "=====") || text_begins(line, size, "Doc:")) {
		if (text_begins(line, size, "Doc:"))
			r->doc_view = VIEW_UNKNOWN;
	} else if (text_begins(line, size,
			   "Found accelerator operation but misses accelerator stream")) {
		r->stream_missing = true;
	} else if (text_begins(line, size, "code: When python trace")) {
		r->doc_view = VIEW_CODE;
	} else if (text_begins(line, size, "op: The nodes are operation kernel")) {
		r->doc_view = VIEW_OP;
	} else if (text_begins(line, size, "scope: The nodes in the model graph")) {
		r->doc_view = VIEW_TREE;
	} else if (!parse_option(r, line, size)) {
		return false;
	}
	r->inside = false;
	return true;
}

static int read_lines(struct text_reader *r, struct error *err)
{
	const char *line, *bad;
	size_t size;
	int got, result = 0;

	while (result == 0 && (got = line_reader_next(&r->lines, &line, &size, err)) > 0) {
		struct tfprof_legend legend;
		bool root = text_begins(line, size, ROOT " (");

		if (parse_frame(r, line, size))
			continue;
		if (tfprof_legend_parse(line, size, &legend, &bad))
			result = begin_with_legend(r, line, size, &legend, bad, err);
		else if (root && (!r->inside || (r->table.rows && !r->table.legend.given)))
			result = begin_without_legend(r, line, size, err);
		if (result == 0 && r->inside && !text_begins(line, size, "node name |"))
			result = parse_line(r, line, size, err);
	}
	return result < 0 || got < 0 ? -1 : 0;
}

/* ---- at the end ---- */

static int nothing_read(struct text_reader *r, struct error *err)
{
	const char *path = r->table.ops.profile->path;

	if (!r->table.reports) {
		r->lines.number += !r->lines.unended; /* where the text ends */
		error_set(err, ERROR_INPUT,
			line_reader_place(&r->lines, r->misfit_place, sizeof(r->misfit_place)),
			"no report of tfprof (no line \"node name | ...\")");
		return error_hint(err, "tfprof prints one with -output stdout or file:outfile=...");
	}
	if (r->misfits)
		return error_set(err, ERROR_INPUT, r->misfit_place,
			"no row fits the legend of line %zu; the first line below it is \"%s\"",
			r->legend_line, text_string(&r->misfit));
	error_set(err, ERROR_INPUT, path, "tfprof's report shows no op%s",
		r->table.rows ? ", only the root" : "");
	return error_hint(err, "its options -account_type_regexes, -start_name_regexes, "
			       "-show_name_regexes and -max_depth decide what is shown");
}

/* "scope_12.txt.gz" is step 12. */
static bool number_in_name(const char *path, int64_t *number)
{
	static const char *const suffixes[] = {".gz", ".txt", ".out", ".log", ".text"};
	const char *name = text_base_name(path), *end = name + strlen(name), *at;
	bool more = true;

	while (more) {
		more = false;
		for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
			size_t n = strlen(suffixes[i]);

			if ((size_t)(end - name) > n && memcmp(end - n, suffixes[i], n) == 0) {
				end -= n;
				more = true;
			}
		}
	}
	for (at = end; at > name && text_is_digit(at[-1]);)
		at--;
	return at < end && number_parse_int(at, (size_t)(end - at), number);
}

static int finish(struct text_reader *r, struct error *err)
{
	const struct tfprof_table *t = &r->table;

	if (!t->shown)
		return nothing_read(r, err);
	if (t->view == VIEW_TREE && t->code == t->shown)
		return code_view(r, err);
	if (!t->own && (t->view != VIEW_TREE || t->graph_view)) {
		error_set(err, ERROR_INPUT, t->ops.profile->path,
			"no row of tfprof's report has values of its own (\"--\": not accounted)");
		return error_hint(err, "-account_type_regexes .* counts every op");
	}
	struct step *step = &r->table.ops.profile->step[0];

	if (step->unnumbered) {
		add_issue(r, ISSUE_INFO, "step-unknown",
			"reports that do not say their step, each used as one step: without -step "
			"tfprof prints its average over the steps");
		if (number_in_name(r->table.ops.profile->path, &step->number)) {
			step->unnumbered = false;
			add_issue(r, ISSUE_INFO, "step-from-name",
				"numbers of steps that are those at the end of the file names");
		}
		r->table.totals.profile->step[0] = *step;
	}
	if (r->stream_missing)
		add_issue(r, ISSUE_INFO, "stream-missing",
			"reports in which tfprof warns that accelerator times may be missing");
	if (t->view == VIEW_OP && r->lines.unended)
		add_issue(r, ISSUE_INFO, "line-unended",
			"reports whose last line has no end: its last number may be cut");
	input_report_tail(r->lines.in, &r->table.ops.profile->issues);
	tfprof_table_end(&r->table);
	return 0;
}

static int read_text(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	struct text_reader r = {.inside = false};

	line_reader_init(&r.lines, in, opt->max_record_bytes);
	tfprof_table_init(&r.table, out, opt, &r.lines);
	text_init(&r.misfit);
	int result = read_lines(&r, err);

	if (result == 0)
		result = finish(&r, err);
	tfprof_table_release(&r.table);
	text_release(&r.misfit);
	line_reader_release(&r.lines);
	return result;
}

/* ---- detection ---- */

static int probe_text(const struct probe *p)
{
	static const char *const doc[] = {"Doc:\ncode: When python trace",
		"Doc:\nop: The nodes are operation kernel",
		"Doc:\nscope: The nodes in the model graph"};

	if (memchr(p->bytes, 0, p->size) || probe_has(p, "```")) /* documentation quotes it */
		return 0;
	for (size_t i = 0; i < sizeof(doc) / sizeof(doc[0]); i++)
		if (probe_has(p, doc[i]))
			return 90;
	if (probe_has(p, "Doc:\n") && probe_has(p, "\nProfile:\n"))
		return 90;
	return probe_has(p, "\nnode name | ") || probe_begins(p, "node name | ") ||
			       probe_has(p, "\n" ROOT " (") || probe_begins(p, ROOT " (")
		       ? 80
		       : 0;
}

const struct reader reader_tfprof_text = {
	.name = "tfprof-text",
	.title = "tfprof text",
	.summary = "what tfprof prints: scope, graph or op view of one step, or -output "
		   "file:outfile=...",
	.suffixes = (const char *const[]){".txt", NULL},
	.probe = probe_text,
	.read = read_text,
	.is_file_a_step = true,
	.uses_kilobyte = true,
};
