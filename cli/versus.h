/*
 * Two sides and their comparison, for `compare` and `gate`: what is loaded, cleaned, paired and
 * decided, in this order. It prints nothing.
 */
#ifndef STEPSTAT_CLI_VERSUS_H
#define STEPSTAT_CLI_VERSUS_H

#include "cli/side.h"
#include "report/build.h"

struct versus {
	struct arena *arena;
	struct side *base, *next, *noise; /* noise: NULL without --noise */
	struct compare_side left, right;
	struct compare_options options;
	struct pairing pairing;
	struct comparison comparison;
};

/* Where --warmup and --kind are not given, sides that are to be judged are cleaned. */
void versus_clean(struct settings *settings);
/* Loads both sides (with --explain-inputs only that is done, and told). */
struct versus *versus_load(struct settings *settings, struct error *err);
/* Steps, rules, pairs, run values, verdicts. `rule_of` as in compare_options, or NULL. */
int versus_decide(struct versus *versus, struct settings *settings,
	const struct compare_rule *(*rule_of)(
		void *context, const char *name, enum measure_id id, struct error *err),
	void *context, struct error *err);
/* The report of --explain; NULL with err set when the pattern takes nothing. */
struct report *versus_explain(const struct versus *versus, const struct settings *settings,
	const struct build_options *build, struct error *err);
void versus_free(struct versus *versus); /* NULL is fine */

#endif
