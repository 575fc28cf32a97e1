/*
 * Parts that the files of graph/step_stats share: the state of a node in the step, and the entry of
 * times into an exec. Only for graph/step_stats*.c.
 */
#ifndef STEPSTAT_TFPROF_GRAPH_STEP_STATS_PARTS_H
#define STEPSTAT_TFPROF_GRAPH_STEP_STATS_PARTS_H

#include "tfprof/graph/step_stats.h"

#define NANOS_PER_MICRO 1000
#define NO_NODE UINT32_MAX

/* The state of a node in the step of its turn; void in a later one. */
struct step_stats_node {
	uint32_t turn;
	uint32_t exec_plus_1; /* in graph->exec; 0: none yet */
	uint32_t without_start;
	bool on_session; /* ran on a device of the session */
};

struct step_stats_node *step_stats_state(struct step_stats *s, uint32_t node);
/* Index of the exec of the node in this step. */
uint32_t step_stats_exec(struct step_stats *s, uint32_t node);
/* Extends start and end; 0 is unknown. */
void step_stats_extend(int64_t *from, int64_t *to, int64_t start, int64_t end);

#endif
