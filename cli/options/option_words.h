/* Parses values of options. Words are matched exactly; messages offer the nearest one. */
#pragma once

#include <stddef.h>
#include "base/error.h"
#include "base/unit.h"
#include "base/memory.h"

/* Index in the NULL-terminated list, or -1 with ERROR_USAGE. */
int word_index(const char *option, const char *value, const char *const *words, struct error *err);
/* Puts the option in the place of a message that has none, with its hint; returns -1. */
int word_place(const char *option, struct error *err);
/* "5%" or "5" is 0.05. */
int word_percent(const char *option, const char *value, double *fraction, struct error *err);
/* "64MiB" or a number of bytes, from `least` on. */
int word_size(
	const char *option, const char *value, size_t least, size_t *bytes, struct error *err);
/* "10ms" as ps; of the `n` bytes at value. Without a unit: in `unit`, or an error where that is
 * NULL, but for 0. */
int word_time(const char *option, const char *value, size_t n, const struct unit *unit, int64_t *ps,
	struct error *err);
/* "10:99,120" or "all", which adds nothing, as struct step_range. */
int word_steps(const char *option, const char *value, struct vec *ranges, struct error *err);
