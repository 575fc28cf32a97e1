/*
 * tfprof's advice: three checkers over the whole model, with the original's thresholds and text. It
 * has no options.
 */
#ifndef STEPSTAT_TFPROF_VIEW_ADVISE_H
#define STEPSTAT_TFPROF_VIEW_ADVISE_H

#include "base/arena.h"
#include "base/text.h"
#include "tfprof/view/model.h"

enum advice_checker {
	CHECKER_ACCELERATOR_UTILIZATION, /* in the order of printing */
	CHECKER_OPERATION,
	CHECKER_EXPENSIVE_OPERATION,
	ADVICE_CHECKERS
};

/* Findings of one checker: reports of one or more lines without the last line's end; "" is
 * possible. */
struct advice_reports {
	const char **report;
	size_t count;
};

struct advice {
	struct advice_reports checker[ADVICE_CHECKERS];
};

const char *advice_checker_name(enum advice_checker checker);

/* Advice in the arena. Lines that the original writes on standard error go to `messages`. */
void advice_make(const struct tfprof_model *model, struct arena *arena, struct advice *out,
	struct text *messages);
void advice_text(const struct advice *advice, struct text *out);

#endif
