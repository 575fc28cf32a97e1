# What a command computes, as data.
noinst_LIBRARIES += libanalysis.a
libanalysis_a_SOURCES = \
	analysis/calls.c \
	analysis/calls.h \
	analysis/candidates.c \
	analysis/candidates.h \
	analysis/comparison.c \
	analysis/comparison.h \
	analysis/decide.c \
	analysis/decide.h \
	analysis/fragile.c \
	analysis/fragile.h \
	analysis/gate.c \
	analysis/gate.h \
	analysis/kinds.c \
	analysis/kinds.h \
	analysis/noise.c \
	analysis/noise.h \
	analysis/pairing.c \
	analysis/pairing.h \
	analysis/run_values.c \
	analysis/run_values.h \
	analysis/statistic.c \
	analysis/statistic.h \
	analysis/statistics.def \
	analysis/steadiness.c \
	analysis/steadiness.h \
	analysis/steps.c \
	analysis/steps.h \
	analysis/summary.c \
	analysis/summary.h \
	analysis/summary_statistic.c \
	analysis/totals.c \
	analysis/totals.h \
	analysis/trial.c \
	analysis/trial.h
