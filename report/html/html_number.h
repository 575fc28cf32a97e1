/* Numbers as sentences and small tables of a page have them, by the rules of
 * templates/script/lib/format.mjs. Undefined is U+2013. */
#pragma once

#include "base/text.h"
#include "base/unit.h"

/* Thin spaces in thousands from 10 000 on, U+2212 as minus, which 0 never has. */
void html_add_fixed(struct text *out, double value, int decimals, bool always_sign);
/* A value in base units with the unit of its own size, in four digits: "174.8 ms". */
void html_add_quantity(struct text *out, enum dimension dimension, double value, bool always_sign);
/* A fraction as percent without its sign: one decimal below 10 %, else none. */
void html_add_percent(struct text *out, double fraction);
