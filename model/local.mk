# Profiles, observations and issues as data; no input, no statistics.
noinst_LIBRARIES += libmodel.a
libmodel_a_SOURCES = \
	model/account.c \
	model/account.h \
	model/calls.c \
	model/calls.h \
	model/cube.c \
	model/cube.h \
	model/eventlog.c \
	model/eventlog.h \
	model/eventlog_busy.c \
	model/eventlog_issues.c \
	model/eventlog_links.c \
	model/eventlog_parts.h \
	model/eventlog_rows.c \
	model/eventlog_steps.c \
	model/eventlog_sum.c \
	model/eventlog_sweep.c \
	model/graph.c \
	model/graph.h \
	model/graph_build.c \
	model/graph_detail.c \
	model/graph_detail.h \
	model/issue.c \
	model/issue.h \
	model/issue_text.c \
	model/issue_text.h \
	model/measure.c \
	model/measure.h \
	model/measures.def \
	model/merge.c \
	model/merge.h \
	model/obs_format.h \
	model/op_shape.c \
	model/op_shape.h \
	model/order.c \
	model/order.h \
	model/profile.c \
	model/profile.h \
	model/run_rule.c \
	model/run_rule.h \
	model/spill.c \
	model/spill.h \
	model/spill_run.c \
	model/spill_run.h \
	model/step_stats.c \
	model/step_stats.h
