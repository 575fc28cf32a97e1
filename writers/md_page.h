/* A page of Markdown made of parts, each a list of lines, that stays below the size that GitHub
 * gives a comment. What does not fit is left out from the ends of the parts, the least important
 * part first, and counted. It knows nothing of reports and escapes nothing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "base/output/outfile.h"
#include "base/text.h"
#include "base/memory.h"

/* GitHub's comments hold 65 536 characters. Bytes are counted here, which are never fewer. 736 are
 * left to who posts the page: a line by which the comment is found again, one that names commits
 * and machine. */
#define MD_PAGE_MOST 64800

/* Parts in the order of the page. */
enum md_part {
	MD_RESULT,
	MD_CHECKS,
	MD_CHECKS_FOLDED,
	MD_HEADING,
	MD_BEFORE, /* a table above that of the rows */
	MD_ROWS,
	MD_NOTES,
	MD_ISSUES,
	MD_ROWS_FOLDED,
	MD_NOTES_FOLDED,
	MD_ISSUES_FOLDED,
	MD_NAMES_FOLDED,
	MD_PART_COUNT,
};

struct md_lines {
	struct text open, close; /* around the lines, where any of them is shown; whole lines */
	struct text text;
	struct vec line; /* of the page's own kind */
	size_t beyond;	 /* lines that were not even kept: the page cannot hold them */
	size_t left_out; /* after md_page_fit */
};

struct md_page {
	struct md_lines part[MD_PART_COUNT];
};

void md_page_init(struct md_page *page);
void md_page_release(struct md_page *page);
/* No further line of this part can be shown: it need not be made, only counted in `beyond`. */
bool md_page_is_full(const struct md_page *page, enum md_part part);
/* Adds a line (its end of line is added, too). `fixed`: it goes last, wherever it is in its
 * part. */
void md_page_add(struct md_page *page, enum md_part part, const char *line, bool fixed);
/* Decides what is left out, so that all is within MD_PAGE_MOST - reserve bytes; the number of lines
 * that are. */
size_t md_page_fit(struct md_page *page, size_t reserve);
/* Parts with one empty line between them. True when anything was written. */
bool md_page_write(const struct md_page *page, struct outfile *out);
