/* Two sides and their comparison, for `compare` and `gate`: load, clean, pair, test, in this
 * order. It prints nothing. */
#pragma once

#include "pipeline/one_side.h"
#include "report/build.h"

enum { SIDES_MOST = 3 };

struct two_sides {
	struct arena *arena;
	struct side *base, *new_side, *noise; /* noise: NULL without --noise */
	struct kinds kinds[SIDES_MOST];	      /* of the steps of each, in this order */
	struct compare_side base_runs, new_runs;
	struct compare_options options;
	struct run_order order;
	struct pairing pairing;
	struct comparison comparison;
};

/* A comparison leaves out warm-up and rare kinds of step unless the user chose otherwise. */
void two_sides_set_defaults(struct job_settings *settings);
/* Loads both sides. */
struct two_sides *two_sides_load(struct job_settings *settings, struct error *err);
/* Selects steps and ops, pairs rows, computes run values and verdicts. `rule_of` as in
 * compare_options, or NULL. */
int two_sides_compare(struct two_sides *sides, struct job_settings *settings,
	const struct compare_rule *(*rule_of)(
		void *context, const char *name, enum measure_id id, struct error *err),
	void *context, struct error *err);
/* The report of --explain; NULL with err set when the pattern matches no op. */
struct report *two_sides_explain(const struct two_sides *sides, const struct job_settings *settings,
	const struct build_options *build, struct error *err);
void two_sides_free(struct two_sides *sides); /* NULL is fine */
