/* Parts of the sections of all pages: the frame around them, tables of a report as they are,
 * sentences and notes. It knows no plot and no script. */
#pragma once

#include "base/output/outfile.h"
#include "base/text.h"
#include "report/report.h"

/* Frame of a page: `body` is markup already, `title` is not. `data` adds the JSON that the script
 * draws, which is written piece by piece; NULL: the page has no script. `script` names a template.
 */
struct html_frame {
	const char *title, *body, *script;
	void (*data)(struct text *out, const struct report *report, const struct web_page *page);
	const struct report *report;
};
void html_frame_write(struct outfile *out, const struct html_frame *frame);

/* The first line of a page, which it returns: what was read, and where that was recorded. The
 * script adds its tools beside it. `out` NULL: it is not added. */
#define HTML_FACTS 2
const char *html_facts(struct text *out, const struct report *report);
/* Part of the headings; NULL: there are not so many. */
const char *html_fact(const struct report *report, size_t index);
/* How many things were lost, odd or assumed. */
size_t html_losses(const struct report *report);
/* The answers that stand above the first table (report_choose_answers), without `skip`, or NULL;
 * the others are notes. */
bool *html_choose_lines(const struct report *report, const char *skip);
/* Adds them. The first one of the page of a report has not got what is in brackets: the whole of it
 * is no longer `above`. `mark` is markup before the first one; titled: that is the heading. */
void html_answers(
	struct text *out, const struct report *report, bool *above, const char *mark, bool titled);
/* Bytes of the result that stand there. */
size_t html_result_length(const struct report *report);

/* The beginning of a section, to its heading. */
void html_section(struct text *out, const char *id, const char *class_name, const char *heading);
#define HTML_SECTION_END "</section>\n"
/* A term of a list of pairs; as_code: its words are what one types. NULL words: nothing. */
void html_term(struct text *out, const char *term, const char *words, bool as_code);
/* A sentence: numbers with units strong, intervals dim, the option after two blanks as code. */
void html_sentence(struct text *out, const char *sentence);
/* The answers that do not stand above, notes and issues of the input as a list, each once. */
void html_notes(struct text *out, const struct report *report, const bool *above, const char *skip);

/* The rows of the screen, or all rows in files up to `most`; what is left out is counted in a last
 * line that names the option. */
struct html_table_options {
	bool complete;
	size_t most;
	const char *rest_option;
};
void html_table(struct text *out, const struct table *table, struct arena *arena,
	const struct html_table_options *opt);
/* Table of this name; NULL: the report has none, or it has no rows. */
const struct table *html_find_table(const struct report *report, const char *name);
/* The table of this name below its summary, which the script folds; nothing where there is none. */
#define TABLE_MOST 500 /* rows that it has */
void html_named_table(struct text *out, const struct report *report, const char *name, size_t most,
	const char *summary);
/* The cell of that column; NULL: the table has none. */
const struct cell *html_cell(const struct table *table, const struct row *row, const char *stat);
/* A line in place of the plots where there is no script. */
void html_add_noscript(struct text *out);
