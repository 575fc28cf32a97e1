# Commands that are run in turns, and what their times say.
noinst_LIBRARIES += libab.a
libab_a_SOURCES = \
	ab/build_ab.c \
	ab/build_ab.h \
	ab/command_run.c \
	ab/command_run.h \
	ab/counters.c \
	ab/counters.h \
	ab/machine.c \
	ab/machine.h \
	ab/memory_group.c \
	ab/memory_group.h \
	ab/record.c \
	ab/record.h \
	ab/rounds.c \
	ab/rounds.h \
	ab/session.c \
	ab/session.h
libab_a_CFLAGS = $(AM_CFLAGS) -ffp-contract=off
