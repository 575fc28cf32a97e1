/* Several steps in the options: the value of -step, and the words for the mean and the CV over the
 * steps (micros_mean, micros_cv). It knows no model; tfprof/view/steps.h computes the
 * statistics. */
#pragma once

#include "tfprof/options/options.h"

struct step_word {
	const char *name;    /* "micros_cv" */
	const char *minimum; /* "-min_micros_cv" */
	const char *legend;  /* "total execution time cv" */
	const char *unit;    /* printed after its numbers: " cv" */
	enum quantity quantity;
	bool is_cv; /* else the mean */
};

/* Step word at an index below STEP_WORDS, in alphabetical order; NULL past the last. */
const struct step_word *step_word_at(size_t index);
/* Index of the word of this name, or STEP_WORDS. */
size_t step_word_find(const char *name, size_t n);
/* The selected words of a quantity, the mean first; returns how many. */
size_t step_words_selected(
	const struct tfprof_options *options, enum quantity quantity, size_t word[2]);
void step_word_help(size_t index, struct text *out); /* a line without its end */

/* The value of -step: a number as the original reads it, or numbers and ranges from 0 on, separated
 * by commas, both ends included ("3,5,7:9", "10:"). False: neither, and nothing is changed. */
bool steps_parse(struct tfprof_options *options, const char *text, struct arena *arena);
/* The steps as they would be typed: all of them, or one of the ranges. */
void steps_print(const struct tfprof_options *options, struct text *out);
void steps_print_range(const struct tfprof_options *options, size_t range, struct text *out);
/* "-min_micros_cv" with its value, a decimal number. False: another word, or not such a value. */
bool steps_set_minimum(struct tfprof_options *options, const char *word, const char *value);
/* The minimums that are set, one on each line, in the form of the list of options. */
void steps_print_minimums(const struct tfprof_options *options, struct text *out);
