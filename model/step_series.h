/* Durations that a source has of its steps besides their ops, one for each step: of the whole step
 * (its marker, the period to the next step) and of the work of each device in it.
 *
 * The parts of a device add up to the window of the step exactly: from its start to the start of
 * the next step, for the last one to its end. They are by time, not by launch. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/error.h"

enum step_series_kind {
	/* Series of the step; without a device. */
	SERIES_MARKER,	 /* duration of what marks the step */
	SERIES_LAUNCH,	 /* the same where it is only the launch: SERIES_MARKER is not known then */
	SERIES_PERIOD,	 /* from its start to the start of the next step; not known of the last. Of
			    a launch without a next one at all to the end of its devices' work */
	SERIES_SPAN,	 /* from the first start to the last end of its events */
	SERIES_HOST_OPS, /* time of the host's ops, all threads together */
	SERIES_HOST_WAITING, /* the part of it that waits: synchronisation, blocking copies */
	/* Series of a device: these four are the window. */
	SERIES_COMPUTE,	      /* any kernel that is neither communication nor a copy */
	SERIES_COMMUNICATION, /* alone: where no kernel computes */
	SERIES_COPIES,	      /* alone: where no kernel computes or communicates */
	SERIES_IDLE,
	/* Communication while a kernel computes: a part of compute. */
	SERIES_HIDDEN,
	/* Parts of idle. What is left of it has no known cause. */
	SERIES_HOST_LATE, /* the next kernel was launched after the gap began, or none was */
	SERIES_WAITED,	  /* it had been launched before: it waited for a stream or a dependency */
	SERIES_GAPS,	  /* the same, in gaps as short as between two kernels that are queued */
	/* Parts of SERIES_HOST_LATE, each by what was open on the thread that launched next: the
	 * outermost below the step, and the innermost. One series for each name, its cause; both
	 * kinds add up to the whole. */
	SERIES_LATE_OUTERMOST,
	SERIES_LATE_INNERMOST,
	SERIES_KINDS
};

#define SERIES_DEVICE_FIRST SERIES_COMPUTE
#define SERIES_PARTS_END SERIES_LATE_OUTERMOST /* before it: one series for each device */
#define STEP_SERIES_IN " in "
#define STEP_SERIES_NOTHING "[nothing recorded]"
#define STEP_SERIES_OTHER "[other]"

struct step_series {
	enum step_series_kind kind;
	const char *device; /* "" for series of the step */
	const char *cause;  /* of kinds from SERIES_PARTS_END on; else "" */
	int64_t *value_ps;  /* one for each step; CELL_ABSENT (model/profile.h): not known */
};

struct step_series_index;

struct step_series_list {
	struct step_series *item;
	size_t count, room;
	struct step_series_index *index; /* NULL: there is no item */
};

/* True if the value of several ranks is that of the slowest, else the mean of all. */
bool step_series_is_of_slowest(enum step_series_kind kind);
/* "marker", "compute", ... in outputs and in files of observations. */
const char *step_series_name(enum step_series_kind kind);
/* True if a series of the kind may have this device and cause. */
bool step_series_is_one(enum step_series_kind kind, const char *device, const char *cause);
/* False when no kind has this name. */
bool step_series_kind_of(const char *name, enum step_series_kind *out);

/* The values of this series for `steps` steps, in the arena; a new one is CELL_ABSENT everywhere.
 * The device is copied. */
int64_t *step_series_add(struct step_series_list *list, struct arena *arena,
	enum step_series_kind kind, const char *device, size_t steps);
/* The same for the kind, device and cause of another series. */
int64_t *step_series_add_like(struct step_series_list *list, struct arena *arena,
	const struct step_series *like, size_t steps);
/* Adds the series of another list, whose step s is map[s] here (UINT32_MAX: not here); NULL: the
 * same steps. */
void step_series_join(struct step_series_list *into, struct arena *arena, size_t steps,
	const struct step_series_list *from, size_t from_steps, const uint32_t *map);
/* The device in outputs: "gpu:0", of a cause "gpu:0 in NAME"; in the arena. */
const char *step_series_place(struct arena *arena, const char *device, const char *cause);
/* Makes a cause 0 that is not known in a step in which others of its device and kind are: they add
 * up to the whole. */
void step_series_fill_causes(struct step_series_list *list, size_t steps);
/* NULL when there is none. */
const int64_t *step_series_find(
	const struct step_series_list *list, enum step_series_kind kind, const char *device);
/* NaN when the series does not exist (NULL) or its value is not known in that step. */
double step_series_value(const int64_t *value_ps, size_t step);

/* All series of one device, by kind; NULL: it has none of that kind. */
struct device_series {
	const int64_t *value_ps[SERIES_KINDS];
};

void device_series_find(
	const struct step_series_list *list, const char *device, struct device_series *out);
/* The sum of compute and what follows it up to the kind `to`: with SERIES_COPIES the busy time,
 * with SERIES_IDLE the window. NaN when one of them is not known in that step. */
double device_series_sum(const struct device_series *series, enum step_series_kind to, size_t step);
/* The names of the devices in natural order, in the arena. */
size_t step_series_devices(
	const struct step_series_list *list, struct arena *arena, const char ***out);

/* Time of each step of a cube: the time of the loop, not a sum over ops that run side by side. */

struct cube;

enum step_time_kind {
	STEP_TIME_AUTO, /* asked for: the period where some markers are only launches, the marker
			   where every step has one, the period where markers are points, else the
			   span */
	STEP_TIME_MARKER,
	STEP_TIME_PERIOD,
	STEP_TIME_SPAN,
	STEP_TIME_NONE /* the source has no times */
};

struct step_times {
	enum step_time_kind kind; /* not STEP_TIME_AUTO */
	/* Time of each step of the cube; NULL: not known. A period that is not known is
	 * CELL_ABSENT. */
	int64_t *time_ps;
	/* Warm-up, jitter and comparisons refer to the step time: steps are marked, an accelerator
	 * worked in them, or the kind was asked for. Otherwise they refer to the op time. */
	bool decides;
};

/* "auto", "marker", "period", "span", "none". */
const char *step_time_name(enum step_time_kind kind);

/* " from start to start", " to the end of its device work" after a duration; else "". */
const char *step_time_phrase(const struct cube *cube);

/* Sets cube->times. ERROR_USAGE when a kind is asked for that some step does not have. */
int step_time_choose(struct cube *cube, enum step_time_kind asked, struct error *err);
