# From bytes to profiles, and the code that protoc-c makes from the .proto files.
noinst_LIBRARIES += libingest.a
libingest_a_SOURCES = \
	ingest/bench/bench.c \
	ingest/bench/bench.h \
	ingest/bench/bench_json.c \
	ingest/bench/bench_json.h \
	ingest/bench/reader_aiperf.c \
	ingest/bench/reader_asv.c \
	ingest/bench/reader_benchmark_text.c \
	ingest/bench/reader_cargo_bench.c \
	ingest/bench/reader_catch2.c \
	ingest/bench/reader_go_bench.c \
	ingest/bench/reader_google_benchmark.c \
	ingest/bench/reader_nvbench.c \
	ingest/bench/reader_serving.c \
	ingest/bench/reader_tensorboard.c \
	ingest/bench/readers_json.c \
	ingest/json/json_index.cc \
	ingest/json/json_index.h \
	ingest/json/json_parse.h \
	ingest/json/json_patient.c \
	ingest/json/json_table.c \
	ingest/json/json_table.h \
	ingest/chrome/kineto_facts.c \
	ingest/chrome/kineto_shapes.c \
	ingest/chrome/kineto_shapes.h \
	ingest/chrome/kineto_traits.c \
	ingest/chrome/kineto_facts.h \
	ingest/chrome/kineto_traits.h \
	ingest/chrome/merged.c \
	ingest/chrome/merged.h \
	ingest/chrome/reader_chrome.c \
	ingest/chrome/reader_jax_trace.c \
	ingest/chrome/reader_kineto.c \
	ingest/chrome/reader_merged.c \
	ingest/chrome/reader_onnxruntime.c \
	ingest/chrome/reader_pftrace.c \
	ingest/chrome/trace.c \
	ingest/chrome/trace.h \
	ingest/chrome/trace_base.c \
	ingest/chrome/trace_base.h \
	ingest/chrome/event_ahead.c \
	ingest/chrome/event_parse.c \
	ingest/chrome/event_ahead.h \
	ingest/chrome/event_parse.h \
	ingest/chrome/trace_pairs.c \
	ingest/chrome/trace_pairs.h \
	ingest/chrome/trace_parts.h \
	ingest/chrome/trace_read.c \
	ingest/chrome/trace_scan.c \
	ingest/chrome/trace_windows.c \
	ingest/chrome/trace_scan.h \
	ingest/chrome/trace_windows.h \
	ingest/chrome/trace_wait.c \
	ingest/chrome/trace_wait.h \
	ingest/database/database.h \
	ingest/database/described.h \
	ingest/database/events.c \
	ingest/database/facts.c \
	ingest/database/nsight_tables.c \
	ingest/database/parquet_tables.c \
	ingest/database/ranges.c \
	ingest/database/reader_database.c \
	ingest/database/rocpd_tables.c \
	ingest/database/rows.c \
	ingest/database/sqlite_connection.c \
	ingest/database/sqlite_connection.h \
	ingest/database/sqlite_rows.c \
	ingest/database/sqlite_rows.h \
	ingest/database/sqlite_source.c \
	ingest/database/survey.c \
	ingest/database/row_source.h \
	ingest/detect.c \
	ingest/find.c \
	ingest/find.h \
	ingest/input/gzip_stream.c \
	ingest/input/gzip_stream.h \
	ingest/input/input.c \
	ingest/input/input.h \
	ingest/input/read_ahead.c \
	ingest/input/read_ahead.h \
	ingest/input/span_file.c \
	ingest/input/span_file.h \
	ingest/input/step_number.c \
	ingest/input/step_number.h \
	ingest/load.c \
	ingest/load.h \
	ingest/protobuf/message_shape.c \
	ingest/protobuf/message_shape.h \
	ingest/protobuf/text_proto.c \
	ingest/protobuf/text_proto.h \
	ingest/protobuf/wire.c \
	ingest/protobuf/wire.h \
	ingest/perfetto/args.c \
	ingest/perfetto/args.h \
	ingest/perfetto/clocks.c \
	ingest/perfetto/clocks.h \
	ingest/perfetto/ftrace.c \
	ingest/perfetto/ftrace.h \
	ingest/perfetto/names.c \
	ingest/perfetto/names.h \
	ingest/perfetto/packet.c \
	ingest/perfetto/packet.h \
	ingest/perfetto/packets.c \
	ingest/perfetto/packets.h \
	ingest/perfetto/pftrace_look.c \
	ingest/perfetto/pftrace_scan.c \
	ingest/perfetto/pftrace_scan.h \
	ingest/perfetto/producer.c \
	ingest/perfetto/producer.h \
	ingest/perfetto/sequences.c \
	ingest/perfetto/sequences.h \
	ingest/perfetto/slices.c \
	ingest/perfetto/slices.h \
	ingest/perfetto/stages.c \
	ingest/perfetto/stages.h \
	ingest/perfetto/tracks.c \
	ingest/perfetto/tracks.h \
	ingest/parquet/parquet_column.c \
	ingest/parquet/parquet_column.h \
	ingest/parquet/parquet_file.c \
	ingest/parquet/parquet_file.h \
	ingest/parquet/parquet_format.h \
	ingest/parquet/parquet_page.c \
	ingest/parquet/parquet_page.h \
	ingest/parquet/parquet_rows.c \
	ingest/parquet/parquet_rows.h \
	ingest/parquet/reader_parquet.c \
	ingest/parquet/thrift_compact.c \
	ingest/parquet/thrift_compact.h \
	ingest/profile_cache.c \
	ingest/profile_cache.h \
	ingest/read_file.c \
	ingest/read_file.h \
	ingest/reader.c \
	ingest/reader.h \
	ingest/readers.def \
	ingest/table/csv_columns.c \
	ingest/table/csv_columns.h \
	ingest/table/csv_rows.c \
	ingest/table/csv_rows.h \
	ingest/table/csv_steps.c \
	ingest/table/csv_steps.h \
	ingest/table/csv_table.c \
	ingest/table/csv_table.h \
	ingest/table/obs_format.h \
	ingest/table/obs_parts.c \
	ingest/table/obs_head.h \
	ingest/table/obs_parts.h \
	ingest/table/obs_sums.c \
	ingest/table/rank_groups.c \
	ingest/table/rank_groups.h \
	ingest/table/run_facts.c \
	ingest/table/run_facts.h \
	ingest/table/table_parts.c \
	ingest/table/table_parts.h \
	ingest/table/table_read.c \
	ingest/table/table_read.h \
	ingest/table/table_reader.c \
	ingest/table/table_reader.h \
	ingest/table/cell_rows.c \
	ingest/table/cell_rows.h \
	ingest/table/reader_csv.c \
	ingest/table/reader_log.c \
	ingest/table/reader_obs.c \
	ingest/tensorrt/reader_profile.c \
	ingest/tensorrt/reader_times.c \
	ingest/tensorrt/tensorrt.c \
	ingest/tensorrt/tensorrt.h \
	ingest/trace/trace_requests.c \
	ingest/trace/trace_requests.h \
	ingest/trace/host_words.c \
	ingest/trace/host_words.h \
	ingest/trace/name_template.c \
	ingest/trace/name_template.h \
	ingest/trace/step_names.c \
	ingest/trace/step_names.h \
	ingest/trace/trace_event.c \
	ingest/trace/trace_event.h \
	ingest/trace/trace_time.c \
	ingest/trace/xla_log.c \
	ingest/trace/xla_log.h \
	ingest/trace/xla_rules.c \
	ingest/trace/xla_rules.h \
	ingest/trace/xla_words.c \
	ingest/trace/xla_words.h \
	ingest/trace/source_facts.c \
	ingest/trace/source_facts.h \
	ingest/trace_tally.c \
	ingest/trace_tally.h \
	ingest/xplane/event_windows.c \
	ingest/xplane/event_windows.h \
	ingest/xplane/hlo_words.c \
	ingest/xplane/hlo_words.h \
	ingest/xplane/line_events.c \
	ingest/xplane/line_events.h \
	ingest/xplane/plane.c \
	ingest/xplane/plane.h \
	ingest/xplane/reader_xplane.c \
	ingest/xplane/stat_text.c \
	ingest/xplane/stat_text.h \
	ingest/xplane/xspace.c \
	ingest/xplane/xspace.h
if WITH_ISAL
libingest_a_SOURCES += ingest/input/gunzip_isal.c
else
libingest_a_SOURCES += ingest/input/gunzip_zlib.c
endif

proto_files = \
	ingest/proto/graph_def.proto \
	ingest/proto/obs.proto \
	ingest/proto/run_metadata.proto \
	ingest/proto/tfprof.proto
proto_gen = \
	ingest/proto/graph_def.pb-c.c \
	ingest/proto/graph_def.pb-c.h \
	ingest/proto/obs.pb-c.c \
	ingest/proto/obs.pb-c.h \
	ingest/proto/obs_fields.pb-c.h \
	ingest/proto/run_metadata.pb-c.c \
	ingest/proto/run_metadata.pb-c.h \
	ingest/proto/tfprof.pb-c.c \
	ingest/proto/tfprof.pb-c.h

# Generated in the build tree and not distributed; our warnings are not for generated code.
EXTRA_DIST += $(proto_files) ingest/proto/fields.awk
noinst_LIBRARIES += libproto.a
libproto_a_SOURCES =
nodist_libproto_a_SOURCES = $(proto_gen)
libproto_a_CFLAGS = -std=gnu17 -w $(MAP_CFLAGS) $(SAN_CFLAGS)
BUILT_SOURCES += $(proto_gen)
CLEANFILES += $(proto_gen)

# One rule makes both files: two rules would race under make -j.
ingest/proto/graph_def.pb-c.c: ingest/proto/graph_def.proto
	$(AM_V_GEN)$(MKDIR_P) ingest/proto && \
	$(PROTOC_C) -I$(srcdir)/ingest/proto --c_out=ingest/proto $(srcdir)/ingest/proto/graph_def.proto
ingest/proto/graph_def.pb-c.h: ingest/proto/graph_def.pb-c.c
	@test -f $@ || { rm -f $<; $(MAKE) $(AM_MAKEFLAGS) $<; }

# One rule makes both files: two rules would race under make -j.
ingest/proto/obs.pb-c.c: ingest/proto/obs.proto
	$(AM_V_GEN)$(MKDIR_P) ingest/proto && \
	$(PROTOC_C) -I$(srcdir)/ingest/proto --c_out=ingest/proto $(srcdir)/ingest/proto/obs.proto
ingest/proto/obs.pb-c.h: ingest/proto/obs.pb-c.c
	@test -f $@ || { rm -f $<; $(MAKE) $(AM_MAKEFLAGS) $<; }

# Numbers of the fields, for a reader and a writer that frame elements themselves.
ingest/proto/obs_fields.pb-c.h: ingest/proto/obs.proto ingest/proto/fields.awk
	$(AM_V_GEN)$(MKDIR_P) ingest/proto && { echo '#pragma once' && echo 'enum {' && \
	LC_ALL=C $(AWK) -f $(srcdir)/ingest/proto/fields.awk $(srcdir)/ingest/proto/obs.proto && \
	echo '};'; } >$@.tmp && mv $@.tmp $@

# One rule makes both files: two rules would race under make -j.
ingest/proto/run_metadata.pb-c.c: ingest/proto/run_metadata.proto
	$(AM_V_GEN)$(MKDIR_P) ingest/proto && \
	$(PROTOC_C) -I$(srcdir)/ingest/proto --c_out=ingest/proto $(srcdir)/ingest/proto/run_metadata.proto
ingest/proto/run_metadata.pb-c.h: ingest/proto/run_metadata.pb-c.c
	@test -f $@ || { rm -f $<; $(MAKE) $(AM_MAKEFLAGS) $<; }

# One rule makes both files: two rules would race under make -j.
ingest/proto/tfprof.pb-c.c: ingest/proto/tfprof.proto
	$(AM_V_GEN)$(MKDIR_P) ingest/proto && \
	$(PROTOC_C) -I$(srcdir)/ingest/proto --c_out=ingest/proto $(srcdir)/ingest/proto/tfprof.proto
ingest/proto/tfprof.pb-c.h: ingest/proto/tfprof.pb-c.c
	@test -f $@ || { rm -f $<; $(MAKE) $(AM_MAKEFLAGS) $<; }

# Timed events become observations: the event log and its sorter; no formats.
noinst_LIBRARIES += libevents.a
libevents_a_SOURCES = \
	ingest/events/byte_runs.c \
	ingest/events/byte_runs.h \
	ingest/events/call_store.c \
	ingest/events/call_store.h \
	ingest/events/device_work.c \
	ingest/events/device_work.h \
	ingest/events/graph_captures.c \
	ingest/events/graph_captures.h \
	ingest/events/eventlog.c \
	ingest/events/eventlog.h \
	ingest/events/eventlog_busy.c \
	ingest/events/eventlog_causes.c \
	ingest/events/eventlog_check.c \
	ingest/events/eventlog_collectives.c \
	ingest/events/eventlog_devices.c \
	ingest/events/eventlog_doubt.c \
	ingest/events/eventlog_feed.c \
	ingest/events/eventlog_handoffs.c \
	ingest/events/eventlog_issues.c \
	ingest/events/eventlog_labels.c \
	ingest/events/eventlog_lanes.c \
	ingest/events/eventlog_linked.c \
	ingest/events/eventlog_launchers.c \
	ingest/events/eventlog_links.c \
	ingest/events/eventlog_measured.c \
	ingest/events/eventlog_order.c \
	ingest/events/eventlog_parts.h \
	ingest/events/eventlog_recurring.c \
	ingest/events/eventlog_rows.c \
	ingest/events/eventlog_runs.c \
	ingest/events/eventlog_steps.c \
	ingest/events/eventlog_sum.c \
	ingest/events/eventlog_sweep.c \
	ingest/events/eventlog_measured.h \
	ingest/events/eventlog_sweep.h \
	ingest/events/packed_words.h \
	ingest/events/references.c \
	ingest/events/references.h \
	ingest/events/spill.c \
	ingest/events/spill.h
