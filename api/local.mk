# The library: one archive with what the public functions need, in which nothing else has a name that a program could clash
# with; its header and its .pc file.
noinst_LIBRARIES += libapi.a
libapi_a_SOURCES = \
	api/model.c \
	api/model.h \
	api/report.c \
	api/view.c
include_HEADERS = api/stepstat.h
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = api/stepstat.pc

api_archives = libapi.a libpipeline.a libtfprof.a libreport.a libtemplates.a libgate.a libanalysis.a libselect.a libstats.a \
	libingest.a libproto.a libgraph.a libevents.a libmodel.a libbase.a
stepstatlibdir = $(libdir)
nodist_stepstatlib_DATA = libstepstat.a
CLEANFILES += libstepstat.a api/library.o api/stepstat.pc
EXTRA_DIST += api/stepstat.pc.in
api/stepstat.pc: $(srcdir)/api/stepstat.pc.in Makefile
	$(AM_V_GEN)$(MKDIR_P) api && \
	$(SED) -e 's|@prefix[@]|$(prefix)|' -e 's|@exec_prefix[@]|$(exec_prefix)|' -e 's|@libdir[@]|$(libdir)|' \
		-e 's|@includedir[@]|$(includedir)|' -e 's|@VERSION[@]|$(VERSION)|' \
		-e 's|@library_libs[@]|$(library_libs)|' $(srcdir)/api/stepstat.pc.in >$@
libstepstat.a: $(api_archives)
	$(AM_V_GEN)$(CC) $(CFLAGS) -nostdlib -r -o api/library.o \
		-Wl,-u,stepstat_open_profile -Wl,-u,stepstat_run -Wl,-u,stepstat_report $(api_archives) && \
	$(OBJCOPY) --wildcard --keep-global-symbol='stepstat_*' api/library.o && \
	rm -f $@ && $(AR) $(ARFLAGS) $@ api/library.o && $(RANLIB) $@
