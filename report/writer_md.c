/*
 * Markdown as GitHub renders it: a heading, paragraphs, one table, a list of notes; of a gate first
 * the result and what did not pass. Names are code spans; everything else that came from outside is
 * escaped, so that no text of an input becomes markup.
 */
#include "report/writer.h"
#include "report/writer_check.h"

#include <string.h>
#include "base/memory.h"

#define QUIET_MOST 5 /* undecided and waived checks that are shown unfolded */

/* Marks that are seen from afar; U+FE0F asks for the coloured form. */
static const char *const level_mark[] = {
	[LEVEL_RED] = "\342\235\214",		       /* U+274C */
	[LEVEL_UNDECIDED] = "\342\232\240\357\270\217", /* U+26A0 */
	[LEVEL_WAIVED] = "\342\232\252",		       /* U+26AA */
	[LEVEL_COUNT] = "\342\234\205",		       /* U+2705 */
};

struct md {
	const struct report *report;
	bool complete;
	struct outfile *out;
	struct text line;
	struct text visible; /* scratch: harmless bytes before escaping */
	bool began;
};

static void md_end_line(struct md *md)
{
	text_add_char(&md->line, '\n');
	outfile_write(md->out, md->line.data, md->line.size);
	text_clear(&md->line);
}

static void md_begin_part(struct md *md)
{
	if (md->began)
		md_end_line(md);
	md->began = true;
}

static bool is_alnum(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/*
 * Markup only where something else follows or precedes: escaping every bracket and point would hurt
 * whoever reads the source. `before` is the number of characters of the text before s.
 */
static bool is_markup(const char *s, size_t before)
{
	switch (*s) {
	case '\\':
	case '`':
	case '*':
	case '<':
	case '|':
	case '~':
	case '#':
	case '$':
	case '@':
		return true;
	case '_': /* inside a word it is only a character */
		return before == 0 || !is_alnum(s[-1]) || !is_alnum(s[1]);
	case '[': /* a footnote */
		return s[1] == '^';
	case ']': /* a link without its end is text */
		return s[1] == '(' || s[1] == '[' || s[1] == ':';
	case '&': /* entities */
		return s[1] == '#' || is_alnum(s[1]);
	case ':': /* addresses become links without any markup */
		return s[1] == '/';
	case '.':
		return before >= 3 && strncmp(s - 3, "www", 3) == 0;
	default:
		return false;
	}
}

/* Characters that begin a list, a task or a quotation where a block begins. */
static bool is_block_markup(const char *start, const char *s)
{
	size_t before = (size_t)(s - start);
	bool alone = s[1] == ' ' || s[1] == '\0';

	if (*s == '.' || *s == ')')
		return alone && before > 0 && strspn(start, "0123456789") == before;
	if (*s == '+' || *s == '-')
		return before == 0 && (alone || s[1] == *s);
	return before == 0 && (*s == '[' || *s == '>');
}

/* Text that shows as it is and cannot become markup. Blanks at both ends would indent or break
 * lines: left out. `block`: it stands where a block begins, not in a cell. */
static void md_add_text(struct md *md, const char *s, bool block)
{
	text_clear(&md->visible);
	text_add_visible(&md->visible, s);
	const char *start = text_string(&md->visible);

	start += strspn(start, " ");
	const char *end = start + strlen(start);

	while (end > start && end[-1] == ' ')
		end--;
	for (const char *c = start; c < end; c++) {
		if (is_markup(c, (size_t)(c - start)) || (block && is_block_markup(start, c)))
			text_add_char(&md->line, '\\');
		text_add_char(&md->line, *c);
	}
}

static size_t longest_backticks(const char *s)
{
	size_t longest = 0;

	while (*(s += strcspn(s, "`"))) {
		size_t run = strspn(s, "`");

		if (run > longest)
			longest = run;
		s += run;
	}
	return longest;
}

/*
 * A code span: a fence longer than any run of backticks inside. One blank inside each fence is
 * taken away when the text is not only blanks, so it is added where the text begins or ends with a
 * backtick or has blanks of its own at both ends. In a table a bar ends the cell even in code,
 * unless a backslash stands before it, which is then taken away.
 */
static void md_add_code(struct md *md, const char *s, bool in_table)
{
	text_clear(&md->visible);
	text_add_visible(&md->visible, s);
	const char *code = text_string(&md->visible);
	size_t n = strlen(code);

	if (n == 0)
		return;
	size_t fence = longest_backticks(code) + 1;
	bool blanks_only = strspn(code, " ") == n;
	bool pad = code[0] == '`' || code[n - 1] == '`' ||
		   (code[0] == ' ' && code[n - 1] == ' ' && !blanks_only);

	text_add_repeat(&md->line, '`', fence);
	text_add(&md->line, pad ? " " : "");
	for (const char *c = code; *c; c++) {
		if (*c == '|' && in_table)
			text_add_char(&md->line, '\\');
		text_add_char(&md->line, *c);
	}
	text_add(&md->line, pad ? " " : "");
	text_add_repeat(&md->line, '`', fence);
}

static void md_paragraphs(
	struct md *md, const char *const *line, size_t count, const char *first_prefix)
{
	for (size_t i = 0; i < count; i++) {
		md_begin_part(md);
		text_add(&md->line, i == 0 ? first_prefix : "");
		md_add_text(md, line[i], true);
		md_end_line(md);
	}
}

static void md_check(struct md *md, enum check_level level, const struct check *check)
{
	text_printf(&md->line, "- %s **", level_mark[level]);
	md_add_text(md, check_verdict(check), false);
	text_add(&md->line, level == LEVEL_WAIVED && check->verdict ? "** (waived)" : "**");
	if (check->subject) {
		text_add(&md->line, " ");
		md_add_code(md, check->subject, false);
	}
	if (check->measure) {
		text_add(&md->line, " ");
		md_add_text(md, check->measure, false);
	}
	text_add(&md->line, " (");
	md_add_text(md, check->name, false);
	text_add(&md->line, ")");
	if (check->message) {
		text_add(&md->line, ": ");
		md_add_text(md, check->message, false);
	}
	md_end_line(md);
}

static void md_check_lines(
	struct md *md, const struct check_list *list, size_t from, size_t count)
{
	enum check_level level = LEVEL_RED;

	if (count == 0)
		return;
	md_begin_part(md);
	for (size_t i = from; i < from + count; i++) {
		while (i >= list->first[level + 1])
			level++;
		md_check(md, level, list->check[i]);
	}
}

/* All that is red; of the rest a few, the others folded away. */
static void md_checks(struct md *md)
{
	struct check_list list;

	check_list_init(&list, md->report);
	size_t shown = list.first[LEVEL_UNDECIDED] + QUIET_MOST, all = list.first[LEVEL_COUNT];

	shown = shown < all ? shown : all;
	md_check_lines(md, &list, 0, shown);
	if (shown < all) {
		md_begin_part(md);
		text_printf(&md->line, "<details><summary>%zu more undecided or waived</summary>",
			all - shown);
		md_end_line(md);
		md_check_lines(md, &list, shown, all - shown);
		md_begin_part(md);
		text_add(&md->line, "</details>");
		md_end_line(md);
	}
	check_list_release(&list);
}

/* Whoever opens a pull request reads the first line. */
static void md_result(struct md *md)
{
	const struct report *report = md->report;

	if (!report->has_result)
		return;
	md_begin_part(md);
	text_printf(&md->line, "**%s ", level_mark[check_exit_level(report->exit_status)]);
	md_add_text(md, report->result, false);
	text_add(&md->line, "**");
	md_end_line(md);
	md_checks(md);
}

/* Names come from the inputs; labels such as "[204 other ops]" and verdicts are our own words. */
static bool is_name(const struct column *column, const struct row *row, const struct cell *cell)
{
	return column->shorten && row->role == ROW_BODY && cell->kind == CELL_TEXT;
}

static void md_cell(struct md *md, const struct column *column, const struct unit *unit,
	int decimals, const struct row *row, const struct cell *cell)
{
	struct text plain;

	if (is_name(column, row, cell)) {
		md_add_code(md, cell->text ? cell->text : "", true);
	} else {
		text_init(&plain);
		writer_cell_text(column, unit, decimals, cell, &plain);
		md_add_text(md, text_string(&plain), false);
		text_release(&plain);
	}
	if (cell->mark && *cell->mark) {
		text_add(&md->line, " (");
		md_add_text(md, cell->mark, false);
		text_add(&md->line, ")");
	}
}

struct md_format {
	const struct unit *unit;
	int decimals;
};

static void md_table_head(struct md *md, const struct table *table)
{
	text_add(&md->line, "|");
	for (size_t i = 0; i < table->column_count; i++) {
		text_add(&md->line, " ");
		md_add_text(md, table->column[i].title ? table->column[i].title : "", false);
		text_add(&md->line, " |");
	}
	md_end_line(md);
	text_add(&md->line, "|");
	for (size_t i = 0; i < table->column_count; i++)
		text_add(&md->line, table->column[i].align == ALIGN_RIGHT ? " ---: |" : " :--- |");
	md_end_line(md);
}

static void md_table(struct md *md)
{
	const struct table *table = &md->report->display;
	struct md_format *format;

	if (table->column_count == 0)
		return;
	format = memory_alloc(memory_product(table->column_count, sizeof(*format)));
	for (size_t i = 0; i < table->column_count; i++) {
		format[i].unit = writer_column_unit(table, i, md->complete);
		format[i].decimals = writer_column_decimals(table, i, format[i].unit, md->complete);
	}
	md_begin_part(md);
	md_table_head(md, table);
	for (size_t r = 0; r < table->row_count; r++) {
		const struct row *row = &table->row[r];

		if (!writer_row_shown(row, md->complete))
			continue;
		text_add(&md->line, "|");
		for (size_t i = 0; i < table->column_count; i++) {
			text_add(&md->line, " ");
			md_cell(md, &table->column[i], format[i].unit, format[i].decimals, row,
				&row->cell[i]);
			text_add(&md->line, " |");
		}
		md_end_line(md);
	}
	memory_free(format);
}

static void md_notes(struct md *md)
{
	const struct report *report = md->report;

	if (report->note_count == 0)
		return;
	md_begin_part(md);
	for (size_t i = 0; i < report->note_count; i++) {
		const struct note *note = &report->note[i];

		if (note->detail && !md->complete)
			continue;
		text_add(&md->line, "- ");
		if (note->mark && *note->mark) {
			text_add(&md->line, "(");
			md_add_text(md, note->mark, false);
			text_add(&md->line, ") ");
		}
		md_add_text(md, note->text, true);
		if (note->option && *note->option) {
			text_add(&md->line, " ");
			md_add_code(md, note->option, false);
		}
		md_end_line(md);
	}
}

static void md_issues(struct md *md)
{
	const struct issue_list *issues = md->report->issues;

	if (!issues || issues->count == 0)
		return;
	md_begin_part(md);
	text_add(&md->line, "In the input:");
	md_end_line(md);
	md_end_line(md);
	for (size_t i = 0; i < issues->count; i++) {
		const struct issue *issue = &issues->issue[i];

		text_printf(&md->line, "- %s%zu x ", issue->severity == ISSUE_INFO ? "" : "**!** ",
			issue->count);
		md_add_text(md, issue->text, true);
		if (issue->place && *issue->place) {
			text_add(&md->line, " (first: ");
			md_add_text(md, issue->place, false);
			text_add(&md->line, ")");
		}
		md_end_line(md);
	}
}

static int md_write_report(const struct report *report, const struct writer_options *opt,
	struct outfile *out, struct error *err)
{
	struct md md = {.report = report, .complete = opt->complete, .out = out};

	(void)err; /* what cannot be written is reported when the file is committed */
	text_init(&md.line);
	text_init(&md.visible);
	md_result(&md);
	md_paragraphs(&md, report->heading, report->heading_count, "### ");
	md_paragraphs(&md, report->answer, report->answer_count, "");
	md_table(&md);
	md_notes(&md);
	md_issues(&md);
	text_release(&md.line);
	text_release(&md.visible);
	return 0;
}

extern const struct writer writer_md;
const struct writer writer_md = {
	.name = "md",
	.summary = "Markdown for pull requests and wikis, as GitHub renders it",
	.suffixes = (const char *const[]){".md", ".markdown", NULL},
	.write = md_write_report,
};
