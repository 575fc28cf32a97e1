# Timed events become observations: the event log and its sorter; no formats.
noinst_LIBRARIES += libevents.a
libevents_a_SOURCES = \
	events/call_store.c \
	events/call_store.h \
	events/device_work.c \
	events/device_work.h \
	events/eventlog.c \
	events/eventlog.h \
	events/eventlog_busy.c \
	events/eventlog_calls.c \
	events/eventlog_captures.c \
	events/eventlog_check.c \
	events/eventlog_collectives.c \
	events/eventlog_devices.c \
	events/eventlog_doubt.c \
	events/eventlog_handed.c \
	events/eventlog_issues.c \
	events/eventlog_launched.c \
	events/eventlog_launchers.c \
	events/eventlog_links.c \
	events/eventlog_order.c \
	events/eventlog_parts.h \
	events/eventlog_recurring.c \
	events/eventlog_rows.c \
	events/eventlog_runs.c \
	events/eventlog_steps.c \
	events/eventlog_sum.c \
	events/eventlog_sweep.c \
	events/packed_words.h \
	events/references.c \
	events/references.h \
	events/spill.c \
	events/spill.h \
	events/spill_run.c \
	events/spill_run.h
