/*
 * The name and suffix of .obs files among the output formats. They hold observations, not a report:
 * `stepstat export` writes them (observations_obs.c).
 */
#include "report/writers/writer.h"

const struct writer writer_obs = {
	.name = "obs",
	.summary = "observations to be read again: stepstat export",
	.suffixes = (const char *const[]){".obs", NULL},
	.holds = WRITER_OBSERVATIONS,
};
