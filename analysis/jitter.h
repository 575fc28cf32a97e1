/*
 * Which rows stand out in the jitter of the steps, beyond what chance gives the largest of many
 * shares. It chooses no words.
 */
#ifndef STEPSTAT_ANALYSIS_JITTER_H
#define STEPSTAT_ANALYSIS_JITTER_H

#include "analysis/summary.h"

/* out[row of the grouping]: of the first measure over all runs, is the jitter share above `least`,
 * and shown to be above an equal share (above `least` where that is less)? The probability that one
 * of many alike rows is named is about 5 % for all of them together (doc/statistics.md). */
void jitter_find(const struct summary *summary, double least, bool *out);

#endif
