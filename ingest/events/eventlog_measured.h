/* One device while the parts of its steps are measured. Only for ingest/events/eventlog*.c. */
#pragma once

#include <pthread.h>
#include "ingest/events/device_work.h"
#include "ingest/events/eventlog_parts.h"

/* Work of a device: (device, start) is the key. */
struct work_record {
	uint64_t device, start;
	int64_t end_ps, launch_ps;
	uint64_t what; /* twice the op, and 1: other events are in it */
	uint64_t launch_lane;
};

/* A step as a device sees it. */
struct window {
	int64_t start_ps, end_ps;
	uint32_t step; /* of the profile */
	bool lost;     /* work of it has no record: rest has no cause */
};

/* The devices of a trace: lanes of an accelerator with the same name, whose steps are marked in
 * the same process. */
struct log_device {
	const char *name;
	size_t range; /* of the log's slots */
	uint32_t process;
	uint32_t lanes; /* with events */
	uint32_t first; /* of them; next_lane has the others in order */
	bool is_sorted; /* its work is in log->work */
	bool works;
};

/* A lane that is read once more. */
struct work_lane {
	struct lane_pass *pass;
	bool flat;
	const struct log_record *next; /* event that takes time; NULL: no more */
	struct work_record work;       /* what is before it */
	bool any;		       /* work */
};

/* A device while its parts are measured, or a part of its time: from where it rests after from_ps
 * to where it rests after until_ps. */
struct measured {
	struct eventlog *log;
	uint32_t device;
	int64_t from_ps, until_ps;   /* INT64_MIN: from the first work; INT64_MAX: to the last */
	bool is_begun;		     /* it rests after from_ps, and works again */
	const uint8_t *work;	     /* of each op, enum device_work; WORK_BY_TYPE */
	const uint8_t *work_of_type; /* of each type of events */
	struct window *window;
	size_t windows, at; /* `at`: the first window that ends after now_ps */
	int64_t last_ps;    /* where the last of them ends */
	int64_t *part[SERIES_PARTS_END];
	int64_t now_ps;			/* up to here everything is measured */
	int64_t end_ps[WORK_KINDS + 1]; /* the last end of each class; of what has events in it */
	int64_t last_end_ps;		/* of them */
	bool any;			/* work of this device before what is starting */
	bool is_starting;		/* something at starting_ps, up to which work is measured */
	int64_t starting_ps, launch_ps; /* launch_ps: the earliest known, or LAUNCH_UNKNOWN */
	uint32_t launch_lane;		/* then; before anything starts that of the launch before */
	pthread_mutex_t *adding;	/* to log->late; NULL: alone */
	struct work_lane lane[LANES_SIDE_BY_SIDE];
	size_t lanes;
	struct error err;
	int result;
};

#define WORK_BY_TYPE UINT8_MAX /* events of the op are of several types */
#define TYPE_SHIFT 40	       /* in work_record.what, behind op and is_around */
#define WORK_AROUND WORK_KINDS /* contains other events: its class is that of compute */

/* Puts the stretches of steps in order, before the first device. */
void log_order_stretches(struct eventlog *log);
/* The step series of the device, 0 in all its windows. */
void measured_begin(struct measured *d);
/* Adds a record; of work that starts together the earliest launch counts, whatever the order. */
void measured_add(struct measured *d, const struct work_record *record);
/* Reads the lanes of the device, or of its part, up to the last work. */
int measured_read_lanes(struct measured *d, struct error *err);
/* After the last work of a device: adds what still runs, and the rest up to the end of the last
 * window, in which nothing was launched any more. */
void measured_end(struct measured *d);
