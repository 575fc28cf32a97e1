/*
 * Names and suffixes of files of observations among the output formats. They hold no report:
 * `stepstat export` writes them (export/observations.h).
 */
#include "writers/writer.h"

const struct writer writer_obs = {
	.name = "obs",
	.summary = "observations to be read again: stepstat export",
	.suffixes = (const char *const[]){".obs", NULL},
	.holds = WRITER_OBSERVATIONS,
};

const struct writer writer_parquet = {
	.name = "parquet",
	.summary = "observations or tables as Parquet: stepstat export",
	.suffixes = (const char *const[]){".parquet", NULL},
	.holds = WRITER_OBSERVATIONS,
};
