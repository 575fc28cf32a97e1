# The order of the stages, for one side and for two.
noinst_LIBRARIES += libpipeline.a
libpipeline_a_SOURCES = \
	pipeline/comparable.c \
	pipeline/comparable.h \
	pipeline/compare_sort.c \
	pipeline/compare_sort.h \
	pipeline/measure_choice.c \
	pipeline/measure_choice.h \
	pipeline/one_side.c \
	pipeline/one_side.h \
	pipeline/page_sides.c \
	pipeline/page_sides.h \
	pipeline/part_limits.c \
	pipeline/part_limits.h \
	pipeline/report_choices.c \
	pipeline/report_choices.h \
	pipeline/row_namer.c \
	pipeline/row_namer.h \
	pipeline/run_pairs.c \
	pipeline/run_pairs.h \
	pipeline/derive.c \
	pipeline/derive.h \
	pipeline/settings.c \
	pipeline/settings.h \
	pipeline/tfprof_digits.c \
	pipeline/tfprof_digits.h \
	pipeline/two_sides.c \
	pipeline/two_sides.h
