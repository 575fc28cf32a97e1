/* The database of ROCm's profilers, rocpd: what rocprofv3 writes unless told otherwise.
 *
 * Sources: rocprofiler-sdk, source/share/rocprofiler-sdk-rocpd (github.com/ROCm/rocm-systems):
 * versions/3.0.0, 3.0.3 and 4.1.0/rocpd_tables.sql, the file of schema 3 with rocpd_timestamp, and
 * source/lib/output/generateRocpd.cpp. Schema 3 has process, thread, device, queue and stream in
 * each row, and names of categories among the texts; schema 4 has a track in their place, and a
 * table of categories. In both an event has the correlation id as stack_id: of a call its own, of a
 * kernel or copy that of the call that launched it. The names of tables end in the id of the
 * recording; those without it are views, which are not read. `pid` and `tid` of a row are ids in
 * the tables of processes and threads (the schemas' foreign keys), which rocprofv3 makes the
 * numbers of the system and other writers count from 1. */
#include <stdio.h>
#include <string.h>
#include "ingest/database/described.h"

#define PLAIN(of, from)                                                                            \
	{                                                                                          \
		.field = (of), .column = {.name = (from) }                                         \
	}
#define HOP(of, from, table1, column1)                                                             \
	{                                                                                          \
		.field = (of), .column = {.name = (from), .hop = {{table1, column1}} }             \
	}
#define HOP2(of, from, table1, column1, table2, column2)                                           \
	{                                                                                          \
		.field = (of), .column = {                                                         \
			.name = (from),                                                            \
			.hop = {{table1, column1}, {table2, column2}}                              \
		}                                                                                  \
	}

#define TIMES                                                                                      \
	PLAIN(FIELD_START, "start"), HOP(FIELD_START, "start_id", "rocpd_timestamp", "value"),     \
		PLAIN(FIELD_END, "end"), HOP(FIELD_END, "end_id", "rocpd_timestamp", "value")
#define PROCESS PLAIN(FIELD_PROCESS, "pid"), HOP(FIELD_PROCESS, "track_id", "rocpd_track", "pid")
#define STREAMS                                                                                    \
	PLAIN(FIELD_STREAM, "stream_id"),                                                          \
		HOP(FIELD_STREAM, "track_id", "rocpd_track", "stream_id"),                         \
		PLAIN(FIELD_QUEUE, "queue_id"),                                                    \
		HOP(FIELD_QUEUE, "track_id", "rocpd_track", "queue_id")
#define LINK HOP(FIELD_LINK, "event_id", "rocpd_event", "stack_id")

static bool starts(const struct source_value *value, const char *word)
{
	return value->kind == VALUE_TEXT && text_begins(value->text, value->size, word);
}

/* Categories are rocprofiler_buffer_tracing_kind_t without its prefix. Calls of roctx are ranges
 * and have their text in the event; the call of its library is the name. */
static void region(struct host_row *row)
{
	static const struct {
		const char *word, *type;
	} runtimes[] = {
		{"HIP_", "hip_runtime"},
		{"HSA_", "hsa_runtime"},
		{"RCCL_", "rccl_runtime"},
		{"ROCDECODE_", "rocdecode_runtime"},
		{"ROCJPEG_", "rocjpeg_runtime"},
		{"OMPT", "ompt_runtime"},
	};
	const struct source_value *category = &row->value[FIELD_KIND];

	row->meaning = HOST_RANGE;
	row->text_is_json = starts(category, "MARKER_");
	for (size_t i = 0; i < sizeof(runtimes) / sizeof(runtimes[0]); i++)
		if (starts(category, runtimes[i].word)) {
			row->meaning = HOST_CALL;
			row->type = runtimes[i].type;
		}
}

static const struct described_table tables[] = {
	{.name = "rocpd_kernel_dispatch",
		.content = CONTENT_KERNEL,
		.column = {TIMES, PROCESS,
			HOP(FIELD_DEVICE, "agent_id", "rocpd_info_agent", "type_index"),
			HOP2(FIELD_DEVICE, "track_id", "rocpd_track", "agent_id",
				"rocpd_info_agent", "type_index"),
			STREAMS, LINK,
			HOP(FIELD_NAME, "kernel_id", "rocpd_info_kernel_symbol", "display_name"),
			HOP(FIELD_NAME, "kernel_id", "rocpd_info_kernel_symbol", "kernel_name")}},
	{.name = "rocpd_memory_copy",
		.content = CONTENT_COPY,
		.column = {TIMES, PROCESS,
			HOP(FIELD_DEVICE, "dst_agent_id", "rocpd_info_agent", "type_index"),
			HOP(FIELD_OTHER_DEVICE, "src_agent_id", "rocpd_info_agent", "type_index"),
			STREAMS, LINK, HOP(FIELD_KIND, "name_id", "rocpd_string", "string"),
			HOP(FIELD_FROM, "src_agent_id", "rocpd_info_agent", "type"),
			HOP(FIELD_TO, "dst_agent_id", "rocpd_info_agent", "type"),
			PLAIN(FIELD_BYTES, "size")}},
	{.name = "rocpd_region",
		.content = CONTENT_HOST,
		.host = region,
		.column = {TIMES, PROCESS, PLAIN(FIELD_THREAD, "tid"),
			HOP(FIELD_THREAD, "track_id", "rocpd_track", "tid"),
			HOP(FIELD_SYSTEM_THREAD, "tid", "rocpd_info_thread", "tid"),
			HOP2(FIELD_SYSTEM_THREAD, "track_id", "rocpd_track", "tid",
				"rocpd_info_thread", "tid"),
			LINK, HOP(FIELD_NAME, "name_id", "rocpd_string", "string"),
			HOP(FIELD_TEXT, "event_id", "rocpd_event", "extdata"),
			HOP2(FIELD_KIND, "event_id", "rocpd_event", "category_id",
				"rocpd_info_category", "name"),
			HOP2(FIELD_KIND, "event_id", "rocpd_event", "category_id", "rocpd_string",
				"string")}},
};

static const char *copy_name(char *room, size_t size, const struct source_value value[FIELD_COUNT])
{
	static const struct {
		const char *recorded, *shown;
	} words[] = {
		{"MEMORY_COPY_HOST_TO_HOST", "Memcpy HtoH (Host -> Host)"},
		{"MEMORY_COPY_HOST_TO_DEVICE", "Memcpy HtoD (Host -> Device)"},
		{"MEMORY_COPY_DEVICE_TO_HOST", "Memcpy DtoH (Device -> Host)"},
		{"MEMORY_COPY_DEVICE_TO_DEVICE", "Memcpy DtoD (Device -> Device)"},
	};
	const struct source_value *kind = &value[FIELD_KIND];

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (starts(kind, words[i].recorded))
			return words[i].shown;
	snprintf(room, size, "Memcpy %.*s", kind->kind == VALUE_TEXT ? (int)kind->size : 7,
		kind->kind == VALUE_TEXT ? kind->text : "Unknown");
	return room;
}

const struct database_description rocpd_description = {
	.format = "rocpd",
	.title = "ROCm profile database",
	.device_option = "--kernel-trace",
	.has_sets = true,
	.table = tables,
	.tables = sizeof(tables) / sizeof(tables[0]),
	.process_table = "rocpd_info_process",
	.process_column = "id",
	.process_system_id = "pid",
	.thread_table = "rocpd_info_thread",
	.thread_column = "tid",
	.thread_name = "name",
	.copy_name = copy_name,
};
