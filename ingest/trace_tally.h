/*
 * Whether the options --step-marker, --name and --by matched anything in any trace. Several readers
 * count at once; their caller checks at the end.
 */
#ifndef STEPSTAT_INGEST_TRACE_TALLY_H
#define STEPSTAT_INGEST_TRACE_TALLY_H

#include <stdatomic.h>
#include <stddef.h>
#include "base/error.h"

#define TALLY_NAMES_SIZE 256

struct trace_tally {
	_Atomic size_t traces;	 /* that were read */
	_Atomic size_t marked;	 /* of these: --step-marker matched a slice */
	_Atomic size_t named;	 /* of these: --name had a field to show */
	_Atomic size_t launched; /* of these: something launched work of a device */
	_Atomic size_t labelled; /* of these: in an event that --by makes rows of */
	atomic_flag has_names;
	char names[TALLY_NAMES_SIZE]; /* nearest to the marker in the first that has none, "a, b";
					 may be empty */
};

struct trace_options;

void trace_tally_reset(struct trace_tally *tally);
/* ERROR_INPUT when there were traces, and none of them has what the options ask for. */
int trace_tally_check(const struct trace_options *options, struct error *err);
/* ERROR_INPUT when rows are launchers and nothing was launched, or by nothing that makes a row.
 * `found` says what the inputs are. */
int trace_tally_check_launchers(
	const struct trace_options *options, const char *found, struct error *err);

#endif
