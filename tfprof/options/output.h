/*
 * The value of -output: TYPE or TYPE:key=value,key=value. It writes no output.
 */
#ifndef STEPSTAT_TFPROF_OPTIONS_OUTPUT_H
#define STEPSTAT_TFPROF_OPTIONS_OUTPUT_H

#include "tfprof/options/options.h"

/* Sets the type and adds to the keys; an empty text is stdout. False with the status text in
 * `message`. */
bool tfprof_output_parse(struct tfprof_options *options, const char *text, struct arena *arena,
	struct text *message);
void tfprof_output_print(const struct tfprof_options *options, struct text *out);
/* The writer of a type that is a table; NULL for the others. */
const char *tfprof_output_writer(enum tfprof_output type);

#endif
