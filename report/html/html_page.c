/* The frame, the sentences and the tables of a page. */
#include "report/html/html_page.h"

#include <ctype.h>
#include <string.h>
#include "base/checksum.h"
#include "base/text.h"
#include "report/html/html_text.h"
#include "report/page/page.h"
#include "writers/writer.h"
#include "templates/templates.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* ---- the frame ---- */

/* The hash of the script as the policy of a page spells it: base64 (RFC 4648) of SHA-256. */
static void script_hash(struct text *out, const char *script)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char hex[DIGEST_SIZE];
	unsigned char byte[33] = {0}; /* 32, filled up to a multiple of three */

	digest_sha256(script, strlen(script), hex);
	for (size_t i = 0; i < 32; i++)
		byte[i] = (unsigned char)(text_digit(hex[2 * i]) * 16 + text_digit(hex[2 * i + 1]));
	for (size_t i = 0; i < 33; i += 3) {
		const unsigned bits =
			(unsigned)byte[i] << 16 | (unsigned)byte[i + 1] << 8 | byte[i + 2];

		for (int shift = 18; shift >= 0; shift -= 6)
			text_add_char(out, letters[bits >> shift & 63]);
	}
	out->data[out->size - 1] = '=';
}

struct data_text {
	struct text text;
	struct outfile *out;
};

/* Without '<', so that nothing in it can end the element that it is in. */
static void data_drain(struct text *t)
{
	struct outfile *out = ((struct data_text *)t)->out;
	const char *at = t->data, *end = t->data + t->size, *found;

	for (; (found = memchr(at, '<', (size_t)(end - at))); at = found + 1) {
		outfile_write(out, at, (size_t)(found - at));
		outfile_puts(out, "\\u003c");
	}
	outfile_write(out, at, (size_t)(end - at));
}

/* Names of an input may be as large as it: their text is never there as a whole. */
static void write_data(struct outfile *out, const struct html_frame *frame, const char *script)
{
	struct data_text data = {.out = out};

	if (!frame->data)
		return;
	outfile_puts(out, "<script type=\"application/json\" id=\"data\">");
	data.text.drain = data_drain;
	frame->data(&data.text, frame->report, frame->report->page);
	data_drain(&data.text);
	text_release(&data.text);
	outfile_puts(out, "</script>\n<script>");
	outfile_puts(out, script);
	outfile_puts(out, "</script>\n");
}

void html_frame_write(struct outfile *out, const struct html_frame *frame)
{
	static const char body_place[] = "@BODY@", data_place[] = "@DATA@";
	const char *page = template_find("page.html");
	const char *body = strstr(page, body_place), *data = strstr(body, data_place);
	const char *middle = body + strlen(body_place);
	const char *script = frame->data ? template_find(frame->script) : "";
	struct text hash, title, begin, head;

	text_init(&hash);
	text_init(&title);
	text_init(&begin);
	text_init(&head);
	script_hash(&hash, script);
	html_add(&title, frame->title);
	const struct template_place place[] = {{"HASH", text_string(&hash)},
		{"TITLE", text_string(&title)}, {"STYLE", template_find("style.css")}};

	text_add_bytes(&begin, page, (size_t)(body - page));
	template_fill(&head, text_string(&begin), place, COUNT(place));
	outfile_puts(out, text_string(&head));
	outfile_puts(out, frame->body);
	outfile_write(out, middle, (size_t)(data - middle));
	write_data(out, frame, script);
	outfile_puts(out, data + strlen(data_place));
	text_release(&hash);
	text_release(&title);
	text_release(&begin);
	text_release(&head);
}

/* ---- sentences ---- */

#define ARROW " -> "

/* The number and the unit that begin at s: "21.31 ms", "35 %", "12.4 -> 12.0 ms"; 0: none. */
static size_t quantity_length(const char *s)
{
	static const char *const unit[] = {
		"ps", "ns", "us", "ms", "s", "min", "B", "KB", "MB", "GB", "TB", "%"};
	size_t n = strspn(s, "+-"), digits = strspn(s + n, "0123456789.");

	if (!digits || s[n] == '.' || s[n + digits] != ' ')
		return 0;
	if (text_starts(s + n + digits, ARROW)) {
		const size_t after = quantity_length(s + n + digits + strlen(ARROW));

		return after ? n + digits + strlen(ARROW) + after : 0;
	}
	n += digits + 1;
	for (size_t i = 0; i < COUNT(unit); i++) {
		const size_t length = strlen(unit[i]);

		if (strncmp(s + n, unit[i], length) == 0 && !isalnum((unsigned char)s[n + length]))
			return n + length;
	}
	return 0;
}

/* Adds a part of a sentence between two marks; names in it are text of others. */
static void add_piece(struct text *out, const char *s, size_t n)
{
	struct text piece;

	text_init(&piece);
	text_add_bytes(&piece, s, n);
	html_add(out, text_string(&piece));
	text_release(&piece);
}

/* Numbers as the tables of a page have them. */
static const char *numeral(const char *s, size_t *n)
{
	static const char *const sign[][2] = {
		{ARROW, " \u2192 "}, {" us", "\u00a0\u00b5s"}, {"-", "\u2212"}, {" %", "\u00a0%"}};

	for (size_t i = 0; i < COUNT(sign); i++)
		if (text_starts(s, sign[i][0])) {
			*n = strlen(sign[i][0]);
			return sign[i][1];
		}
	return NULL;
}

/* A hyphen within a name is no minus. Pieces begin before marks, which are ASCII, so that they
 * hold whole characters. */
static void add_numerals(struct text *out, const char *s, size_t n)
{
	const char *start = s, *const end = s + n, *const first = s;

	while (s < end) {
		size_t length;
		const bool hyphen = *s == '-' && s > first && isalnum((unsigned char)s[-1]);
		const char *as = hyphen ? NULL : numeral(s, &length);

		if (!as) {
			s++;
			continue;
		}
		add_piece(out, start, (size_t)(s - start));
		text_add(out, as);
		start = s += length;
	}
	add_piece(out, start, (size_t)(end - start));
}

static void add_marked(struct text *out, const char *tag, const char *s, size_t n)
{
	const size_t word = strcspn(tag, " ");

	text_printf(out, "<%s>", tag);
	add_numerals(out, s, n);
	text_printf(out, "</%.*s>", (int)word, tag);
}

static size_t number_length(const char *s)
{
	const size_t sign = strspn(s, "+-"), digits = strspn(s + sign, "0123456789.");
	const size_t n = sign + digits, quantity = quantity_length(s);

	return digits ? quantity ? quantity : n : 0;
}

/* "[1.2, 3.4]" with or without units; other brackets are of names. */
static size_t interval_length(const char *s)
{
	const size_t low = *s == '[' ? number_length(s + 1) : 0;
	const char *const middle = s + 1 + low;
	const size_t high = low && text_starts(middle, ", ") ? number_length(middle + 2) : 0;

	return high && middle[2 + high] == ']' ? low + high + strlen("[, ]") : 0;
}

void html_sentence(struct text *out, const char *sentence)
{
	const char *end = strstr(sentence, "  ("), *start = sentence, *s = sentence;
	bool word_before = false;

	while (*s && s != end) {
		const size_t interval = interval_length(s);
		const size_t quantity = word_before ? 0 : quantity_length(s);
		const size_t n = interval ? interval : quantity;

		/* "(-0.09)", which has no unit. */
		if (!n && *s == '-' && s > sentence && s[-1] == '(' &&
			isdigit((unsigned char)s[1])) {
			add_piece(out, start, (size_t)(s - start));
			text_add(out, "\u2212");
			start = ++s;
			continue;
		}
		if (!n) {
			word_before = isalnum((unsigned char)*s) || *s == '.' || *s == '/' ||
				      *s == '_' || (*s == '-' && word_before);
			s++;
			continue;
		}
		add_piece(out, start, (size_t)(s - start));
		add_marked(out, interval ? "span class=\"ci\"" : "b", s, n);
		start = s += n;
	}
	add_piece(out, start, (size_t)(s - start));
	if (end) {
		const char *aside = end + 2;
		const size_t n = strcspn(aside, ")") + (strchr(aside, ')') != NULL);
		const bool is_option = text_starts(aside, "(--");

		text_add_char(out, ' ');
		text_add(out, is_option ? "<code>" : "<span class=\"aside\">");
		if (is_option) {
			add_piece(out, aside + 1, n - 2);
		} else {
			struct text inner;

			text_init(&inner);
			text_add_bytes(&inner, aside, n);
			html_sentence(out, text_string(&inner));
			text_release(&inner);
		}
		text_add(out, is_option ? "</code>" : "</span>");
		html_add(out, aside + n);
	}
}

/* ---- what stands above the first table ---- */

#define FACT_GAP "    " /* parts of a heading stand wide apart */
#define RESULT_MOST 16	/* words of a result; what follows its first clause is a note */

const char *html_fact(const struct report *report, size_t index)
{
	for (size_t i = 0; i < report->heading_count; i++)
		for (const char *at = report->heading[i]; *at; at += strspn(at, " ")) {
			const char *gap = strstr(at, FACT_GAP);
			const size_t n = gap ? (size_t)(gap - at) : strlen(at);

			if (!index--)
				return arena_printf(report->arena, "%.*s", (int)n, at);
			at += n;
		}
	return NULL;
}

const char *html_facts(struct text *out, const struct report *report)
{
	struct text facts;
	const char *fact, *all;

	text_init(&facts);
	for (size_t i = 0; i < HTML_FACTS && (fact = html_fact(report, i)); i++)
		text_printf(&facts, "%s%s", i ? " \u00b7 " : "", fact);
	for (size_t i = 0; report->page && i < report->page->fact_count; i++)
		if (!strstr(text_string(&facts), report->page->fact[i]))
			text_printf(&facts, " \u00b7 %s", report->page->fact[i]);
	all = arena_strdup(report->arena, text_string(&facts));
	text_release(&facts);
	if (out) {
		text_add(out, "<div class=\"top\"><p class=\"facts\">");
		html_add(out, all);
		text_add(out, "</p><div class=\"tools script\"></div></div>\n");
	}
	return all;
}

/* Words have a letter or a digit. */
static size_t count_words(const char *s)
{
	size_t count = 0;

	while (s && *s) {
		const size_t n = strcspn(s, " ");
		bool is_word = false;

		for (size_t i = 0; i < n; i++)
			is_word |= isalnum((unsigned char)s[i]) != 0;
		count += is_word;
		s += n + strspn(s + n, " ");
	}
	return count;
}

size_t html_result_length(const struct report *report)
{
	return count_words(report->result) > RESULT_MOST ? strcspn(report->result, ";")
							 : strlen(report->result);
}

size_t html_losses(const struct report *report)
{
	size_t n = 0;

	for (size_t i = 0; report->issues && i < report->issues->count; i++)
		n += report->issues->issue[i].severity != ISSUE_INFO;
	return n;
}

bool *html_choose_lines(const struct report *report, const char *skip)
{
	bool *above = report_choose_answers(report);

	for (size_t i = 0; skip && i < report->answer_count; i++)
		above[i] &= !text_equal(report->answer[i], skip);
	return above;
}

void html_answers(
	struct text *out, const struct report *report, bool *above, const char *mark, bool titled)
{
	for (size_t i = 0; i < report->answer_count; i++) {
		const char *answer = report->answer[i];
		const bool cut = !i && report->page && text_equal(report->command, "report");
		const char *aside = cut ? strstr(answer, "  (") : NULL;
		const char *tag = !i && titled ? "h1" : "p";

		if (!above[i])
			continue;
		text_printf(out, "<%s%s>%s", tag, tag[0] == 'p' ? " class=\"line\"" : "",
			!i && mark ? mark : "");
		html_sentence(out,
			aside ? arena_printf(report->arena, "%.*s.", (int)(aside - answer), answer)
			      : answer);
		text_printf(out, "</%s>\n", tag);
		above[i] = !aside;
	}
}

void html_section(struct text *out, const char *id, const char *class_name, const char *heading)
{
	text_printf(out, "<section id=\"%s\" class=\"%s\"><div class=\"head\"><h2>%s</h2></div>\n",
		id, class_name, heading);
}

void html_term(struct text *out, const char *term, const char *words, bool as_code)
{
	if (!words)
		return;
	text_add(out, "<dt>");
	html_add(out, term);
	text_add(out, as_code ? "</dt><dd><code>" : "</dt><dd>");
	html_add(out, words);
	text_add(out, as_code ? "</code></dd>" : "</dd>");
}

/* True if the sentence is among the notes. Notes of a comparison begin with the side. */
static bool is_noted(const struct report *report, const char *sentence)
{
	for (size_t i = 0; i < report->note_count; i++)
		if (text_ends(report->note[i].text, sentence))
			return true;
	return false;
}

/* The warnings among the notes, which come first, or the others. */
static void add_notes(struct text *out, const struct report *report, bool warnings)
{
	for (size_t i = 0; i < report->note_count; i++) {
		const struct note *note = &report->note[i];

		if ((note->mark && text_equal(note->mark, "!")) != warnings)
			continue;
		text_add(out, "<li>");
		if (note->mark) {
			text_add(out, "<b>");
			html_add(out, note->mark);
			text_add(out, "</b> ");
		}
		html_sentence(out, note->text);
		if (note->option) {
			text_add(out, " <code>");
			html_add(out, note->option);
			text_add(out, "</code>");
		}
		text_add(out, "</li>\n");
	}
}

void html_notes(struct text *out, const struct report *report, const bool *above, const char *skip)
{
	text_add(out, "<ul class=\"notes\">\n");
	add_notes(out, report, true);
	for (size_t i = 0; i < report->answer_count; i++)
		if (!above[i] && !(skip && text_equal(report->answer[i], skip))) {
			text_add(out, "<li>");
			html_sentence(out, report->answer[i]);
			text_add(out, "</li>\n");
		}
	add_notes(out, report, false);
	for (size_t i = 0; report->issues && i < report->issues->count; i++) {
		struct text sentence;

		text_init(&sentence);
		issue_add_sentence(&sentence, &report->issues->issue[i]);
		if (!is_noted(report, text_string(&sentence))) {
			text_add(out, "<li>");
			html_add(out, text_string(&sentence));
			text_add(out, "</li>\n");
		}
		text_release(&sentence);
	}
	if (report->issues && !report->issues->count)
		text_add(out, "<li>nothing was lost, odd or assumed in the input</li>\n");
	text_add(out, "</ul>\n");
}

void html_add_noscript(struct text *out)
{
	text_add(out, "<noscript><p class=\"how\">The plots are drawn by the script of this page, "
		      "which is off here; their numbers are in the tables.</p></noscript>\n");
}

/* ---- tables ---- */

struct html_columns {
	const struct unit **unit;
	int *decimals;
};

static void table_row(struct text *out, const struct table *table, const struct html_columns *c,
	const struct row *row)
{
	static const char *const role[] = {
		[ROW_BODY] = "", [ROW_OTHER] = " class=\"sum\"", [ROW_TOTAL] = " class=\"all\""};

	text_printf(out, "<tr%s>", role[row->role]);
	for (size_t i = 0; i < table->column_count; i++) {
		struct text value;

		text_init(&value);
		writer_cell_text(
			&table->column[i], c->unit[i], c->decimals[i], &row->cell[i], &value);
		if (table->column[i].align == ALIGN_LEFT) {
			text_printf(out, "<td class=\"l %s\">",
				table->column[i].names ? "name" : "text");
			if (table->column[i].names)
				html_add_name(out, text_string(&value), text_string(&value));
			else
				html_add(out, text_string(&value));
		} else {
			text_add(out, "<td class=\"n\"");
			html_add_attribute(out, "data-h", table->column[i].title);
			text_add_char(out, '>');
			if (text_equal(text_string(&value), "-"))
				text_add(out, "\u2013");
			else
				add_numerals(out, text_string(&value), value.size);
		}
		if (row->cell[i].mark) {
			text_add(out, "<b class=\"mk\">");
			html_add(out, row->cell[i].mark);
			text_add(out, "</b>");
		}
		text_add(out, "</td>");
		text_release(&value);
	}
	text_add(out, "</tr>\n");
}

#define COLUMNS_MOST 12 /* for which a window has room; of more, each row is a block */

#define HEAD_LONG 16

/* Names of series of devices are long: they may break behind each '_' and '/'. */
static void add_head(struct text *out, const char *title)
{
	struct text head;

	text_init(&head);
	html_add(&head, title);
	for (const char *s = text_string(&head); *s; s++) {
		text_add_char(out, *s);
		if (head.size > HEAD_LONG && strchr("_/", *s) && s[1])
			text_add(out, "<wbr>");
	}
	text_release(&head);
}

void html_table(struct text *out, const struct table *table, struct arena *arena,
	const struct html_table_options *opt)
{
	struct html_columns c;
	size_t shown = 0, left_out = 0;

	c.unit = arena_array(arena, table->column_count, sizeof(*c.unit));
	c.decimals = arena_array(arena, table->column_count, sizeof(*c.decimals));
	for (size_t i = 0; i < table->column_count; i++) {
		c.unit[i] = writer_column_unit(table, i, opt->complete);
		c.decimals[i] = writer_column_decimals(table, i, c.unit[i], opt->complete);
	}
	text_printf(out,
		"<div class=\"scroll\" tabindex=\"0\"><table class=\"plain rows%s\"><thead><tr>",
		table->column_count > COLUMNS_MOST ? " blocks" : "");
	for (size_t i = 0; i < table->column_count; i++) {
		const struct column *column = &table->column[i];

		text_printf(out, "<th scope=\"col\"%s>",
			column->align == ALIGN_LEFT ? " class=\"l\"" : " class=\"n\"");
		if (column->title[strspn(column->title, " ")])
			add_head(out, text_starts(column->title, "us/")
					      ? arena_printf(arena, "\u00b5%s", column->title + 1)
					      : column->title);
		else
			text_add(out, "<span class=\"unseen\">row</span>");
		text_add(out, "</th>");
	}
	text_add(out, "</tr></thead><tbody>");
	for (size_t i = 0; i < table->row_count; i++) {
		if (!writer_row_shown(&table->row[i], opt->complete))
			continue;
		if (shown >= opt->most) {
			left_out++;
			continue;
		}
		shown++;
		table_row(out, table, &c, &table->row[i]);
	}
	text_add(out, "</tbody></table></div>\n");
	if (left_out) {
		text_printf(
			out, "<p class=\"foldline\">%zu more rows are not in this page", left_out);
		if (opt->rest_option) {
			text_add(out, ": <code>");
			html_add(out, opt->rest_option);
			text_add(out, "</code>");
		}
		text_add(out, "</p>\n");
	}
}

const struct cell *html_cell(const struct table *table, const struct row *row, const char *stat)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (text_equal(table->column[i].stat, stat))
			return &row->cell[i];
	return NULL;
}

static const struct table *find_among(const struct table *table, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (text_equal(table[i].name, name))
			return table[i].row_count ? &table[i] : NULL;
	return NULL;
}

const struct table *html_find_table(const struct report *report, const char *name)
{
	return find_among(report->more, report->more_count, name)
		       ?: find_among(report->drawn, report->drawn_count, name)
		       ?: find_among(report->extra, report->extra_count, name);
}

void html_named_table(struct text *out, const struct report *report, const char *name, size_t most,
	const char *summary)
{
	const struct table *table = html_find_table(report, name);
	const bool is_drawn = find_among(report->drawn, report->drawn_count, name) != NULL;

	if (!table)
		return;
	text_printf(out, "<details open id=\"%s-table\"><summary>%s</summary>", name, summary);
	html_table(out, table, report->arena,
		&(struct html_table_options){.complete = true,
			.most = most,
			.rest_option = is_drawn ? "-o report.json"
						: arena_printf(report->arena,
							  "--table=%s -o %s.csv", name, name)});
	text_add(out, "</details>\n");
}
