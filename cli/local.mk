# The program. All of it but main is an archive, so that tests can link it.
noinst_LIBRARIES += libcli.a
libcli_a_SOURCES = \
	cli/audit/cmd_audit.c \
	cli/audit/findings_report.c \
	cli/audit/findings_report.h \
	cli/compare/cmd_compare.c \
	cli/cmd_config.c \
	cli/cmd_events.c \
	cli/cmd_export.c \
	cli/cmd_formats.c \
	cli/compare/cmd_gate.c \
	cli/cmd_help.c \
	cli/cmd_ops.c \
	cli/cmd_sql.c \
	cli/cmd_tfprof.c \
	cli/cmd_timeline.c \
	cli/commands.c \
	cli/commands.def \
	cli/diagnostic.c \
	cli/diagnostic.h \
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
	cli/merge/cmd_merge.c \
	cli/merge/merge_ranks.c \
	cli/merge/merge_ranks.h \
	cli/options/apply.c \
	cli/options/apply.h \
	cli/options/apply_compare.c \
	cli/options/apply_io.c \
	cli/options/command.h \
	cli/options/command_line.c \
	cli/options/command_line.h \
	cli/options/config_file.c \
	cli/options/config_file.h \
	cli/options/habits.c \
	cli/options/habits.h \
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
	cli/outputs.c \
	cli/outputs.h \
	cli/program.c \
	cli/program.h \
	cli/progress_line.c \
	cli/progress_line.h \
	cli/prompt.c \
	cli/prompt.h \
	cli/prompt_part.c \
	cli/prompt_sql.c \
	cli/report/cmd_report.c \
	cli/report/follow.c \
	cli/report/follow.h \
	cli/report_output.c \
	cli/report_output.h \
	cli/screen.c \
	cli/screen.h \
	cli/timeline.def \
	cli/timeline_generate.c \
	cli/timeline_mean.c \
	cli/timeline_merge.c \
	cli/timeline_part.c \
	cli/timeline_part.h

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
