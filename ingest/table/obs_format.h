/*
 * Numbers of the fields of a .obs file, for its writer and its reader; ingest/proto/obs.proto
 * explains them.
 */
#ifndef STEPSTAT_INGEST_TABLE_OBS_FORMAT_H
#define STEPSTAT_INGEST_TABLE_OBS_FORMAT_H

#define OBS_MAGIC "stepstat.obs"
#define OBS_VERSION 1
#define PART_MAGIC "stepstat.part"

enum obs_field {
	OBS_MAGIC_FIELD = 1,
	OBS_SOURCE = 2,
	OBS_ISSUE = 3,
	OBS_MEASURE = 4,
	OBS_TEXT = 5,
	OBS_RUN = 6,
	OBS_OP = 7,
	OBS_SERIES = 8,
	OBS_TOTAL_OP = 9,
	OBS_TOTAL_SERIES = 10,
	OBS_COLLECTIVES = 11,
	/* Of .part files alone. */
	OBS_JOB_STEPS = 12,
	OBS_JOB_SET = 13,
	OBS_JOB_ROW = 14,
	OBS_END = 15,
};

enum obs_source_field {
	OBS_SOURCE_VERSION = 1,
	OBS_SOURCE_TITLE = 2,
	OBS_SOURCE_PRINTED = 3,
	OBS_SOURCE_FACT = 4,
};

enum obs_fact_field { OBS_FACT_NAME = 1, OBS_FACT_VALUE = 2, OBS_FACT_FILES = 3 };

enum obs_issue_field {
	OBS_ISSUE_SEVERITY = 1,
	OBS_ISSUE_CODE = 2,
	OBS_ISSUE_TEXT = 3,
	OBS_ISSUE_PLACE = 4,
	OBS_ISSUE_COUNT = 5,
	OBS_ISSUE_ROW = 6,
	OBS_ISSUE_UNIT = 7,
	OBS_ISSUE_LOW = 8,
	OBS_ISSUE_HIGH = 9,
	OBS_ISSUE_RECORDED = 10,
	OBS_ISSUE_STEPS = 11,
	OBS_ISSUE_LOSS = 12, /* enum loss_kind */
	OBS_ISSUE_LOST = 13,
	OBS_ISSUE_ALL = 14,
};

enum obs_measure_field { OBS_MEASURE_NAME = 1, OBS_MEASURE_UNIT = 2 };

enum obs_run_field {
	OBS_RUN_NAME = 1,
	OBS_RUN_NUMBER = 2,
	OBS_RUN_FINGERPRINT = 3,
	OBS_RUN_TIMED = 4,
	OBS_RUN_START = 5,
	OBS_RUN_WALL = 6,
	OBS_RUN_BUSY = 7,
	OBS_RUN_BASE = 8,
	OBS_RUN_SERIES = 9,
	OBS_RUN_RANK = 10,
	OBS_RUN_RANK_GROUP = 11,
	OBS_RUN_KINDS = 12,
	OBS_RUN_KIND = 13,
	OBS_RUN_START_NS = 20,
};

enum obs_run_series_field {
	OBS_RUN_SERIES_KIND = 1,
	OBS_RUN_SERIES_DEVICE = 2,
	OBS_RUN_SERIES_KNOWN = 3,
	OBS_RUN_SERIES_VALUE = 4,
};

enum obs_op_field {
	OBS_OP_SHARED = 1,
	OBS_OP_REST = 2,
	OBS_OP_TYPE = 3,
	OBS_OP_DEVICE = 4,
	OBS_OP_PARAMS = 5,
	OBS_OP_FLOAT_OPS_EACH = 6,
	OBS_OP_DEFINED = 7,
	OBS_OP_SHAPE = 8,
};

enum obs_series_field { OBS_SERIES_OP = 1, OBS_SERIES_PRESENT = 2, OBS_SERIES_COLUMN = 3 };

enum obs_column_field {
	OBS_COLUMN_MEASURE = 1,
	OBS_COLUMN_FACTOR = 2,
	OBS_COLUMN_VALUE = 3,
	OBS_COLUMN_KNOWN = 4,
};

enum obs_collectives_field {
	OBS_COLLECTIVES_OP = 1,
	OBS_COLLECTIVES_GROUP = 2,
	OBS_COLLECTIVES_STEP = 3,
	OBS_COLLECTIVES_SEQUENCE = 4,
	OBS_COLLECTIVES_DURATION = 5,
};

enum obs_job_steps_field {
	OBS_JOB_STEPS_RANKS = 1,
	OBS_JOB_STEPS_TIMED = 2,
	OBS_JOB_STEPS_START = 3,
	OBS_JOB_STEPS_END = 4,
	OBS_JOB_STEPS_BASE = 5,
	OBS_JOB_STEPS_BUSY = 6,
	OBS_JOB_STEPS_DEVICES = 7,
	OBS_JOB_STEPS_SERIES = 8,
};

enum obs_job_devices_field {
	OBS_JOB_DEVICES_TYPE = 1,
	OBS_JOB_DEVICES_MOST = 2,
	OBS_JOB_DEVICES_SET = 3,
	OBS_JOB_DEVICES_DIFFER = 4,
};

enum obs_job_series_field {
	OBS_JOB_SERIES_KIND = 1,
	OBS_JOB_SERIES_TYPE = 2,
	OBS_JOB_SERIES_PLACE = 3,
	OBS_JOB_SERIES_VALUE = 4,
	OBS_JOB_SERIES_COUNT = 5,
};

enum obs_job_set_field { OBS_JOB_SET_NUMBER = 1, OBS_JOB_SET_RANK = 2, OBS_JOB_SET_PLACE = 3 };

enum obs_job_rank_field {
	OBS_JOB_RANK_NAME = 1,
	OBS_JOB_RANK_GROUP = 2,
	OBS_JOB_RANK_WORK = 3,
	OBS_JOB_RANK_ALL = 4,
};

/* OBS_JOB_ROW_OF */
enum obs_job_row_of { OBS_OF_CLASS = 0, OBS_OF_ACCELERATOR = 1, OBS_OF_HOST = 2 };

enum obs_job_row_field {
	OBS_JOB_ROW_SET = 1,
	OBS_JOB_ROW_OF = 2,
	OBS_JOB_ROW_SHARED = 3,
	OBS_JOB_ROW_REST = 4,
	OBS_JOB_ROW_GROUP = 5,
	OBS_JOB_ROW_RANKS = 6,
	OBS_JOB_ROW_UNIT = 7,
	OBS_JOB_ROW_SQUARES = 8, /* then the other sums of products, in the order of row_sums */
	OBS_JOB_ROW_LAST_PRODUCTS = 12,
	OBS_JOB_ROW_STEP = 13,
	OBS_JOB_ROW_STEP_HIGH = 14,
	OBS_JOB_ROW_LONGEST = 15,
	OBS_JOB_ROW_LONGEST_RANK = 16,
	OBS_JOB_ROW_SLOWEST = 17,
};

enum obs_job_slowest_field { OBS_JOB_SLOWEST_RANK = 1, OBS_JOB_SLOWEST_VALUE = 2 };

enum obs_end_field { OBS_END_OBSERVATIONS = 1, OBS_END_CRC32 = 2 };

#endif
