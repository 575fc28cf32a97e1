# All tests speak TAP. A new unit test, fuzz target, golden area or lint is one line in its list
# (a fuzz target has a second one for its sources); tests/lint/lists.sh finds what was forgotten.
# What tests include.
test_headers = \
	tests/bench/made_obs.h \
	tests/csv_table.h \
	tests/fuzz/check_profile.h \
	tests/fuzz/check_table.h \
	tests/fuzz/run_program.h \
	tests/ref/values.h \
	tests/sim/rank_world.h \
	tests/sim/world.h \
	tests/unit/check_profile.h \
	tests/unit/cube_build.h \
	tests/unit/encode.h \
	tests/unit/event_trace.h \
	tests/unit/made_rows.h \
	tests/unit/made_runs.h \
	tests/unit/made_graph.h \
	tests/unit/disk_calls.h \
	tests/unit/output_folder.h \
	tests/unit/made_table.h \
	tests/unit/rank_job.h \
	tests/unit/written_obs.h \
	tests/unit/summary_job.h \
	tests/unit/test.h \
	tests/unit/threads_agree.h

EXTRA_DIST += tests/run-golden tests/golden-functions $(test_headers) tests/check-model $(lint_tests) tests/lint/strip.awk tests/lint/rooms tests/fuzz/build tests/fuzz/trace.dict tests/data tests/golden tests/ref tests/fuzz/corpus tests/bench

unit_tests = \
	tests/unit/test_measure_own \
	tests/unit/test_spread_ratio \
	tests/unit/test_tree_totals \
	tests/unit/test_api \
	tests/unit/test_arena \
	tests/unit/test_beside \
	tests/unit/test_build_compare \
	tests/unit/test_build_compare_steady \
	tests/unit/test_call_store \
	tests/unit/test_calls \
	tests/unit/test_centre \
	tests/unit/test_change_points \
	tests/unit/test_checkpoint \
	tests/unit/test_classes \
	tests/unit/test_clock_bounds \
	tests/unit/test_code_trace \
	tests/unit/test_collective_calls \
	tests/unit/test_collectives \
	tests/unit/test_compared_parts \
	tests/unit/test_cube \
	tests/unit/test_database \
	tests/unit/test_database_reader \
	tests/unit/test_day \
	tests/unit/test_verdicts \
	tests/unit/test_verdict_remarks \
	tests/unit/test_detect \
	tests/unit/test_drift \
	tests/unit/test_equivalence \
	tests/unit/test_error \
	tests/unit/test_eventlog \
	tests/unit/test_eventlog_collectives \
	tests/unit/test_eventlog_check \
	tests/unit/test_eventlog_edges \
	tests/unit/test_eventlog_causes \
	tests/unit/test_eventlog_devices \
	tests/unit/test_eventlog_devices_random \
	tests/unit/test_eventlog_handoffs \
	tests/unit/test_eventlog_labels \
	tests/unit/test_eventlog_launchers \
	tests/unit/test_eventlog_links \
	tests/unit/test_eventlog_periods \
	tests/unit/test_eventlog_random \
	tests/unit/test_exec_pack \
	tests/unit/test_facts \
	tests/unit/test_fisher \
	tests/unit/test_gate \
	tests/unit/test_graph \
	tests/unit/test_host_trace \
	tests/unit/test_graph_def \
	tests/unit/test_graph_captures \
	tests/unit/test_grouping \
	tests/unit/test_input \
	tests/unit/test_intern \
	tests/unit/test_issue_text \
	tests/unit/test_json_table \
	tests/unit/test_json_text \
	tests/unit/test_json_writer \
	tests/unit/test_step_kinds \
	tests/unit/test_lanes \
	tests/unit/test_levels \
	tests/unit/test_text_lines \
	tests/unit/test_load \
	tests/unit/test_memory \
	tests/unit/test_merge \
	tests/unit/test_moderated \
	tests/unit/test_modes \
	tests/unit/test_moment \
	tests/unit/test_multiple \
	tests/unit/test_name_map \
	tests/unit/test_nist \
	tests/unit/test_number \
	tests/unit/test_obs \
	tests/unit/test_obs_calls \
	tests/unit/test_obs_hostile \
	tests/unit/test_one_against_several \
	tests/unit/test_odd_runs \
	tests/unit/test_oneway \
	tests/unit/test_op_label \
	tests/unit/test_op_shape \
	tests/unit/test_options \
	tests/unit/test_radix_sort \
	tests/unit/test_outfile \
	tests/unit/test_outfolder \
	tests/unit/test_page_stack \
	tests/unit/test_pairing \
	tests/unit/test_pftrace_clocks \
	tests/unit/test_pftrace_ftrace \
	tests/unit/test_pftrace_scan \
	tests/unit/test_pftrace_slices \
	tests/unit/test_html_compare \
	tests/unit/test_page_names \
	tests/unit/test_policies \
	tests/unit/test_tfprof_digits \
	tests/unit/test_prior \
	tests/unit/test_profile \
	tests/unit/test_profile_write \
	tests/unit/test_prompt_part \
	tests/unit/test_rank_culprits \
	tests/unit/test_rank_split \
	tests/unit/test_ranks \
	tests/unit/test_rare_ops \
	tests/unit/test_reader_csv \
	tests/unit/test_parquet_writer \
	tests/unit/test_reader_parquet \
	tests/unit/test_reader_timeline \
	tests/unit/test_table_parts \
	tests/unit/test_rules \
	tests/unit/test_run_metadata \
	tests/unit/test_rank_order \
	tests/unit/test_run_order \
	tests/unit/test_run_prints \
	tests/unit/test_job_collectives \
	tests/unit/test_job_ranks \
	tests/unit/test_packed_rows \
	tests/unit/test_run_rule \
	tests/unit/test_row_fence \
	tests/unit/test_rounding \
	tests/unit/test_rounds \
	tests/unit/test_runs \
	tests/unit/test_sample \
	tests/unit/test_ab \
	tests/unit/test_sentences \
	tests/unit/test_session_means \
	tests/unit/test_sessions \
	tests/unit/test_sequential \
	tests/unit/test_scope_names \
	tests/unit/test_short_names \
	tests/unit/test_sign \
	tests/unit/test_spill \
	tests/unit/test_spool \
	tests/unit/test_sstable \
	tests/unit/test_event_windows \
	tests/unit/test_trace_scan \
	tests/unit/test_presence \
	tests/unit/test_splits \
	tests/unit/test_statistic \
	tests/unit/test_run_stability \
	tests/unit/test_run_values \
	tests/unit/test_step_stats \
	tests/unit/test_step_time \
	tests/unit/test_steps \
	tests/unit/test_summary \
	tests/unit/test_tensor_value \
	tests/unit/test_tests \
	tests/unit/test_text \
	tests/unit/test_text_proto \
	tests/unit/test_tfprof \
	tests/unit/test_tfprof_advise \
	tests/unit/test_tfprof_code \
	tests/unit/test_tfprof_advise_steps \
	tests/unit/test_tfprof_format \
	tests/unit/test_tfprof_line \
	tests/unit/test_tfprof_op \
	tests/unit/test_tfprof_model \
	tests/unit/test_tfprof_peer \
	tests/unit/test_tfprof_pprof \
	tests/unit/test_tfprof_presets \
	tests/unit/test_tfprof_result \
	tests/unit/test_tfprof_report \
	tests/unit/test_tfprof_rows \
	tests/unit/test_tfprof_session \
	tests/unit/test_tfprof_steps \
	tests/unit/test_tfprof_text \
	tests/unit/test_tfprof_values \
	tests/unit/test_tfprof_views \
	tests/unit/test_text_strips \
	tests/unit/test_timeline \
	tests/unit/test_unit \
	tests/unit/test_user_code \
	tests/unit/test_vec \
	tests/unit/test_decimal \
	tests/unit/test_protobuf_writer \
	tests/unit/test_gzip_writer \
	tests/unit/test_wire \
	tests/unit/test_option_words \
	tests/unit/test_writer \
	tests/unit/test_writer_csv \
	tests/unit/test_writer_github \
	tests/unit/test_writer_json \
	tests/unit/test_writer_junit \
	tests/unit/test_writer_md \
	tests/unit/test_writer_text \
	tests/unit/test_xla_words \
	tests/unit/test_writer_xlsx

fuzz_tests = \
	tests/fuzz/fuzz_bench \
	tests/fuzz/fuzz_checkpoint \
	tests/fuzz/fuzz_chrome \
	tests/fuzz/fuzz_command_line \
	tests/fuzz/fuzz_csv \
	tests/fuzz/fuzz_database \
	tests/fuzz/fuzz_jax_trace \
	tests/fuzz/fuzz_kineto \
	tests/fuzz/fuzz_obs \
	tests/fuzz/fuzz_onnxruntime \
	tests/fuzz/fuzz_pftrace \
	tests/fuzz/fuzz_parquet \
	tests/fuzz/fuzz_part \
	tests/fuzz/fuzz_policies \
	tests/fuzz/fuzz_report \
	tests/fuzz/fuzz_rules \
	tests/fuzz/fuzz_run_metadata \
	tests/fuzz/fuzz_tensorrt \
	tests/fuzz/fuzz_text_proto \
	tests/fuzz/fuzz_tfprof \
	tests/fuzz/fuzz_tfprof_line \
	tests/fuzz/fuzz_tfprof_text \
	tests/fuzz/fuzz_timeline \
	tests/fuzz/fuzz_writers \
	tests/fuzz/fuzz_xplane

# One entry for each folder of tests/golden.
golden_areas = \
	tests/golden-causes.area \
	tests/golden-ab.area \
	tests/golden-api.area \
	tests/golden-audit.area \
	tests/golden-bench.area \
	tests/golden-benchmarks.area \
	tests/golden-bounds.area \
	tests/golden-chrome.area \
	tests/golden-ci.area \
	tests/golden-cli.area \
	tests/golden-compare.area \
	tests/golden-compare_html.area \
	tests/golden-compare_pages.area \
	tests/golden-databases.area \
	tests/golden-errors.area \
	tests/golden-events.area \
	tests/golden-every_format.area \
	tests/golden-examples.area \
	tests/golden-export_tables.area \
	tests/golden-gate.area \
	tests/golden-help.area \
	tests/golden-jax_trace.area \
	tests/golden-kineto.area \
	tests/golden-models.area \
	tests/golden-observations.area \
	tests/golden-onnxruntime.area \
	tests/golden-per_call.area \
	tests/golden-pftrace.area \
	tests/golden-measures.area \
	tests/golden-merge.area \
	tests/golden-ranks.area \
	tests/golden-readme.area \
	tests/golden-run_metadata.area \
	tests/golden-screens.area \
	tests/golden-sql.area \
	tests/golden-store.area \
	tests/golden-recorded.area \
	tests/golden-tensorrt.area \
	tests/golden-tfprof.area \
	tests/golden-tfprof_doc.area \
	tests/golden-tfprof_steps.area \
	tests/golden-tfprof_text.area \
	tests/golden-tf_timeline.area \
	tests/golden-timeline.area \
	tests/golden-xplane.area

lint_tests = \
	tests/lint/format.sh \
	tests/lint/headers.sh \
	tests/lint/layers.sh \
	tests/lint/lists.sh \
	tests/lint/prose.sh \
	tests/lint/style.sh \
	tests/lint/symbols.sh

# Programs that golden cases and tests/*.sh call; no tests themselves.
check_tools = tests/bench/make_ranks tests/bench/make_trace tests/bench/make_xplane tests/check_tfprof tests/compare_tables tests/damage tests/many_runs tests/table_sums
tests_many_runs_SOURCES = tests/many_runs.c
tests_compare_tables_SOURCES = tests/compare_tables.c tests/csv_table.c
other_tests = tests/action.sh tests/bench.sh tests/check-tfprof.sh tests/check-tfprof-rewritten.sh tests/faults.sh tests/fleet.sh tests/follow.sh tests/fuzz-alone.sh \
	tests/markers.sh \
	tests/pages.sh \
	tests/robust.sh \
	tests/site.sh \
	tests/runs.sh \
	tests/release.sh tests/schema.sh tests/store.sh tests/templates.sh tests/threads.sh tests/wheel.sh tests/writers.sh tests/xlsx.sh
EXTRA_DIST += $(other_tests) tests/faults tests/action.py tests/bench.py tests/bench_peers.py tests/follow.py tests/mutants tests/mutants.list tests/links.py tests/markers.py tests/openmetrics.py tests/pages.py tests/recordings.py tests/robust.list tests/runs.py tests/schema.py tests/show_formats.py tests/store_writers.py tests/writers.py \
	tests/xlsx.py tests/python/module.py

# The example for C, linked with the library as it is installed: nothing else of the build has a name there.
check_tools += examples/c/print_view
examples_c_print_view_SOURCES = examples/c/print_view.c
examples_c_print_view_CPPFLAGS = -I$(srcdir)/tfprof/api
examples_c_print_view_LDADD = libstepstat.a $(library_libs)

if ENABLE_TESTS
check_PROGRAMS += $(unit_tests) $(fuzz_tests) $(check_tools)
TESTS += $(lint_tests) $(unit_tests) $(fuzz_tests) $(golden_areas) $(other_tests)
else
check-local:
	@echo 'make check: nothing is checked: $(why_no_tests)' >&2; exit 1
endif

# tests/unit/test_X is made of tests/unit/test_X.c and the archives below it.
LDADD = $(stepstat_libs) $(CMOCKA_LIBS)
tests_fuzz_fuzz_bench_SOURCES = tests/fuzz/fuzz_bench.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_checkpoint_SOURCES = tests/fuzz/fuzz_checkpoint.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_chrome_SOURCES = tests/fuzz/fuzz_chrome.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_command_line_SOURCES = tests/fuzz/fuzz_command_line.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_database_SOURCES = tests/fuzz/fuzz_database.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_csv_SOURCES = tests/fuzz/fuzz_csv.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_jax_trace_SOURCES = tests/fuzz/fuzz_jax_trace.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_onnxruntime_SOURCES = tests/fuzz/fuzz_onnxruntime.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_parquet_SOURCES = tests/fuzz/fuzz_parquet.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_kineto_SOURCES = tests/fuzz/fuzz_kineto.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_obs_SOURCES = tests/fuzz/fuzz_obs.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_part_SOURCES = tests/fuzz/fuzz_part.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_pftrace_SOURCES = tests/fuzz/fuzz_pftrace.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_policies_SOURCES = tests/fuzz/fuzz_policies.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_report_SOURCES = tests/fuzz/fuzz_report.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_rules_SOURCES = tests/fuzz/fuzz_rules.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_run_metadata_SOURCES = tests/fuzz/fuzz_run_metadata.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_tensorrt_SOURCES = tests/fuzz/fuzz_tensorrt.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_text_proto_SOURCES = tests/fuzz/fuzz_text_proto.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_tfprof_SOURCES = tests/fuzz/fuzz_tfprof.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_tfprof_line_SOURCES = tests/fuzz/fuzz_tfprof_line.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_tfprof_line_CPPFLAGS = $(AM_CPPFLAGS) -DFUZZ_DATA='"$(abs_top_srcdir)/tests/data"'
tests_fuzz_fuzz_tfprof_text_SOURCES = tests/fuzz/fuzz_tfprof_text.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_timeline_SOURCES = tests/fuzz/fuzz_timeline.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_writers_SOURCES = tests/fuzz/fuzz_writers.c tests/fuzz/replay_main.c
tests_fuzz_fuzz_xplane_SOURCES = tests/fuzz/fuzz_xplane.c tests/fuzz/replay_main.c
tests_unit_test_api_LDADD = libapi.a $(LDADD)
tests_unit_test_rank_culprits_SOURCES = tests/unit/test_rank_culprits.c tests/sim/rank_world.c

# A full schema of the dump, for tests that hold our own walking of it equal to protobuf-c's.
EXTRA_DIST += tests/unit/profile_whole.proto tests/unit/tfprof_full.proto
test_proto_gen = tests/unit/profile_whole.pb-c.c tests/unit/profile_whole.pb-c.h \
	tests/unit/tfprof_full.pb-c.c tests/unit/tfprof_full.pb-c.h
check_LIBRARIES = tests/libtestproto.a
tests_libtestproto_a_SOURCES =
nodist_tests_libtestproto_a_SOURCES = $(test_proto_gen)
tests_libtestproto_a_CFLAGS = -std=gnu17 -w $(SAN_CFLAGS)
CLEANFILES += $(test_proto_gen)
tests/unit/profile_whole.pb-c.c: tests/unit/profile_whole.proto
	$(AM_V_GEN)$(MKDIR_P) tests/unit && \
	$(PROTOC_C) -I$(srcdir)/tests/unit --c_out=tests/unit $(srcdir)/tests/unit/profile_whole.proto
tests/unit/profile_whole.pb-c.h: tests/unit/profile_whole.pb-c.c
	@test -f $@ || { rm -f $<; $(MAKE) $(AM_MAKEFLAGS) $<; }
tests/unit/test_profile_write.$(OBJEXT): tests/unit/profile_whole.pb-c.h
tests_unit_test_profile_write_LDADD = tests/libtestproto.a $(LDADD)
tests/unit/tfprof_full.pb-c.c: tests/unit/tfprof_full.proto
	$(AM_V_GEN)$(MKDIR_P) tests/unit && \
	$(PROTOC_C) -I$(srcdir)/tests/unit --c_out=tests/unit $(srcdir)/tests/unit/tfprof_full.proto
tests/unit/tfprof_full.pb-c.h: tests/unit/tfprof_full.pb-c.c
	@test -f $@ || { rm -f $<; $(MAKE) $(AM_MAKEFLAGS) $<; }
tests/unit/test_tfprof_peer.$(OBJEXT): tests/unit/tfprof_full.pb-c.h
tests_unit_test_tfprof_peer_LDADD = tests/libtestproto.a $(LDADD)

TEST_EXTENSIONS = .sh .area
LOG_DRIVER = env CMOCKA_MESSAGE_OUTPUT=TAP AM_TAP_AWK='$(AWK)' \
	$(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
SH_LOG_DRIVER = $(LOG_DRIVER)
SH_LOG_COMPILER = $(SHELL)
AREA_LOG_DRIVER = $(LOG_DRIVER)
AREA_LOG_COMPILER = $(SHELL) $(srcdir)/tests/run-golden
AM_TESTS_ENVIRONMENT = \
	PATH='$(abs_builddir)$(PATH_SEPARATOR)$(abs_builddir)/tests$(PATH_SEPARATOR)$(abs_builddir)/cli$(PATH_SEPARATOR)$(abs_builddir)/examples/c'$(PATH_SEPARATOR)"$$PATH"; export PATH; \
	LC_ALL=C; export LC_ALL; \
	top_srcdir='$(abs_srcdir)'; export top_srcdir; \
	CC='$(CC)'; export CC; CXX='$(CXX)'; export CXX; \
	LINT_CPPFLAGS='-I$(abs_srcdir) -I$(abs_builddir) $(CPPFLAGS)'; export LINT_CPPFLAGS;

# A golden area is a folder; make wants a file to stand for it.
$(golden_areas):
	$(AM_V_at): > $@
CLEANFILES += $(golden_areas)

update-golden: stepstat $(check_tools)
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/tests/run-golden --update $(golden_areas)

# libFuzzer versions of the fuzz targets, in fuzz/; needs clang.
FUZZ_CC = clang
FUZZ_CXX = clang++
fuzz: $(BUILT_SOURCES)
	@$(AM_TESTS_ENVIRONMENT) FUZZ_CC='$(FUZZ_CC)' FUZZ_CXX='$(FUZZ_CXX)' \
	FUZZ_LIBS='$(foreign_libs)' \
	$(SHELL) $(srcdir)/tests/fuzz/build $(fuzz_tests)

# Speed and memory beside references measured in the same call; nothing of it is a test.
bench_programs = tests/bench/graph_size tests/bench/kernel tests/bench/make_dump tests/bench/make_runs tests/bench/measure tests/bench/read_input tests/bench/sort_events tests/bench/eventlog
EXTRA_PROGRAMS = $(bench_programs)
CLEANFILES += $(bench_programs) bench-table.tsv
tests_bench_graph_size_LDADD = $(stepstat_libs)
tests_bench_kernel_SOURCES = tests/bench/kernel.cc
tests_bench_kernel_LDADD = $(SIMDJSON_LIBS)
tests_bench_make_dump_LDADD =
tests_bench_make_ranks_SOURCES = tests/bench/make_ranks.c tests/bench/made_obs.c
tests_bench_make_ranks_LDADD = $(ZLIB_LIBS) -lm
tests_bench_make_runs_SOURCES = tests/bench/make_runs.c tests/bench/made_obs.c
tests_bench_make_runs_LDADD = $(ZLIB_LIBS) -lm
tests_bench_make_trace_LDADD =
tests_bench_make_xplane_LDADD =
tests_bench_measure_LDADD =
tests_bench_read_input_LDADD = $(stepstat_libs)
tests_bench_sort_events_LDADD = libevents.a libmodel.a libbase.a
tests_bench_eventlog_LDADD = libevents.a libmodel.a libbase.a -lm
bench_environment = $(AM_TESTS_ENVIRONMENT) BENCH_TABLE='$(abs_builddir)/bench-table.tsv'
bench: stepstat $(bench_programs)
	@rm -f bench-table.tsv
	@$(bench_environment) $(SHELL) $(srcdir)/tests/bench/run '$(abs_builddir)/tests/bench'
	@$(bench_environment) $(SHELL) $(srcdir)/tests/bench/run_traces '$(abs_builddir)/tests/bench'
	@$(bench_environment) $(SHELL) $(srcdir)/tests/bench/run_xplane '$(abs_builddir)/tests/bench'
	@$(bench_environment) $(SHELL) $(srcdir)/tests/bench/run_tables '$(abs_builddir)/tests/bench'
	@$(bench_environment) $(SHELL) $(srcdir)/tests/bench/all_jobs '$(abs_builddir)/tests/bench'
# Instructions of small jobs against those of tests/bench/instructions; RENEW=1 keeps the new ones. It needs valgrind.
check-instructions: stepstat tests/bench/make_dump tests/bench/make_ranks tests/bench/make_trace tests/bench/make_xplane
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/tests/bench/count_instructions '$(abs_builddir)/tests/bench'
dist-hook:
	cd '$(distdir)/examples/c' && rm -rf print_view *.o .deps .dirstamp
	cd '$(distdir)/tests/bench' && rm -rf graph_size kernel make_dump make_ranks make_runs make_trace make_xplane measure read_input sort_events eventlog *.o .deps .dirstamp

# Error rates and power of the comparison, simulated: a few minutes, so no part of check.
# worlds goes through the program itself and takes an hour: worlds PROGRAM COMPARISONS SEED PART-OF-NAME takes less.
EXTRA_DIST += tests/sim/adding_runs.py tests/sim/beside.awk tests/sim/case_worlds.py tests/sim/causes.py tests/sim/causes_afar.py tests/sim/causes_elsewhere.py tests/sim/common_factor.py tests/sim/false_rules.py tests/sim/families.py tests/sim/kinds.py tests/sim/long_steps.py tests/sim/odd_runs.py tests/sim/second_night.py tests/sim/sees.py tests/sim/one_row.py tests/sim/single_report.py tests/sim/store.py tests/sim/suites.py
EXTRA_PROGRAMS += tests/sim/change_points tests/sim/few_rows tests/sim/ranks tests/sim/simulate tests/sim/warnings tests/sim/worlds
CLEANFILES += tests/sim/change_points tests/sim/few_rows tests/sim/ranks tests/sim/simulate tests/sim/warnings tests/sim/worlds
tests_sim_ranks_SOURCES = tests/sim/ranks.c tests/sim/rank_world.c
tests_sim_worlds_SOURCES = tests/sim/worlds.c tests/sim/world_draw.c tests/sim/world_program.c tests/sim/world_promises.c \
	tests/sim/world_table.c tests/sim/world_verdicts.c tests/sim/world_write.c tests/csv_table.c
check-statistics: tests/sim/change_points tests/sim/few_rows tests/sim/ranks tests/sim/simulate tests/sim/warnings
	@tests/sim/change_points
	@tests/sim/few_rows
	@tests/sim/simulate
	@tests/sim/warnings
	@tests/sim/ranks
# Each fault of tests/mutants.list has to be found by a test; an hour, in a clone.
check-mutants:
	@$(srcdir)/tests/mutants '$(abs_builddir)/mutants'
check-worlds: stepstat tests/sim/worlds
	@tests/sim/worlds ./stepstat
	@$${PYTHON:-python3} $(srcdir)/tests/sim/causes.py ./stepstat
	@$${PYTHON:-python3} $(srcdir)/tests/sim/causes_elsewhere.py ./stepstat
	@$${PYTHON:-python3} $(srcdir)/tests/sim/causes_elsewhere.py ./stepstat 300 7 none
	@$${PYTHON:-python3} $(srcdir)/tests/sim/causes_afar.py ./stepstat 152

# What takes minutes, or needs more than Debian's packages: how times grow with the input; SQL in other engines, what is
# absent is said; pages in a headless Chromium; damaged inputs through every command, for FUZZ_SECONDS from FUZZ_SEED on (best in a build with
# --enable-sanitizers).
EXTRA_DIST += tests/extra
check-extra: stepstat tests/compare_tables tests/many_runs tests/bench/make_runs tests/bench/make_ranks
	@$(AM_TESTS_ENVIRONMENT) $${PYTHON:-python3} $(srcdir)/tests/extra/scaling.py
	@$(AM_TESTS_ENVIRONMENT) $${PYTHON:-python3} $(srcdir)/tests/extra/bills.py ./stepstat
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/tests/extra/queries.sh
	@$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/tests/extra/whole_outputs.py ./stepstat $(srcdir)
	@$(AM_TESTS_ENVIRONMENT) FAULTS=all $(SHELL) $(srcdir)/tests/faults.sh
	@$(AM_TESTS_ENVIRONMENT) ROUNDS=1000 $(SHELL) $(srcdir)/tests/store.sh
	@$(AM_TESTS_ENVIRONMENT) $${PYTHON:-python3} $(srcdir)/tests/extra/parquet.py ./stepstat $(srcdir)
	@$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/tests/extra/launchers.py ./stepstat $(srcdir)/tests/data/kineto/*.json.gz
	@$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/tests/extra/causes.py ./stepstat $(srcdir)/tests/data/kineto/*.json.gz
	@$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/tests/extra/host_rows.py ./stepstat $(srcdir)/tests/data/kineto/*.json.gz
	@$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/tests/extra/databases.py ./stepstat $(srcdir)
	@$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/tests/extra/xplane.py ./stepstat $${SHARED_DATA:-$(srcdir)/../shared/data}
	@$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/tests/extra/calls.py ./stepstat $(srcdir)/tests/data/kineto/*.json.gz
	@$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/tests/extra/totals.py ./stepstat $(srcdir)/tests/data/kineto/conv-all-r1.json.gz \
		$(srcdir)/tests/data/kineto/mlp-base-r2.json.gz -- $(srcdir)/tests/data/tfprof/*.gz
	@$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/tests/extra/ranks.py --check ./stepstat $(srcdir)/tests/data/ranks/gloo
	@$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/tests/extra/ranks.py --check ./stepstat $(srcdir)/tests/data/ranks/nccl
	@$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/tests/extra/merge.py ./stepstat tests/bench/make_ranks $(srcdir)/tests/data/ranks/gloo/run1
	@$(AM_TESTS_ENVIRONMENT) $${PYTHON:-python3} $(srcdir)/tests/extra/spark.py ./stepstat $(srcdir)
	@$(AM_TESTS_ENVIRONMENT) $${PYTHON:-python3} $(srcdir)/tests/extra/spark_store.py ./stepstat $(srcdir)
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/tests/extra/slurm.sh
	@$(AM_TESTS_ENVIRONMENT) $${PYTHON:-python3} $(srcdir)/tests/extra/pftrace.py ./stepstat $(srcdir)/tests/data/kineto
	@$(AM_TESTS_ENVIRONMENT) $${PYTHON:-python3} $(srcdir)/tests/extra/old_words.py ./stepstat
	@$(AM_TESTS_ENVIRONMENT) $${PYTHON:-python3} $(srcdir)/tests/extra/step_units.py ./stepstat
	@$(AM_TESTS_ENVIRONMENT) $${PYTHON:-python3} $(srcdir)/tests/extra/bench_tools.py ./stepstat $(srcdir)/tests/data/bench
	@$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/tests/extra/museum.py --large ./stepstat
	@$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/tests/extra/museum.py --report ./stepstat
	@$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/tests/extra/audit.py ./stepstat
	@$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/tests/extra/losses.py ./stepstat
	@$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/tests/extra/screens.py ./stepstat --jobs=2 $(srcdir)/tests/data/*/*.gz \
		$(srcdir)/tests/data/golden/* $(srcdir)/tests/data/models/*/*.gz
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/tests/extra/spreadsheets.sh
	@$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/tests/extra/pages.py ./stepstat --large=tests/bench/make_runs
	@$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/tests/extra/pages_compare.py ./stepstat
	@$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/tests/extra/pages_many.py ./stepstat
	@$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/tests/extra/cut_files.py ./stepstat $(srcdir)
	@$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/tests/extra/all_files.py tests/many_runs $(srcdir) $${SHARED_DATA:+$$SHARED_DATA/cases}
	@$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/tests/extra/fuzz_commands.py $(srcdir) $${FUZZ_SECONDS:-60} $${FUZZ_SEED:-1}

clean-local:
	rm -rf tests/golden-*.dir fuzz

# Results of `make distcheck` are gone with its folder unless the caller names another one.
installcheck-local:
	"$(DESTDIR)$(bindir)/stepstat" --version
	@if test -n "$$STEPSTAT_TRS"; then \
		find . -name '*.trs' | while read -r f; do \
			cp "$$f" "$$STEPSTAT_TRS/`echo "$$f" | sed 's,^\./,,; s,/,-,g'`" || exit 1; \
		done; \
	fi

.PHONY: bench check-extra check-instructions check-mutants check-statistics check-worlds fuzz update-golden
