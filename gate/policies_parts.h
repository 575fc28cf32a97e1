/*
 * What the files of gate/policies.h share: adding to the set while it is read, and the texts of
 * its values. For them only.
 */
#ifndef STEPSTAT_GATE_POLICIES_PARTS_H
#define STEPSTAT_GATE_POLICIES_PARTS_H

#include "gate/policies.h"

/* Bits of policy->given and policies->fixed. */
enum policy_part {
	PART_MARGIN = 1 << 0,
	PART_MARGIN_PS = 1 << 1,
	PART_MARGIN_BYTES = 1 << 2,
	PART_MARGIN_SHARE = 1 << 3,
	PART_ALPHA = 1 << 4,
	PART_MIN_RUNS = 1 << 5,
	PART_INCONCLUSIVE = 1 << 6,
	PART_GONE = 1 << 7,
	PART_NEW = 1 << 8,
	PART_EXECUTIONS = 1 << 9,
	/* Of the gate as a whole, in `given` of the standard policy. */
	PART_FAIL_ON = 1 << 10,
	PART_BLIND = 1 << 11,
	PART_IMPROVED = 1 << 12,
	PART_BASELINE_EXPIRES = 1 << 13,
	PART_ALLOW_LOSS = 1 << 14,
	PART_RUNS_EXPECTED = 1 << 15,
	PART_MOVED = 1 << 16,
	PART_LOST = 1 << 17,
};

/* Adds a pattern at the end of a list. */
int policies_add_pattern(struct policies *policies, struct policy_pattern **list,
	enum rule_kind kind, const char *text, const char *place, struct error *err);
struct policy *policies_add(struct policies *policies, struct error *err);
struct waiver *policies_add_waiver(struct policies *policies, struct error *err);
void policies_add_family(struct policies *policies, struct policy *policy);
/* Gives policies what they do not say, and the standard one what policies_set said. */
void policies_resolve(struct policies *policies, const struct policies *before);
/* One key with its text, for a policy or for the standard one. */
int policies_set_value(struct policies *policies, struct policy *policy, const char *key,
	const char *text, const char *place, struct error *err);
/* "10%" is 0.1; from 0% on. `what` for the message: "ceiling". */
int policies_percent(
	const char *text, const char *what, const char *place, double *frac, struct error *err);
int policies_day(
	const char *text, const char *what, const char *place, int32_t *day, struct error *err);
/* A value that is one of a few words. */
struct policy_word {
	const char *text, *key, *place;
	const char *const *words;
	size_t count;
};
/* Which of the words it is. */
int policies_word(const struct policy_word *word, size_t *index, struct error *err);

#endif
