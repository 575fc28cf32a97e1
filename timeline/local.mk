# Chrome traces that are made: generated, merged, averaged.
noinst_LIBRARIES += libtimeline.a
libtimeline_a_SOURCES = \
	timeline/generate.c \
	timeline/generate.h \
	timeline/generate_files.c \
	timeline/generate_files.h \
	timeline/input_kind.c \
	timeline/input_kind.h \
	timeline/json_writer.c \
	timeline/json_writer.h \
	timeline/lanes.c \
	timeline/lanes.h \
	timeline/memory_counters.c \
	timeline/memory_counters.h \
	timeline/merge/json_fields.c \
	timeline/merge/json_fields.h \
	timeline/merge/json_mend.c \
	timeline/merge/json_mend.h \
	timeline/merge/mean_files.c \
	timeline/merge/mean_files.h \
	timeline/merge/merge_clock.c \
	timeline/merge/merge_cut.c \
	timeline/merge/merge_event.c \
	timeline/merge/merge_event.h \
	timeline/merge/merge_files.c \
	timeline/merge/merge_files.h \
	timeline/merge/merge_filter.c \
	timeline/merge/merge_lanes.c \
	timeline/merge/merge_lanes.h \
	timeline/merge/merge_pairs.c \
	timeline/merge/merge_parts.h \
	timeline/merge/merge_steps.c \
	timeline/merge/merge_survey.c \
	timeline/merge/merge_write.c \
	timeline/merge/time_shift.c \
	timeline/merge/time_shift.h \
	timeline/op_label.c \
	timeline/op_label.h \
	timeline/step_label.c \
	timeline/step_label.h \
	timeline/tensors.c \
	timeline/tensors.h \
	timeline/timeline_event.c \
	timeline/timeline_event.h \
	timeline/trace_file.c \
	timeline/trace_file.h
