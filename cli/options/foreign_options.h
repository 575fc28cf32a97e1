/* Options of other tools and ours in their place, for users of tfprof, benchstat, pprof, perf or
 * PyTorch's key_averages. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "base/output/outfile.h"

struct foreign_option {
	const char *tool;   /* "" where many have it */
	const char *theirs; /* without dashes before it; underscores written as dashes */
	const char *ours;
};

/* The entry for an option of these `n` bytes, which may begin with dashes and have underscores;
 * NULL when there is none. */
const struct foreign_option *foreign_option_find(const char *word, size_t n);
/* The command to type for a first word that is a command of other tools ("diff", "merge"), or
 * NULL. */
const char *foreign_command_find(const char *word);
void foreign_option_list(struct outfile *out);
