/* Databases of strangers: what would run, what lies, what does not end; and the names of steps. */
#include <sqlite3.h>
#include "ingest/trace/step_names.h"
#include "ingest/reader.h"
#include "tests/unit/test.h"

#define TEXTS                                                                                      \
	"CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);"                    \
	"INSERT INTO StringIds VALUES (1, 'gemm'), (2, 'cudaLaunchKernel_v7000'), (3, 'step 0');"
#define KERNELS                                                                                    \
	"CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, "  \
	"streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER);"
#define KERNEL "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES "
#define PROCESS "167772160" /* 10 << 24 */

struct made {
	unsigned char *bytes;
	sqlite3_int64 size;
};

/* The bytes of a database that this SQL makes. */
static struct made make(const char *sql)
{
	struct made made;
	sqlite3 *db;
	char *message = NULL;

	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
		fail_msg("%s", message);
	made.bytes = sqlite3_serialize(db, "main", &made.size, 0);
	assert_non_null(made.bytes);
	sqlite3_close(db);
	return made;
}

/* NULL with err. */
static struct profile *read_by(
	const struct made *made, const char *name, size_t threads, struct error *err)
{
	struct read_options opt = read_options_default;
	struct input *in = input_memory(made->bytes, (size_t)made->size, name);
	struct profile *p = profile_new(name);
	int status;

	opt.threads = threads;
	status = reader_find("nsight", err)->read(in, p, &opt, err);
	input_close(in);
	if (status == 0)
		return p;
	profile_free(p);
	return NULL;
}

static struct profile *read_named(const struct made *made, const char *name, struct error *err)
{
	return read_by(made, name, 1, err);
}

static struct profile *read_made(const struct made *made, struct error *err)
{
	return read_named(made, "it", err);
}

static struct profile *read_sql(const char *sql, struct error *err)
{
	struct made made = make(sql);
	struct profile *p = read_made(&made, err);

	sqlite3_free(made.bytes);
	return p;
}

static void is_refused(const char *sql, const char *says)
{
	struct error err = {.kind = ERROR_NONE};
	struct profile *p = read_sql(sql, &err);

	if (p)
		fail_msg("read: %s", sql);
	assert_int_equal(err.kind, ERROR_INPUT);
	if (!strstr(err.message, says))
		fail_msg("\"%s\" does not say \"%s\"", err.message, says);
}

static const struct issue *issue_of(const struct profile *p, const char *code)
{
	return issue_list_find(&p->issues, code);
}

/* The sum of a measure over all rows of an op. */
static int64_t sum(const struct profile *p, const char *op, enum measure_id id)
{
	int64_t total = 0;

	for (size_t i = 0; i < p->obs.count; i++)
		if (strcmp(p->op[p->obs.op[i]].name, op) == 0)
			total += p->obs.column[id][i];
	return total;
}

/* What stands in the place of a table is not read: it would run SQL of the file, or any code. */
TEST(code_in_the_place_of_tables)
{
	is_refused("CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT 1 AS start, 2 AS end",
		"without a table of kernels");
	is_refused("CREATE VIRTUAL TABLE NVTX_EVENTS USING fts4(start, end)",
		"without a table of kernels");
	is_refused("CREATE VIEW rocpd_kernel_dispatch AS SELECT 1 AS start", "without a table");
	/* A column that is computed does not exist. */
	is_refused("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER GENERATED "
		   "ALWAYS AS (start + 1))",
		"no columns for start and end");
}

/* Lookups in a table without a key would go over all of it for each row. */
TEST(tables_without_a_key)
{
	is_refused("CREATE TABLE StringIds (id INTEGER, value TEXT);" KERNELS KERNEL
		   "(1, 2, 0, 7, 1, " PROCESS ", 1)",
		"no column id that is a key");
	is_refused("CREATE TABLE rocpd_kernel_dispatch_1 (start INTEGER, end INTEGER, pid INTEGER, "
		   "event_id INTEGER); CREATE TABLE rocpd_event_1 (id INTEGER, stack_id "
		   "INTEGER);INSERT INTO rocpd_kernel_dispatch_1 VALUES (1, 2, 3, 4)",
		"no column id that is a key");
}

/* Texts, reals and blobs where numbers belong, numbers where texts belong, ids of nothing. */
TEST(values_of_other_kinds)
{
	struct error err = {.kind = ERROR_NONE};
	struct profile *p = read_sql(TEXTS KERNELS KERNEL
		"(1000, 2000, 0, 7, 1, " PROCESS ", 1),"       /* whole */
		"('then', 2000, 0, 7, 1, " PROCESS ", 1),"     /* no start: left out */
		"(3000, x'00', 0, 7, 1, " PROCESS ", 1),"      /* no end: 0 */
		"(3000, 4000, 'a', 1.5, 'b', " PROCESS ", 1)," /* of some device */
		"(5000, 6000, 0, 7, 1, 'who', 1),"	       /* no process: left out */
		"(7000, 8000, 0, 7, 1, " PROCESS ", 99),"      /* no such text */
		"(9000, 10000, 0, 7, 1, " PROCESS ", NULL)",   /* no name */
		&err);

	assert_non_null(p);
	assert_int_equal(sum(p, "gemm", MEASURE_ACCELERATOR), 2 * 1000 * 1000);
	assert_int_equal(sum(p, "[unnamed]", MEASURE_ACCELERATOR), 2 * 1000 * 1000);
	assert_non_null(issue_of(p, "row-value"));
	assert_int_equal(issue_of(p, "event-time")->count, 1);
	assert_int_equal(issue_of(p, "event-duration")->count, 1);
	assert_int_equal(issue_of(p, "row-name")->count, 1);
	profile_free(p);
}

/* Times at the ends of 64 bits, and far from the others. */
TEST(times_that_cannot_be)
{
	struct error err = {.kind = ERROR_NONE};
	struct profile *p = read_sql(TEXTS KERNELS KERNEL
		"(1000, 2000, 0, 7, 1, " PROCESS
		", 1),(9223372036854775807, -9223372036854775808, 0, 7, 1, " PROCESS
		", 1),(-9223372036854775808, 9223372036854775807, 0, 7, 1, " PROCESS
		", 1),(3000, 9223372036854775807, 0, 7, 1, " PROCESS
		", 1),(4000, 3000, 0, 7, 1, " PROCESS ", 1)",
		&err);

	assert_non_null(p);
	assert_int_equal(sum(p, "gemm", MEASURE_ACCELERATOR), 1000 * 1000);
	assert_int_equal(issue_of(p, "clock-jump")->count, 2);
	assert_int_equal(issue_of(p, "long-event")->count, 1);
	assert_int_equal(issue_of(p, "negative-time")->count, 1);
	profile_free(p);
}

/* Calls launch by their id in their own process, and ranges of the same times may be in any order.
 */
TEST(launches_of_two_processes)
{
	struct error err = {.kind = ERROR_NONE};
	struct profile *p = read_sql(TEXTS KERNELS
		"CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid "
		"INTEGER, correlationId INTEGER, nameId INTEGER);CREATE TABLE NVTX_EVENTS (start "
		"INTEGER, end INTEGER, eventType INTEGER, text TEXT, textId INTEGER, globalTid "
		"INTEGER);INSERT INTO NVTX_EVENTS VALUES (1000, 2000, 59, NULL, 3, (10 << 24) + "
		"11),(1000, 2000, 59, 'step 1', NULL, (12 << 24) + 13);INSERT INTO "
		"CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1100, 1200, (10 << 24) + 11, 5, 2),(1100, "
		"1200, (12 << 24) + 13, 5, 2);" KERNEL
		"(3000, 4000, 0, 7, 5, 10 << 24, 1), (3000, 6000, 1, 7, 5, 12 << 24, 1)",
		&err);

	assert_non_null(p);
	assert_non_null(p->next);
	assert_null(p->next->next);
	assert_string_equal(p->path, "it/pid 10");
	assert_string_equal(p->next->path, "it/pid 12");
	assert_true(p->run_is_rank && p->next->run_is_rank);
	assert_int_equal(p->step_count, 1);
	assert_int_equal(p->step[0].number, 0);
	assert_int_equal(p->next->step[0].number, 1);
	assert_int_equal(sum(p, "gemm", MEASURE_ACCELERATOR), 1000 * 1000);
	assert_int_equal(sum(p->next, "gemm", MEASURE_ACCELERATOR), 3000 * 1000);
	assert_int_equal(sum(p, "cudaLaunchKernel", MEASURE_OCCURRENCE), 1);
	profile_free(p);
}

#define SETS                                                                                       \
	"CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, end INTEGER, deviceId INTEGER, "  \
	"streamId INTEGER, correlationId INTEGER, bytes INTEGER, memKind INTEGER);"                \
	"INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (8000, 8500, 0, 7, 0, 16, 2), "             \
	"(9000, 9500, 0, 7, 0, 16, 2);"
#define STEPS                                                                                      \
	"CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, "     \
	"textId INTEGER, globalTid INTEGER);"
#define ZEROED "Memset (Device)"

/* A table that does not say the process of its rows, beside one that does: of one process. */
TEST(rows_of_the_only_process)
{
	struct error err = {.kind = ERROR_NONE};
	struct profile *p = read_sql(TEXTS KERNELS SETS STEPS
		"INSERT INTO NVTX_EVENTS VALUES (500, 9900, 59, 'step 4', NULL, (10 << 24) + 11), "
		"(500, 9900, 59, 'step 5', NULL, (12 << 24) + 11);" KERNEL
		"(1000, 2000, 0, 7, 1, " PROCESS ", 1), (3000, 4000, 0, 7, 1, NULL, 1)",
		&err);

	assert_non_null(p);
	assert_null(p->next);
	assert_string_equal(p->path, "it");
	assert_int_equal(sum(p, "gemm", MEASURE_ACCELERATOR), 2000 * 1000);
	assert_int_equal(sum(p, ZEROED, MEASURE_ACCELERATOR), 1000 * 1000);
	assert_int_equal(p->step_count, 1);
	assert_int_equal(p->step[0].number, 4);
	assert_int_equal(issue_of(p, "other-processes")->count, 1);
	assert_null(issue_of(p, "row-process"));
	profile_free(p);
}

/* Of two processes nobody knows whose they are: lost, and counted. */
TEST(rows_of_one_of_two_processes)
{
	struct error err = {.kind = ERROR_NONE};
	struct profile *p = read_sql(TEXTS KERNELS SETS KERNEL
		"(1000, 2000, 0, 7, 1, " PROCESS
		", 1), (1000, 4000, 1, 7, 1, 12 << 24, 1), (3000, 4000, 0, 7, 1, NULL, 1)",
		&err);

	assert_non_null(p);
	assert_string_equal(p->path, "it/pid 10");
	assert_string_equal(p->next->path, "it/pid 12");
	assert_null(p->next->next);
	assert_int_equal(sum(p, "gemm", MEASURE_ACCELERATOR), 1000 * 1000);
	assert_int_equal(sum(p->next, "gemm", MEASURE_ACCELERATOR), 3000 * 1000);
	assert_int_equal(sum(p, ZEROED, MEASURE_ACCELERATOR), 0);
	assert_int_equal(sum(p->next, ZEROED, MEASURE_ACCELERATOR), 0);
	assert_int_equal(issue_of(p, "row-process")->count, 3);
	assert_int_equal(issue_of(p, "row-process")->severity, ISSUE_LOSS);
	assert_null(issue_of(p, "other-processes"));
	profile_free(p);
}

/* Rows of devices that never say it are of the process that the host knows; of several, all is one,
 * and an issue. */
TEST(devices_without_processes)
{
	static const char of_one[] =
		"INSERT INTO NVTX_EVENTS VALUES (500, 9900, 59, 'step 4', NULL, (10 << 24) + 11);",
			  of_two[] = "INSERT INTO NVTX_EVENTS VALUES (500, 9900, 59, 'step 4', "
				     "NULL, (10 << 24) + 11), (10000, 10900, 59, 'step 5', NULL, "
				     "(12 << 24) + 11);",
			  ranks[] = "CREATE TABLE MPI_RANKS (globalTid INTEGER, rank "
				    "INTEGER);INSERT INTO MPI_RANKS VALUES ((10 << 24) + 1, 6);";

	for (int several = 0; several < 2; several++) {
		struct error err = {.kind = ERROR_NONE};
		struct profile *p;
		char sql[4096];

		snprintf(sql, sizeof(sql), "%s%s%s", SETS STEPS, several ? of_two : of_one, ranks);
		p = read_sql(sql, &err);
		assert_non_null(p);
		assert_null(p->next);
		assert_int_equal(sum(p, ZEROED, MEASURE_ACCELERATOR), 1000 * 1000);
		assert_int_equal(p->step_count, 1);
		assert_true(p->run_is_rank == !several);
		assert_true((issue_of(p, "processes-as-one") != NULL) == several);
		assert_null(issue_of(p, "other-processes"));
		if (!several)
			assert_string_equal(p->step[0].run, "rank 6");
		profile_free(p);
	}
}

/* Files of ROCm that were joined: the tables of each recording have its id, ids in them are its
 * own.
 */
TEST(recordings_that_were_joined)
{
#define RECORDING(id, pid, rank, end)                                                              \
	"CREATE TABLE rocpd_kernel_dispatch" id " (start INTEGER, end INTEGER, pid INTEGER, "      \
	"agent_id INTEGER, stream_id INTEGER, kernel_id INTEGER, event_id INTEGER);"               \
	"CREATE TABLE rocpd_event" id " (id INTEGER PRIMARY KEY, stack_id INTEGER, "               \
	"category_id INTEGER, extdata TEXT);"                                                      \
	"CREATE TABLE rocpd_info_agent" id " (id INTEGER PRIMARY KEY, type_index INTEGER);"        \
	"CREATE TABLE rocpd_info_kernel_symbol" id " (id INTEGER PRIMARY KEY, display_name TEXT);" \
	"CREATE TABLE rocpd_info_process" id " (id INTEGER PRIMARY KEY, pid INTEGER, environment " \
	"TEXT);"                                                                                   \
	"INSERT INTO rocpd_info_process" id " VALUES (1, " pid ", '{\"SLURM_PROCID\": \"" rank     \
	"\"}');"                                                                                   \
	"INSERT INTO rocpd_event" id " VALUES (1, 5, NULL, '{}');"                                 \
	"INSERT INTO rocpd_info_agent" id " VALUES (4, 0);"                                        \
	"INSERT INTO rocpd_info_kernel_symbol" id " VALUES (1, 'k" rank "');"                      \
	"INSERT INTO rocpd_kernel_dispatch" id " VALUES (1000, " end ", 1, 4, 1, 1, 1);"
	struct error err = {.kind = ERROR_NONE};
	struct profile *p = read_sql(
		RECORDING("_a1", "77", "1", "3000") RECORDING("_b2", "77", "0", "6000"), &err);

	assert_non_null(p);
	assert_string_equal(p->path, "it/rank 0");
	assert_int_equal(sum(p, "k0", MEASURE_ACCELERATOR), 5000 * 1000);
	assert_non_null(p->next);
	assert_string_equal(p->next->path, "it/rank 1");
	assert_int_equal(sum(p->next, "k1", MEASURE_ACCELERATOR), 2000 * 1000);
	assert_string_equal(p->op[0].device, "gpu:0");
	assert_null(p->next->next);
	profile_free(p);
}

/* rocpd: rows have the ids of process and thread in the tables of these, whatever numbers the
 * system gave them. Here each id is the number of another. */
TEST(ids_that_are_no_numbers)
{
	static const char sql[] =
		"CREATE TABLE rocpd_kernel_dispatch_1 (start INTEGER, end INTEGER, pid INTEGER, "
		"agent_id INTEGER, stream_id INTEGER, kernel_id INTEGER, event_id INTEGER);CREATE "
		"TABLE rocpd_event_1 (id INTEGER PRIMARY KEY, stack_id INTEGER, category_id "
		"INTEGER, extdata TEXT);CREATE TABLE rocpd_info_agent_1 (id INTEGER PRIMARY KEY, "
		"type_index INTEGER);CREATE TABLE rocpd_info_kernel_symbol_1 (id INTEGER PRIMARY "
		"KEY, display_name TEXT);CREATE TABLE rocpd_info_process_1 (id INTEGER PRIMARY "
		"KEY, pid INTEGER, environment TEXT);INSERT INTO rocpd_info_process_1 VALUES (1, "
		"2, '{\"RANK\": \"5\", \"WORLD_SIZE\": \"8\"}'), (2, 1, '{}'), (3, 4343, "
		"'{}');INSERT INTO rocpd_info_agent_1 VALUES (4, 0), (5, 1), (6, 2);INSERT INTO "
		"rocpd_info_kernel_symbol_1 VALUES (1, 'gemm');INSERT INTO rocpd_kernel_dispatch_1 "
		"VALUES (1000, 2000, 1, 4, 1, 1, 1), (1000, 3000, 2, 5, 1, 1, 1), (1000, 4000, 3, "
		"6, 1, 1, 1);";
	struct error err = {.kind = ERROR_NONE};
	struct profile *p = read_sql(sql, &err);

	assert_non_null(p);
	assert_string_equal(p->path, "it/rank 5");
	assert_int_equal(p->facts.world_size, 8);
	assert_int_equal(sum(p, "gemm", MEASURE_ACCELERATOR), 1000 * 1000);
	assert_string_equal(p->next->path, "it/pid 1");
	assert_int_equal(p->next->facts.world_size, 0);
	assert_int_equal(sum(p->next, "gemm", MEASURE_ACCELERATOR), 2000 * 1000);
	assert_string_equal(p->next->next->path, "it/pid 4343");
	assert_int_equal(sum(p->next->next, "gemm", MEASURE_ACCELERATOR), 3000 * 1000);
	assert_null(p->next->next->next);
	profile_free(p);
}

/* Of the file of one process: its own word comes before that of its environment, and that before
 * the name of the file. */
TEST(ranks_of_one_process)
{
	static const char capture[] =
		"CREATE TABLE META_DATA_CAPTURE (name TEXT, value TEXT);INSERT INTO "
		"META_DATA_CAPTURE VALUES ('PROCESS_0:ENVIRONMENT_VARIABLE', 'RANK=\"5\"'), "
		"('PROCESS_0:ENVIRONMENT_VARIABLE', 'WORLD_SIZE=\"8\"');",
			  mpi[] = "CREATE TABLE MPI_RANKS (globalTid INTEGER, rank INTEGER);INSERT "
				  "INTO MPI_RANKS VALUES ((10 << 24) + 1, 6);";
	static const struct {
		const char *more[2], *run;
	} cases[] = {{{"", ""}, "rank 4"}, {{capture, ""}, "rank 5"}, {{capture, mpi}, "rank 6"}};

	for (size_t i = 0; i < 3; i++) {
		struct error err = {.kind = ERROR_NONE};
		struct made made;
		struct profile *p;
		char sql[4096];

		snprintf(sql, sizeof(sql), "%s%s%s%s(1, 2, 0, 7, 1, %s, 1)", TEXTS KERNELS,
			cases[i].more[0], cases[i].more[1], KERNEL, PROCESS);
		made = make(sql);
		p = read_named(&made, "job/run.rank4.sqlite", &err);
		sqlite3_free(made.bytes);
		assert_non_null(p);
		assert_true(p->run_is_rank);
		assert_string_equal(p->step[0].run, cases[i].run);
		if (i > 0)
			assert_int_equal(p->facts.world_size, 8);
		profile_free(p);
	}
}

/* Pages whose links lead back to where they came from are walked only so often as a sound file of
 * that size could make it. */
TEST(pages_that_lead_to_each_other)
{
	struct made made = make("PRAGMA page_size=512;" TEXTS KERNELS
				"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
				"WHERE i < 5000) INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT i * "
				"10, i * 10 + 5, 0, 7, i, " PROCESS ", 1 FROM n");
	size_t changed = 0;

	/* Interior pages of tables (type 5): each of their children becomes the page itself. */
	for (sqlite3_int64 at = 512; at + 512 <= made.size; at += 512) {
		unsigned char *page = made.bytes + at;
		const unsigned number = (unsigned)(at / 512) + 1, cells = page[3] << 8 | page[4];

		if (page[0] != 5)
			continue;
		changed++;
		for (unsigned i = 0; i < cells && 12 + 2 * i + 1 < 512; i++) {
			const unsigned cell = page[12 + 2 * i] << 8 | page[12 + 2 * i + 1];

			if (cell + 4 <= 512) {
				page[cell + 2] = (unsigned char)(number >> 8);
				page[cell + 3] = (unsigned char)number;
			}
		}
		struct error err = {.kind = ERROR_NONE};
		struct profile *p = read_made(&made, &err);

		if (!p)
			assert_true(err.kind == ERROR_INPUT && err.message[0] && err.hint[0]);
		profile_free(p);
	}
	assert_true(changed > 0);
	sqlite3_free(made.bytes);
}

/* Rows are read in windows of ids, by any number of threads, unless the ids are far apart or all
 * names for them are taken: by columns, also by those that are computed and have no value in some
 * rows. No row is lost or there twice. */
TEST(tables_in_windows_of_ids)
{
#define COLUMNS                                                                                    \
	"start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER, correlationId INTEGER, "  \
	"globalPid INTEGER, demangledName INTEGER"
#define TABLE(more) TEXTS "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (" COLUMNS more ");"
#define ROWS(into, id)                                                                             \
	"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 6000) INSERT "   \
	"INTO CUPTI_ACTIVITY_KIND_KERNEL(" into "start, end, deviceId, streamId, correlationId, "  \
	"globalPid, demangledName) SELECT " id "i * 10, i * 10 + 5, 0, 7, i, " PROCESS             \
	", 1 FROM n"
	static const char *const sql[] = {
		TABLE("") ROWS("", ""),
		TABLE("") ROWS("rowid, ", "i - 3000, "),
		TABLE("") ROWS("rowid, ", "i * 1000000007, "),
		TABLE("") ROWS("rowid, ", "i + 9223372036854769807, "),
		TABLE("") ROWS("rowid, ", "iif(i = 0, -9223372036854775808, i), "),
		TABLE(", RowID INTEGER") ROWS("RowID, ", "i % 7, "),
		TABLE(", rowid AS (iif(i_of % 2, i_of, NULL)), i_of") ROWS("i_of, ", "i, "),
		TABLE(", rowid, _ROWID_, Oid") ROWS("oid, ", "NULL, "),
		TABLE(", PRIMARY KEY (start)) WITHOUT ROWID; CREATE TABLE x(a") ROWS("", ""),
	};
	static const size_t threads[] = {1, 2, 5};

	for (size_t i = 0; i < sizeof(sql) / sizeof(*sql); i++) {
		struct made made = make(sql[i]);

		for (size_t k = 0; k < sizeof(threads) / sizeof(*threads); k++) {
			struct error err = {.kind = ERROR_NONE};
			struct profile *p = read_by(&made, "it", threads[k], &err);

			if (!p)
				fail_msg("%s: %s", sql[i], err.message);
			assert_int_equal(sum(p, "gemm", MEASURE_OCCURRENCE), 6001);
			assert_int_equal(
				sum(p, "gemm", MEASURE_ACCELERATOR), INT64_C(6001) * 5 * 1000);
			profile_free(p);
		}
		sqlite3_free(made.bytes);
	}
}

/* A value that is longer than allowed is an error with a hint. */
TEST(values_that_are_too_long)
{
	struct error err = {.kind = ERROR_NONE};
	struct profile *p = read_sql("CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, "
				     "eventType INTEGER, text TEXT, globalTid INTEGER);INSERT INTO "
				     "NVTX_EVENTS VALUES (1, 2, 59, hex(zeroblob(40000000)), 3)",
		&err);

	assert_null(p);
	assert_int_equal(err.kind, ERROR_LIMIT);
	assert_non_null(strstr(err.hint, "max-record"));
}

TEST(names_of_steps)
{
	static const struct {
		const char *name;
		int64_t number; /* -1: without one; -2: no step */
	} cases[] = {
		{"step 12", 12},
		{"Step: 12", 12},
		{"ProfilerStep#7", 7},
		{"iteration_3", 3},
		{"iter3", 3},
		{"ITERATION 3/100", 3},
		{"train step [4]", 4},
		{"batch 0", 0},
		{"global_step=9", 9},
		{"global iteration 9", -2},
		{"step 3/100", 3},
		{"step(3)", 3},
		{"training_step.3", 3},
		{"training_iter_3", 3},
		{"train_batch-3", 3},
		{"Training Batch #3", 3},
		{"training iteration", -1},
		{"training_iter", -1},
		{"train_batch", -2},
		{"global_step", -2},
		{"step", -1},
		{"Train Step", -1},
		{"iteration", -1},
		{"batch", -2},
		{"step 1 forward", -2},
		{"stepper 1", -2},
		{"12", -2},
		{"", -2},
		{" ", -2},
		{"Optimizer.step#SGD.step", -2},
		{"step 99999999999999999999", -2},
		{"step \xc3\xa9 1", -2},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct marker_name found = {.number = -1};
		const bool is = step_name(cases[i].name, strlen(cases[i].name), &found);

		if (is != (cases[i].number > -2) ||
			(is && found.numbered != (cases[i].number >= 0)) ||
			(is && found.is_whole != (strncmp(cases[i].name, "Prof", 4) == 0)) ||
			(is && found.numbered && found.number != cases[i].number))
			fail_msg("\"%s\"", cases[i].name);
	}
}

TEST(kinds_in_names_of_markers)
{
	static const struct {
		const char *name, *kind;
		int64_t number; /* -1: the pattern says none; INT64_MIN: it is not in the name */
	} cases[] = {
		{"train 12", "train", 12},
		{"eval 12", "eval", 12},
		{"train_step", "train_step", -1},
		{"train_3", "train", -1},
		{"train3", "train", -1},
		{"train3", "train", 3},
		{"epoch 2 train 14/100", "epoch train", 14},
		{"epoch_2_train_14", "epoch_train", 14},
		{"resnet50 train 3", "resnet50 train", 3},
		{"phase1 step 1", "phase1 step", 1},
		{"train12/100", "train", 12},
		{"phase2 step 1", "phase2 step", 1},
		{"stage1", "stage1", INT64_MIN},
		{"train", "train", INT64_MIN},
		{"[eval] 7", "[eval]", 7},
		{"step (7)", "", 7},
		{"Function(train_step)", "Function(train_step)", -1},
		{"step[DECODE bs=16]", "step[DECODE bs=]", -1},
		{"train 3 of 100", "train of", 3},
		{"step 7", "", 7},
		{"ProfilerStep#7", "", 7},
		{"STEP", "", -1},
		{"7", "", -1},
		{"7 warmup", "warmup", 7},
		{"", "", -1},
		{"\xc3\xa9val 3", "\xc3\xa9val", 3},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct marker_name marker = {
			.number = cases[i].number, .numbered = cases[i].number != -1};
		struct text kind;

		text_init(&kind);
		step_kind(cases[i].name, strlen(cases[i].name), &marker, &kind);
		assert_string_equal(text_string(&kind), cases[i].kind);
		text_release(&kind);
	}
}
