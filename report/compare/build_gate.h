/* The result of a gate on top of the report of its comparison: checks, and the sentence that says
 * why it is red or green. It decides nothing. */
#pragma once

#include "analysis/gate/findings.h"
#include "report/build.h"

/* Adds checks, result and notes to a report of build_comparison with the same `build`. */
void build_gate(struct report *report, const struct comparison *comparison,
	const struct compare_options *compare, const struct policies *policies,
	const struct gate *gate, const struct build_options *build);
/* The same for a report of build_compare_explain, without notes. */
void build_gate_result(struct report *report, const struct comparison *comparison,
	const struct compare_options *compare, const struct policies *policies,
	const struct gate *gate, const struct build_options *build);
/* The report of `gate --self-test`: what the gate would have found. */
struct report *build_self_test(const struct comparison *comparison, const struct self_test *test,
	const struct build_options *build);
