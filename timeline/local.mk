# Chrome traces that are made: generated, merged, averaged.
noinst_LIBRARIES += libtimeline.a
libtimeline_a_SOURCES = \
	timeline/generate.c \
	timeline/generate.h \
	timeline/generate_files.c \
	timeline/generate_files.h \
	timeline/input_kind.c \
	timeline/input_kind.h \
	timeline/json_fields.c \
	timeline/json_fields.h \
	timeline/json_mend.c \
	timeline/json_mend.h \
	timeline/json_writer.c \
	timeline/json_writer.h \
	timeline/lanes.c \
	timeline/lanes.h \
	timeline/mean_files.c \
	timeline/mean_files.h \
	timeline/memory_counters.c \
	timeline/memory_counters.h \
	timeline/merge_clock.c \
	timeline/merge_cut.c \
	timeline/merge_event.c \
	timeline/merge_event.h \
	timeline/merge_files.c \
	timeline/merge_files.h \
	timeline/merge_filter.c \
	timeline/merge_lanes.c \
	timeline/merge_lanes.h \
	timeline/merge_pairs.c \
	timeline/merge_parts.h \
	timeline/merge_steps.c \
	timeline/merge_survey.c \
	timeline/merge_write.c \
	timeline/op_label.c \
	timeline/op_label.h \
	timeline/step_label.c \
	timeline/step_label.h \
	timeline/tensors.c \
	timeline/tensors.h \
	timeline/time_shift.c \
	timeline/time_shift.h \
	timeline/timeline_event.c \
	timeline/timeline_event.h \
	timeline/trace_file.c \
	timeline/trace_file.h
