/* Layout that the reader and the writer of the container of observations (.obs, .part) share. The
 * numbers of its fields are those of ingest/proto/obs.proto, which explains them. */
#pragma once

#include "ingest/proto/obs_fields.pb-c.h"

#define OBS_MAGIC_TEXT "stepstat.obs"
#define OBS_MAGIC_OLD_PART "stepstat.part" /* of files with sums, before these had a version */
#define OBS_VERSION 1
#define OBS_VERSION_SUMS 2 /* of a file with the section of sums */

/* Lists of JobSteps, and the member of struct step_sum that each has a value of for each step; in
 * the order of the fields. */
#define OBS_JOB_STEP_LISTS(X)                                                                      \
	X(RANKS, ranks)                                                                            \
	X(TIMED, timed) X(START, start_ps) X(END, end_ps) X(BASE_NS, base_ns) X(BUSY, busy_ps)
/* Wide numbers of JobRow, and the member of struct row_sums of each; in the order of the fields. */
#define OBS_JOB_ROW_WIDES(X)                                                                       \
	X(SQUARES, squares)                                                                        \
	X(RANK_SQUARES, rank_squares)                                                              \
	X(PRODUCTS, products) X(FIRST_PRODUCTS, first_products) X(LAST_PRODUCTS, last_products)

/* Values of OBS_JOB_ROW_OF. */
enum obs_job_row_of { OBS_OF_CLASS = 0, OBS_OF_ACCELERATOR = 1, OBS_OF_HOST = 2 };
