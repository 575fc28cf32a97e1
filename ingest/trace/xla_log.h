/* Parts that the readers of XLA's profiles share while they fill an event log: processes that are
 * devices, marks of steps, events passed over, and at the end the kinds of lanes. The rules by name
 * are in xla_rules.h; it knows no files. */
#pragma once

#include "ingest/events/eventlog.h"
#include "ingest/trace/xla_rules.h"

/* Events passed over; counted without a place, because the first in the file is not the first in
 * time. */
enum xla_passed {
	XLA_PASSED_FRAME,
	XLA_PASSED_INSTANT,
	XLA_PASSED_END,	 /* counts as nothing, but takes time from the op around it */
	XLA_PASSED_WAIT, /* as well */
	XLA_PASSED_COUNT
};

/* An annotation of a step on the host, or an event that is one when its line is that of steps, or
 * an execution of a program. */
struct xla_mark {
	uint32_t lane;
	int64_t number, start_ps, end_ps;
	const char *kind; /* as in struct step */
};

struct xla_log;

/* Both must outlive it. */
struct xla_log *xla_log_new(
	struct eventlog *log, struct profile *profile, const struct profile_limits *limits);
void xla_log_free(struct xla_log *x); /* NULL is fine */

/* UNKNOWN while the process has no name, or none that says it; also with err (too many). */
enum xla_plane xla_log_plane(struct xla_log *x, uint32_t process, struct error *err);
/* True if one of the processes that were asked for as yet is a device. */
bool xla_log_has_devices(const struct xla_log *x);
void xla_log_pass(struct xla_log *x, enum xla_passed what, size_t count);

/* Adds a mark of a step; at most limits.steps of both kinds. */
int xla_log_host_step(struct xla_log *x, const struct xla_mark *mark, struct error *err);
int xla_log_device_step(struct xla_log *x, const struct xla_mark *mark, struct error *err);
/* An execution of the program of this name. Beyond limits.steps they are not kept. */
void xla_log_module(struct xla_log *x, const struct xla_mark *mark, struct xla_text name);

/* All names of processes and lines are known: a process whose name says nothing is of the host
 * unless its lines say otherwise. `ending` is that of the file's name after that of its host. */
int xla_log_resolve(struct xla_log *x, const char *ending, struct error *err);
/* Sets, after the last event, the kinds of lanes and the marks that are steps, and counts the
 * events passed over. Where the user names the steps (--step-marker) no marks were added. */
int xla_log_end(struct xla_log *x, struct error *err);
/* Reports, after xla_log_end, that nothing marks a step; for a log with events. */
void xla_log_report_no_step(struct xla_log *x);
