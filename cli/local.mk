# The program. All of it but main is an archive, so that tests can link it.
noinst_LIBRARIES += libcli.a
libcli_a_SOURCES = \
	cli/apply.c \
	cli/apply.h \
	cli/apply_compare.c \
	cli/apply_io.c \
	cli/cmd_compare.c \
	cli/cmd_config.c \
	cli/cmd_events.c \
	cli/cmd_export.c \
	cli/cmd_formats.c \
	cli/cmd_gate.c \
	cli/cmd_help.c \
	cli/cmd_ops.c \
	cli/cmd_report.c \
	cli/cmd_sql.c \
	cli/cmd_tfprof.c \
	cli/cmd_timeline.c \
	cli/columns.c \
	cli/columns.def \
	cli/columns.h \
	cli/command.h \
	cli/commands.c \
	cli/commands.def \
	cli/completion.c \
	cli/completion.h \
	cli/config_file.c \
	cli/config_file.h \
	cli/diagnostic.c \
	cli/diagnostic.h \
	cli/explain.c \
	cli/explain.h \
	cli/export_tables.c \
	cli/export_tables.h \
	cli/habits.c \
	cli/habits.h \
	cli/help.h \
	cli/manpage.c \
	cli/manpage.h \
	cli/option_table.c \
	cli/option_value.c \
	cli/option_words.c \
	cli/option_words.h \
	cli/options.c \
	cli/options.def \
	cli/options.h \
	cli/outputs.c \
	cli/outputs.h \
	cli/progress_line.c \
	cli/progress_line.h \
	cli/prompt.c \
	cli/prompt.h \
	cli/prompt_part.c \
	cli/prompt_sql.c \
	cli/report_output.c \
	cli/report_output.h \
	cli/screen.c \
	cli/screen.h \
	cli/settings.c \
	cli/settings.h \
	cli/timeline.def \
	cli/timeline_generate.c \
	cli/timeline_mean.c \
	cli/timeline_merge.c \
	cli/topics.c \
	cli/topics.h \
	cli/topics_formats.def \
	cli/topics_words.def \
	cli/usage.c \
	cli/usage.h

bin_PROGRAMS += stepstat
stepstat_SOURCES = cli/main.c
stepstat_LDADD = $(stepstat_libs)

# Under the name tfprof the program is TensorFlow's profiler. In the build folder that name is the
# objects' folder, so its link is cli/tfprof.
all-local: cli/tfprof
cli/tfprof: stepstat$(EXEEXT)
	$(AM_V_GEN)rm -f $@ && $(LN_S) ../stepstat$(EXEEXT) $@
CLEANFILES += cli/tfprof
install-exec-hook:
	cd '$(DESTDIR)$(bindir)' && rm -f tfprof && $(LN_S) stepstat$(EXEEXT) tfprof
uninstall-hook:
	rm -f '$(DESTDIR)$(bindir)/tfprof'
