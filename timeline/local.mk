# Chrome traces that are made: generated, merged, averaged.
noinst_LIBRARIES += libtimeline.a
libtimeline_a_SOURCES = \
	timeline/generate.c \
	timeline/generate.h \
	timeline/input_kind.c \
	timeline/input_kind.h \
	timeline/json_writer.c \
	timeline/json_writer.h \
	timeline/lanes.c \
	timeline/lanes.h \
	timeline/merge/json_fields.c \
	timeline/merge/json_fields.h \
	timeline/merge/mean_files.c \
	timeline/merge/merge_parts.c \
	timeline/merge/merge_event.c \
	timeline/merge/merge_files.c \
	timeline/merge/merge_files.h \
	timeline/merge/merge_filter.c \
	timeline/merge/merge_parts.h \
	timeline/merge/merge_survey.c \
	timeline/merge/merge_write.c
