/*
 * Several steps chosen by -step: which they are, the mean and the CV over them of what a view
 * holds, and the words that ask for these (micros_mean, micros_cv). A step without a node counts as
 * 0. It builds no view; the statistics themselves are in stats/sample.h.
 */
#ifndef STEPSTAT_TFPROF_STEPS_H
#define STEPSTAT_TFPROF_STEPS_H

#include "tfprof/view.h"

struct step_word {
	const char *name;    /* "micros_cv" */
	const char *minimum; /* "-min_micros_cv" */
	const char *legend;  /* "total execution time cv" */
	const char *unit;    /* stands behind its numbers: " cv" */
	enum quantity quantity;
	bool is_cv; /* else the mean */
};

/* By index below STEP_WORDS, in alphabetical order; NULL past the last. */
const struct step_word *step_word_at(size_t index);
/* Index of the word of this name, or STEP_WORDS. */
size_t step_word_find(const char *name, size_t n);
/* The selected words of a quantity, the mean first; returns how many. */
size_t step_words_selected(
	const struct tfprof_options *options, enum quantity quantity, size_t word[2]);
void step_word_help(size_t index, struct text *out); /* a line without its end */

/* The value of -step: a number as the original takes it, or numbers and ranges from 0 on, behind
 * commas, both ends included ("3,5,7:9", "10:"). False: neither, and nothing is changed. */
bool steps_parse(struct tfprof_options *options, const char *text, struct arena *arena);
void steps_print(const struct tfprof_options *options, struct text *out); /* as it would be typed */
/* "-min_micros_cv" with its value, a decimal number. False: another word, or no such value. */
bool steps_set_minimum(struct tfprof_options *options, const char *word, const char *value);
/* The minimums that are set, a line each, in the form of the list of options. */
void steps_print_minimums(const struct tfprof_options *options, struct text *out);

/* The slots that the options ask for, out of a model's steps (ascending). In the arena. */
struct slots *steps_slots(const struct tfprof_options *options, const int64_t *step, size_t count,
	struct arena *arena);
/* Is the command impossible with these options? Then messages say why. Numbers of the list that the
 * model does not have are told there too. For one step and no step word there is nothing to refuse
 * here. */
bool steps_refuse(const struct tfprof_options *options, const int64_t *step, size_t count,
	struct text *messages);

/* Over the slots of a quantity in a node's vector (self or total of struct view_node). The CV is a
 * fraction, NaN where it is not defined. */
double steps_mean(const int64_t *value, enum quantity quantity, size_t slots);
double steps_cv(const int64_t *value, enum quantity quantity, size_t slots);
double steps_statistic(const int64_t *value, size_t word, size_t slots);
/* As text: what has no unit of time or memory is a number; the CV in percent, "n/a" where there is
 * none. */
void steps_format_mean(
	struct text *out, const int64_t *value, enum quantity quantity, size_t slots);
void step_word_format(
	size_t word, const int64_t *value, size_t slots, struct text *out); /* without its unit */
/* "steps: ..." for the head of a report. */
void steps_describe(const struct slots *slots, struct text *out);

/* Do a node's values reach all minimums of step words? They look at totals; in op view, whose
 * totals run over the rows below, at the row's own; and in scope and graph view at the node's own
 * float_ops and occurrence. */
bool steps_enough(const struct tfprof_options *options, enum view_kind kind, const int64_t *total,
	const int64_t *self, size_t slots);

#endif
