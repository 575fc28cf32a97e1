# The program. All of it but main is an archive, so that tests can link it.
noinst_LIBRARIES += libcli.a
libcli_a_SOURCES = \
	cli/ab_reads.c \
	cli/ab_reads.h \
	cli/cmd_ab.c \
	cli/cmd_audit.c \
	cli/cmd_compare.c \
	cli/cmd_config.c \
	cli/cmd_events.c \
	cli/cmd_export.c \
	cli/cmd_formats.c \
	cli/cmd_gate.c \
	cli/cmd_help.c \
	cli/cmd_ops.c \
	cli/cmd_recorded.c \
	cli/cmd_sql.c \
	cli/cmd_store.c \
	cli/cmd_store.h \
	cli/gate_store.c \
	cli/gate_store.h \
	cli/cmd_tfprof.c \
	cli/cmd_timeline.c \
	cli/commands.c \
	cli/commands.def \
	cli/explain.c \
	cli/explain.h \
	cli/export_tables.c \
	cli/export_tables.h \
	cli/help/columns.c \
	cli/help/columns.h \
	cli/help/completion.c \
	cli/help/completion.h \
	cli/help/help.h \
	cli/help/manpage.c \
	cli/help/manpage.h \
	cli/help/topics.c \
	cli/help/topics.h \
	cli/help/usage.c \
	cli/help/usage.h \
	cli/cmd_merge.c \
	cli/options/apply.c \
	cli/options/apply.h \
	cli/options/apply_compare.c \
	cli/options/apply_io.c \
	cli/options/command.h \
	cli/options/command_line.c \
	cli/options/command_line.h \
	cli/options/config_file.c \
	cli/options/config_file.h \
	cli/options/foreign_options.c \
	cli/options/foreign_options.h \
	cli/options/input_lines.c \
	cli/options/input_lines.h \
	cli/options/option_table.c \
	cli/options/option_value.c \
	cli/options/option_words.c \
	cli/options/option_words.h \
	cli/options/options.c \
	cli/options/options.def \
	cli/options/options.h \
	cli/options/settings.c \
	cli/options/settings.h \
	cli/program.c \
	cli/program.h \
	cli/prompt.c \
	cli/prompt.h \
	cli/cmd_report.c \
	cli/report_output.c \
	cli/report_output.h \
	cli/screen.c \
	cli/screen.h

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
