/* The data of a page as one JSON text, for its script: what the page is about, and the tables of
 * the JSON document (doc/schema) by column, integers where the program has integers, else six
 * significant digits. */
#pragma once

#include "base/text.h"
#include "report/page/page.h"
#include "report/report.h"

/* Adds the text; html_frame_write() replaces each '<'. */
void html_data(struct text *out, const struct report *report, const struct web_page *page);
