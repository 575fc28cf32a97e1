/* Several steps chosen by -step: which steps of a model these are, and the mean and the CV over
 * them of the numbers of a view. A step without a node counts as 0. It builds no view; the formulas
 * are in stats/sample.h. */
#pragma once

#include "tfprof/options/step_words.h"
#include "tfprof/view/view.h"

/* The slots that the options ask for, out of a model's steps (ascending). In the arena. */
struct slots *steps_slots(const struct tfprof_options *options, const int64_t *step, size_t count,
	struct arena *arena);
/* True if the command is impossible with these options; messages then have the reason. Numbers of
 * the list that the model does not have are reported there too. One step without a step word is
 * never refused here. */
bool steps_refuse(const struct tfprof_options *options, const int64_t *step, size_t count,
	struct text *messages);

/* Over the slots of a quantity in a node's vector (self or total of struct view_node). The CV is a
 * fraction, NaN where it is not defined. */
double steps_mean(const int64_t *value, enum quantity quantity, size_t slots);
double steps_cv(const int64_t *value, enum quantity quantity, size_t slots);
double steps_statistic(const int64_t *value, size_t word, size_t slots);
/* Statistic as text: a quantity without a unit of time or memory is a number; the CV in percent,
 * "n/a" where there is none. */
void steps_format_mean(
	struct text *out, const int64_t *value, enum quantity quantity, size_t slots);
void step_word_format(
	size_t word, const int64_t *value, size_t slots, struct text *out); /* without its unit */
/* "steps: ..." for the head of a report. */
void steps_describe(const struct slots *slots, struct text *out);

/* True if a node's values reach all minimums of step words. The minimums are for totals; in op
 * view, whose totals run over the rows below, for the row's own values; and in scope and graph view
 * for the node's own float_ops and occurrence. */
bool steps_enough(const struct tfprof_options *options, enum view_kind kind, const int64_t *total,
	const int64_t *self, size_t slots);
