# Arrays of doubles in, estimates out. Contracted multiply-adds would make results depend on the
# processor, so they are off.
noinst_LIBRARIES += libstats.a
libstats_a_SOURCES = \
	stats/drift.c \
	stats/drift.h \
	stats/sessions.c \
	stats/sessions.h \
	stats/change_points.c \
	stats/change_points.h \
	stats/levels.c \
	stats/levels.h \
	stats/presence.c \
	stats/presence.h \
	stats/job/collectives.c \
	stats/job/collectives.h \
	stats/job/rank_culprits.c \
	stats/job/rank_culprits.h \
	stats/job/rank_split.c \
	stats/job/rank_split.h \
	stats/job/row_test.c \
	stats/job/row_test.h \
	stats/moderated/moderated.c \
	stats/moderated/moderated.h \
	stats/moderated/moderated_prior.c \
	stats/moderated/moderated_work.h \
	stats/moderated/prior.c \
	stats/moderated/prior.h \
	stats/moderated/spread_ratio.c \
	stats/moderated/spread_ratio.h \
	stats/moderated/hidden_outliers.c \
	stats/moderated/hidden_outliers.h \
	stats/modes.c \
	stats/modes.h \
	stats/moments.c \
	stats/moments.h \
	stats/multiple.c \
	stats/multiple.h \
	stats/odd_runs.c \
	stats/odd_runs.h \
	stats/ranks.c \
	stats/ranks.h \
	stats/rounding.c \
	stats/rounding.h \
	stats/runs.c \
	stats/runs.h \
	stats/sample.c \
	stats/sample.h \
	stats/sequential.c \
	stats/sequential.h \
	stats/student.c \
	stats/student.h \
	stats/tests.c \
	stats/tests.h
libstats_a_CFLAGS = $(AM_CFLAGS) -ffp-contract=off
