/* An issue as one line of text and back: "loss start-missing 12 x executions without a start time
 * (first: FILE: op a)", of how much it is a part, " [lost 12 of 40 launches]", and what it changes,
 * " [effect ps 4500 271000 271000 0..2 of gemm]". For
 * tables of observations, which carry the losses of their source. */
#pragma once

#include <stdbool.h>
#include "base/text.h"
#include "model/issue/issue.h"

void issue_text_add(struct text *out, const struct issue *issue);
/* Adds the issue to the list; false when the text is not an issue. */
bool issue_text_parse(const char *text, struct issue_list *list);
