# What every folder may use; knows nothing of profiles.
noinst_LIBRARIES += libbase.a
libbase_a_SOURCES = \
	base/arena.c \
	base/arena.h \
	base/day.c \
	base/day.h \
	base/digest.c \
	base/digest.h \
	base/error.c \
	base/error.h \
	base/file_identity.c \
	base/file_identity.h \
	base/file_nearest.c \
	base/file_nearest.h \
	base/intern.c \
	base/intern.h \
	base/json_text.c \
	base/json_text.h \
	base/memory.c \
	base/memory.h \
	base/memory_new.cc \
	base/memory_new.h \
	base/number.c \
	base/number.h \
	base/outfile.c \
	base/outfile.h \
	base/outfolder.c \
	base/outfolder.h \
	base/output_guard.c \
	base/output_guard.h \
	base/progress.h \
	base/radix_sort.c \
	base/radix_sort.h \
	base/template.c \
	base/template.h \
	base/text.c \
	base/text.h \
	base/text_ascii.c \
	base/text_nearest.c \
	base/text_unescape.c \
	base/text_unescape.h \
	base/text_width.c \
	base/unit.c \
	base/unit.h \
	base/vec.c \
	base/vec.h
