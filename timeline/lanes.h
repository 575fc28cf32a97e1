/* Lanes of a device in a timeline: executions that overlap are in different lanes. An execution is
 * placed in the first lane that is free at its start, in the order of the file, as in timeline.py.
 * It takes logarithmic time: with a million executions at one moment a walk through all lanes would
 * take a day. */
#pragma once

#include <stddef.h>
#include "timeline/json_writer.h"

struct lanes {
	json_whole *end; /* a tree: the least end of the lanes below each place, the root is 1 */
	size_t leaves;	 /* a power of 2; lanes that are not open yet end never */
	size_t count;
};

/* Lane 0 is open from the beginning and ends at 0. */
void lanes_init(struct lanes *lanes);
void lanes_release(struct lanes *lanes);
/* The lane of an execution: the first whose end is before (not at) the start, or a new one. */
size_t lanes_place(struct lanes *lanes, json_whole start, json_whole end);
