/* Names of markers of steps: rules for ranges that are steps where no option names a marker, and
 * the kind of step in a name. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/text.h"

/* A marker of a step, by its name. */
struct marker_name {
	int64_t number; /* where numbered */
	bool numbered;
	const char *kind; /* as in struct step */
	bool is_whole;	  /* as in struct step_mark */
};

/* PyTorch's profiler names its steps so, and ends one where it begins the next. */
#define PROFILER_STEP "ProfilerStep#"
/* True for the name of such a step, which lasts as long as the step by its nature. */
bool step_is_whole(const char *name, size_t n);

/* "step 12", "ProfilerStep#12", "Iteration: 12", "iter_12", "train step 12", "batch 12/100";
 * without a number "step", "iteration", "train_step" and their like, in upper or lower case. Fills
 * numbered, number and is_whole. */
bool step_name(const char *name, size_t n, struct marker_name *out);

/* Appends the name without its number: numbers that stand alone ("train" of "train_3" and "train
 * 3/100"), the number of the marker wherever it is, and of a marker without one the last digits.
 * Nothing where the rest says only that it is a step ("step", "ProfilerStep"). */
void step_kind(const char *name, size_t n, const struct marker_name *marker, struct text *out);
