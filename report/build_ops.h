/* The report of `stepstat ops`. */
#pragma once

#include "report/build.h"

/* Effect of the rules on one op. */
struct op_fate {
	const char *name, *type;
	const char *becomes; /* NULL: dropped */
	const char *why;     /* the rules that did it; "" when none */
};

/* Strings must outlive the report. */
struct report *build_ops(const char *label, const struct op_fate *fate, size_t count, size_t kept,
	const char *const *idle_rules, size_t idle_count);
