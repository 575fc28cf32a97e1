/* Amounts of work of two sides that nothing marks the steps of. A step is all that was recorded, or
 * a window: how often its ops ran is then how much work that was, and a change of it that nearly
 * all share is no change of speed. */
#pragma once

#include "analysis/compare/comparison.h"

/* Sides whose steps nothing marks; executions are known. Sets comparison->work where the calls
 * changed alike by more than the margin. False: the rows that both sides have are not most of the
 * time, and say nothing. */
bool unequal_work_find(struct comparison *comparison, double margin);
/* A recording that holds less work is no faster: the value gets no verdict. */
void unequal_work_withhold(struct compared *value);
/* The same for the rows whose calls changed as those of the others, and that are decided as a whole
 * or claim of one call what the whole does not. */
void unequal_work_withhold_rows(struct comparison *comparison, size_t measure);
/* True if the calls of the row changed as those of the others. */
bool unequal_work_is_of(const struct unequal_work *work, const struct compared_row *row);
