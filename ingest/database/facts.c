/* Facts in the database beside its events: host, devices, driver, names of processes and threads,
 * ranks, warnings of the profiler itself. */
#include <stdio.h>
#include <string.h>
#include "base/number.h"
#include "ingest/database/database.h"
#include "ingest/json/json_table.h"
#include "ingest/trace/source_facts.h"

#define SEVERITY_WARNING 2 /* of ENUM_DIAGNOSTIC_SEVERITY_LEVEL */
#define SEVERITY_ERROR 3
#define DIAGNOSTICS_MOST 20

/* ---- small tables ---- */

struct small_row {
	struct database_reading *db;
	size_t set;
	const struct source_value *value;
	void *context;
	struct error *err;
};

/* A table, and the use that is made of its rows. Other than 0 ends it. */
struct small_table {
	const char *name, *column[2];
	int (*row)(const struct small_row *row);
	void *context;
};

/* All rows of the tables of each recording that are there with all of their columns. */
static int read_tables(struct database_reading *db, const struct small_table *table, size_t tables,
	struct error *err)
{
	const struct row_source_functions *f = db->source->functions;

	for (size_t i = 0; i < tables * db->sets; i++) {
		const struct small_table *t = &table[i % tables];
		const char *name = t->name ? name_in_set(db, i / tables, t->name) : "";
		struct table_column column[2];
		struct source_value value[2];
		const struct small_row row = {db, i / tables, value, t->context, err};
		struct source_rows *rows;
		size_t count = 0;
		int status;

		for (; count < 2 && t->column[count] &&
			table_has(db->source, name, t->column[count]);
			count++)
			column[count] = (struct table_column){.name = t->column[count]};
		if (count == 0 || (count < 2 && t->column[count]))
			continue;
		rows = f->open(db->source, name, column, count, err);
		if (!rows)
			return -1;
		while ((status = f->next(rows, err)) == 1) {
			for (size_t k = 0; k < count; k++)
				f->value(rows, k, &value[k]);
			status = t->row(&row);
			if (status != 0)
				break;
		}
		f->close(rows);
		if (status < 0)
			return -1;
	}
	return 0;
}

static bool is_word(const struct source_value *value, const char *word)
{
	return value->kind == VALUE_TEXT && text_is(value->text, value->size, word);
}

static struct process *process_of(const struct small_row *row, int64_t id)
{
	for (size_t i = 0; i < row->db->processes; i++)
		if (row->db->process[i].set == row->set && row->db->process[i].id == id)
			return &row->db->process[i];
	return NULL;
}

static void set_number(struct process *p, enum fact_id id, int64_t value)
{
	char digits[NUMBER_TEXT_SIZE];
	const char *number = number_format_int(digits, value);

	facts_set(&p->profile->facts, p->profile->arena, id, number, strlen(number));
}

static void set_fact_of_all(
	const struct small_row *row, enum fact_id id, const struct source_value *value)
{
	for (size_t i = 0; i < row->db->processes; i++) {
		struct process *p = &row->db->process[i];

		if (p->set == row->set && value->kind == VALUE_TEXT)
			facts_set(&p->profile->facts, p->profile->arena, id, value->text,
				value->size);
		else if (p->set == row->set && value->kind == VALUE_INTEGER)
			set_number(p, id, value->integer);
	}
}

/* ---- ranks ---- */

static void set_rank(struct process *p, int64_t rank)
{
	if (!p || p->has_rank || rank < 0)
		return;
	p->has_rank = true;
	p->rank = rank;
}

/* MPI_RANKS: the thread that called MPI_Init, and its rank. */
static int mpi_rank(const struct small_row *row)
{
	if (row->value[0].kind == VALUE_INTEGER && row->value[1].kind == VALUE_INTEGER)
		set_rank(process_of(row, described_process(row->db->is, row->value[0].integer)),
			row->value[1].integer);
	return 0;
}

/* Variables in which launchers tell a process its rank: torchrun, Open MPI, MPICH and Intel's,
 * SLURM, MVAPICH; and how many there are. */
static const char *const rank_variables[] = {"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK",
	"PMIX_RANK", "SLURM_PROCID", "MV2_COMM_WORLD_RANK", NULL};
static const char *const size_variables[] = {"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
	"SLURM_NTASKS", "MV2_COMM_WORLD_SIZE", NULL};

static bool is_variable(const char *name, size_t n, const char *const *variables)
{
	for (size_t i = 0; variables[i]; i++)
		if (strlen(variables[i]) == n && memcmp(variables[i], name, n) == 0)
			return true;
	return false;
}

struct environment {
	bool has_rank;
	int64_t rank, size;
};

static void read_variable(
	struct environment *e, const char *name, size_t n, const char *value, size_t size)
{
	int64_t number;

	if (!number_parse_int(value, size, &number) || number < 0)
		return;
	if (!e->has_rank && is_variable(name, n, rank_variables)) {
		e->has_rank = true;
		e->rank = number;
	} else if (e->size == 0 && is_variable(name, n, size_variables)) {
		e->size = number;
	}
}

static void set_size(struct process *p, int64_t size)
{
	if (size > 0 && p->world_size == 0)
		p->world_size = size;
}

/* META_DATA_CAPTURE: 'PROCESS_0:ENVIRONMENT_VARIABLE', 'RANK="3"', of the program that nsys
 * started. What that started itself may have other values. */
static int capture_variable(const struct small_row *row)
{
	const struct source_value *value = &row->value[1];
	const char *equals;
	size_t size;

	if (!is_word(&row->value[0], "PROCESS_0:ENVIRONMENT_VARIABLE") ||
		value->kind != VALUE_TEXT || !(equals = memchr(value->text, '=', value->size)))
		return 0;
	size = value->size - (size_t)(equals + 1 - value->text);
	if (size >= 2 && equals[1] == '"' && value->text[value->size - 1] == '"')
		read_variable(row->context, value->text, (size_t)(equals - value->text), equals + 2,
			size - 2);
	return 0;
}

static int process_number(const struct small_row *row)
{
	const struct source_value *id = &row->value[0], *number = &row->value[1];
	struct process *p = id->kind == VALUE_INTEGER ? process_of(row, id->integer) : NULL;

	if (p && number->kind == VALUE_INTEGER)
		p->number = number->integer;
	return 0;
}

/* rocpd_info_process: an object of all variables. */
static int rocpd_process(const struct small_row *row)
{
	const struct source_value *id = &row->value[0], *text = &row->value[1];
	const struct json_value object = {text->text, text->size, '{'};
	struct process *p = id->kind == VALUE_INTEGER ? process_of(row, id->integer) : NULL;
	struct environment e = {0};
	struct json_table table;
	struct json_walk walk;
	struct json_member member;

	if (!p || text->kind != VALUE_TEXT || text->size == 0 || text->text[0] != '{')
		return 0;
	walk = json_table_open(&table, &object);
	while (json_next_member(&walk, &member, NULL))
		if (member.value.kind == '"')
			read_variable(&e, member.key.at, member.key.size, member.value.at,
				member.value.size);
	json_table_close(&table);
	if (e.has_rank)
		set_rank(p, e.rank);
	set_size(p, e.size);
	return 0;
}

int ranks_read(struct database_reading *db, struct error *err)
{
	struct environment e = {0};
	const struct small_table table[] = {
		{"MPI_RANKS", {"globalTid", "rank"}, mpi_rank, NULL},
		{db->is->process_system_id ? db->is->process_table : NULL,
			{db->is->process_column, db->is->process_system_id}, process_number, NULL},
		{"META_DATA_CAPTURE", {"name", "value"}, capture_variable, &e},
		{"rocpd_info_process", {"id", "environment"}, rocpd_process, NULL},
	};

	if (read_tables(db, table, sizeof(table) / sizeof(*table), err) < 0)
		return -1;
	if (e.has_rank && db->processes == 1)
		set_rank(&db->process[0], e.rank);
	for (size_t i = 0; i < db->processes; i++)
		set_size(&db->process[i], e.size);
	return 0;
}

/* ---- facts ---- */

static int system_value(const struct small_row *row)
{
	if (is_word(&row->value[0], "Hostname"))
		set_fact_of_all(row, FACT_HOST, &row->value[1]);
	if (is_word(&row->value[0], "CudaDriverVersion") && row->value[1].kind == VALUE_TEXT) {
		const char *version = runtime_version_text(row->db->arena,
			arena_strndup(row->db->arena, row->value[1].text, row->value[1].size),
			false);
		const char *text = arena_printf(row->db->arena, "CUDA %s", version);
		const struct source_value value = {
			.kind = VALUE_TEXT, .text = text, .size = strlen(text)};

		set_fact_of_all(row, FACT_DRIVER, &value);
	}
	return 0;
}

static int host_name(const struct small_row *row)
{
	set_fact_of_all(row, FACT_HOST, &row->value[0]);
	return 0;
}

/* All devices of the system; which of them a process saw is not said. */
static int device_model(const struct small_row *row)
{
	const struct source_value *name = &row->value[0];

	if (name->kind != VALUE_TEXT || (row->context && !is_word(&row->value[1], "GPU")))
		return 0;
	for (size_t i = 0; i < row->db->processes; i++) {
		struct process *p = &row->db->process[i];

		if (p->set == row->set)
			facts_add(&p->profile->facts, p->profile->arena, FACT_DEVICE_MODEL,
				name->text, name->size);
	}
	return 0;
}

/* Start of the capture, from which older versions count. */
static int capture_start(const struct small_row *row)
{
	int64_t *epoch = row->context;

	if (row->value[0].kind == VALUE_INTEGER)
		*epoch = row->value[0].integer;
	return 1;
}

/* The clock's point 0, in ns since 1970. */
static int session_start(const struct small_row *row)
{
	const struct source_value *utc = &row->value[0], *clock = &row->value[1];
	int64_t *epoch = row->context;

	if (utc->kind == VALUE_INTEGER && clock->kind == VALUE_INTEGER &&
		__builtin_sub_overflow(utc->integer, clock->integer, epoch))
		*epoch = 0;
	return 1;
}

static int process_name(const struct small_row *row)
{
	const struct source_value *id = &row->value[0], *name = &row->value[1];
	struct process *p;

	if (id->kind != VALUE_INTEGER || name->kind != VALUE_TEXT || name->size == 0)
		return 0;
	p = process_of(row, described_process(row->db->is, id->integer));
	if (p)
		eventlog_name_process(p->log, p->host, name->text, name->size);
	return 0;
}

/* "thread 144 (pt_nccl_watchdg)" */
static void name_thread(struct process *p, int64_t thread, const char *name, size_t size)
{
	char text[256];

	snprintf(text, sizeof(text), "thread %lld", (long long)thread);
	for (size_t i = 0; i < eventlog_lane_count(p->log); i++) {
		struct lane *lane = eventlog_lane_at(p->log, (uint32_t)i);

		if (lane->process != p->host || !text_equal(lane->name, text))
			continue;
		snprintf(text, sizeof(text), "thread %lld (%.*s)", (long long)thread,
			size < 200 ? (int)size : 200, name);
		lane->name = eventlog_text(p->log, text, strlen(text));
		return;
	}
}

/* rocpd_info_process, as rocprofv3 itself writes it. */
static int process_start(const struct small_row *row)
{
	const struct source_value *id = &row->value[0], *start = &row->value[1];
	struct process *p = id->kind == VALUE_INTEGER ? process_of(row, id->integer) : NULL;
	char text[64];

	if (!p || start->kind != VALUE_INTEGER || start->integer <= 0)
		return 0;
	snprintf(text, sizeof(text), "%lld, started at %lld", (long long)p->number,
		(long long)start->integer);
	facts_set(&p->profile->facts, p->profile->arena, FACT_PROCESS, text, strlen(text));
	return 0;
}

static int thread_name(const struct small_row *row)
{
	const struct database_reading *db = row->db;
	const struct source_value *id = &row->value[0];
	struct source_value name = row->value[1];

	if (id->kind != VALUE_INTEGER)
		return 0;
	if (name.kind == VALUE_INTEGER && db->is->text_table &&
		db->source->functions->find(db->source, db->is->text_table, db->is->text_column,
			name.integer, &name, row->err) < 0)
		return -1;
	if (name.kind != VALUE_TEXT || name.size == 0)
		return 0;
	for (size_t i = 0; i < db->processes; i++)
		if (db->process[i].set == row->set &&
			(!db->is->id_bits ||
				db->process[i].id == described_process(db->is, id->integer)))
			name_thread(&db->process[i], described_system_id(db->is, id->integer),
				name.text, name.size);
	return 0;
}

/* Adds a warning or an error of Nsight Systems itself as an issue. */
static int diagnostic(const struct small_row *row)
{
	const struct source_value *severity = &row->value[0], *said = &row->value[1];
	struct database_reading *db = row->db;
	size_t *count = row->context;

	if (severity->kind != VALUE_INTEGER || said->kind != VALUE_TEXT ||
		(severity->integer != SEVERITY_WARNING && severity->integer != SEVERITY_ERROR))
		return 0;
	if (++*count > DIAGNOSTICS_MOST)
		return 0;
	text_clear(&db->scratch);
	text_add_shown(&db->scratch, arena_strndup(db->arena, said->text, said->size));
	issue_add(&db->out->issues, severity->integer == SEVERITY_ERROR ? ISSUE_LOSS : ISSUE_INFO,
		arena_printf(db->out->arena, "diagnostic %zu", *count),
		arena_printf(
			db->out->arena, "Nsight Systems says: %.300s", text_string(&db->scratch)),
		1, db->path);
	return 0;
}

int facts_read(struct database_reading *db, struct error *err)
{
	size_t said = 0;
	bool is_typed = true;
	const struct small_table table[] = {
		{"TARGET_INFO_SYSTEM_ENV", {"name", "value"}, system_value, NULL},
		{"TARGET_INFO_GPU", {"name"}, device_model, NULL},
		{"TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"}, capture_start, &db->epoch_ns},
		{"TARGET_INFO_SESSION_START_TIME", {"utcEpochNs", "systemClockNs"}, session_start,
			&db->epoch_ns},
		{"DIAGNOSTIC_EVENT", {"severity", "text"}, diagnostic, &said},
		{"rocpd_info_node", {"hostname"}, host_name, NULL},
		{"rocpd_info_agent", {"product_name", "type"}, device_model, &is_typed},
		{"rocpd_info_process", {"id", "start"}, process_start, NULL},
		{db->is->process_table, {db->is->process_column, "name"}, process_name, NULL},
		{db->is->thread_table, {db->is->thread_column, db->is->thread_name}, thread_name,
			NULL},
	};

	if (read_tables(db, table, sizeof(table) / sizeof(*table), err) < 0)
		return -1;
	for (size_t i = 0; i < db->processes; i++) {
		struct process *p = &db->process[i];

		if (p->has_rank)
			set_number(p, FACT_RANK, p->rank);
		set_number(p, FACT_PID, p->number);
		if (p->world_size > 0)
			set_number(p, FACT_WORLD_SIZE, p->world_size);
	}
	return 0;
}
