/*
 * Limits of ranks that are added up already: options about the values of single ranks are rejected.
 */
#ifndef STEPSTAT_PIPELINE_PART_LIMITS_H
#define STEPSTAT_PIPELINE_PART_LIMITS_H

#include "ingest/load.h"
#include "pipeline/settings.h"

/* ERROR_INPUT when a profile stands for several ranks and the settings ask for single ones. */
int part_limits_check(
	const struct job_settings *settings, const struct loaded *loaded, struct error *err);

#endif
