# Arrays of doubles in, estimates out. Contracted multiply-adds would make results depend on the
# processor, so they are off.
noinst_LIBRARIES += libstats.a
libstats_a_SOURCES = \
	stats/moments.c \
	stats/moments.h \
	stats/runs.c \
	stats/runs.h \
	stats/sample.c \
	stats/sample.h
libstats_a_CFLAGS = $(AM_CFLAGS) -ffp-contract=off
