/* Markdown as GitHub renders it: a heading, paragraphs, one table, a list of notes; of a gate first
 * the result and what did not pass, of a comparison its verdict. What a first look does not need is
 * folded in <details>; the whole is never longer than GitHub lets a comment be. Names are code
 * spans; everything else that came from outside is escaped, so that no text of an input becomes
 * markup. */
#include <string.h>
#include "writers/writer.h"
#include "writers/md_page.h"
#include "base/names/short_names.h"
#include "base/memory.h"

#define LOUD_MOST 10  /* failed checks that are shown unfolded */
#define QUIET_MOST 5  /* undecided and waived ones */
#define ROWS_MOST 20  /* rows of a table whose rest is folded */
#define NOTES_MOST 15 /* of those that a screen shows */
#define ISSUES_MOST 10
#define NAME_MOST 1000 /* bytes of a name: longer ones are cut in the middle */
#define TEXT_MOST 4000 /* bytes of any other text */
#define RESERVE 300    /* bytes for the sentence about what was left out */

/* Marks that are seen from afar; U+FE0F asks for the coloured form. */
static const char *const level_mark[] = {
	[LEVEL_RED] = "\342\235\214",			/* U+274C */
	[LEVEL_UNDECIDED] = "\342\232\240\357\270\217", /* U+26A0 */
	[LEVEL_WAIVED] = "\342\232\252",		/* U+26AA */
	[LEVEL_COUNT] = "\342\234\205",			/* U+2705 */
};

struct md {
	const struct report *report;
	const struct writer_options *opt;
	struct md_page page;
	struct text line;
	struct text visible; /* scratch: harmless bytes before escaping */
	struct arena *arena;
	const struct table *table; /* the one at hand */
	const char ***cut; /* per column of names: the short form of each row; NULL: whole names */
};

static void md_end_line(struct md *md, enum md_part part, bool fixed)
{
	md_page_add(&md->page, part, text_string(&md->line), fixed);
	text_clear(&md->line);
}

/* The line is only counted then. */
static bool md_is_full(struct md *md, enum md_part part)
{
	if (!md_page_is_full(&md->page, part))
		return false;
	md->page.part[part].beyond++;
	return true;
}

static bool is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* s, harmless; where that has more than `most` bytes, its two ends with a U+2026 between them. */
static const char *md_visible(struct md *md, const char *s, size_t most)
{
	struct text cut;

	text_clear(&md->visible);
	text_add_shown(&md->visible, s);
	if (md->visible.size <= most)
		return text_string(&md->visible);
	const char *head = md->visible.data + most / 2;
	const char *tail = md->visible.data + md->visible.size - most / 2;

	while (is_continuation(*head))
		head--;
	while (is_continuation(*tail))
		tail++;
	text_init(&cut);
	text_add_bytes(&cut, md->visible.data, (size_t)(head - md->visible.data));
	text_printf(&cut, "\342\200\246%s", tail);
	text_release(&md->visible);
	md->visible = cut;
	return text_string(&md->visible);
}

static bool is_alnum(char c)
{
	return text_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Markup only where something else follows or precedes: escaping every bracket and point would hurt
 * whoever reads the source. `before` is the number of characters of the text before s. */
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

/* Characters that begin a list, a task, a quotation or a command of GitLab where a block begins. */
static bool is_block_markup(const char *start, const char *s)
{
	size_t before = (size_t)(s - start);
	bool alone = s[1] == ' ' || s[1] == '\0';

	if (*s == '.' || *s == ')')
		return alone && before > 0 && strspn(start, "0123456789") == before;
	if (*s == '+' || *s == '-')
		return before == 0 && (alone || s[1] == *s);
	return before == 0 && (*s == '[' || *s == '>' || *s == '/');
}

/* Text that shows as it is and cannot become markup. Blanks at both ends would indent or break
 * lines: left out. `block`: it is where a block begins, not in a cell. */
static void md_add_text(struct md *md, const char *s, bool block)
{
	const char *start = md_visible(md, s, TEXT_MOST);

	start += strspn(start, " ");
	const char *end = start + strlen(start);

	while (end > start && end[-1] == ' ')
		end--;
	for (const char *c = start; c < end; c++) {
		if (is_markup(c, (size_t)(c - start)) || (block && is_block_markup(start, c)))
			text_add_char(&md->line, '\\');
		text_add_char(&md->line, *c);
		/* A name behind it would be mentioned, also behind a backslash: a blank without
		 * width keeps them apart. */
		text_add(&md->line, *c == '@' && is_alnum(c[1]) ? "&#8203;" : "");
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

/* A code span: a fence longer than any run of backticks inside. One blank inside each fence is
 * taken away when the text is not only blanks, so it is added where the text begins or ends with a
 * backtick or has blanks of its own at both ends. In a table a bar ends the cell even in code,
 * unless a backslash is before it, which is then removed. */
static void md_add_code(struct md *md, const char *s, bool in_table)
{
	const char *code = md_visible(md, s, NAME_MOST);
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

/* Each is a line of the page with the empty line before it. */
static void md_paragraphs(
	struct md *md, const char *const *line, size_t count, const char *first_prefix)
{
	for (size_t i = 0; i < count; i++) {
		text_add(&md->line, md->page.part[MD_HEADING].line.count ? "\n" : "");
		text_add(&md->line, i == 0 ? first_prefix : "");
		md_add_text(md, line[i], true);
		md_end_line(md, MD_HEADING, true);
	}
}

static void md_fold(struct md *md, enum md_part part, const char *summary)
{
	text_printf(&md->page.part[part].open, "<details><summary>%s</summary>\n\n", summary);
	text_add(&md->page.part[part].close, "\n</details>\n");
}

/* ---- the checks of a gate ---- */

static void md_check(
	struct md *md, enum md_part part, enum check_level level, const struct check *check)
{
	if (md_is_full(md, part))
		return;
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
	md_end_line(md, part, false);
}

/* "290 more failed, 12 undecided or waived"; "2 more undecided or waived". */
static void md_fold_checks(struct md *md, size_t loud, size_t quiet)
{
	struct text summary;

	text_init(&summary);
	if (loud)
		text_printf(&summary, "%zu more failed%s", loud, quiet ? ", " : "");
	if (quiet)
		text_printf(&summary, "%zu %sundecided or waived", quiet, loud ? "" : "more ");
	md_fold(md, MD_CHECKS_FOLDED, text_string(&summary));
	text_release(&summary);
}

/* Prints the result of a gate in the first line, which is read by anyone who opens a pull
 * request. */
static void md_result(struct md *md)
{
	const struct report *report = md->report;

	if (!report->has_result)
		return;
	text_printf(&md->line, "**%s ", level_mark[check_exit_level(report->exit_status)]);
	md_add_text(md, report->result, false);
	text_add(&md->line, "**");
	md_end_line(md, MD_RESULT, true);

	/* The first of each kind; the others are folded away. */
	struct check_list list;

	size_t loud = 0, quiet = 0;

	check_list_init(&list, md->report, true);
	for (size_t i = 0; i < list.count; i++) {
		const struct listed_check *item = &list.item[i];
		bool shown = item->level == LEVEL_RED ? loud < LOUD_MOST
			     : item->check->is_blind  ? false
						      : quiet < QUIET_MOST;

		loud += shown && item->level == LEVEL_RED;
		quiet += shown && item->level != LEVEL_RED;
		md_check(md, shown ? MD_CHECKS : MD_CHECKS_FOLDED, item->level, item->check);
	}
	if (loud + quiet < list.count)
		md_fold_checks(md, list.of_level[LEVEL_RED] - loud,
			list.count - list.of_level[LEVEL_RED] - quiet);
	check_list_release(&list);
}

/* Prints the verdict of a comparison first, unless a gate says more; true when it did. */
static bool md_verdict(struct md *md)
{
	const struct report *report = md->report;

	if (report->has_result || !report->is_verdict || !report->answer_count)
		return false;
	text_add(&md->line, "**");
	md_add_text(md, report->answer[0], false);
	text_add(&md->line, "**");
	md_end_line(md, MD_RESULT, true);
	return true;
}

/* ---- the table ---- */

/* Names come from the inputs; labels such as "[204 other ops]" and verdicts are our own words. */
static bool is_name(const struct column *column, const struct row *row, const struct cell *cell)
{
	return column->shorten && row->role == ROW_BODY && cell->kind == CELL_TEXT;
}

struct md_format {
	const struct unit *unit;
	int decimals;
};

/* The short form of a name, or NULL where the whole one is shown. */
static const char *md_short(const struct md *md, size_t column, size_t row)
{
	return md->cut[column] ? md->cut[column][row] : NULL;
}

static void md_cell(struct md *md, const struct md_format *format, const struct table *table,
	size_t r, size_t c)
{
	const struct column *column = &table->column[c];
	const struct row *row = &table->row[r];
	const struct cell *cell = &row->cell[c];
	const char *name = md_short(md, c, r);
	struct text plain;

	if (is_name(column, row, cell)) {
		md_add_code(md, name ? name : cell->text ? cell->text : "", true);
	} else {
		text_init(&plain);
		writer_cell_text(column, format->unit, format->decimals, cell, &plain);
		md_add_text(md, text_string(&plain), false);
		text_release(&plain);
	}
	if (cell->mark && *cell->mark) {
		text_add(&md->line, " (");
		md_add_text(md, cell->mark, false);
		text_add(&md->line, ")");
	}
}

/* Two lines at once: one without the other is no table. */
static void md_table_head(struct md *md, const struct table *table)
{
	text_add(&md->line, "|");
	for (size_t i = 0; i < table->column_count; i++) {
		text_add(&md->line, " ");
		md_add_text(md, table->column[i].title ? table->column[i].title : "", false);
		text_add(&md->line, " |");
	}
	text_add(&md->line, "\n|");
	for (size_t i = 0; i < table->column_count; i++)
		text_add(&md->line, table->column[i].align == ALIGN_RIGHT ? " ---: |" : " :--- |");
}

static void md_row(struct md *md, enum md_part part, const struct md_format *format, size_t r)
{
	const struct table *table = md->table;
	const struct row *row = &table->row[r];

	if (row->role == ROW_BODY && md_is_full(md, part))
		return;
	text_add(&md->line, "|");
	for (size_t i = 0; i < table->column_count; i++) {
		text_add(&md->line, " ");
		md_cell(md, &format[i], table, r, i);
		text_add(&md->line, " |");
	}
	md_end_line(md, part, row->role != ROW_BODY);
}

/* Target of each row: MD_ROWS, MD_ROWS_FOLDED, or MD_PART_COUNT for none; the number of rows that
 * the screen would show and that are folded. */
static size_t md_place_rows(const struct md *md, enum md_part *place, size_t *folded)
{
	const struct table *table = md->table;
	size_t shown = 0, over = 0;

	*folded = 0;
	for (size_t r = 0; r < table->row_count; r++) {
		const struct row *row = &table->row[r];
		bool is_body = row->role == ROW_BODY;

		place[r] = writer_row_shown(row, md->opt->complete) ? MD_ROWS : MD_PART_COUNT;
		if (!md->opt->fold)
			continue;
		if (place[r] == MD_ROWS && is_body && shown++ >= ROWS_MOST) {
			place[r] = MD_ROWS_FOLDED;
			over++;
		} else if (place[r] != MD_ROWS && writer_row_shown(row, true)) {
			place[r] = MD_ROWS_FOLDED;
		}
		*folded += place[r] == MD_ROWS_FOLDED;
	}
	return over;
}

static void md_choose_formats(struct md *md, bool complete, struct md_format *format)
{
	const struct table *table = md->table;

	for (size_t i = 0; i < table->column_count; i++) {
		format[i].unit = writer_column_unit(table, i, complete);
		format[i].decimals = writer_column_decimals(table, i, format[i].unit, complete);
	}
}

/* The rows that are shown: the sums are below the rows that are folded. */
static void md_shown_rows(
	struct md *md, const enum md_part *place, const struct md_format *format, size_t over)
{
	const struct table *table = md->table;

	md_table_head(md, table);
	md_end_line(md, MD_ROWS, true);
	for (size_t r = 0; r < table->row_count; r++) {
		if (place[r] == MD_ROWS_FOLDED && over && writer_row_shown(&table->row[r], false)) {
			/* Add a line in the place of rows that the screen would show here. */
			text_printf(&md->line, "| [%zu more row%s, folded below] |", over,
				over == 1 ? "" : "s");
			for (size_t i = 1; i < md->table->column_count; i++)
				text_add(&md->line, " |");
			md_end_line(md, MD_ROWS, true);
			over = 0;
		}
		if (place[r] == MD_ROWS)
			md_row(md, MD_ROWS, format, r);
	}
}

static void md_folded_rows(
	struct md *md, const enum md_part *place, const struct md_format *format, size_t count)
{
	const struct table *table = md->table;
	struct text summary;

	text_init(&summary);
	text_printf(&summary, "%zu more row%s", count, count == 1 ? "" : "s");
	md_fold(md, MD_ROWS_FOLDED, text_string(&summary));
	text_release(&summary);
	md_table_head(md, table);
	text_printf(&md->page.part[MD_ROWS_FOLDED].open, "%s\n", text_string(&md->line));
	text_clear(&md->line);
	for (size_t r = 0; r < table->row_count; r++)
		if (place[r] == MD_ROWS_FOLDED)
			md_row(md, MD_ROWS_FOLDED, format, r);
}

static void md_choose_names(struct md *md)
{
	const struct table *table = md->table;

	md->cut = arena_array(md->arena, table->column_count, sizeof(*md->cut));
	for (size_t c = 0; c < table->column_count; c++)
		if (table->column[c].names && !md->opt->whole_names) {
			md->cut[c] = arena_array(md->arena, table->row_count, sizeof(**md->cut));
			writer_short_names(table, c, SHORT_NAME_WIDTH, md->arena, md->cut[c]);
		}
}

/* Adds the whole names of the short names in the first column of the rows above. */
static void md_whole_names(struct md *md, const enum md_part *place)
{
	const struct table *table = md->table;
	const char *before = "";
	struct text summary;
	size_t count = 0;

	for (size_t r = 0; r < table->row_count; r++) {
		const char *name = md_short(md, 0, r);
		const char *whole = table->row[r].cell[0].text;

		if (place[r] == MD_PART_COUNT || !writer_name_is_cut(whole, name) ||
			text_equal(before, name))
			continue;
		count++;
		before = name;
		if (md_is_full(md, MD_NAMES_FOLDED))
			continue;
		text_add(&md->line, "| ");
		md_add_code(md, name, true);
		text_add(&md->line, " | ");
		md_add_code(md, whole, true);
		text_add(&md->line, " |");
		md_end_line(md, MD_NAMES_FOLDED, false);
	}
	if (!count)
		return;
	text_init(&summary);
	text_printf(&summary, "%zu whole name%s", count, count == 1 ? "" : "s");
	md_fold(md, MD_NAMES_FOLDED, text_string(&summary));
	text_release(&summary);
	text_add(&md->page.part[MD_NAMES_FOLDED].open, "| short | whole |\n| :--- | :--- |\n");
}

static void md_table(struct md *md)
{
	const struct table *table = &md->report->display;
	struct md_format *format;
	enum md_part *place;
	size_t over, folded;

	if (table->column_count == 0)
		return;
	md->table = table;
	format = memory_alloc(memory_product(table->column_count, sizeof(*format)));
	place = memory_alloc(memory_product(table->row_count + 1, sizeof(*place)));
	md_choose_names(md);
	over = md_place_rows(md, place, &folded);
	md_choose_formats(md, md->opt->complete, format);
	md_shown_rows(md, place, format, over);
	if (folded) {
		md_choose_formats(md, true, format);
		md_folded_rows(md, place, format, folded);
	}
	md_whole_names(md, place);
	memory_free(place);
	memory_free(format);
}

/* ---- notes and issues ---- */

static void md_note(struct md *md, enum md_part part, const struct note *note)
{
	if (md_is_full(md, part))
		return;
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
	md_end_line(md, part, false);
}

static void md_notes(struct md *md)
{
	const struct report *report = md->report;
	struct text summary;
	size_t shown = 0, folded = 0;

	for (size_t i = 0; i < report->note_count; i++) {
		const struct note *note = &report->note[i];

		if ((!note->detail || md->opt->complete) &&
			(!md->opt->fold || shown++ < NOTES_MOST))
			md_note(md, MD_NOTES, note);
		else if (md->opt->fold && ++folded)
			md_note(md, MD_NOTES_FOLDED, note);
	}
	if (!folded)
		return;
	text_init(&summary);
	text_printf(&summary, "%zu more note%s", folded, folded == 1 ? "" : "s");
	md_fold(md, MD_NOTES_FOLDED, text_string(&summary));
	text_release(&summary);
}

/* Adds the issues; losses come first where some are folded. */
static void md_issues(struct md *md)
{
	const struct issue_list *issues = md->report->issues;
	const bool folds = md->opt->fold && issues && issues->count > ISSUES_MOST;
	size_t shown = 0;

	if (!issues || issues->count == 0)
		return;
	if (folds) {
		text_printf(&md->line, "%zu more of the input", issues->count - ISSUES_MOST);
		md_fold(md, MD_ISSUES_FOLDED, text_string(&md->line));
		text_clear(&md->line);
	}
	text_add(&md->page.part[MD_ISSUES].open, "In the input:\n\n");
	for (int pass = 0; pass < (folds ? 2 : 1); pass++)
		for (size_t i = 0; i < issues->count; i++) {
			const struct issue *issue = &issues->issue[i];

			if (folds && (issue->severity == ISSUE_INFO) != pass)
				continue;

			enum md_part part =
				folds && shown++ >= ISSUES_MOST ? MD_ISSUES_FOLDED : MD_ISSUES;
			struct text sentence;

			if (md_is_full(md, part))
				continue;
			text_init(&sentence);
			text_printf(
				&md->line, "- %s", issue->severity == ISSUE_INFO ? "" : "**!** ");
			issue_add_sentence(&sentence, issue);
			md_add_text(md, text_string(&sentence), true);
			md_end_line(md, part, false);
			text_release(&sentence);
		}
}

/* ---- the page ---- */

/* "12 rows and 3 checks". */
static void md_left_out(const struct md *md, struct outfile *out)
{
	static const struct {
		enum md_part part[2];
		const char *noun;
	} kind[] = {
		{{MD_ROWS, MD_ROWS_FOLDED}, "row"},
		{{MD_CHECKS, MD_CHECKS_FOLDED}, "check"},
		{{MD_NOTES, MD_NOTES_FOLDED}, "note"},
		{{MD_NAMES_FOLDED, MD_NAMES_FOLDED}, "whole name"},
		{{MD_ISSUES, MD_ISSUES_FOLDED}, "issue"},
		{{MD_RESULT, MD_HEADING}, "line"},
		{{MD_BEFORE, MD_BEFORE}, "line of the first table"},
	};
	bool any = false;

	outfile_puts(out, "\nLeft out here, because a comment on GitHub holds 65536 characters:");
	for (size_t i = 0; i < sizeof(kind) / sizeof(*kind); i++) {
		size_t n = md->page.part[kind[i].part[0]].left_out;

		if (kind[i].part[1] != kind[i].part[0])
			n += md->page.part[kind[i].part[1]].left_out;
		if (n)
			outfile_printf(out, "%s %zu %s%s", any ? "," : "", n, kind[i].noun,
				n == 1 ? "" : "s");
		any = any || n;
	}
	outfile_printf(out, ". `stepstat %s ... -o all.json` holds everything.\n",
		md->report->command ? md->report->command : "report");
}

static int md_write_report(const struct report *report, const struct writer_options *opt,
	struct outfile *out, struct error *err)
{
	struct md md = {.report = report, .opt = opt, .arena = arena_new()};
	size_t first; /* answer that is not the verdict */

	(void)err; /* what cannot be written is reported when the file is committed */
	md_page_init(&md.page);
	text_init(&md.line);
	text_init(&md.visible);
	md_result(&md);
	first = md_verdict(&md);
	md_paragraphs(&md, report->heading, report->heading_count, "### ");
	if (report->answer_count > first)
		md_paragraphs(&md, report->answer + first, report->answer_count - first, "");
	const struct table *table = &md.report->before;
	struct md_format *format;

	/* The table above that of the rows: short, and whole. */
	if (table->column_count != 0) {
		md.table = table;
		format = memory_alloc(memory_product(table->column_count, sizeof(*format)));
		md_choose_names(&md);
		md_choose_formats(&md, md.opt->complete, format);
		md_table_head(&md, table);
		md_end_line(&md, MD_BEFORE, true);
		for (size_t r = 0; r < table->row_count; r++)
			if (writer_row_shown(&table->row[r], md.opt->complete))
				md_row(&md, MD_BEFORE, format, r);
		memory_free(format);
	}
	md_table(&md);
	md_notes(&md);
	md_issues(&md);
	size_t left_out = md_page_fit(&md.page, RESERVE);

	md_page_write(&md.page, out);
	if (left_out)
		md_left_out(&md, out);
	md_page_release(&md.page);
	text_release(&md.line);
	text_release(&md.visible);
	arena_free(md.arena);
	return 0;
}

extern const struct writer writer_md;
const struct writer writer_md = {
	.name = "md",
	.summary = "Markdown for pull requests and wikis, as GitHub renders it",
	.suffixes = (const char *const[]){".md", ".markdown", NULL},
	.write = md_write_report,
};
