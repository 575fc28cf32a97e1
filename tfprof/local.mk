# tfprof's own command line, views and outputs.
noinst_LIBRARIES += libtfprof.a
libtfprof_a_SOURCES = \
	tfprof/model.h \
	tfprof/options.h \
	tfprof/regex.cc \
	tfprof/regex.h \
	tfprof/view.h
