/* The judgement of a gate on a comparison: policies and waivers on verdicts, and one exit status.
 * It words nothing and reads no files. */
#pragma once

#include "analysis/compare/comparison.h"
#include "analysis/gate/policies.h"

struct issue;

enum finding_kind {
	FINDING_VERDICT,      /* passed, or red by its verdict */
	FINDING_TOTAL,	      /* of the step without what is waived, by the standard policy */
	FINDING_KIND,	      /* of the steps of a further kind, like the step */
	FINDING_WARMUP,	      /* the runs of new need more steps to warm up than those of base */
	FINDING_INCONCLUSIVE, /* the policy wants a verdict */
	FINDING_UNJUDGED,     /* no test was possible, so that it could not have gone red */
	FINDING_THIN, /* most of its steps are not known in some run: what is known must not pass */
	FINDING_NEW,
	FINDING_GONE,
	FINDING_LOST,	    /* a benchmark that no run of new has measured */
	FINDING_RARE,	    /* on one side only, in so few runs that it is no change */
	FINDING_MOVED,	    /* changes that cancel, in place of those of their rows; NEW ops in the
			       place of GONE ones, by their sum */
	FINDING_EXECUTIONS, /* ran in other steps, or another number of times */
	FINDING_FEW_RUNS,   /* for any verdict, or for the policy */
	FINDING_NO_PAIR,    /* no op is on both sides */
	FINDING_UNMATCHED,  /* much is in rare ops of one side: no test has looked at it */
	FINDING_SAME_RUNS,  /* all runs of new are runs of base */
	FINDING_NOT_WHOLE,  /* files of a side are not whole and were left out */
	FINDING_RUNS,	    /* a side has another number of runs than is expected */
	FINDING_NO_OP,	    /* a policy that fits no op */
	FINDING_EXPIRED_WAIVER,
	FINDING_EXPIRED_BASE,
};

enum finding_result {
	FINDING_PASSED,
	FINDING_FAILED,	   /* 1 */
	FINDING_UNDECIDED, /* 4; blind ops where too many are */
	FINDING_WAIVED,	   /* would have failed */
	FINDING_UNUSABLE   /* 3 */
};

struct finding {
	enum finding_kind kind;
	enum finding_result result;
	const struct compared_row *row; /* NULL: about no op */
	const struct compared *value;	/* of the row, or the merged small row */
	enum measure_id measure;
	const struct policy *policy;	       /* NULL: about none */
	const struct compared_kind *step_kind; /* FINDING_KIND */
	const struct issue *issue;	       /* FINDING_NOT_WHOLE */
	const char *side;	     /* FINDING_NOT_WHOLE, FINDING_RUNS: "base" or "new" */
	const char *missing;	     /* FINDING_RUNS: names, or NULL */
	const struct waiver *waiver; /* that covers it, or does not help any more */
	bool blind;
};

/* About the step as a whole, or how it begins. */
bool finding_is_of_step(const struct finding *finding);

/* Less than that is not worth a word. */
#define GATE_UNTESTED_MUCH 0.05

struct gate {
	const struct policies *policies; /* by which it was judged */
	/* the step first, what else is about it, ops that are not passed, the others; the ops in
	 * the order of the rows */
	struct finding *finding;
	size_t count;
	size_t results[FINDING_UNUSABLE + 1];
	size_t tested;	    /* rows of the first measure that got a test */
	size_t blind;	    /* of the first measure, with the merged small row as one */
	double blind_share; /* of its total in base */
	/* Parts of the first measure that were not tested op by op, 0 up to GATE_UNTESTED_MUCH: the
	 * small ops, tested as one, and ops that one side does not have, the larger side of them.
	 */
	double sum_share, unmatched_share;
	double rare_share; /* of FINDING_RARE, the larger side */
	bool step_blind;   /* the step as a whole */
	bool too_blind;	   /* all of that more than half, or the step, and that fails */
	bool outliers;	   /* with too_blind: outlier steps make most of the spread of the runs */
	bool no_verdict;   /* too few runs for any verdict on what is noisy */
	size_t improved;   /* ops */
	int exit_status;   /* 0 pass, 1 red, 3 unusable, 4 blind or undecided, 5 only improved */
};

/* Hands the policies to a comparison: context of gate_rule_of, in the arena. */
struct gate_rules;
struct gate_rules *gate_rules_new(struct policies *policies, struct arena *arena);
const struct compare_rule *gate_rule_of(
	void *rules, const char *name, enum measure_id id, struct error *err);
/* Fills rule and margins with what holds where no policy says otherwise; true when it holds for all
 * ops and measures, so that gate_rule_of is not needed. */
bool gate_standard_rule(const struct policies *policies, struct compare_options *out);

/* The subject of a gate. */
struct gate_input {
	const struct comparison *comparison;
	const struct compare_options *compare;
	struct policies *policies; /* their counters of matches change */
	int32_t today;		   /* days since 1970-01-01 */
	/* Files of base and of new that are not whole; NULL: all are. Not owned. */
	const struct issue *not_whole[2];
	/* Names of runs that only the other side has; NULL: none, or not known. Not owned. */
	const char *missing[2];
};

/* In the arena. Errors: of patterns. */
int gate_decide(
	const struct gate_input *input, struct arena *arena, struct gate *out, struct error *err);

/* True if it is a row whose change is part of what moved (compared.moved), which is judged as a
 * whole. Not where a policy of its own fits it. */
bool gate_is_moved(const struct policies *policies, const struct finding *finding);
/* The change that a row must be able to show, as a fraction: twice its margin, where none is told
 * shown_frac. policies: of the gate; NULL: of a comparison without one. */
double gate_must_show(const struct policies *policies, const struct compared *value);
/* Could these runs not have shown that? */
bool gate_is_blind(const struct comparison *comparison, const struct policies *policies,
	const struct compared *value);
/* The smallest change that would turn this row red in 80 % of cases, as a fraction; NaN: not known.
 * As in gate_is_blind. */
double gate_sees(const struct policies *policies, const struct compared *value);
/* Would this row of the first measure be red? */
bool gate_is_red(const struct policies *policies, const struct compared *value);

/* --self-test: one row at a time is made as in base and slower by twice the margin, so that no
 * difference that is there helps or hides it. */
struct planted {
	const struct compared_row *row;
	struct compared value; /* as decided with the change */
	double change;	       /* planted: fraction */
	bool red;
};
struct self_test {
	struct planted *planted; /* largest first; at most GATE_PLANTED_MOST */
	size_t count, red;
	double share, red_share; /* of the op time in base */
	bool can_fail;		 /* no more than half of what was planted stays green, or, where
				  * blindness passes, not all */
};

#define GATE_PLANTED_MOST 20

/* Decides the comparison again for each row; at the end it is as it was. */
int gate_self_test(struct comparison *comparison, const struct compare_options *compare,
	const struct policies *policies, struct arena *arena, struct self_test *out,
	struct error *err);
