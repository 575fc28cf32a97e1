/* The SQLite export of Nsight Systems: nsys export --type sqlite.
 *
 * Sources: "SQLite Schema Reference" of the User Guide (docs.nvidia.com/nsight-systems/UserGuide,
 * versions 2021.5 to 2026.2), and files of version 2026.2 (schema 3.25). Tables are made when they
 * have rows; columns came and went: globalPid, greenContextId, graphNodeId, copyCount are in some
 * only. A globalTid is a globalPid with the thread in its low 24 bits. Names of the runtime's calls
 * end in the version of CUDA that brought them (cudaLaunchKernel_v7000). */
#include <stdio.h>
#include "ingest/database/described.h"

/* Numbers in the export's own tables ENUM_NSYS_EVENT_TYPE and ENUM_NSYS_EVENT_CLASS. */
#define NVTX_PUSH_POP 59
#define NVTX_START_END 60
#define NVTXT_PUSH_POP 70 /* from text files of events, imported */
#define NVTXT_START_END 71
#define CLASS_CUDA_DRIVER 1

#define PLAIN(of, from)                                                                            \
	{                                                                                          \
		.field = (of), .column = {.name = (from) }                                         \
	}

/* A mark, a category, the name of a thread or of a resource is left out. */
static void range(struct host_row *row)
{
	const struct source_value *kind = &row->value[FIELD_KIND];

	switch (kind->kind == VALUE_INTEGER ? kind->integer : 0) {
	case NVTX_PUSH_POP:
	case NVTXT_PUSH_POP:
		row->meaning = HOST_RANGE;
		break;
	case NVTX_START_END:
	case NVTXT_START_END:
		row->meaning = HOST_SPAN;
		break;
	default:
		row->meaning = HOST_LEFT_OUT;
		break;
	}
}

static void call(struct host_row *row)
{
	const struct source_value *kind = &row->value[FIELD_KIND];
	const bool is_driver = kind->kind == VALUE_INTEGER && kind->integer == CLASS_CUDA_DRIVER;

	row->meaning = HOST_CALL;
	row->type = is_driver ? "cuda_driver" : "cuda_runtime";
}

static const struct described_table tables[] = {
	{.name = "CUPTI_ACTIVITY_KIND_KERNEL",
		.content = CONTENT_KERNEL,
		.column = {PLAIN(FIELD_START, "start"), PLAIN(FIELD_END, "end"),
			PLAIN(FIELD_PROCESS, "globalPid"), PLAIN(FIELD_DEVICE, "deviceId"),
			PLAIN(FIELD_STREAM, "streamId"), PLAIN(FIELD_QUEUE, "contextId"),
			PLAIN(FIELD_LINK, "correlationId"), PLAIN(FIELD_NAME, "demangledName"),
			PLAIN(FIELD_NAME, "shortName")}},
	{.name = "CUPTI_ACTIVITY_KIND_MEMCPY",
		.content = CONTENT_COPY,
		.column = {PLAIN(FIELD_START, "start"), PLAIN(FIELD_END, "end"),
			PLAIN(FIELD_PROCESS, "globalPid"), PLAIN(FIELD_DEVICE, "deviceId"),
			PLAIN(FIELD_STREAM, "streamId"), PLAIN(FIELD_QUEUE, "contextId"),
			PLAIN(FIELD_LINK, "correlationId"), PLAIN(FIELD_KIND, "copyKind"),
			PLAIN(FIELD_FROM, "srcKind"), PLAIN(FIELD_TO, "dstKind"),
			PLAIN(FIELD_BYTES, "bytes")}},
	{.name = "CUPTI_ACTIVITY_KIND_MEMSET",
		.content = CONTENT_SET,
		.column = {PLAIN(FIELD_START, "start"), PLAIN(FIELD_END, "end"),
			PLAIN(FIELD_PROCESS, "globalPid"), PLAIN(FIELD_DEVICE, "deviceId"),
			PLAIN(FIELD_STREAM, "streamId"), PLAIN(FIELD_QUEUE, "contextId"),
			PLAIN(FIELD_LINK, "correlationId"), PLAIN(FIELD_TO, "memKind"),
			PLAIN(FIELD_BYTES, "bytes")}},
	/* --cuda-graph-trace=graph, the default */
	{.name = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
		.content = CONTENT_GRAPH,
		.column = {PLAIN(FIELD_START, "start"), PLAIN(FIELD_END, "end"),
			PLAIN(FIELD_PROCESS, "globalPid"), PLAIN(FIELD_DEVICE, "deviceId"),
			PLAIN(FIELD_STREAM, "streamId"), PLAIN(FIELD_QUEUE, "contextId"),
			PLAIN(FIELD_LINK, "correlationId")}},
	{.name = "CUPTI_ACTIVITY_KIND_RUNTIME",
		.content = CONTENT_HOST,
		.host = call,
		.column = {PLAIN(FIELD_START, "start"), PLAIN(FIELD_END, "end"),
			PLAIN(FIELD_PROCESS, "globalTid"), PLAIN(FIELD_THREAD, "globalTid"),
			PLAIN(FIELD_LINK, "correlationId"), PLAIN(FIELD_NAME, "nameId"),
			PLAIN(FIELD_KIND, "eventClass")}},
	{.name = "NVTX_EVENTS",
		.content = CONTENT_HOST,
		.host = range,
		.column = {PLAIN(FIELD_START, "start"), PLAIN(FIELD_END, "end"),
			PLAIN(FIELD_PROCESS, "globalTid"), PLAIN(FIELD_THREAD, "globalTid"),
			PLAIN(FIELD_TEXT, "text"), PLAIN(FIELD_NAME, "textId"),
			PLAIN(FIELD_KIND, "eventType")}},
};

/* Words of the export's tables ENUM_CUDA_MEMCPY_OPER and ENUM_CUDA_MEM_KIND. PyTorch's profiler
 * writes the same numbers of CUPTI as "Memcpy HtoD (Pageable -> Device)". */
static const char *memory_word(const struct source_value *kind)
{
	static const char *const words[] = {"Pageable", "Pinned", "Device", "Array", "Managed",
		"Device Static", "Managed Static", "Unknown"};

	if (kind->kind != VALUE_INTEGER || kind->integer < 0 ||
		kind->integer >= (int64_t)(sizeof(words) / sizeof(words[0])))
		return "Unknown";
	return words[kind->integer];
}

static const char *copy_name(char *room, size_t size, const struct source_value value[FIELD_COUNT])
{
	static const char *const words[] = {"Unknown", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA",
		"AtoD", "DtoA", "DtoD", "HtoH", "PtoP", "Unified HtoD", "Unified DtoH",
		"Unified DtoD"};
	const struct source_value *kind = &value[FIELD_KIND];
	const char *word = "Unknown";

	if (kind->kind == VALUE_INTEGER && kind->integer >= 0 &&
		kind->integer < (int64_t)(sizeof(words) / sizeof(words[0])))
		word = words[kind->integer];
	if (value[FIELD_FROM].kind == VALUE_NONE && kind->kind == VALUE_NONE)
		snprintf(room, size, "Memset (%s)", memory_word(&value[FIELD_TO]));
	else
		snprintf(room, size, "Memcpy %s (%s -> %s)", word, memory_word(&value[FIELD_FROM]),
			memory_word(&value[FIELD_TO]));
	return room;
}

static const char *const text_ids[] = {
	"demangledName", "shortName", "mangledName", "nameId", "textId", "jsonTextId", NULL};

const struct database_description nsight_description = {
	.format = "nsight",
	.title = "Nsight Systems database",
	.device_option = "--trace=cuda",
	.table = tables,
	.tables = sizeof(tables) / sizeof(tables[0]),
	.text_table = "StringIds",
	.text_column = "value",
	.text_ids = text_ids,
	.id_bits = 24,
	.process_table = "PROCESSES",
	.process_column = "globalPid",
	.thread_table = "ThreadNames",
	.thread_column = "globalTid",
	.thread_name = "nameId",
	.copy_name = copy_name,
};
