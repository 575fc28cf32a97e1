# What a command computes, as data.
noinst_LIBRARIES += libanalysis.a
libanalysis_a_SOURCES = \
	analysis/calls.c \
	analysis/calls.h \
	analysis/candidates.c \
	analysis/candidates.h \
	analysis/comparison.c \
	analysis/comparison.h \
	analysis/decider.h \
	analysis/leave_one_out.c \
	analysis/leave_one_out.h \
	analysis/left_out_runs.c \
	analysis/left_out_runs.h \
	analysis/noise.c \
	analysis/noise.h \
	analysis/pairing.c \
	analysis/pairing.h \
	analysis/relabelling.c \
	analysis/row_evidence.c \
	analysis/row_families.c \
	analysis/row_rounding.c \
	analysis/row_test.c \
	analysis/row_test.h \
	analysis/run_plan.c \
	analysis/run_plan.h \
	analysis/run_stability.c \
	analysis/run_stability.h \
	analysis/run_values.c \
	analysis/run_values.h \
	analysis/statistic.c \
	analysis/statistic.h \
	analysis/statistics.def \
	analysis/step_kinds.c \
	analysis/step_kinds.h \
	analysis/steps.c \
	analysis/steps.h \
	analysis/summary.c \
	analysis/summary.h \
	analysis/summary_statistic.c \
	analysis/test_rows.c \
	analysis/totals.c \
	analysis/totals.h \
	analysis/verdicts.c \
	analysis/verdicts.h \
	analysis/warmup_change.c \
	analysis/warmup_change.h
