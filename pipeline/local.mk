# The order of the stages, for one side and for two.
noinst_LIBRARIES += libpipeline.a
libpipeline_a_SOURCES = \
	pipeline/comparable.c \
	pipeline/comparable.h \
	pipeline/compare_sort.c \
	pipeline/compare_sort.h \
	pipeline/one_side.c \
	pipeline/one_side.h \
	pipeline/page_sides.c \
	pipeline/page_sides.h \
	pipeline/report_choices.c \
	pipeline/report_choices.h \
	pipeline/settings.c \
	pipeline/store.c \
	pipeline/store.h \
	pipeline/settings.h \
	pipeline/two_sides.c \
	pipeline/two_sides.h
