/* Groups of steps told apart by the ops that ran in them, only where the split is clear. It sees
 * neither names nor durations of steps. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More are not groups but steps without order. */
#define PRESENCE_GROUPS_MOST 64
/* Steps that make a group. */
#define PRESENCE_STEPS_LEAST 5

struct presence {
	size_t steps, ops, runs;
	const size_t *first;  /* ops + 1: op o ran in step[first[o]] .. step[first[o + 1] - 1] */
	const uint32_t *step; /* ascending within an op */
	const double *weight; /* of each op: what it costs when it runs */
	const uint32_t *run;  /* of each step, ascending from 0 */
};

struct presence_groups {
	uint32_t *group; /* of each step, from 0; of the caller */
	size_t count;
	bool has_odd; /* the last group is of odd steps that are in no other */
	bool gave_up; /* the trials would have taken too long */
};

/* Ops that ran in 95 % or more of the steps of their runs and those that make the last 1 % of the
 * cost are left out. Steps that share one of the other ops are joined; steps without any are
 * joined, too. Parts of 5 steps or more that are never in the same run are one group: there runs
 * differ, not steps. A group has 5 steps and occurs in half of the runs. All is one group where
 *   - the ops of a part ran in some of its steps only (below 90 % by cost): a continuum,
 *   - steps outside of groups are 5 % or more (fewer join the group that they resemble),
 *   - two groups differ by less than 10 % of the cost of a step,
 *   - the steps of each op, shuffled within each run, made as many groups in one of 39 trials.
 *
 * Odd steps (initialisers) need no number: they have less than 10 % by cost of the ops that most
 * steps of their run have, and less than 10 % of their cost in ops that any other step has. */
void presence_split(const struct presence *presence, struct presence_groups *out);

/* Number of steps of each run in which something ran. */
struct presence_runs {
	const size_t *ran, *steps;
	size_t runs;
};

/* Probability of numbers that are as even from run to run as these, if chance decided in each step
 * with the same probability in all runs of a side; NaN where it ran in all steps, or in none. By
 * the chi-squared test of homogeneity (Pearson 1900), its lower tail. */
double presence_even(const struct presence_runs *side, size_t sides);
