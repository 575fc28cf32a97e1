/* Plain text for terminals and mails: heading, result, answer, table, checks, notes, footer. Fits
 * the width it is given by leaving out columns and shortening names, never numbers. */
#include <string.h>
#include "base/names/short_names.h"
#include "writers/text_strips.h"
#include "writers/writer.h"
#include "base/memory.h"

#define GAP 2 /* blanks between columns */
/* to this width the first name is shortened before a column is left out */
#define NAME_COMFORT 32
#define SHORTEST 16	     /* of any text that is shortened */
#define WRAP_COMFORT 28	     /* to this width the last column is wrapped first */
#define WRAP_LEAST 20	     /* before a column of numbers is left out */
#define NAME_PADDED_MOST 200 /* without a width: a longer name does not push the others apart */
#define OPTION_EDGE 120	     /* without a width: options of notes are no further right */
#define CHECKS_ON_SCREEN 10  /* that did not pass */
#define NO_MARK "\302\267"   /* U+00B7 */

struct page_column {
	const struct column *column;
	const struct unit *unit;
	int decimals;
	size_t width;	/* of the text, without the place of its marks */
	size_t comfort; /* it may be shortened to this while others are still shown */
	size_t least;
	size_t mark_width; /* of the place after right-aligned numbers */
	bool dropped;
	const char **cut; /* of a column of names: the form of each row, NULL where it fits */
};

struct page {
	const struct report *report;
	const bool *above; /* answers above the table */
	const struct writer_options *opt;
	struct outfile *out;
	const struct table *table; /* the one at hand */
	struct page_column *column;
	size_t width; /* of the table */
	struct strips strips;
	size_t strip_at;     /* the strip stands before this column, or after the last */
	struct text explain; /* what the strips mean, a line each */
	struct text line;
	struct text cell; /* scratch: one cell before it is placed */
	struct text mark;
	bool began; /* something is above: the next part follows a blank line */
};

static void page_end_line(struct page *page)
{
	while (page->line.size > 0 && page->line.data[page->line.size - 1] == ' ')
		page->line.data[--page->line.size] = '\0';
	text_disarm(&page->line, 0);
	text_add_char(&page->line, '\n');
	outfile_write(page->out, page->line.data, page->line.size);
	text_clear(&page->line);
}

static void page_begin_part(struct page *page)
{
	if (page->began)
		page_end_line(page);
	page->began = true;
}

static void page_color(struct page *page, const char *code)
{
	if (page->opt->color)
		text_printf(&page->line, "\033[%sm", code);
}

/* The line so far, trimmed, between the codes of a colour ("": none). */
static void page_end_colored(struct page *page, const char *code)
{
	while (page->line.size > 0 && page->line.data[page->line.size - 1] == ' ')
		page->line.data[--page->line.size] = '\0';
	if (page->opt->color && *code && page->line.size > 0) {
		struct text plain = page->line; /* what is wrapped may be in page->cell */

		text_init(&page->line);
		page_color(page, code);
		text_add(&page->line, text_string(&plain));
		page_color(page, "0");
		text_release(&plain);
	}
	page_end_line(page);
}

/* s, already harmless, in lines of at most opt->width columns (0: one line); the line holds
 * `indent` columns. */
static void page_wrap(struct page *page, const char *s, size_t indent, const char *color)
{
	size_t width = page->opt->width;
	size_t room = width > indent + SHORTEST ? width - indent : SHORTEST;

	for (;;) {
		size_t n = width == 0 ? strlen(s) : words_in_line(s, room, &page->mark);

		text_add_bytes(&page->line, s, n);
		s += n;
		s += strspn(s, " ");
		if (!*s)
			return;
		page_end_colored(page, color);
		text_add_repeat(&page->line, ' ', indent);
	}
}

/* A line behind `indent` columns that are there already. */
static void page_sentence(struct page *page, const char *line, size_t indent, const char *color)
{
	struct text visible;

	text_init(&visible);
	text_add_shown(&visible, line);
	page_wrap(page, text_string(&visible), indent, color);
	page_end_colored(page, color);
	text_release(&visible);
}

static void page_paragraph(
	struct page *page, const char *const *line, size_t count, const char *color)
{
	if (count)
		page_begin_part(page);
	for (size_t i = 0; i < count; i++)
		page_sentence(page, line[i], 0, color);
}

static bool is_above(const struct page *page, size_t answer)
{
	return page->opt->complete || page->above[answer];
}

/* The answers above the table; the first line has a colour of its own. */
static void page_answers(struct page *page)
{
	const struct report *report = page->report;

	if (report->answer_count)
		page_begin_part(page);
	for (size_t i = 0; i < report->answer_count; i++)
		if (is_above(page, i))
			page_sentence(
				page, report->answer[i], 0, i ? "" : tone_color(report->tone));
}

/* The text of a cell in page->cell; marks after left-aligned text in page->mark (" a"), else the
 * bare mark. */
static void page_cell(struct page *page, const struct page_column *col, const struct cell *cell)
{
	text_clear(&page->cell);
	text_clear(&page->mark);
	writer_cell_text(col->column, col->unit, col->decimals, cell, &page->cell);
	/* Texts are made harmless before they are measured, so that columns stay in line. */
	if (cell->kind == CELL_TEXT &&
		(col == page->column || strstr(text_string(&page->cell), "##")))
		text_disarm(&page->cell, 0);
	if (!cell->mark || !*cell->mark)
		return;
	if (col->column->align == ALIGN_LEFT)
		text_add(&page->mark, " ");
	text_add_shown(&page->mark, cell->mark);
}

static const char *column_title(const struct page_column *col)
{
	return col->column->title ? col->column->title : "";
}

/* Shown text of the row whose whole text is in page->cell. */
static const char *page_text(const struct page *page, const struct page_column *col, size_t row)
{
	return col->cut && col->cut[row] ? col->cut[row] : text_string(&page->cell);
}

static void page_measure_column(struct page *page, size_t index)
{
	const struct table *table = page->table;
	struct page_column *col = &page->column[index];
	size_t title = text_width(column_title(col)),
	       comfort = index == 0 ? NAME_COMFORT : SHORTEST;

	col->width = title;
	for (size_t i = 0; i < table->row_count; i++) {
		if (!writer_row_shown(&table->row[i], page->opt->complete))
			continue;
		page_cell(page, col, &table->row[i].cell[index]);
		size_t width = text_width(page_text(page, col, i));
		size_t mark = text_width(text_string(&page->mark));

		if (col->column->align == ALIGN_LEFT)
			width += mark;
		else if (mark > col->mark_width)
			col->mark_width = mark;
		if (page->opt->width == 0 && width > NAME_PADDED_MOST)
			continue; /* --names=full */
		if (width > col->width)
			col->width = width;
	}
	col->comfort = col->least = col->width;
	if (col->column->wrap) {
		col->comfort = col->width < WRAP_COMFORT ? col->width : WRAP_COMFORT;
		col->least = col->width < WRAP_LEAST ? col->width : WRAP_LEAST;
	}
	if (!col->column->shorten)
		return;
	if (col->comfort > comfort)
		col->comfort = comfort > title ? comfort : title;
	if (col->least > SHORTEST)
		col->least = SHORTEST > title ? SHORTEST : title;
}

/* The forms of names, disarmed as the names themselves; they may be wider than asked for by 3
 * columns then. */
static void page_short_names(struct page *page, size_t column, size_t width, struct arena *arena)
{
	const struct table *table = page->table;
	struct page_column *col = &page->column[column];

	col->cut = arena_array(arena, table->row_count, sizeof(*col->cut));
	writer_short_names(table, column, width, arena, col->cut);
	for (size_t i = 0; i < table->row_count; i++) {
		if (!col->cut[i] || (column > 0 && !strstr(col->cut[i], "##")))
			continue;
		text_clear(&page->cell);
		text_add(&page->cell, col->cut[i]);
		text_disarm(&page->cell, 0);
		if (!text_equal(text_string(&page->cell), col->cut[i]))
			col->cut[i] = arena_strdup(arena, text_string(&page->cell));
	}
}

static void page_measure(struct page *page, struct arena *arena)
{
	const struct table *table = page->table;
	bool complete = page->opt->complete;

	for (size_t i = 0; i < table->column_count; i++) {
		struct page_column *col = &page->column[i];

		col->column = &table->column[i];
		col->unit = writer_column_unit(table, i, complete);
		col->decimals = writer_column_decimals(table, i, col->unit, complete);
		col->cut = NULL;
		if (col->column->names && !page->opt->whole_names) {
			page_short_names(page, i, SHORT_NAME_WIDTH, arena);
		}
		page_measure_column(page, i);
	}
}

enum fit { FIT_NOW, FIT_COMFORT, FIT_LEAST };

static size_t page_table_width(const struct page *page, enum fit fit)
{
	size_t total = 0;

	for (size_t i = 0; i < page->table->column_count; i++) {
		const struct page_column *col = &page->column[i];

		if (col->dropped)
			continue;
		total += (total ? GAP : 0) + col->mark_width +
			 (fit == FIT_COMFORT	    ? col->comfort
				 : fit == FIT_LEAST ? col->least
						    : col->width);
	}
	return total;
}

/* Shortens columns until the table fits in `room`: the last that can be and then those before it,
 * or, to as little as can be, the first before the others. */
static void page_shorten(struct page *page, size_t room, enum fit fit)
{
	const size_t count = page->table->column_count;

	for (size_t i = 0; i < count; i++) {
		struct page_column *col = &page->column[fit == FIT_LEAST ? i : count - 1 - i];
		size_t total = page_table_width(page, FIT_NOW),
		       least = fit == FIT_LEAST ? col->least : col->comfort;

		if (total <= room)
			return;
		if (col->dropped || col->width <= least)
			continue;
		size_t excess = total - room, gives = col->width - least;

		col->width -= excess < gives ? excess : gives;
	}
}

/* Room for strips: names become shorter for them, no column is left out and none wraps. */
static size_t room_for_strips(const struct page *page)
{
	const struct table *table = page->table;
	size_t used = page_table_width(page, FIT_COMFORT);

	if (page->opt->width == 0)
		return SIZE_MAX / 2;
	for (size_t i = 0; i < table->column_count; i++)
		if (table->column[i].wrap && !page->column[i].dropped)
			used += page->column[i].width - page->column[i].comfort;
	return used < page->opt->width ? page->opt->width - used : 0;
}

static void page_fit(struct page *page)
{
	size_t width = page->opt->width, strips;

	while (width > 0 && page_table_width(page, FIT_COMFORT) > width) {
		/* Leave out the column with the highest `drop`, of equal ones the last; false when
		 * all that are left must stay. */
		struct page_column *worst = NULL;

		for (size_t i = 0; i < page->table->column_count; i++) {
			struct page_column *col = &page->column[i];

			if (!col->dropped && col->column->drop > 0 &&
				(!worst || col->column->drop >= worst->column->drop))
				worst = col;
		}
		/* Numbers only where names are as short as can be. */
		if (!worst || (worst->column->align == ALIGN_RIGHT &&
				      page_table_width(page, FIT_LEAST) <= width))
			break;
		/* Columns of the same measure are dropped together. */
		for (size_t i = 0; i < page->table->column_count; i++) {
			struct page_column *col = &page->column[i];

			if (col == worst ||
				(worst->column->measure && col->column->measure &&
					col->column->drop == worst->column->drop &&
					text_equal(col->column->measure, worst->column->measure)))
				col->dropped = true;
		}
	}

	/* Plans the strips, which stand before a last column that wraps. */
	const struct table *table = page->table;
	size_t bar_of = SIZE_MAX;

	page->strips = (struct strips){.report = page->report, .table = table, .opt = page->opt};
	page->strip_at = table->column_count;
	for (size_t i = table->column_count; i > 0; i--) {
		if (page->column[i - 1].dropped)
			continue;
		if (table->column[i - 1].wrap)
			page->strip_at = i - 1;
		if (table->column[i - 1].bar)
			bar_of = i - 1;
	}
	strips_plan(&page->strips, room_for_strips(page), bar_of, GAP);
	strips = strips_width(&page->strips, GAP);
	if (width > 0) {
		page_shorten(page, width - strips, FIT_COMFORT);
		page_shorten(page, width - strips, FIT_LEAST);
		page->width = page_table_width(page, FIT_NOW) + strips;
		strips_widen(&page->strips, width > page->width ? width - page->width : 0);
	} else {
		strips_widen(&page->strips, SIZE_MAX / 2);
	}
	page->width = page_table_width(page, FIT_NOW) + strips_width(&page->strips, GAP);
	if (page->strips.kind != STRIP_NONE) {
		strips_explain(&page->strips, &page->explain);
		text_add_char(&page->explain, '\n');
	}
}

/* Puts `s` and its mark in the place of the column. */
static void page_place(
	struct page *page, const struct page_column *col, const char *s, const char *mark)
{
	size_t width = text_width(s), mark_width = text_width(mark);
	size_t place = col->width + col->mark_width;

	if (col->column->align == ALIGN_RIGHT) {
		if (width < col->width)
			text_add_repeat(&page->line, ' ', col->width - width);
		text_add(&page->line, s);
		text_add(&page->line, mark);
		text_add_repeat(&page->line, ' ', col->mark_width - mark_width);
		return;
	}
	size_t room = place > mark_width + 3 ? place - mark_width : 3;

	/* Without a width only overlong names do not fit, and names stay whole. */
	if (col->column->shorten && page->opt->width > 0 && width > room) {
		struct text cut;

		text_init(&cut);
		text_add_shortened(&cut, s, room);
		width = text_width(text_string(&cut));
		text_add(&page->line, text_string(&cut));
		text_release(&cut);
	} else {
		text_add(&page->line, s);
	}
	text_add(&page->line, mark);
	if (width + mark_width < place)
		text_add_repeat(&page->line, ' ', place - width - mark_width);
}

/* Without a row the title. */
static void page_column_cell(struct page *page, size_t i, const struct row *row, size_t index)
{
	const struct page_column *col = &page->column[i];
	bool colored;

	if (!row) {
		page_place(page, col, column_title(col), "");
		return;
	}
	page_cell(page, col, &row->cell[i]);
	colored = page->opt->color && col->column->toned && row->tone && page->cell.size;
	if (colored)
		page_color(page, tone_color(row->tone));
	if (col->column->wrap) {
		/* The text of a last column, in as many lines as it needs; `mark` stays in
		 * page->mark. */
		const char *s = page_text(page, col, index);
		size_t indent = page->width - col->width - col->mark_width;
		struct text scratch;

		text_init(&scratch);
		while (text_width(s) + text_width(text_string(&page->mark)) > col->width) {
			size_t n = words_in_line(s, col->width, &scratch);

			text_add_bytes(&page->line, s, n);
			s += n;
			s += strspn(s, " ");
			if (!*s)
				break;
			page_end_line(page);
			text_add_repeat(&page->line, ' ', indent);
		}
		text_add(&page->line, s);
		text_add(&page->line, text_string(&page->mark));
		text_release(&scratch);
	} else
		page_place(page, col, page_text(page, col, index), text_string(&page->mark));
	if (colored)
		page_color(page, "0");
}

static void page_row(struct page *page, const struct row *row, size_t index)
{
	const struct strips *strips = &page->strips;
	bool first = true;

	for (size_t i = 0; i <= page->table->column_count; i++) {
		if (i == page->strip_at && strips->kind != STRIP_NONE) {
			text_add_repeat(&page->line, ' ', GAP);
			strips_add(strips, row, &page->line);
		}
		if (i == page->table->column_count || page->column[i].dropped)
			continue;
		text_add_repeat(&page->line, ' ', first ? 0 : GAP);
		first = false;
		page_column_cell(page, i, row, index);
		if (i == strips->bar_of && strips->bar_width) {
			text_add_repeat(&page->line, ' ', GAP);
			strips_add_bar(strips, row, &page->line);
		}
	}
}

/* Columns that became narrower than their names: shorter forms, different ones stay different. */
static void page_cut_names(struct page *page, struct arena *arena)
{
	const struct table *table = page->table;

	for (size_t c = 0; c < table->column_count && page->opt->width > 0; c++) {
		struct page_column *col = &page->column[c];
		bool wide = false;

		if (!col->column->shorten || col->dropped)
			continue;
		for (size_t i = 0; i < table->row_count && !wide; i++)
			if (writer_row_shown(&table->row[i], page->opt->complete)) {
				page_cell(page, col, &table->row[i].cell[c]);
				wide = text_width(page_text(page, col, i)) > col->width;
			}
		if (!wide)
			continue;
		page_short_names(page, c, col->width, arena);
	}
}

/* Files hold the whole names, too: of those that are shortened, after the last column. */
static bool page_wants_whole(const struct page *page)
{
	const struct table *table = page->table;
	const struct page_column *col = page->column;

	if (!page->opt->file || !col->cut)
		return false;
	for (size_t i = 0; i < table->row_count; i++)
		if (writer_row_shown(&table->row[i], page->opt->complete) &&
			writer_name_is_cut(table->row[i].cell[0].text, col->cut[i]))
			return true;
	return false;
}

static void page_table(struct page *page, const struct table *table)
{
	struct arena *arena;
	bool whole;

	page->table = table;
	if (table->column_count == 0)
		return;
	arena = arena_new();
	page->column = memory_alloc(memory_product(table->column_count, sizeof(*page->column)));
	page_measure(page, arena);
	page_fit(page);
	page_cut_names(page, arena);
	page_begin_part(page);
	whole = page_wants_whole(page);
	page_row(page, NULL, 0);
	text_add(&page->line, whole ? "  whole name" : "");
	page_end_colored(page, "1");
	for (size_t i = 0; i < table->row_count; i++) {
		if (!writer_row_shown(&table->row[i], page->opt->complete))
			continue;
		page_row(page, &table->row[i], i);
		if (whole) {
			if (writer_name_is_cut(
				    table->row[i].cell[0].text, page->column[0].cut[i])) {
				text_add_repeat(&page->line, ' ', GAP);
				text_add_shown(&page->line, table->row[i].cell[0].text);
			}
		}
		page_end_line(page);
	}
	strips_release(&page->strips);
	memory_free(page->column);
	page->column = NULL;
	arena_free(arena);
}

/* The option is at the right edge of the table, after the text, or below it, wherever there is
 * room. */
static void page_option(struct page *page, const char *option, size_t indent)
{
	size_t used = text_width(text_string(&page->line)), need = text_width(option);
	size_t width = page->opt->width, most = width ? width : OPTION_EDGE;
	size_t edge = page->width < most ? page->width : most;

	if (used + GAP + need <= edge) {
		text_add_repeat(&page->line, ' ', edge - need - used);
	} else if (width == 0 || used + GAP + need <= width) {
		text_add_repeat(&page->line, ' ', GAP);
	} else {
		page_end_colored(page, "2");
		text_add_repeat(&page->line, ' ', indent);
	}
	text_add(&page->line, option);
}

/* The colours of a result and of its checks. */
static const char *const level_color[] = {
	[LEVEL_RED] = "31",
	[LEVEL_UNDECIDED] = "33",
	[LEVEL_WAIVED] = "2",
	[LEVEL_COUNT] = "32",
};

static void page_result(struct page *page)
{
	const struct report *report = page->report;

	if (report->has_result)
		page_paragraph(page, &report->result, 1,
			level_color[check_exit_level(report->exit_status)]);
}

/* The result has said it, and names no op that the check would add. */
static bool is_in_result(const struct report *report, const struct check *check)
{
	return report->has_result && !check->subject && check->message &&
	       strstr(report->result, check->message);
}

/* Prints the checks that did not pass: the step, then the red ones; a screen counts the checks
 * beyond a few. */
static void page_checks(struct page *page)
{
	struct check_list list;
	size_t shown, red = 0;

	check_list_init(&list, page->report, page->opt->complete);
	if (list.count == 1 && is_in_result(page->report, list.item[0].check))
		list.count = 0;
	if (list.count)
		page_begin_part(page);
	shown = page->opt->complete || list.count < CHECKS_ON_SCREEN ? list.count
								     : CHECKS_ON_SCREEN;
	for (size_t i = 0; i < shown; i++) {
		enum check_level level = list.item[i].level;
		struct text title, visible;

		text_init(&title);
		text_init(&visible);
		check_add_title(list.item[i].check, &title);
		if (list.item[i].check->message)
			text_printf(&title, ": %s", list.item[i].check->message);
		text_add_shown(&visible, text_string(&title));
		text_add(&page->line, level == LEVEL_RED ? "!" : NO_MARK);
		text_add_repeat(&page->line, ' ', GAP);
		page_wrap(page, text_string(&visible), 1 + GAP, level_color[level]);
		page_end_colored(page, level_color[level]);
		text_release(&title);
		text_release(&visible);
		red += list.item[i].level == LEVEL_RED;
	}
	if (shown < list.count) {
		text_printf(&page->line, "%s  %zu more did not pass",
			red < list.of_level[LEVEL_RED] ? "!" : NO_MARK, list.count - shown);
		page_option(page, "--top=all", 1 + GAP);
		page_end_colored(page, "");
	}
	check_list_release(&list);
}

static bool note_is_shown(const struct page *page, const struct note *note)
{
	return page->opt->complete || !note->detail;
}

/* The answers, and the rules of a comparison, that have no room above the table. */
static void page_rest(struct page *page)
{
	const struct report *report = page->report;
	const size_t headings =
		page->opt->complete ? report->heading_count : report_headings_above(report);
	size_t below = report->heading_count - headings;

	for (size_t i = 0; i < report->answer_count; i++)
		below += !is_above(page, i);
	if (!below)
		return;
	page_begin_part(page);
	for (size_t i = 0; i < report->answer_count; i++)
		if (!is_above(page, i))
			page_sentence(page, report->answer[i], 0, "");
	for (size_t i = headings; i < report->heading_count; i++)
		page_sentence(page, report->heading[i], 0, "");
}

static void page_notes(struct page *page)
{
	const struct report *report = page->report;
	struct text visible;
	size_t marks = 1, shown = 0;

	for (size_t i = 0; i < report->note_count; i++)
		shown += note_is_shown(page, &report->note[i]);
	if (shown == 0)
		return;
	page_begin_part(page);
	for (size_t i = 0; i < report->note_count; i++) {
		size_t width = report->note[i].mark ? text_width(report->note[i].mark) : 1;

		if (width > marks && note_is_shown(page, &report->note[i]))
			marks = width;
	}
	text_init(&visible);
	for (size_t i = 0; i < report->note_count; i++) {
		const struct note *note = &report->note[i];
		const char *mark = note->mark && *note->mark ? note->mark : NO_MARK;

		if (!note_is_shown(page, note))
			continue;
		text_add(&page->line, mark);
		text_add_repeat(&page->line, ' ', marks - text_width(mark) + GAP);
		text_clear(&visible);
		text_add_shown(&visible, note->text);
		page_wrap(page, text_string(&visible), marks + GAP, "2");
		text_clear(&visible);
		if (note->option && *note->option) {
			text_add_shown(&visible, note->option);
			page_option(page, text_string(&visible), marks + GAP);
		}
		page_end_colored(page, "2");
	}
	text_release(&visible);
}

/* Files name everything that was lost, odd or assumed in the input; a screen has the worst of it as
 * notes. */
static void page_issues(struct page *page)
{
	const struct issue_list *issues = page->report->issues;
	struct text visible;

	if (!issues || issues->count == 0 || !page->opt->complete)
		return;
	page_begin_part(page);
	text_add(&page->line, "In the input:");
	page_end_line(page);
	text_init(&visible);
	for (size_t i = 0; i < issues->count; i++) {
		const struct issue *issue = &issues->issue[i];

		text_clear(&visible);
		issue_add_sentence(&visible, issue);
		text_add(&page->line, issue->severity == ISSUE_INFO ? NO_MARK : "!");
		text_add_repeat(&page->line, ' ', GAP);
		text_clear(&page->cell);
		text_add_shown(&page->cell, text_string(&visible));
		page_wrap(page, text_string(&page->cell), 1 + GAP, "2");
		page_end_colored(page, "2");
	}
	text_release(&visible);
}

static int text_write_report(const struct report *report, const struct writer_options *opt,
	struct outfile *out, struct error *err)
{
	struct page page = {
		.report = report, .above = report_choose_answers(report), .opt = opt, .out = out};

	(void)err; /* what cannot be written is reported when the file is committed */
	text_init(&page.line);
	text_init(&page.cell);
	text_init(&page.mark);
	text_init(&page.explain);
	page_paragraph(&page, report->heading,
		opt->complete ? report->heading_count : report_headings_above(report), "1");
	page_result(&page);
	page_answers(&page);
	page_table(&page, &report->before);
	page_table(&page, &report->display);
	page_checks(&page);
	page_rest(&page);
	page_notes(&page);

	/* Explain the strips of the tables above, each once; below the notes. */
	const char *line = text_string(&page.explain), *before = "";

	for (const char *end; (end = strchr(line, '\n')); before = line, line = end + 1) {
		size_t n = (size_t)(end - line);

		if (strncmp(line, before, n + 1) == 0)
			continue;
		text_clear(&page.cell);
		text_add_bytes(&page.cell, line, n);
		text_printf(&page.line, "%s  ", NO_MARK);
		page_wrap(&page, text_string(&page.cell), 1 + GAP, "2");
		page_option(&page, "bars: never", 1 + GAP);
		page_end_colored(&page, "2");
	}
	page_issues(&page);
	if (!page.opt->complete || text_equal(outfile_path(page.out), "-"))
		page_paragraph(&page, report->footer, report->footer_count, "2");
	text_release(&page.line);
	text_release(&page.cell);
	text_release(&page.mark);
	text_release(&page.explain);
	return 0;
}

extern const struct writer writer_text;
const struct writer writer_text = {
	.name = "text",
	.summary = "plain text for terminals, as wide as needed in files",
	.suffixes = (const char *const[]){".txt", ".text", NULL},
	.write = text_write_report,
};
