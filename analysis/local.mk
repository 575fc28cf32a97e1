# What a command computes, as data.
noinst_LIBRARIES += libanalysis.a
libanalysis_a_SOURCES = \
	analysis/contrast.c \
	analysis/contrast.h \
	analysis/kinds.c \
	analysis/kinds.h \
	analysis/pairing.c \
	analysis/pairing.h \
	analysis/statistic.c \
	analysis/statistic.h \
	analysis/statistics.def \
	analysis/steps.c \
	analysis/steps.h \
	analysis/summary.c \
	analysis/summary.h
