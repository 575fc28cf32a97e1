/* The demands of a gate: policies for ops, watch-lists and waivers, as the section `gate` of the
 * configuration file gives them. It decides nothing: it knows no comparison and no clock.
 *
 *         gate:
 * 	  margin: 2%                  # the relative one; or 50us, 4KB: an absolute one; or
 * 	  margin: {relative: 2%, absolute: [50us, 4KB], share: 0.1%}
 * 	  alpha: 5%
 * 	  min_runs: 3                 # a side
 * 	  runs_expected: 5            # a side has so many, no more and no fewer
 * 	  inconclusive: pass          # pass or fail: an op without a verdict
 * 	  gone: pass                  # an op of the base only
 * 	  new: pass                   # an op of the new side only
 * 	  executions: pass            # executions, or steps in which the op ran, that changed
 * 	  fail_on: regressed          # or slower
 * 	  blind: fail                 # ops in which the margin could not have been seen
 * 	  allow_loss: 10%             # part of the records that a side may have lost
 * 	  moved: pass                 # work that moved between ops: changes that cancel
 * 	  improved: pass              # or report
 * 	  baseline_expires: 2027-06-30  # the last day on which the base may serve
 * 	  policies:
 * 	    - name: convolutions      # in messages; without it "policy 1" ...
 * 	      ops: 'Conv2D'           # one pattern or a list; without it all ops
 * 	      measure: time           # without it all measures; ops or measure must be there
 * 	      margin: 5%              # from margin to executions as above
 * 	      watch: true             # these ops are a family of their own, adjusted by Holm
 * 	  waivers:
 * 	    - ops: '^conv1/Conv2D$'
 * 	      measure: time           # may be left out
 * 	      ceiling: 10%            # may be left out: what is worse is not waived
 * 	      owner: anna@example.org
 * 	      expires: 2026-12-31     # the last day on which it holds
 * 	      reason: 'known: cudnn 9.1, fixed in 9.2'
 *
 * Patterns are PCRE2 and match anywhere in the op's name after the rules; `match: full` of `select`
 * does not apply to them. The first policy that fits decides. What it does not say is as under
 * `gate`, each part of the margin for itself; an op must change by more than all parts that hold
 * for its measure (`relative: 0%` takes the standard 2% away). Policies that watch under one name
 * are one family. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "analysis/select/rules.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/measure.h"

enum policy_action { POLICY_PASS, POLICY_FAIL };
enum policy_fail_on { FAIL_ON_REGRESSED, FAIL_ON_SLOWER };

struct policy_pattern {
	struct rule rule;     /* its text, place and hits: names that it matched */
	struct pattern *code; /* policies.c only */
	struct policy_pattern *next;
};

struct policy {
	const char *name, *place;	 /* "" for the standard one: its parts have many places */
	struct policy_pattern *patterns; /* NULL: every op */
	bool has_measure;		 /* else every measure */
	enum measure_id measure;
	/* NaN: this part of the margin is not asked for. */
	double margin_frac, margin_ps, margin_bytes;
	double margin_share_frac; /* of the step's total of the measure */
	double alpha;
	size_t min_runs;			       /* a side */
	bool inconclusive, gone, appeared, executions; /* enum policy_action */
	bool watch;
	size_t family;	/* 0: with all others; else 1... by the name of the watch-list */
	unsigned given; /* what it says itself; policies*.c only */
	size_t matches; /* names (with measure) that fit it */
	size_t hits;	/* those for which it was the first to fit */
};

struct waiver {
	const char *place, *owner, *reason;
	struct policy_pattern *patterns; /* at least one */
	bool has_measure;
	enum measure_id measure;
	double ceiling_frac; /* NaN: none */
	int32_t expires_day; /* the last day on which it holds */
	size_t matches;	     /* names (with measure) that fit it */
	size_t hits;	     /* times it was handed out */
};

struct policies {
	struct policy standard; /* margin 2%, alpha 5%, 1 run, all actions pass, if not told */
	bool fail_on;		/* enum policy_fail_on */
	bool blind_fails;	/* if not told */
	bool lost_fails;	/* the same */
	double shown_frac; /* a change that ops must be able to show where no margin is told; 0:
			      twice the margin */
	double allow_loss_frac; /* 0.1 if not told */
	size_t runs_expected;	/* of each side; 0: not told */
	bool improved_reports;	/* not if not told */
	bool moved_fails;	/* changes that cancel; not if not told */
	bool has_baseline_expiry;
	int32_t baseline_expires_day; /* the last day on which the base may be used */
	size_t family_count;	      /* watch-lists */
	/* From here on for policies*.c only. */
	struct vec policy, waiver; /* of struct policy *, struct waiver * */
	size_t pattern_count;
	unsigned fixed; /* what policies_set said */
	struct arena *arena;
	struct matcher *matcher;
	struct intern *families;
};

struct policies *policies_new(void);
/* A line for each key of the gate, as it is in a file: "alpha: 5%". NULL after the last. */
const char *policies_help(size_t line);
void policies_free(struct policies *policies); /* NULL is fine */

/* Reads the section `gate` of a configuration, once; the other sections are walked over. Mistakes
 * are ERROR_USAGE with FILE:LINE:COLUMN, `place` being FILE. */
int policies_read_memory(struct policies *policies, const void *bytes, size_t size,
	const char *place, struct error *err);
/* Sets from the command line one key of `gate` with its text ("alpha", "1%"); also "relative",
 * "absolute" and "share" for the parts of the margin. It wins over what the file says under `gate`,
 * read before or after; a policy that says otherwise for its ops keeps that. `place`: "--alpha". */
int policies_set(struct policies *policies, const char *key, const char *text, const char *place,
	struct error *err);

/* Sets shown_frac, unless a margin is told. */
void policies_set_shown(struct policies *policies, double change_frac);

size_t policies_count(const struct policies *policies); /* without the standard one */
struct policy *policies_at(const struct policies *policies, size_t index);
size_t policies_waiver_count(const struct policies *policies);
struct waiver *policies_waiver_at(const struct policies *policies, size_t index);

/* The first policy that fits, or the standard one; all that fit count a match, this one a hit. NULL
 * is an error: a pattern that reached its match limit (ERROR_USAGE, with pattern and op). */
const struct policy *policies_find(
	struct policies *policies, const char *name, enum measure_id measure, struct error *err);
/* A finding that would fail without a waiver. */
struct waiver_subject {
	const char *name; /* of the op */
	enum measure_id measure;
	double change_frac; /* as waiver_covers takes it */
	int32_t today_day;
};
/* Returns, of the waivers that fit the op, the first that covers the change, or else the first, so
 * that one can say why it does not help; NULL when none fits. Counts as policies_find. */
int policies_waiver(struct policies *policies, const struct waiver_subject *subject,
	const struct waiver **waiver, struct error *err);
void policies_reset_hits(struct policies *policies);

/* The absolute part of the margin for a measure in its base unit; NaN: none. */
double policy_margin_absolute(const struct policy *policy, enum measure_id measure);
bool waiver_expired(const struct waiver *waiver, int32_t today_day);
/* Not expired, and the change (0.1 is 10 % worse) is not above the ceiling. A change without a
 * size (NaN) is covered only by a waiver without a ceiling. */
bool waiver_covers(const struct waiver *waiver, double change_frac, int32_t today_day);

/* Helpers that the files of analysis/gate/policies.h share: adding to the set while it is read, and
 * the texts of its values. For them only. */

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
