/* The tables of a report beside `ops`: the content of its sentences as rows of numbers. The tables
 * to write are chosen here by name; nothing is computed. */
#pragma once

#include "analysis/totals.h"
#include "base/error.h"
#include "report/build.h"
#include "analysis/causes/latest_runs.h"

/* Adds `steps`, `totals`, `issues`, `ranks` and `split` of a job of several ranks, and `facts`. */
void build_tables(struct report *report, const struct totals *totals, const struct cube *self,
	const struct build_options *opt);
/* A further table of this name, behind those that there are. */
struct table *report_append_table(struct report *report, const char *name);
/* The same among those of documents that hold everything. */
struct table *report_append_extra(struct report *report, const char *name);
/* The same among those of pages and JSON alone. */
struct table *report_append_drawn(struct report *report, const char *name);
/* The columns and rows of `issues`. */
void report_fill_issues(struct report *report, struct table *table);
/* Adds `facts`, the facts about their recording in the files, where some have any; of a comparison
 * with the name of each side (NULL: there are no sides). */
void build_facts(struct report *report, const struct cube *const *cube, const char *const *side,
	size_t count);
/* A report of the table alone: its heading and sentences, and the table in the place of the ops. It
 * shares all with `report` and is not freed. ERROR_USAGE with the nearest name. */
struct report *report_of_table(struct report *report, const char *name, struct error *err);

/* State of each run of jobs that are still running, as the table `jobs`: for people above the ops.
 * Nothing is computed here. */

/* Adds the table to those that the report has. One entry of `latest` for each run. */
void build_jobs(struct report *report, const struct summary *summary,
	const struct run_latest *latest, const struct build_options *opt);
