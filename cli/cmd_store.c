/* stepstat record, list, show, prune, tag: runs that are kept in a folder. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "ab/machine.h"
#include "analysis/select/rules.h"
#include "base/day.h"
#include "base/number.h"
#include "base/output/file_identity.h"
#include "base/text.h"
#include "cli/cmd_store.h"
#include "cli/export_tables.h"
#include "cli/options/command.h"
#include "cli/report_output.h"
#include "cli/screen.h"
#include "export/observations.h"
#include "model/sessions.h"
#include "pipeline/store.h"
#include "report/build.h"

#define NS_PER_S INT64_C(1000000000)
#define DAY_NS (INT64_C(86400) * NS_PER_S)
#define SUFFIX ".obs"

static const char *word_at(const struct settings *s, size_t i)
{
	return *(const char *const *)vec_at(&s->job.input, i);
}

static int need_words(
	const struct settings *s, size_t least, size_t most, const char *usage, struct error *err)
{
	if (s->job.input.count >= least && s->job.input.count <= most)
		return 0;
	error_set(err, ERROR_USAGE, NULL, "expected %s, found %s", usage,
		arena_count(s->arena, s->job.input.count, "word"));
	return error_hint(err, "stepstat %s --help", s->command_name);
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* ---- record ---- */

const char *store_machine(const struct facts *facts, struct arena *arena)
{
	const char *key;

	if (facts && facts->machine)
		return facts->machine;
	key = machine_key("", arena);
	if (facts && facts->device_model && !strstr(key, " x "))
		key = arena_printf(arena, "%s, %lld x %s", key,
			(long long)(facts->device_count ? facts->device_count : 1),
			facts->device_model);
	return key;
}

/* A variable of a CI: GitHub Actions, GitLab, Jenkins. */
static const char *from_ci(const char *const *names)
{
	for (; *names; names++) {
		const char *value = getenv(*names);

		if (value && *value)
			return value;
	}
	return NULL;
}

static void set_text(
	struct facts *facts, struct arena *arena, enum fact_id id, const char *text, bool over)
{
	char number[FACT_NUMBER_BYTES];

	if (text && (over || !facts_text(facts, id, number)))
		facts_set(facts, arena, id, text, strlen(text));
}

/* Facts that the run has of itself, of the command line, and of this machine and its CI. */
static struct facts *facts_of_run(
	const struct settings *s, const struct cube *cube, size_t run, int64_t *start_ns)
{
	static const char *const commits[] = {"GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT", NULL};
	static const char *const branches[] = {
		"GITHUB_REF_NAME", "CI_COMMIT_REF_NAME", "GIT_BRANCH", NULL};
	static const struct facts none;
	const struct facts *said = cube->run[run].facts ? cube->run[run].facts : &none;
	struct facts *facts = facts_copy(said, s->arena);
	char start[MOMENT_TEXT_SIZE];

	if (!run_start(cube, run, start_ns))
		*start_ns = now_ns();
	set_text(facts, s->arena, FACT_START, moment_to_text(start, *start_ns), true);
	set_text(facts, s->arena, FACT_MACHINE, store_machine(facts, s->arena), false);
	set_text(facts, s->arena, FACT_SESSION, s->store.session, true);
	set_text(facts, s->arena, FACT_STATUS, s->store.status, true);
	set_text(facts, s->arena, FACT_LABEL, s->store.label, true);
	set_text(facts, s->arena, FACT_TAG, s->store.tag, true);
	set_text(facts, s->arena, FACT_COMMIT, from_ci(commits), false);
	set_text(facts, s->arena, FACT_BRANCH, from_ci(branches), false);
	return facts;
}

/* Runs of the step set that are ranks of one job are one run of the store. */
struct stored_run {
	struct side *side;
	size_t first, count; /* of side->steps */
	const struct facts *facts;
};

/* The steps of these runs alone. */
static int choose_runs(
	struct settings *s, const struct stored_run *r, struct side *one, struct error *err)
{
	const struct step_set *all = &r->side->steps;
	const size_t from = all->first[r->first], to = all->first[r->first + r->count];
	struct group_options group = s->job.group;
	struct step_set *steps = &one->steps;
	size_t *first = arena_array(s->arena, r->count + 1, sizeof(*first));

	*one = *r->side;
	if (r->count == all->run_count)
		return 0;
	steps->step = all->step + from;
	steps->count = to - from;
	steps->run = all->run + r->first;
	steps->run_count = r->count;
	for (size_t i = 0; i <= r->count; i++)
		first[i] = all->first[r->first + i] - from;
	steps->first = first;
	steps->index_of = arena_array(s->arena, one->self->step_count, sizeof(*steps->index_of));
	memset(steps->index_of, 0xff, one->self->step_count * sizeof(*steps->index_of));
	for (size_t i = 0; i < steps->count; i++)
		steps->index_of[steps->step[i]] = (uint32_t)i;
	group.step_index = steps->index_of;
	one->grouping = (struct grouping){0};
	return grouping_make(one->cube, s->job.rules, &group, one->arena, &one->grouping, err);
}

/* "trace.json: byte 17" of "/home/me/trace.json: byte 17". */
static const char *without_folder(const char *place)
{
	size_t n = place ? strcspn(place, ":") : 0;

	while (n && place[n - 1] != '/')
		n--;
	return place ? place + n : NULL;
}

/* The cube without the folders of the machine that recorded it, or as if its files had no paths at
 * all: what a recording is called by, wherever it is read. */
static void take_paths_out(struct cube *cube, bool all, bool named_by_path, struct arena *arena)
{
	struct run *run = arena_array(arena, cube->run_count, sizeof(*run));
	struct issue *issue = arena_array(arena, cube->issues.count, sizeof(*issue));

	for (size_t i = 0; i < cube->run_count; i++) {
		run[i] = cube->run[i];
		if (all && named_by_path)
			run[i].name = "";
	}
	for (size_t i = 0; i < cube->issues.count; i++) {
		issue[i] = cube->issues.issue[i];
		issue[i].place = all ? NULL : without_folder(issue[i].place);
	}
	cube->run = run;
	cube->issues.issue = issue;
}

static int write_container(struct settings *s, const struct stored_run *r, bool without_paths,
	struct outfile *out, struct error *err)
{
	struct side one;
	struct observation_set set;
	struct cube cube;

	if (choose_runs(s, r, &one, err) < 0 || export_observations(s, &one, &set, err) < 0)
		return -1;
	cube = *one.self;
	cube.facts = (struct fact_lists){0};
	fact_lists_add_file(&cube.facts, s->arena, r->facts, one.label);
	/* Several runs of one file have names of their own. */
	take_paths_out(
		&cube, without_paths, r->side->steps.run_count <= r->side->file_count, s->arena);
	set.cube = &cube;
	return observations_write_obs(&set, NULL, out, err);
}

/* "STORE/START-CONTENTS.obs", the same for the same recording wherever it lies. */
static const char *new_path(struct settings *s, const struct stored_run *r, const char *folder,
	int64_t start_ns, struct error *err)
{
	struct outfile *made = outfile_memory();
	const int status = write_container(s, r, true, made, err);
	char name[STORE_NAME_SIZE];
	size_t n;
	const char *bytes = outfile_data(made, &n);

	store_name(name, start_ns, bytes, n);
	outfile_discard(made);
	return status < 0 ? NULL : arena_printf(s->arena, "%s/%s" SUFFIX, folder, name);
}

/* Puts the run into its file, which appears whole. path NULL: a new one, which is returned; NULL
 * with err set. */
static const char *write_run(struct settings *s, const struct stored_run *r, const char *folder,
	int64_t start_ns, const char *path, struct error *err)
{
	struct outfile *made = outfile_memory(), *out = NULL;
	const char *bytes;
	size_t n;
	int status = write_container(s, r, false, made, err);

	bytes = outfile_data(made, &n);
	if (status == 0 && !path) {
		path = new_path(s, r, folder, start_ns, err);
		status = path ? 0 : -1;
	}
	/* A file of this name has these contents: the run is there. */
	if (status == 0 && folder && access(path, F_OK) == 0) {
		outfile_discard(made);
		return path;
	}
	if (status == 0)
		out = outfile_open(path, err);
	if (out) {
		outfile_write(out, bytes, n);
		status = outfile_commit(out, err);
	}
	outfile_discard(made);
	return out && status == 0 ? path : NULL;
}

static int make_folder(const char *folder, struct error *err)
{
	struct stat status;

	if (mkdir(folder, 0777) == 0 ||
		(errno == EEXIST && stat(folder, &status) == 0 && S_ISDIR(status.st_mode)))
		return 0;
	if (errno != EEXIST)
		return error_set(err, ERROR_OUTPUT, folder, "%s", strerror(errno));
	error_set(err, ERROR_USAGE, folder, "a file, and a store is a folder");
	return error_hint(err, "stepstat record STORE %s", folder);
}

/* Says what is in its place; it is never said before. */
static int say_recorded(const char *path, const struct facts *facts, struct error *err)
{
	const char *name = text_base_name(path);
	struct outfile *out = screen_open(err);

	if (!out)
		return -1;
	outfile_printf(out, "recorded %.*s: %s", (int)(strlen(name) - strlen(SUFFIX)), name,
		facts->machine);
	if (facts->commit)
		outfile_printf(
			out, ", commit %.*s", facts_commit_shown(facts->commit), facts->commit);
	outfile_printf(
		out, facts->session ? ", session %s" : "%s", facts->session ? facts->session : "");
	outfile_printf(out, facts->status ? ", %s\n" : "%s\n", facts->status ? facts->status : "");
	return outfile_commit(out, err);
}

static int record_runs(struct settings *s, struct side *side, const char *folder, struct error *err)
{
	const struct run *run = side->self->run;
	const struct step_set *steps = &side->steps;

	for (size_t r = 0, n; r < steps->run_count; r += n) {
		const struct run *of = &run[steps->run[r]];
		struct stored_run recorded = {side, r, 1, NULL};
		const char *path;
		int64_t start_ns;

		for (n = 1; of->rank && r + n < steps->run_count && run[steps->run[r + n]].rank &&
			    text_equal(run[steps->run[r + n]].name, of->name);)
			n++;
		recorded.count = n;
		recorded.facts = facts_of_run(s, side->self, steps->run[r], &start_ns);
		path = write_run(s, &recorded, folder, start_ns, NULL, err);
		if (!path || say_recorded(path, recorded.facts, err) < 0)
			return -1;
	}
	return 0;
}

static void free_rules(void *rules)
{
	rules_free(rules);
}

/* Everything that the files hold: rules of a configuration file are of reports. */
static struct side *load(
	struct settings *s, const char *const *path, size_t count, struct error *err)
{
	struct side *side;

	if (s->job.rules_given) {
		s->job.rules = rules_new();
		arena_defer(s->arena, free_rules, s->job.rules);
		s->job.rules_given = false;
	}
	s->job.ranks_apart = true;
	side = side_load(&s->job, path, count, err);
	if (side && side_select(side, &s->job, err) == 0)
		return side;
	side_free(side);
	return NULL;
}

static int run_record(struct settings *s, struct error *err)
{
	struct side *side;
	int status;

	if (need_words(s, 2, SIZE_MAX, "STORE INPUT...", err) < 0)
		return -1;
	if (*store_selector(word_at(s, 0))) {
		error_set(err, ERROR_USAGE, word_at(s, 0), "`record` takes a folder, no selector");
		return error_hint(
			err, "--fact=branch=NAME and --tag=NAME say such things of a run");
	}
	side = load(s, (const char *const *)s->job.input.data + 1, s->job.input.count - 1, err);
	if (!side)
		return -1;
	status = make_folder(word_at(s, 0), err);
	if (status == 0) {
		beside_sweep_folder(word_at(s, 0), SUFFIX);
		status = record_runs(s, side, word_at(s, 0), err);
	}
	side_free(side);
	return status;
}

/* ---- list, show ---- */

/* "2026-11-28T03:40:16Z" */
static const char *short_start(const struct store_run *run, struct arena *arena)
{
	const char *start = run->facts.start ? run->facts.start : "";

	return arena_printf(arena, "%.*sZ", (int)strcspn(start, "."), start);
}

static struct cell fact_cell(const struct store_run *run, enum fact_id id)
{
	char number[FACT_NUMBER_BYTES];

	return cell_text(facts_text(&run->facts, id, number));
}

static void add_runs(
	struct report *report, struct table *table, const struct store *store, bool is_short)
{
	static const struct column columns[] = {{.stat = "run"}, {.stat = "start", .drop = 2},
		{.stat = "session", .align = ALIGN_RIGHT}, {.stat = "machine", .shorten = true},
		{.stat = "commit"}, {.stat = "branch", .drop = 1}, {.stat = "status"},
		{.stat = "tag"}, {.stat = "label", .drop = 3}};

	report_add_columns(report, table, NULL, columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = store->count; i-- > 0;) {
		const struct store_run *run = &store->run[i];
		const char *session = arena_printf(report->arena, "%u", (unsigned)run->session + 1);
		const char *commit = run->facts.commit;

		if (run->facts.session)
			session = run->facts.session;
		if (commit && is_short)
			commit = arena_strndup(
				report->arena, commit, (size_t)facts_commit_shown(commit));
		report_add_cells(report, table,
			(const struct cell[]){cell_text(run->name),
				is_short ? cell_text(short_start(run, report->arena))
					 : fact_cell(run, FACT_START),
				cell_text(session), fact_cell(run, FACT_MACHINE), cell_text(commit),
				fact_cell(run, FACT_BRANCH), fact_cell(run, FACT_STATUS),
				fact_cell(run, FACT_TAG), fact_cell(run, FACT_LABEL)});
	}
}

static int run_list(struct settings *s, struct error *err)
{
	struct store store;
	struct report *report;
	int status;

	if (need_words(s, 1, 1, "STORE", err) < 0 ||
		store_open(word_at(s, 0), s->arena, &store, err) < 0)
		return -1;
	report = report_new("list");
	report_heading(report, "%s: %s in %s", store.folder,
		arena_count(s->arena, store.count, "run"),
		arena_count(s->arena, store_sessions(&store, NULL), "session"));
	add_runs(report, &report->display, &store, true);
	add_runs(report, &report->data, &store, false);
	if (store.unreadable_count)
		report_note(report, "!", NULL, "%s could not be read (first: %s: %s)",
			arena_count(s->arena, store.unreadable_count, "file"),
			text_base_name(store.unreadable->path), store.unreadable->reason);
	status = report_output_write(s, report, err);
	report_free(report);
	return status;
}

/* The one run that the word names. */
static int one_run(struct settings *s, struct store *store, const char *word, struct error *err)
{
	if (store_choose(store, word, NULL, s->arena, err) < 0)
		return -1;
	if (store->count == 1)
		return 0;
	error_set(err, ERROR_USAGE, word, "%zu runs, the first %s, the last %s", store->count,
		store->run[0].name, store->run[store->count - 1].name);
	return error_hint(err, "more of the name, or last=1");
}

static void add_facts(struct report *report, struct table *table, const struct store_run *run)
{
	static const struct column columns[] = {{.stat = "fact"}, {.stat = "value"}};
	char number[FACT_NUMBER_BYTES];

	report_add_columns(report, table, NULL, columns, sizeof(columns) / sizeof(*columns));
	for (enum fact_id id = 0; id < FACT_COUNT; id++) {
		const char *text = facts_text(&run->facts, id, number);

		if (text)
			report_add_cells(report, table,
				(const struct cell[]){cell_text(fact_name(id)),
					cell_text(arena_strdup(report->arena, text))});
	}
}

static int run_show(struct settings *s, struct error *err)
{
	struct store store;
	struct report *report;
	struct text path;
	int status;

	if (need_words(s, 2, 2, "STORE RUN", err) < 0 ||
		store_open(word_at(s, 0), s->arena, &store, err) < 0 ||
		one_run(s, &store, word_at(s, 1), err) < 0)
		return -1;
	report = report_new("show");
	report_heading(report, "%s", store.run->path);
	add_facts(report, &report->display, store.run);
	add_facts(report, &report->data, store.run);
	text_init(&path);
	text_add_quoted(&path, store.run->path);
	report_footer(report, "its ops: stepstat %s", text_string(&path));
	text_release(&path);
	status = report_output_write(s, report, err);
	report_free(report);
	return status;
}

/* ---- prune, tag ---- */

/* "200" or "90d". */
static int read_keep(const struct settings *s, int64_t *runs, int64_t *since_ns, struct error *err)
{
	const char *text = s->store.keep;
	const size_t n = text ? strspn(text, "0123456789") : 0;
	const bool days = text && text_equal(text + n, "d");
	int64_t number;

	*runs = *since_ns = INT64_MAX;
	if (n && (days || !text[n]) && number_parse_int(text, n, &number) && number > 0 &&
		number < INT64_MAX / DAY_NS) {
		if (days)
			*since_ns = now_ns() - number * DAY_NS;
		else
			*runs = number;
		return 0;
	}
	error_set(err, ERROR_USAGE, "--keep", "expected a number of runs or of days, found \"%s\"",
		text ? text : "");
	return error_hint(err, "--keep=200: the last 200 of each machine and branch; --keep=90d");
}

static bool same_text(const char *a, const char *b)
{
	return text_equal(a ? a : "", b ? b : "");
}

/* 0: it stays, since somebody has tagged it by now. */
static int remove_run(struct settings *s, struct store_run *run, struct error *err)
{
	int fd, there = store_lock(run, s->arena, &fd, err), status = 1;

	if (there <= 0)
		return there < 0 ? -1 : 1;
	if (run->facts.tag)
		status = 0;
	else if (unlink(run->path) != 0 && errno != ENOENT)
		status = error_set(err, ERROR_OUTPUT, run->path, "%s", strerror(errno));
	close(fd);
	return status;
}

static int run_prune(struct settings *s, struct error *err)
{
	int64_t keep, since_ns;
	struct outfile *out;
	struct store store;
	size_t gone = 0;

	if (need_words(s, 1, 1, "STORE", err) < 0 || read_keep(s, &keep, &since_ns, err) < 0 ||
		store_open(word_at(s, 0), s->arena, &store, err) < 0)
		return -1;
	out = screen_open(err);
	if (!out)
		return -1;
	if (!s->store.dry_run)
		beside_sweep_folder(store.folder, SUFFIX);
	for (size_t i = 0; i < store.count; i++) {
		struct store_run *run = &store.run[i];
		int64_t later = 0;
		int removed;

		for (size_t k = i + 1; k < store.count && later < keep; k++)
			later += same_text(run->facts.machine, store.run[k].facts.machine) &&
				 same_text(run->facts.branch, store.run[k].facts.branch);
		if (run->facts.tag ||
			(keep != INT64_MAX ? later < keep : run->start_ns >= since_ns))
			continue;
		if (s->store.dry_run)
			outfile_printf(out, "%s\n", run->name);
		removed = s->store.dry_run ? 1 : remove_run(s, run, err);
		if (removed < 0) {
			outfile_discard(out);
			return -1;
		}
		gone += (size_t)removed;
	}
	outfile_printf(out,
		s->store.dry_run ? "%s would be removed, %zu would stay\n"
				 : "%s removed, %zu stay\n",
		arena_count(s->arena, gone, "run"), store.count - gone);
	return outfile_commit(out, err);
}

/* The list without the item, or with it at the end. */
static const char *change_list(const char *list, const char *item, bool remove, struct arena *arena)
{
	const char *out = NULL;

	for (const char *at = list ? list : ""; *at;) {
		const char *end = strstr(at, ", ");
		const char *one = end ? arena_strndup(arena, at, (size_t)(end - at))
				      : arena_strdup(arena, at);

		if (!text_equal(one, item))
			out = out ? arena_printf(arena, "%s, %s", out, one) : one;
		at = end ? end + 2 : at + strlen(at);
	}
	if (remove)
		return out;
	return out ? arena_printf(arena, "%s, %s", out, item) : item;
}

static int write_tag(
	struct settings *s, const struct store_run *run, const char *name, struct error *err)
{
	struct side *side = load(s, &run->path, 1, err);
	struct stored_run recorded = {side, 0, 0, NULL};
	struct facts facts = run->facts;
	const char *path = NULL;

	if (!side)
		return -1;
	facts.tag = change_list(facts.tag, name, s->store.remove_tag, s->arena);
	recorded.count = side->steps.run_count;
	recorded.facts = &facts;
	output_guard_forget_inputs(); /* it is in memory, and replaces itself */
	path = write_run(s, &recorded, NULL, 0, run->path, err);
	side_free(side);
	return path ? 0 : -1;
}

/* 1; 0: the run is gone. */
static int tag_run(struct settings *s, struct store_run *run, const char *name, struct error *err)
{
	int fd, there = store_lock(run, s->arena, &fd, err);

	if (there <= 0)
		return there;
	there = write_tag(s, run, name, err) < 0 ? -1 : 1;
	close(fd);
	return there;
}

static int run_tag(struct settings *s, struct error *err)
{
	struct outfile *out;
	struct store store;
	const char *name;
	size_t tagged = 0;

	if (need_words(s, 3, 3, "STORE RUN NAME", err) < 0 ||
		store_open(word_at(s, 0), s->arena, &store, err) < 0 ||
		store_choose(&store, word_at(s, 1), NULL, s->arena, err) < 0)
		return -1;
	name = word_at(s, 2);
	if (!*name || strpbrk(name, ",:="))
		return error_set(err, ERROR_USAGE, name, "a tag has no comma, colon or =");
	for (size_t i = 0; i < store.count; i++) {
		const int there = tag_run(s, &store.run[i], name, err);

		if (there < 0)
			return -1;
		tagged += (size_t)there;
	}
	out = screen_open(err);
	if (!out)
		return -1;
	outfile_printf(out, "%s: tag %s %s %s\n", store.folder, name,
		s->store.remove_tag ? "taken off" : "on", arena_count(s->arena, tagged, "run"));
	return outfile_commit(out, err);
}

#define STORE_ABOUT                                                                                \
	"A store is a plain folder with a file for each run (.obs): on a disk, in a branch of "    \
	"git, "                                                                                    \
	"in the cache\nof a CI. Several may write at once; copies merge by copying files."

const struct command command_record = {
	.name = "record",
	.letter = 'K',
	.arguments = "STORE INPUT...",
	.summary = "keep runs in a store, with machine, session, commit and outcome",
	.about = STORE_ABOUT " Commit and branch are those of the CI (GitHub, GitLab, Jenkins)\nor "
			     "--fact=commit=ID; the machine is this one unless the input or "
			     "--fact=machine=NAME says another. Record\nevery run, red ones too: "
			     "what is left out makes the noise look smaller than it is.",
	.examples = "  stepstat record perf-store run1.json --session=nightly-17\n"
		    "  stepstat record perf-store new/ --status=$? --fact=branch=main\n",
	.run = run_record,
	.shows_all_rows = true,
};

const struct command command_list = {
	.name = "list",
	.letter = 'L',
	.arguments = "STORE",
	.summary = "the runs of a store, newest first",
	.about = STORE_ABOUT "\nSTORE:last=20, :tag=NAME, :commit=ID, :branch=NAME and "
			     ":machine=NAME choose; a comma joins them.",
	.examples = "  stepstat list perf-store\n"
		    "  stepstat list perf-store:branch=main,last=30 -o runs.csv\n",
	.run = run_list,
};

const struct command command_show = {
	.name = "show",
	.letter = 'W',
	.arguments = "STORE RUN",
	.summary = "what is known of a recorded run",
	.about = "RUN is the beginning of its name, a tag, the beginning of a commit, or last=1.",
	.examples = "  stepstat show perf-store 20261128T0340\n"
		    "  stepstat show perf-store last=1\n",
	.run = run_show,
};

const struct command command_prune = {
	.name = "prune",
	.letter = 'P',
	.arguments = "STORE",
	.summary = "remove old runs from a store; runs with a tag stay",
	.about = "Also removes what killed writers left.",
	.examples = "  stepstat prune perf-store --keep=200 --dry-run\n"
		    "  stepstat prune perf-store:branch=topic --keep=30d\n",
	.run = run_prune,
};

const struct command command_tag = {
	.name = "tag",
	.letter = 'U',
	.arguments = "STORE RUN NAME",
	.summary = "tag runs of a store, to compare with them later",
	.about = "RUN as in stepstat show, or several: commit=ID, last=10, tag=NAME. Ten sessions "
		 "of a release under one\ntag are a reference that stays: gate "
		 "--base=STORE:tag=NAME.",
	.examples = "  stepstat tag perf-store commit=df88b71c v1.0\n"
		    "  stepstat tag perf-store v1.0 v1.0 --remove\n",
	.run = run_tag,
};
