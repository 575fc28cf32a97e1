/* A session of `ab`: the runs of two or more commands in rounds, and what they say so far about
 * each command against the first. It prints nothing; the record of it is ab/record.h. */
#pragma once

#include "ab/command_run.h"
#include "analysis/compare/comparison.h"
#include "base/memory.h"
#include "stats/sequential.h"

#define AB_SIDES_MOST 20
#define AB_ROUNDS_MOST 10000

struct ab_options {
	const char *const *command; /* as typed, the first is what the others are held against */
	size_t sides;
	size_t from[AB_SIDES_MOST]; /* rounds of the record before the command was added */
	uint64_t seed;		    /* of the order in each round */
	double margin_relative, margin_ps, alpha;
	const char *prepare, *cleanup; /* before and after each run; NULL: none */
	const char *cpus;	       /* "4-7"; NULL: all */
	const char *reads;	       /* pattern of files that runs write; NULL: none */
	bool no_shell, ignore_failure;
	int64_t limit_ns, cool_down_ns; /* of a run; between runs */
	/* Limits of this part of the session. */
	int64_t max_time_ns;
	size_t max_rounds; /* of the record */
	int64_t warmup;	   /* rounds that do not count; -1: one where it is short */
	/* A record of which some sides are kept; 0, NULL: it has them all. */
	size_t claims;	   /* that share alpha */
	const char *names; /* of the sides, a letter each */
};

/* A run that ended. */
struct ab_run {
	size_t round; /* from 1; 0: warm-up */
	size_t side;
	struct command_result result; /* without the start of the shell */
	double load, clock_mhz;	      /* of the machine before it; NaN: not known */
};

enum ab_measure { AB_WALL, AB_CPU, AB_PEAK, AB_INSTRUCTIONS, AB_CYCLES, AB_MEASURES };

/* One measure of a command against the first, over the rounds that have both. */
struct ab_change {
	struct sequential change; /* of the logarithm of new / first */
	double base, new;	  /* geometric means of the rounds that count, base units */
	double margin;		  /* in force, as a fraction */
	size_t rounds;		  /* that have both */
	enum verdict verdict;	  /* VERDICT_NONE: not measured */
};

enum ab_end {
	AB_RUNNING,
	AB_DECIDED,
	AB_TIME_OVER,
	AB_ROUNDS_OVER,
	AB_INTERRUPTED,
	AB_FAILED, /* `reason` and `remedy` say why */
};

struct ab_session {
	struct arena *arena;
	struct ab_options options;
	const char *folder; /* of the record */
	struct ab_run *run; /* in the order in which they ended */
	size_t count, room;
	size_t *at; /* [round * sides + side]: its run + 1; of two the later one */
	size_t at_room;
	size_t rounds; /* that are complete */
	/* Least of the runs of a side in its first round; 0: there is none yet; below 0: the start
	 * of the shell is left in, whatever they take. */
	int64_t least_wall_ns[AB_SIDES_MOST], least_cpu_ns[AB_SIDES_MOST];
	const struct command_line_words *line;	    /* of each side */
	struct command_line_words prepare, cleanup; /* word NULL: none */
	/* Wall and CPU time that the start of a shell takes; 0: none is used. */
	double shell_ns, shell_cpu_ns;
	bool is_counted;	       /* a run has counts of the processor */
	const char *uncounted;	       /* why the last part of the session has none; NULL: it has */
	int64_t began_ns;	       /* of this part of the session; CLOCK_MONOTONIC */
	int64_t processors, throttled; /* of the machine; meanwhile; 0: not known */
	/* Processes that had a device open beside the commands; percent that it was busy. */
	int64_t device_users, device_busy;
	const char *governor; /* of its clock; NULL: not known */
	enum ab_end end;
	int signal;	     /* AB_INTERRUPTED */
	bool is_interrupted; /* by a signal that this process got; not as the record says */
	const char *reason, *remedy;
};

struct ab_session *ab_session_new(void);
void ab_session_free(struct ab_session *session); /* NULL is fine */
void ab_session_add(struct ab_session *session, const struct ab_run *run);
/* Adds commands, which take part in the rounds from now on. */
void ab_session_add_commands(struct ab_session *session, const char *const *command, size_t count);
/* Keeps these sides of the complete rounds, the first of them as the one that the others are held
 * against. What is said of each holds beside all that may be asked of the record. */
void ab_session_keep(struct ab_session *session, const size_t *side, size_t sides);

/* The run of this round and side; NULL: none. */
const struct ab_run *ab_session_run(const struct ab_session *session, size_t round, size_t side);
/* True if runs have folders for what they write. */
bool ab_has_folders(const struct ab_options *options);
/* "a", "b", ...: the side in names of the record. */
const char *ab_side_name(const struct ab_session *session, size_t side);
/* Sides of the round in the order in which they run: order[sides]. */
void ab_order(const struct ab_options *options, size_t round, size_t *order);
/* Name of the run: "a/0003"; warm-up: "a/warmup". */
const char *ab_run_name(const struct ab_session *session, size_t round, size_t side);

/* Time in ns that the start of the shell takes of a run of this side by it: 0 where one of the
 * first round, of this side or those that were there before, took less than twice as long. Neither
 * later rounds nor sides that are added change it, so that a pair has one value. */
double ab_shell_time(const struct ab_session *session, size_t side, enum ab_measure measure);
/* Value of a run in base units beside one of the side `other`: without the start of the shell where
 * it is taken out of both. */
double ab_value(const struct ab_session *session, const struct ab_run *run, size_t other,
	enum ab_measure measure);
/* Log ratio of new to the first in that round; NaN: one of them is missing. */
double ab_log_ratio(
	const struct ab_session *session, size_t round, size_t side, enum ab_measure measure);
/* Over the first `rounds` rounds. far[round - 1]: as in sequential_describe; NULL: not wanted. */
void ab_change_find(const struct ab_session *session, size_t side, enum ab_measure measure,
	size_t rounds, struct ab_change *out, bool *far);
/* First number of rounds by which the instructions had the verdict that they have; 0: none that
 * answers the question. */
size_t ab_counts_decided(const struct ab_session *session, size_t side);
/* True if the verdict of the wall time answers the question. */
bool ab_is_decided(const struct ab_session *session, size_t side, size_t rounds);
/* Further rounds that this change needs; 0: not known, or more than AB_ROUNDS_MOST. */
size_t ab_rounds_needed(const struct ab_session *session, const struct ab_change *change);
/* Runs that took far longer than the others of their command. */
struct ab_slow {
	size_t runs;		      /* of each of the two */
	size_t base, new;	      /* far off */
	double times_base, times_new; /* the least of them, in medians of their command */
	bool differ;		      /* by more than chance, at alpha over the commands */
};
void ab_slow_find(const struct ab_session *session, size_t side, struct ab_slow *out);
/* The part of its gain that the best of several commands may be believed to have, as a fraction of
 * the time of the first: what is left of it by an interval that holds for all commands of the
 * record at once. *side: which one; 0: none is faster as measured. */
double ab_best_gain(const struct ab_session *session, size_t *side);
/* Rounds before the command, or the first, was added. */
size_t ab_rounds_without(const struct ab_session *session, size_t side);
/* Level of a test of the complete rounds that have this side, which holds whenever the session
 * ends; 0: too few. */
double ab_row_level(const struct ab_session *session, size_t side);
/* Mean time of the commands of a round; NaN: not known. */
double ab_round_ps(const struct ab_session *session);
