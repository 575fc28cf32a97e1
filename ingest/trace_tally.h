/* Whether the options --step-marker, --name and --by matched anything in any trace. Several readers
 * count at once; their caller checks at the end. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

#define TALLY_NAMES_SIZE 256

struct trace_tally {
	_Atomic size_t traces; /* that were read */
	_Atomic size_t marked; /* of these: --step-marker matched a slice */
	_Atomic uint64_t
		fields; /* a bit for each of the first 64 fields of --name that an event had */
	/* How many have rows of launchers and a launch, or rows of the host. */
	_Atomic size_t launched;
	_Atomic size_t hosts;	 /* of these: rows are of the host's own ops */
	_Atomic size_t worded;	 /* of these: words of programs are rows; all count as launched */
	_Atomic size_t labelled; /* of these: in an event that --by makes rows of */
	/* Hints from the first trace without: names of slices that recur for --step-marker
	 * ("eval_step (12 times)"), keys of args for --name, those that are near first, "a, b"; may
	 * be empty. */
	struct tally_words {
		atomic_flag taken;
		bool near;
		char words[TALLY_NAMES_SIZE];
	} names, keys;
};

struct trace_options;
struct profile;

void trace_tally_reset(struct trace_tally *tally);
/* ERROR_INPUT when there were traces, and none of them has what the options ask for: a slice for
 * the marker, an event with each field of the name. */
int trace_tally_check(const struct trace_options *options, struct error *err);
/* The issue of a trace in which nothing is launched on a device, as rows want it. */
void trace_report_no_launches(struct profile *profile);
/* ERROR_INPUT when rows are launchers and nothing was launched, or by nothing that makes a row.
 * `found` says what the inputs are; hints: of their reader, as launcher_hints there. */
int trace_tally_check_launchers(const struct trace_options *options, const char *found,
	const char *const *hints, struct error *err);
