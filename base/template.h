/*
 * Fills the @NAME@ places of a text. It has no loops and no conditions: a caller that needs them
 * makes the text itself.
 */
#ifndef STEPSTAT_BASE_TEMPLATE_H
#define STEPSTAT_BASE_TEMPLATE_H

#include "base/text.h"

struct template_place {
	const char *name; /* capitals and '_', without the signs */
	const char *text;
};

/* Adds the template with each @NAME@ replaced. Texts are not escaped. A name that is not among the
 * places stays. */
void template_fill(
	struct text *out, const char *text, const struct template_place *place, size_t count);

#endif
