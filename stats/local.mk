# Arrays of doubles in, estimates out. Contracted multiply-adds would make results depend on the
# processor, so they are off.
noinst_LIBRARIES += libstats.a
libstats_a_SOURCES = \
	stats/drift.c \
	stats/drift.h \
	stats/equivalence.c \
	stats/equivalence.h \
	stats/few_runs.c \
	stats/few_runs.h \
	stats/fisher.c \
	stats/fisher.h \
	stats/job/collectives.c \
	stats/job/collectives.h \
	stats/job/rank_culprits.c \
	stats/job/rank_culprits.h \
	stats/job/rank_matrix.c \
	stats/job/rank_matrix.h \
	stats/job/rank_split.c \
	stats/job/rank_split.h \
	stats/job/rank_test.c \
	stats/job/rank_test.h \
	stats/job/row_test.c \
	stats/job/row_test.h \
	stats/moderated.c \
	stats/moderated.h \
	stats/modes.c \
	stats/modes.h \
	stats/moments.c \
	stats/moments.h \
	stats/multiple.c \
	stats/multiple.h \
	stats/oneway.c \
	stats/oneway.h \
	stats/groups/presence.c \
	stats/groups/presence.h \
	stats/prior.c \
	stats/prior.h \
	stats/prior_robust.c \
	stats/prior_robust.h \
	stats/ranks.c \
	stats/ranks.h \
	stats/rounding.c \
	stats/rounding.h \
	stats/runs.c \
	stats/runs.h \
	stats/sample.c \
	stats/sample.h \
	stats/splits.c \
	stats/splits.h \
	stats/spread_ratio.c \
	stats/spread_ratio.h \
	stats/strays.c \
	stats/strays.h \
	stats/student.c \
	stats/student.h \
	stats/tests.c \
	stats/tests.h
libstats_a_CFLAGS = $(AM_CFLAGS) -ffp-contract=off
