# Chrome traces that are made, not measured; tables for databases, SQL.
noinst_LIBRARIES += libtrace.a
libtrace_a_SOURCES = \
	trace/aggregates.c \
	trace/aggregates.h \
	trace/database.c \
	trace/database.h \
	trace/database_handle.h \
	trace/database_run.c \
	trace/events.c \
	trace/events.h \
	trace/generate.c \
	trace/generate.h \
	trace/generate_files.c \
	trace/generate_files.h \
	trace/json_writer.c \
	trace/json_writer.h \
	trace/lanes.c \
	trace/lanes.h \
	trace/memory_counters.c \
	trace/memory_counters.h \
	trace/op_label.c \
	trace/op_label.h \
	trace/queries.c \
	trace/queries.h \
	trace/sink_files.c \
	trace/sink_files.h \
	trace/step_label.c \
	trace/step_label.h \
	trace/table.h \
	trace/tables.c \
	trace/tables.h \
	trace/tables_events.c \
	trace/tensors.c \
	trace/tensors.h \
	trace/trace_event.c \
	trace/trace_event.h \
	trace/trace_file.c \
	trace/trace_file.h
