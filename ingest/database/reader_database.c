/* Databases of profilers: Nsight Systems and ROCm. One way of reading; what their tables mean is in
 * descriptions. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "base/memory.h"
#include "base/text.h"
#include "ingest/database/database.h"
#include "ingest/database/row_source.h"
#include "ingest/input/input.h"
#include "ingest/parquet/parquet_format.h"

#define MAGIC "SQLite format 3"
#define HEAD_BYTES 100
#define PAGE_OF_PAGES 5
#define SETS_MOST 4096
#define TEXTS_FILE "StringIds.parquet"

/* ---- the recordings in it ---- */

/* The names of tables end in "_ID" of the recording; several were joined into one file. */
static int find_sets(struct database_reading *db, struct error *err)
{
	const char *first = db->is->table[0].name, *name;
	const size_t n = strlen(first);

	if (!db->is->has_sets) {
		db->set = arena_array(db->arena, 1, sizeof(*db->set));
		db->set[db->sets++] = (struct table_set){.suffix = ""};
		return 0;
	}
	for (size_t i = 0; (name = sqlite_source_table(db->source, i)); i++) {
		if (strncmp(name, first, n) != 0 || (name[n] != '\0' && name[n] != '_'))
			continue;
		if (db->sets == SETS_MOST)
			return error_set(err, ERROR_LIMIT, db->path,
				"more than %d recordings in one database", SETS_MOST);
		db->set = arena_make_room(
			db->arena, db->set, db->sets, &db->set_room, sizeof(*db->set));
		db->set[db->sets++] = (struct table_set){.suffix = name + n};
	}
	return 0;
}

static bool fits(struct row_source *source, const struct database_description *is)
{
	const char *name;

	for (size_t i = 0; (name = sqlite_source_table(source, i)); i++)
		for (size_t k = 0; k < is->tables; k++) {
			const size_t n = strlen(is->table[k].name);

			if (strncmp(name, is->table[k].name, n) == 0 &&
				(name[n] == '\0' || (is->has_sets && name[n] == '_')))
				return true;
		}
	return false;
}

/* Path of the i-th kind of journal beside the file, in which the last writes of a program may lie
 * until it closes the file; "" when there is none; NULL after the last. */
static const char *journal_beside(const struct database_reading *db, size_t i)
{
	static const char *const ends[] = {"-wal", "-journal"};
	struct stat status;
	const char *path;

	if (i == sizeof(ends) / sizeof(ends[0]) || db->out->is_stdin)
		return NULL;
	path = arena_printf(db->arena, "%s%s", db->path, ends[i]);
	return stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 ? path
											 : "";
}

/* Finds the description that fits the tables, whatever reader was chosen. */
static int find_description(
	struct database_reading *db, const struct database_description *chosen, struct error *err)
{
	static const struct database_description *const all[] = {
		&nsight_description, &rocpd_description};
	const char *journal;

	db->is = fits(db->source, chosen) ? chosen : NULL;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]) && !db->is; i++)
		if (fits(db->source, all[i]))
			db->is = all[i];
	if (db->is)
		return find_sets(db, err);
	error_set(err, ERROR_INPUT, db->path,
		"a database without a table of kernels, calls or ranges");
	for (size_t i = 0; (journal = journal_beside(db, i)); i++)
		if (*journal)
			return error_hint(err,
				"they may be in the journal beside it (%s): the profiler still "
				"writes, or was killed",
				journal);
	return error_hint(err, "%s",
		chosen == &nsight_description
			? "nsys profile --trace=cuda,nvtx records them, nsys export --type sqlite "
			  "writes the file"
			: "rocprofv3 --hip-trace --kernel-trace --memory-copy-trace --marker-trace "
			  "-- PROGRAM records them");
}

/* ---- the whole ---- */

static int finish(struct database_reading *db, struct process *p, struct error *err)
{
	int64_t base_ns;

	eventlog_share_marks(p->log);
	if (eventlog_mark_count(p->log) == 0)
		issue_add(&p->profile->issues, ISSUE_INFO, "database-no-step",
			"recordings without a range that is a step (nvtx.range_push(f'step {i}'), "
			"roctxRangePush): all of it is one step, unless --step-marker names "
			"another",
			1, p->profile->path);
	p->profile->base_ns = 0;
	if (db->epoch_ns &&
		(__builtin_mul_overflow(db->base_us, 1000, &base_ns) ||
			__builtin_add_overflow(base_ns, db->epoch_ns, &p->profile->base_ns)))
		p->profile->base_ns = 0;
	trace_requests_report_unused(p->asked);
	if (eventlog_finish(p->log, 0, false, err) != 0)
		return -1;
	trace_requests_report_found(p->asked, p->log, NULL);
	return 0;
}

static int read_all(struct database_reading *db, struct error *err)
{
	if (survey_read(db, err) != 0 || ranks_read(db, err) != 0 ||
		processes_begin(db, err) != 0 || events_read(db, err) != 0 ||
		facts_read(db, err) != 0)
		return -1;

	const char *path;

	for (size_t i = 0; (path = journal_beside(db, i)); i++)
		if (*path)
			issue_add(&db->out->issues, ISSUE_LOSS, "database-journal",
				"databases with a journal beside them (FILE-wal, FILE-journal): "
				"what only that has is not read; the profiler still writes, or was "
				"killed",
				1, path);
	for (size_t i = 0; i < db->processes; i++)
		if (finish(db, db->process_in_order[i], err) != 0)
			return -1;
	return 0;
}

static void release(struct database_reading *db)
{
	for (size_t i = 0; i < db->processes; i++) {
		struct process *p = &db->process[i];

		eventlog_free(p->log);
		trace_requests_free(p->asked);
		arena_free(p->arena);
		memory_free(p->op);
		memory_free(p->range);
		memory_free(p->lane);
	}
	memory_free(db->process);
	if (db->source)
		db->source->functions->free(db->source);
	text_release(&db->scratch);
	text_release(&db->name);
	text_release(&db->named);
	arena_free(db->arena);
}

/* The file is closed. */
static int read_file(struct span_file *file, struct profile *out, const struct read_options *opt,
	const struct database_description *chosen, struct error *err)
{
	struct database_reading db = {.path = file->path, .opt = opt, .out = out};
	int status = -1;

	db.arena = arena_new();
	db.process_keys = intern_new(db.arena);
	text_init(&db.scratch);
	text_init(&db.name);
	text_init(&db.named);
	db.source = sqlite_source_new(file, opt->max_record_bytes, opt->threads, err);
	if (db.source && find_description(&db, chosen, err) == 0)
		status = read_all(&db, err);
	release(&db);
	span_file_close(file);
	return status;
}

static int database_read(struct input *in, struct profile *out, const struct read_options *opt,
	const struct database_description *chosen, struct error *err)
{
	struct span_file file;

	if (input_seekable(in, opt->trace.spill_folder, opt->trace.max_spill_bytes, &file, err) !=
			0 ||
		read_file(&file, out, opt, chosen, err) != 0)
		return -1;
	input_report_tail(in, &out->issues);
	return 0;
}

/* The folder of the tables, of which this file is one. */
static int folder_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	const char *path = input_path(in), *base = text_base_name(path);
	struct span_file file;

	if (out->is_stdin) {
		error_set(err, ERROR_INPUT, path, "one table of a folder of them");
		return error_hint(err, "give the folder: stepstat NAME_pqtdir");
	}
	out->entry = arena_strdup(out->arena, path);
	out->path = base > path + 1 ? arena_strndup(out->arena, path, (size_t)(base - path) - 1)
		    : base > path   ? "/"
				    : ".";
	return parquet_tables_copy(out->path, &nsight_description, opt, &file, err) < 0 ||
			       read_file(&file, out, opt, &nsight_description, err) < 0
		       ? -1
		       : 0;
}

static bool is_parquet(const struct probe *p)
{
	return p->size >= PARQUET_MAGIC_BYTES &&
	       memcmp(p->bytes, PARQUET_MAGIC, PARQUET_MAGIC_BYTES) == 0 && p->path;
}

/* Both kinds of export. */
static int nsight_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	struct probe probe;

	if (probe_input(in, &probe, err) != 0)
		return -1;
	return is_parquet(&probe) ? folder_read(in, out, opt, err)
				  : database_read(in, out, opt, &nsight_description, err);
}

static int rocpd_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return database_read(in, out, opt, &rocpd_description, err);
}

/* Pages at the beginning hold the descriptions of tables; of many tables they may come later: then
 * the root of their tree is no leaf (byte 100, sqlite.org/fileformat2.html), and the name has to
 * do. */
static int score_of(const struct probe *p, const char *const *words, const char *suffix)
{
	if (p->size <= HEAD_BYTES || memcmp(p->bytes, MAGIC, sizeof(MAGIC)) != 0)
		return 0;
	for (size_t i = 0; words[i]; i++)
		if (probe_has(p, words[i]))
			return 90;
	return p->bytes[HEAD_BYTES] == PAGE_OF_PAGES && !p->whole && p->path &&
			       probe_name_ends(p->path, suffix)
		       ? 40
		       : 0;
}

/* Each folder has the table of texts: it stands for all. */
static bool is_folder(const struct probe *p)
{
	return is_parquet(p) && text_equal(text_base_name(p->path), TEXTS_FILE);
}

/* --from=nsight is both, but the reader of folders comes first. */
static int nsight_probe(const struct probe *p)
{
	static const char *const words[] = {"StringIds", "CUPTI_ACTIVITY_KIND_", "NVTX_EVENTS",
		"TARGET_INFO_SESSION_START_TIME", NULL};

	return is_folder(p) ? 50 : score_of(p, words, ".sqlite");
}

static int rocpd_probe(const struct probe *p)
{
	static const char *const words[] = {"rocpd_metadata", "rocpd_info_", "rocpd_string",
		"rocpd_kernel_", "rocpd_memory_", "rocpd_region", NULL};

	return score_of(p, words, "_results.db");
}

static int nsight_folder_probe(const struct probe *p)
{
	return is_folder(p) ? 100 : 0;
}

/* Tables have names in capital letters, but for a few. */
static int nsight_table_probe(const struct probe *p)
{
	static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
	static const char *const others[] = {
		"PROCESSES.parquet", "ThreadNames.parquet", "ProcessStreams.parquet", NULL};
	const char *name = p->path ? text_base_name(p->path) : "";

	if (!is_parquet(p))
		return 0;
	for (size_t i = 0; others[i]; i++)
		if (text_equal(name, others[i]))
			return 100;
	return strchr(name, '_') && text_equal(name + strspn(name, capitals), ".parquet") ? 100 : 0;
}

/* The folder is read through its table of texts: without it no other has names. */
static int nsight_table_holds(
	const struct input *in, const struct read_options *opt, struct error *err)
{
	const char *path = input_path(in), *base = text_base_name(path);
	struct text beside;
	struct stat status;
	bool is_there;

	(void)opt;
	text_init(&beside);
	text_add_bytes(&beside, path, (size_t)(base - path));
	text_add(&beside, TEXTS_FILE);
	is_there = stat(text_string(&beside), &status) == 0;
	text_release(&beside);
	if (is_there)
		return 0;
	error_set(err, ERROR_INPUT, path,
		"a table of Nsight Systems without " TEXTS_FILE " beside it, which has the names");
	return error_hint(err,
		"give the whole folder that nsys export --type parquetdir wrote: stepstat "
		"NAME_pqtdir (a table of observations of this name: --from=parquet)");
}

static const char *const nsight_hints[TRACE_ROWS_STACKS + 1] = {
	[TRACE_ROWS_LAUNCHERS] = "nsys profile --pytorch=autograd-nvtx records them as ranges of "
				 "NVTX; --by=annotation makes rows of other ranges",
	[TRACE_ROWS_ANNOTATIONS] = "nsys profile --trace=cuda,nvtx records ranges of NVTX: `with "
				   "torch.cuda.nvtx.range(NAME):` makes one; --by=name needs none",
	[TRACE_ROWS_MODULES] = "they are ranges of NVTX that the program names \"nn.Module: "
			       "NAME\"; --by=annotation makes rows of all ranges",
	[TRACE_ROWS_STACKS] = "ranges of NVTX have no frames; --by=annotation makes rows of ranges",
};

#define NSIGHT_EMPTY "nothing of CUDA or NVTX was recorded: nsys profile --trace=cuda,nvtx PROGRAM"

const struct reader reader_nsight = {
	.name = "nsight",
	.title = "Nsight Systems database",
	.summary = "SQLite export of Nsight Systems (nsys export --type sqlite), also gzip",
	.suffixes = (const char *const[]){".sqlite", NULL},
	.probe = nsight_probe,
	.read = nsight_read,
	.is_trace = true,
	.empty_hint = NSIGHT_EMPTY,
	.launcher_hints = nsight_hints,
};

/* The same title: it is the same recording. */
const struct reader reader_nsight_tables = {
	.name = "nsight-tables",
	.title = "Nsight Systems database",
	.summary = "folder of Nsight Systems (nsys export --type parquetdir)",
	.probe = nsight_folder_probe,
	.read = folder_read,
	.is_trace = true,
	.empty_hint = NSIGHT_EMPTY,
	.launcher_hints = nsight_hints,
};

const struct reader reader_nsight_table = {
	.name = "nsight-table",
	.title = "table of Nsight Systems",
	.summary = "one table of a folder of Nsight Systems",
	.probe = nsight_table_probe,
	.holds = nsight_table_holds,
	.companion = true,
	.refusal = "one of the many of a recording",
	.advice = "give the folder of all tables: stepstat NAME_pqtdir",
};

const struct reader reader_rocpd = {
	.name = "rocpd",
	.title = "ROCm profile database",
	.summary = "database of ROCm's rocprofv3 (rocpd, *_results.db), also gzip",
	.suffixes = (const char *const[]){".db", NULL},
	.probe = rocpd_probe,
	.read = rocpd_read,
	.is_trace = true,
	.empty_hint = "nothing was recorded: rocprofv3 --hip-trace --kernel-trace "
		      "--memory-copy-trace --marker-trace -- PROGRAM",
	.launcher_hints =
		(const char *const[TRACE_ROWS_STACKS + 1]){
			[TRACE_ROWS_LAUNCHERS] = "--by=annotation makes rows of ranges of roctx, "
						 "--by=name of what the device ran",
			[TRACE_ROWS_ANNOTATIONS] =
				"rocprofv3 --marker-trace records ranges of roctx: "
				"roctx.rangePush(NAME), roctx.rangePop(); --by=name needs none",
			[TRACE_ROWS_MODULES] =
				"they are ranges of roctx that the program names \"nn.Module: "
				"NAME\"; --by=annotation makes rows of all ranges",
			[TRACE_ROWS_STACKS] = "ranges of roctx have no frames; --by=annotation "
					      "makes rows of ranges",
		},
};
