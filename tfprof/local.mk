# tfprof/graph: tfprof's model of a run, nodes, executions and their accounting; no formats.
noinst_LIBRARIES += libgraph.a
libgraph_a_SOURCES = \
	tfprof/graph/exec_pack.c \
	tfprof/graph/exec_pack.h \
	tfprof/graph/graph.c \
	tfprof/graph/graph.h \
	tfprof/graph/graph_build.c \
	tfprof/graph/graph_detail.c \
	tfprof/graph/graph_detail.h \
	tfprof/graph/host_trace.c \
	tfprof/graph/host_trace.h \
	tfprof/graph/step_stats.c \
	tfprof/graph/step_stats.h

# tfprof/files: its files as profiles. Readers belong to the archive of all readers.
libingest_a_SOURCES += \
	tfprof/files/checkpoint.c \
	tfprof/files/checkpoint.h \
	tfprof/files/checkpoint_value.c \
	tfprof/files/checkpoint_value.h \
	tfprof/files/graph_def.c \
	tfprof/files/graph_def.h \
	tfprof/files/reader_run_metadata.c \
	tfprof/files/reader_tfprof.c \
	tfprof/files/reader_tfprof_text.c \
	tfprof/files/reader_timeline.c \
	tfprof/files/run_metadata.c \
	tfprof/files/run_metadata.h \
	tfprof/files/sstable.c \
	tfprof/files/sstable.h \
	tfprof/files/tfprof.h \
	tfprof/files/tfprof_detail.c \
	tfprof/files/tfprof_detail.h \
	tfprof/files/tfprof_exec.c \
	tfprof/files/tfprof_table.c \
	tfprof/files/tfprof_text.c \
	tfprof/files/tfprof_text.h \
	tfprof/files/timeline_rows.c \
	tfprof/files/timeline_rows.h

# tfprof: sessions, and views as outputs; below it what is asked (options) and what is computed (view).
noinst_LIBRARIES += libtfprof.a
libtfprof_a_SOURCES = \
	tfprof/options/flags.c \
	tfprof/options/flags.h \
	tfprof/options/old_words.c \
	tfprof/options/old_words.h \
	tfprof/options/options.c \
	tfprof/options/options.h \
	tfprof/options/step_words.c \
	tfprof/options/step_words.h \
	tfprof/pprof.c \
	tfprof/result_proto.c \
	tfprof/session.c \
	tfprof/session.h \
	tfprof/tensor_value.c \
	tfprof/timeline.c \
	tfprof/timeline_graph.c \
	tfprof/timeline_graph.h \
	tfprof/view/advise.c \
	tfprof/view/advise.h \
	tfprof/view/advise_steps.c \
	tfprof/view/advise.h \
	tfprof/view/code_tree.c \
	tfprof/view/model.c \
	tfprof/view/model.h \
	tfprof/view/profile_write.c \
	tfprof/view/regex.cc \
	tfprof/view/regex.h \
	tfprof/view/scope_names.c \
	tfprof/view/steps.c \
	tfprof/view/steps.h \
	tfprof/view/tree.c \
	tfprof/view/values.c \
	tfprof/view/view.h \
	tfprof/view/view.c \
	tfprof/view_op_text.c \
	tfprof/view_report.c \
	tfprof/view_text.c \
	tfprof/outputs.h

# tfprof/api: the library for C, one archive with what the public functions need, in which nothing else has a name that a program could clash
# with; its header and its .pc file.
noinst_LIBRARIES += libapi.a
libapi_a_SOURCES = tfprof/api/stepstat.c
include_HEADERS = tfprof/api/stepstat.h
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = tfprof/api/stepstat.pc

api_archives = libapi.a libpipeline.a libtfprof.a libreport.a libtemplates.a libanalysis.a libstats.a \
	libingest.a libproto.a libgraph.a libevents.a libmodel.a libbase.a
stepstatlibdir = $(libdir)
nodist_stepstatlib_DATA = libstepstat.a
CLEANFILES += libstepstat.a tfprof/api/library.o tfprof/api/stepstat.pc
EXTRA_DIST += tfprof/api/stepstat.pc.in
tfprof/api/stepstat.pc: $(srcdir)/tfprof/api/stepstat.pc.in Makefile
	$(AM_V_GEN)$(MKDIR_P) tfprof/api && \
	$(SED) -e 's|@prefix[@]|$(prefix)|' -e 's|@exec_prefix[@]|$(exec_prefix)|' -e 's|@libdir[@]|$(libdir)|' \
		-e 's|@includedir[@]|$(includedir)|' -e 's|@VERSION[@]|$(VERSION)|' \
		-e 's|@library_libs[@]|$(library_libs)|' $(srcdir)/tfprof/api/stepstat.pc.in >$@
libstepstat.a: $(api_archives)
	$(AM_V_GEN)$(CC) $(CFLAGS) -nostdlib -r -o tfprof/api/library.o \
		-Wl,-u,stepstat_open_profile -Wl,-u,stepstat_run -Wl,-u,stepstat_report $(api_archives) && \
	$(OBJCOPY) --wildcard --keep-global-symbol='stepstat_*' tfprof/api/library.o && \
	rm -f $@ && $(AR) $(ARFLAGS) $@ tfprof/api/library.o && $(RANLIB) $@
