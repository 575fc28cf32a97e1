/* Chooses recorded runs as the base of a gate, and words what they are. */
#include "cli/gate_store.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/gate/base_level.h"
#include "base/day.h"
#include "base/text.h"
#include "cli/cmd_store.h"
#include "model/sessions.h"
#include "report/build.h"
#include "report/recorded/build_recorded.h"

#define NAMED_MOST 3 /* rows that a sentence names */

/* ---- which runs ---- */

/* A store before its first run; names that begin with a dot do not count. */
static bool is_empty_folder(const char *path)
{
	DIR *dir = opendir(path);
	const struct dirent *entry;
	bool empty = dir != NULL;

	while (empty && (entry = readdir(dir)))
		empty = entry->d_name[0] == '.';
	if (dir)
		closedir(dir);
	return empty;
}

static int push(struct vec *words, const char *word, struct error *err)
{
	const char **slot = vec_push(words, err);

	if (!slot)
		return -1;
	*slot = word;
	return 0;
}

/* Moves the words of --base that are no stores to new; "gate STORE NEW" is "gate --base=STORE NEW",
 * of two stores each is a side. Returns how many are stores. */
static size_t part_words(struct settings *s, const char *store[2], struct error *err)
{
	struct compare_settings *c = &s->job.compare;
	struct vec *from = c->base.count ? &c->base : &s->job.input;
	const char *const *word = from->data;
	size_t stores = 0;

	if (from == &s->job.input &&
		(c->new_side.count || from->count != 2 || !store_is(word[0]) || store_is(word[1])))
		return 0;
	for (size_t i = 0; i < from->count; i++)
		if (store_is(word[i]) || *store_selector(word[i]) ||
			(i == 0 && is_empty_folder(word[i]))) {
			if (stores < 2)
				store[stores] = word[i];
			stores++;
		} else if (stores && push(&c->new_side, word[i], err) < 0)
			break;
	s->job.input.count = from == &s->job.input ? 0 : s->job.input.count;
	return stores;
}

struct gate_store *gate_store_new(struct settings *s, struct error *err)
{
	const char *store[2] = {NULL, NULL};
	const size_t stores = part_words(s, store, err);
	struct gate_store *g;

	if (!stores)
		return NULL;
	g = arena_alloc(s->arena, sizeof(*g));
	*g = (struct gate_store){s, .base = store[0], .reference = store[1]};
	if (stores > 2)
		error_set(err, ERROR_USAGE, "--base",
			"%zu stores: one is the base, a second one the reference", stores);
	return g;
}

/* The start of new; false: not known. */
static bool start_of(const struct cube *cube, int64_t *start_ns)
{
	bool known = false;
	int64_t ns;

	for (size_t r = 0; r < cube->run_count; r++)
		if (run_start(cube, r, &ns) && (!known || ns < *start_ns)) {
			*start_ns = ns;
			known = true;
		}
	return known;
}

/* may_pass: more runs will mend it, so that --first=pass applies. */
static int lacks(struct gate_store *g, const char *why, bool may_pass, struct error *err)
{
	struct arena *arena = g->settings->arena;

	g->lack = may_pass ? why : NULL;
	error_set(err, ERROR_INPUT, NULL, "insufficient%s: %s",
		g->of_reference ? arena_printf(arena, " reference %s", g->reference) : "", why);
	if (may_pass)
		return error_hint(err,
			"stepstat record %s INPUT adds a run; --first=pass lets it pass until "
			"there are enough",
			g->folder);
	if (g->unreadable)
		return error_hint(err, "remove what cannot be read, or copy it again");
	return error_hint(err,
		"%s has enough runs: a larger last=N, or the right start of new, reaches them",
		g->folder);
}

static const char *sessions_lack(const struct gate_store *g, size_t sessions, size_t runs)
{
	struct arena *arena = g->settings->arena;
	const char *others = "";

	if (g->of_others)
		others = arena_printf(
			arena, " (%s of other machines)", arena_count(arena, g->of_others, "run"));
	if (g->later)
		others = arena_printf(arena, "%s (%zu %s not before the start of new, %s)", others,
			g->later, g->later == 1 ? "is" : "are", g->start);
	if (g->unreadable)
		others = arena_printf(arena, "%s; %s", others, g->unreadable);
	if (!runs)
		return arena_printf(arena, "no %srecorded run of %s%s", g->later ? "earlier " : "",
			g->machine, others);
	return arena_printf(arena, "%s in %s of %s, %d sessions are the least%s",
		arena_count(arena, runs, "run"), arena_count(arena, sessions, "session"),
		g->machine, COMPARE_SESSIONS_LEAST, others);
}

/* Keeps runs of the machine that were recorded before new and not before a change of level. */
static void keep_runs(void *context, struct store *store)
{
	struct gate_store *g = context;
	char start[MOMENT_TEXT_SIZE];
	int64_t start_ns = INT64_MAX;
	size_t kept = 0;

	if (start_of(g->new_side, &start_ns))
		g->start = arena_strdup(g->settings->arena, moment_to_text(start, start_ns));
	g->of_others = g->later = 0;
	for (size_t i = 0; i < store->count; i++) {
		const struct store_run *run = &store->run[i];
		const bool others =
			!run->facts.machine || !text_equal(run->facts.machine, g->machine);

		g->of_others += others;
		g->later += !others && run->start_ns >= start_ns;
		if (!others && run->start_ns < start_ns && run->start_ns >= g->since_ns)
			store->run[kept++] = *run;
	}
	store->count = kept;
}

static int choose_base(
	void *context, const struct side *new_side, struct vec *base, struct error *err)
{
	struct gate_store *g = context;
	struct arena *arena = g->settings->arena;
	const char *text = *(const char *const *)vec_at(base, 0);
	const char *selector = store_selector(text);
	const struct store_filter filter = {keep_runs, g};
	struct store store;
	size_t sessions, of_machine;

	g->folder = arena_strndup(arena, text, (size_t)(selector - text));
	g->lack = g->unreadable = NULL;
	g->new_side = new_side->self;
	if (store_read(g->folder, arena, &store, err) < 0) {
		const char *why = arena_strdup(arena, err->message);

		error_set(err, ERROR_INPUT, NULL, "insufficient: no store %s: %s", g->folder, why);
		return error_hint(err, "stepstat record %s INPUT... makes a store", g->folder);
	}
	if (store.unreadable_count)
		g->unreadable = arena_printf(arena,
			"%zu of %zu files of %s cannot be read (%s: %s)", store.unreadable_count,
			store.unreadable_count + store.count, g->folder,
			text_base_name(store.unreadable->path), store.unreadable->reason);
	g->machine = store_machine(
		new_side->self->run_count ? new_side->self->run[0].facts : NULL, arena);
	of_machine = store_sessions(&store, g->machine);
	if (!*selector || !store.count)
		keep_runs(g, &store);
	else if (store_choose(&store, selector + 1, &filter, arena, err) < 0) {
		if (err->kind == ERROR_INPUT && !g->unreadable && /* none is left */
			of_machine < COMPARE_SESSIONS_LEAST)
			g->lack = arena_strdup(arena, err->message);
		return -1;
	}
	sessions = store_sessions(&store, NULL);
	g->runs = store.count;
	if (sessions < COMPARE_SESSIONS_LEAST)
		return lacks(g, sessions_lack(g, sessions, store.count),
			!g->unreadable && of_machine < COMPARE_SESSIONS_LEAST, err);
	base->count = 0;
	for (size_t i = 0; i < store.count; i++)
		if (push(base, store.run[i].path, err) < 0)
			return -1;
	return 0;
}

struct two_sides *gate_store_load(struct gate_store *g, const char *base, struct error *err)
{
	struct compare_settings *c = &g->settings->job.compare;
	struct two_sides *v;

	g->of_reference = base == g->reference;
	g->start = NULL;
	c->base.count = 0;
	if (push(&c->base, base, err) < 0)
		return NULL;
	c->by_sessions = true;
	c->base_from = choose_base;
	c->base_context = g;
	v = two_sides_load(&g->settings->job, err);
	if (v)
		v->base->label = arena_printf(v->base->arena, "%s", base);
	return v;
}

/* True if a run of base has all values of this run of new. */
static bool is_run_of_base(const struct comparison *c, size_t new_run)
{
	const struct run_table *base = &c->measure[0].base;

	for (size_t r = 0; r < base->runs; r++) {
		bool equal = c->count > 0;

		for (size_t i = 0; i < c->count && equal; i++) {
			const struct run_row *b = c->row[i].value[0].base,
					     *n = c->row[i].value[0].new;

			equal = b && n && b->run[r].value == n->run[new_run].value;
		}
		if (equal)
			return true;
	}
	return false;
}

void gate_store_find_new(const struct gate_store *g, struct two_sides *v)
{
	struct comparison *c = &v->comparison;
	size_t found = 0;

	if (g->start)
		return;
	for (size_t r = 0; r < c->measure[0].new.runs; r++)
		found += is_run_of_base(c, r);
	c->new_is_base |= found > 0;
}

/* ---- levels of the base ---- */

static const char *row_words(const struct two_sides *v, const struct run_row *row)
{
	return row			  ? row->group->name
	       : v->comparison.benchmarks ? "the sum of the rows"
					  : "the step";
}

/* A session of base by its first run. */
static const char *session_words(const struct two_sides *v, size_t session, struct arena *arena)
{
	const struct compare_sessions *of = v->options.sessions;
	size_t r = 0;

	while (r + 1 < of->base_runs && of->base[r] != session)
		r++;
	return phrase_session(arena, &v->base->self->run[v->base->steps.run[r]]);
}

bool gate_store_splits(struct gate_store *g, const struct two_sides *v)
{
	const struct compare_sessions *of = v->options.sessions;
	struct arena *arena = g->settings->arena;
	char start[MOMENT_TEXT_SIZE];
	struct base_level level;
	int64_t since_ns = INT64_MAX, ns;

	if (!base_level_find(&v->comparison.measure[0], of, v->options.rule.alpha, &level))
		return false;
	for (size_t r = 0; r < of->base_runs; r++)
		if (of->base[r] >= level.session &&
			run_start(v->base->self, v->base->steps.run[r], &ns) && ns < since_ns)
			since_ns = ns;
	if (since_ns == INT64_MAX || since_ns <= g->since_ns)
		return false;
	g->since_ns = since_ns;
	if (g->drifting && text_equal(g->drifting, row_words(v, level.row)))
		return true; /* the rest of a line has no step either */
	g->drifting = level.drifts ? arena_strdup(arena, row_words(v, level.row)) : NULL;
	if (level.drifts)
		g->level = arena_printf(arena,
			"%s of base drifts, %+.1f %% over %zu sessions: a line, no step, so that "
			"no commit is to blame; runs before %.16sZ are left out",
			row_words(v, level.row), 100 * level.change, of->base_count,
			moment_to_text(start, since_ns));
	else if (!level.steps)
		g->level = arena_printf(arena,
			"%s of base is %+.1f %% from %.16sZ on, no more than its sessions wander, "
			"so that no commit is to blame; runs before it are left out",
			row_words(v, level.row), 100 * level.change,
			moment_to_text(start, since_ns));
	else
		g->level = arena_printf(arena,
			"%s of base changed by %+.1f %% with %s: runs before it are left out",
			row_words(v, level.row), 100 * level.change,
			session_words(v, level.session, arena));
	return true;
}

/* ---- words ---- */

void gate_store_describe(
	const struct gate_store *g, const struct two_sides *v, struct report *report)
{
	const struct compare_sessions *of = v->options.sessions;
	double seen, red;
	const struct compared_measure *measure = &v->comparison.measure[0];
	struct session_findings found;

	base_sees(&v->comparison, &seen, &red);
	report_answer(report, "Base: %s in %s of %s%s%s.",
		arena_count(report->arena, of->base_runs, "run"),
		arena_count(report->arena, of->base_count, "session"), g->machine,
		isnan(seen) ? "" : "; a change of the typical row is seen in 80 % of cases from ",
		isnan(seen) ? ""
			    : arena_printf(report->arena, "%+.1f %% on, and red from %+.1f %% on",
				      100 * seen, 100 * red));
	if (g->level)
		report_note(report, "!", "--base=STORE:last=N", "%s", g->level);
	base_findings_make(measure, of, &found);
	report_note_sessions(report, &found,
		(const char *const[]){row_words(v, base_row(measure, found.apart_row)),
			row_words(v, base_row(measure, found.groups_row))},
		session_words(v, found.apart, report->arena));
	if (g->unreadable)
		report_note(report, "!", NULL, "%s", g->unreadable);
	if (g->of_others)
		report_note(report, NULL, NULL, "%s of other machines %s not in the base",
			arena_count(report->arena, g->of_others, "run"),
			g->of_others == 1 ? "is" : "are");
}

/* Which exit status of a gate prevails. */
static int severity(int exit_status)
{
	return exit_status == 1 ? 3 : exit_status == 3 ? 2 : exit_status == 4;
}

/* A check that is red against the reference fails, too, under a name that says against what. */
static void add_red_checks(
	const struct gate_store *g, const struct report *own, struct report *report)
{
	for (size_t i = 0; i < own->check_count; i++) {
		struct check check = own->check[i];

		if (check.status != CHECK_FAILED)
			continue;
		check.name =
			arena_printf(report->arena, "%s, against %s", check.name, g->reference);
		if (check.subject)
			check.subject = arena_strdup(report->arena, check.subject);
		if (check.verdict)
			check.verdict = arena_strdup(report->arena, check.verdict);
		report_check(report, &check, "%s", check.message);
	}
}

void gate_store_add_reference(const struct gate_store *g, const struct two_sides *v,
	const struct gate *gate, const struct report *own, struct report *report, int *status)
{
	const char *words = own->result, *said;
	const int kind = (int)strcspn(words, ":");
	const struct comparison *c = &v->comparison;
	const struct compare_sessions *of = v->options.sessions;
	size_t red = 0;
	struct text names;

	text_init(&names);
	for (size_t i = 0; i < c->count; i++) {
		const struct compared *value = &c->row[i].value[0];

		if (!gate_is_red(gate->policies, value) || red++ >= NAMED_MOST)
			continue;
		text_printf(&names, "%s%s %+.1f %% [%+.1f, %+.1f]", names.size ? ", " : "",
			c->row[i].name, 100 * value->change, 100 * value->low, 100 * value->high);
	}
	said = red			     ? phrase_visible(report->arena, text_string(&names))
	       : gate->exit_status == 1	     ? "the step is red"
	       : severity(gate->exit_status) ? words
					     : "green";
	text_release(&names);
	report_answer(report, "Reference %s, %s in %s: %s", g->reference,
		arena_count(report->arena, of->base_runs, "run"),
		arena_count(report->arena, of->base_count, "session"), said);
	add_red_checks(g, own, report);
	if (severity(gate->exit_status) <= severity(*status))
		return;
	*status = gate->exit_status;
	if (*status == 1) {
		words = arena_printf(report->arena, "red: %s", said);
		report->tone = TONE_WORSE;
		report->answer[0] = arena_printf(report->arena,
			"Against the reference %s: %s; against the base: %s", g->reference, said,
			report->answer[0]);
	}
	report_result(report, *status, "%.*s: against the reference %s%s", kind, words,
		g->reference, words + strcspn(words, ":"));
}

void gate_store_pass_reference(const struct gate_store *g, struct report *report, const int *status)
{
	report_answer(report, "Reference %s: not judged, %s", g->reference, g->lack);
	report_result(report, *status, "%s; not judged against the reference %s, %s",
		report->result, g->reference, g->lack);
}

struct report *gate_store_first(const struct gate_store *g)
{
	struct report *report = report_new("gate");

	report_result(report, 0, "green: not judged, %s", g->lack);
	report_check(report,
		&(struct check){.name = "gate", .subject = "result", .status = CHECK_SKIPPED}, "%s",
		g->lack);
	return report;
}
