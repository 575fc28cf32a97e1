/*
 * Helpers that the files of analysis/gate/policies.h share: adding to the set while it is read, and
 * the texts of its values. For them only.
 */
#ifndef STEPSTAT_ANALYSIS_GATE_POLICIES_PARTS_H
#define STEPSTAT_ANALYSIS_GATE_POLICIES_PARTS_H

#include "analysis/gate/policies.h"

enum policy_key_id {
#define KEY(id, ...) KEY_##id,
#include "analysis/gate/policy_keys.def"
#undef KEY
#undef MARGIN_PART
	KEY_COUNT
};

/* Bits of policy->given and policies->fixed; those of the gate as a whole are in `given` of the
 * standard policy. */
enum policy_part {
#define KEY(id, ...) PART_##id = 1 << KEY_##id,
#include "analysis/gate/policy_keys.def"
#undef KEY
#undef MARGIN_PART
};

enum policy_key_kind {
	KEY_FRAC,  /* double: a percentage */
	KEY_PS,	   /* double: an amount of time; no key by itself */
	KEY_BYTES, /* the same of bytes */
	KEY_RUNS,  /* size_t */
	KEY_WORD,  /* bool: it is the second word */
	KEY_DAY,   /* int32_t */
};

/* All that is known of a key of the gate: reading, copying, comparing and the help go by it. */
struct policy_key {
	const char *name, *help; /* "": no key by itself; NULL: no line */
	enum policy_key_kind kind;
	bool of_gate; /* a member of struct policies, not of struct policy */
	size_t offset, size;
	const char *words[2]; /* NULL: pass, fail */
	const char *shown;    /* in the words of a change; NULL: the name */
	const char *what, *expected,
		*hint; /* in messages; NULL: the name, "a percentage, as 2%", none */
	double most;   /* of a fraction; 0: any */
	bool open;     /* neither 0 nor `most` itself */
};

extern const struct policy_key policy_keys[KEY_COUNT];
/* The member of a policy, or of the gate. */
const void *policy_key_value(
	const struct policy_key *key, const struct policies *policies, const struct policy *policy);
/* "pass" and "fail" unless the key has others. */
const char *policy_key_word(const struct policy_key *key, bool second);

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
