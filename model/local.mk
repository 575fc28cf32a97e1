# Profiles, observations and issues as data; no input, no statistics.
noinst_LIBRARIES += libmodel.a
libmodel_a_SOURCES = \
	model/calls.c \
	model/calls.h \
	model/collective_calls.c \
	model/collective_calls.h \
	model/cube.c \
	model/cube.h \
	model/facts/fact_values.c \
	model/facts/fact_values.h \
	model/facts/facts.c \
	model/facts/facts.def \
	model/facts/facts.h \
	model/host_device.c \
	model/host_device.h \
	model/issue.c \
	model/issue.h \
	model/issue_effect.c \
	model/issue_sentence.c \
	model/issue_text.c \
	model/issue_text.h \
	model/measure.c \
	model/measure.h \
	model/measures.def \
	model/merge.c \
	model/merge.h \
	model/op_shape.c \
	model/op_shape.h \
	model/packed_rows.c \
	model/packed_rows.h \
	model/profile.c \
	model/profile.h \
	model/rank_rule.c \
	model/rank_rule.h \
	model/ranks.c \
	model/ranks.h \
	model/run_rule.c \
	model/run_rule.h \
	model/step_series.c \
	model/step_series.h \
	model/step_time.c \
	model/step_time.h \
	model/tree_totals.c \
	model/tree_totals.h
