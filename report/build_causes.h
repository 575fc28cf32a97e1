/*
 * The sentences on causes (analysis/causes.h), what to look at next, and the table of findings for
 * programs.
 */
#ifndef STEPSTAT_REPORT_BUILD_CAUSES_H
#define STEPSTAT_REPORT_BUILD_CAUSES_H

#include "analysis/causes.h"
#include "report/build.h"

/* Answers with each cause; adds the table `findings`. name: the short form of each group's name.
 * True: the causes make most of what varies. */
bool answers_add_causes(struct report *report, const struct summary *summary,
	const struct build_options *opt, const char *const *name);

#endif
