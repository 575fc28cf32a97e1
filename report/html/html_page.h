/*
 * Parts of the sections of all pages: the frame around them, tables of a report as they are,
 * sentences and notes. It knows no plot and no script.
 */
#ifndef STEPSTAT_REPORT_HTML_HTML_PAGE_H
#define STEPSTAT_REPORT_HTML_HTML_PAGE_H

#include "base/output/outfile.h"
#include "base/text.h"
#include "report/report.h"

/* Frame of a page: `body` is markup already, `title` is not. `data` adds the JSON that the script
 * draws, which is written piece by piece; NULL: the page has no script. `script` and `style` name
 * templates, joined in this order; NULL ends each list. */
struct html_frame {
	const char *title, *body, *icons;
	void (*data)(struct text *out, const struct report *report, const struct web_page *page);
	const struct report *report;
	const char *const *script, *const *style;
};
void html_frame_write(struct outfile *out, const struct html_frame *frame);

/* The first line of a page: what was read. The script adds its tools beside it. */
#define HTML_FACTS 2
void html_facts(struct text *out, const struct report *report);
/* Part of the headings; NULL: there are not so many. */
const char *html_fact(const struct report *report, size_t index);
/* The answers that stand above the first table, which is below 60 words; the others are notes.
 * `skip` is none of them, or NULL. */
bool *html_choose_lines(const struct report *report, const char *skip);
/* Bytes of the result that stand there. */
size_t html_result_length(const struct report *report);

/* A sentence: numbers with units strong, intervals dim, the option after two blanks as code. */
void html_sentence(struct text *out, const char *sentence);
/* "<b>stepstat</b> report · what was read": the headings, a line each. */
void html_brand(struct text *out, const struct report *report);
/* The first answer as h1, the others below it. */
void html_answers(struct text *out, const struct report *report);
/* Losses of the input and notes, each with an icon and its option. */
void html_alerts(struct text *out, const struct report *report);
/* Notes and issues of the input as a list, each once. */
void html_notes(struct text *out, const struct report *report);
/* A figure: what, how much, what beside it (NULL: nothing). Markup characters are escaped. */
void html_figure(struct text *out, const char *term, const char *value, const char *beside);

/* The rows of the screen, or all rows in files up to `most`; what is left out is counted in a last
 * line that names the option. */
struct html_table_options {
	bool complete;
	size_t most;
	const char *rest_option;
	const char *index; /* attribute with the place of each row ("data-r"); NULL: none */
	/* Adds cells after the first one of a row; NULL: none. `head` is their heading, markup. */
	void (*extra)(struct text *out, const struct row *row, void *context);
	const char *head;
	void *context;
};
void html_table(struct text *out, const struct table *table, struct arena *arena,
	const struct html_table_options *opt);
/* Table of this name; NULL: the report has none, or it has no rows. */
const struct table *html_find_table(const struct report *report, const char *name);
/* Adds the issues of the input (lost, odd or assumed values) as a list. */
void html_issues(struct text *out, const struct report *report);

#endif
