/* Parts of the names of benchmarks: the package or class that they are in, their parameters. It
 * knows the spellings of Go, pytest, JMH, Google Benchmark, Catch2 and Rust; no numbers. */
#pragma once

#include <stddef.h>
#include "base/arena.h"

#define NAME_PARAMS_MOST 4

struct name_parts {
	const char *package; /* "benchmarks/test_suite.py"; "": none */
	const char *bench;   /* the rest without parameters: "test_parse" */
	/* "size" and "64"; a parameter without a name has its place: "1". */
	const char *param[NAME_PARAMS_MOST][2];
	size_t params;
};

/* Parts of each name. A package is cut where there would be more than PACKAGES_MOST of them; "-8"
 * at the end, threads of Go, goes where all names have it. In the arena. */
#define PACKAGES_MOST 12
struct name_parts *name_parts_find(struct arena *arena, const char *const *name, size_t count);
