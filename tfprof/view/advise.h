/* tfprof's advice: three checkers over the whole model, with the original's thresholds and text. It
 * has no options. */
#pragma once

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
/* The reports of one checker under its name. */
void advice_add_reports(
	const char *checker, const struct advice_reports *reports, struct text *out);
void advice_text(const struct advice *advice, struct text *out);

/* ---- Advice from the steps, beside tfprof's own three checkers: what makes steps differ, what ran
 * in some only, what costs more to start than to run. Its numbers are those of `stepstat report`;
 * it changes nothing that the original prints ---- */

enum step_checker {
	CHECKER_STEP_JITTER, /* in the order of printing */
	CHECKER_PARTIAL_STEPS,
	CHECKER_FIRST_STEPS,
	CHECKER_SCHEDULING,
	CHECKER_TRANSFER,
	CHECKER_SIZE,
	STEP_CHECKERS
};

/* The most findings of a checker, then the thresholds from which a checker reports. */
#define ADVISE_FINDINGS 3
/* of the jitter of the step time: above it, as in `stepstat report` */
#define ADVISE_JITTER_LEAST 0.10
#define ADVISE_TINY_PS 20000000	   /* accelerator time of one execution: below 20 us */
#define ADVISE_TRANSFER_LEAST 0.01 /* of the op time, all transfers together: from it on */
#define ADVISE_PARAMS_LEAST 0.50   /* of the parameters of all variables: above it */
#define ADVISE_PEAK_LEAST 0.25	   /* of the peak bytes of all ops in a step: above it */

struct step_advice {
	struct advice_reports checker[STEP_CHECKERS];
};

/* Advice in the arena. When nothing can be checked, `messages` has the reason. */
void step_advice_make(const struct tfprof_model *model, struct arena *arena,
	struct step_advice *out, struct text *messages);

/* Adds the advice to out, in the form of the original's checkers. */
void tfprof_advise_steps(const struct tfprof_model *model, struct text *out, struct text *messages);
