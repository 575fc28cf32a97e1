/* stepstat gate: red or green for a CI, by the verdicts of a comparison. */
#include <math.h>
#include <string.h>
#include <time.h>
#include "analysis/gate/findings.h"
#include "analysis/gate/policies_diff.h"
#include "analysis/run_stability.h"
#include "base/day.h"
#include "base/intern.h"
#include "base/text.h"
#include "cli/ab_reads.h"
#include "cli/explain.h"
#include "cli/gate_store.h"
#include "cli/options/command.h"
#include "cli/options/input_lines.h"
#include "cli/report_output.h"
#include "cli/screen.h"
#include "model/sessions.h"
#include "pipeline/report_choices.h"
#include "pipeline/two_sides.h"
#include "report/compare/build_compare.h"
#include "report/compare/build_gate.h"

/* Sets the policies: a value of the command line has precedence over that of the file under
 * `gate`. */
static int set_policies(const struct settings *s, struct policies *policies, struct error *err)
{
	const struct compare_settings *c = &s->job.compare;
	const struct {
		const char *key, *text, *place;
	} given[] = {
		{"relative", c->margin_text && !(c->options.rule.margin_relative > 0) ? "0%" : NULL,
			"--margin"},
		{"margin", c->margin_text, "--margin"},
		{"alpha", c->alpha_text, "--alpha"},
		{"fail_on", c->fail_on_text, "--fail-on"},
		{"blind", c->blind_text, "--blind"},
		{"lost", c->lost_text, "--lost"},
		{"allow_loss", c->allow_loss_text, "--allow-loss"},
	};

	for (size_t i = 0; i < sizeof(given) / sizeof(*given); i++)
		if (given[i].text && policies_set(policies, given[i].key, given[i].text,
					     given[i].place, err) < 0)
			return -1;
	return s->config ? policies_read_memory(
				   policies, s->config_bytes, s->config_size, s->config, err)
			 : 0;
}

/* A change that a gate by recorded sessions must be able to show where nobody told it a margin: of
 * twice 2 % no machine but the quietest one shows anything. */
#define STORE_SHOWS 0.10

static int set_store_policies(
	const struct settings *s, struct policies *policies, struct error *err)
{
	if (set_policies(s, policies, err) < 0)
		return -1;
	policies_set_shown(policies, STORE_SHOWS);
	return 0;
}

/* Adds a note about the changes that the file replaced by --policy-from would make. The file is not
 * in use, so its mistakes are no error. */
static void note_replaced(
	const struct settings *s, struct policies *in_force, struct report *report)
{
	struct policies *other;
	struct settings with = *s;
	struct error err = {.kind = ERROR_NONE};
	struct text changes;

	if (!s->replaced_config)
		return;
	other = policies_new();
	with.config = s->replaced_config;
	with.config_bytes = s->replaced_bytes;
	with.config_size = s->replaced_size;
	text_init(&changes);
	if (set_policies(&with, other, &err) < 0)
		text_printf(&changes, "cannot be read: %s", err.message);
	else
		policies_diff(in_force, other, &changes);
	if (!changes.size)
		text_add(&changes, "rules or settings, no policy");
	if (s->replaced_size != s->config_size ||
		memcmp(s->replaced_bytes, s->config_bytes, s->config_size) != 0)
		report_note(report, "!", "--policy-from",
			"the policies are those of %s; %s is not in force and %s%s", s->config,
			s->replaced_config, err.kind == ERROR_NONE ? "would change: " : "",
			phrase_visible(report->arena, text_string(&changes)));
	text_release(&changes);
	policies_free(other);
}

struct gate_job {
	struct settings *settings;
	struct gate_store *store; /* NULL: base is none */
	struct two_sides *sides;
	struct policies *policies;
	struct job_settings given; /* as they were before the first comparison */
	struct build_options build;
};

/* Names of the runs of the other side that this side lacks; NULL: none. */
static const char *missing_runs(
	const struct cube *side, const struct cube *other, struct arena *arena)
{
	const char **name = arena_array(arena, other->run_count, sizeof(*name));
	struct intern *names = intern_new(arena);
	size_t n = 0;

	for (size_t i = 0; i < side->run_count; i++)
		intern_copy(names, text_base_name(side->run[i].name));
	for (size_t i = 0; i < other->run_count; i++) {
		const char *own = text_base_name(other->run[i].name);
		uint32_t id;

		if (!intern_find(names, own, strlen(own), &id))
			name[n++] = phrase_visible(arena, own);
	}
	return n ? phrase_list(arena, name, n) : NULL;
}

static int decide(struct gate_job *job, struct gate *gate, struct error *err)
{
	struct two_sides *v = job->sides;
	int32_t day = job->settings->job.compare.today;

	if (day == INT32_MIN && !day_from_seconds((int64_t)time(NULL), &day))
		day = 0;
	struct gate_input input = {.comparison = &v->comparison,
		.compare = &v->options,
		.policies = job->policies,
		.today = day,
		.not_whole = {issue_list_find(&v->base->self->issues, "not-whole"),
			issue_list_find(&v->new_side->self->issues, "not-whole")},
		.missing = {missing_runs(v->base->self, v->new_side->self, v->arena),
			missing_runs(v->new_side->self, v->base->self, v->arena)}};

	if (gate_decide(&input, v->arena, gate, err) < 0)
		return -1;
	if (gate->too_blind && v->options.value.kind == RUN_VALUE_MEAN) {
		const bool by_step_time = v->comparison.step_times == STEP_TIMES_DECIDE;
		struct steadiness base, new_side;

		steadiness_find(&v->base_runs.run, by_step_time, v->arena, &base);
		steadiness_find(&v->new_runs.run, by_step_time, v->arena, &new_side);
		gate->outliers = steadiness_outliers_dominate(&base, &new_side);
	}
	return 0;
}

/* Base and new are compared again until the base has one level. */
#define LEVELS_MOST 5
static int compare(struct gate_job *job, struct error *err);

static int load_store(struct gate_job *job, const char *base, struct error *err)
{
	struct settings *s = job->settings;
	const struct job_settings given = s->job;

	for (size_t i = 0;; i++) {
		const struct vec words = s->job.compare.base;

		s->job = given;
		s->job.compare.base = words; /* it may have grown */
		job->sides = gate_store_load(job->store, base, err);
		if (!job->sides || compare(job, err) < 0)
			return -1;
		gate_store_find_new(job->store, job->sides);
		if (i == LEVELS_MOST || job->sides->comparison.new_is_base ||
			!gate_store_splits(job->store, job->sides))
			return 0;
		two_sides_free(job->sides);
		job->sides = NULL;
	}
}

/* True if the store is lacking and may be. */
static bool passes_first(const struct gate_job *job)
{
	const char *first = job->settings->job.compare.first_text;

	return job->store->lack && first && text_equal(first, "pass");
}

static int add_reference(struct gate_job *job, struct gate_job *reference, struct report *report,
	int *status, struct error *err)
{
	struct two_sides *v;
	struct report *own;
	struct gate gate;

	if (load_store(reference, job->store->reference, err) < 0) {
		if (!passes_first(job))
			return -1;
		*err = (struct error){.kind = ERROR_NONE};
		gate_store_pass_reference(job->store, report, status);
		return 0;
	}
	v = reference->sides;
	if (report_choices_make(&job->settings->job, v->base, &reference->build, err) < 0 ||
		decide(reference, &gate, err) < 0)
		return -1;
	own = report_new("gate");
	build_gate_result(
		own, &v->comparison, &v->options, reference->policies, &gate, &reference->build);
	gate_store_add_reference(job->store, v, &gate, own, report, status);
	report_free(own);
	return 0;
}

/* Judges new against the reference, too, with the same policies. */
static int judge_reference(
	struct gate_job *job, struct report *report, int *status, struct error *err)
{
	struct gate_store of_base = *job->store;
	struct gate_job reference = {
		.settings = job->settings, .store = job->store, .policies = policies_new()};
	struct job_settings given = job->settings->job;
	int result = -1;

	job->store->since_ns = 0;
	job->store->drifting = NULL;
	if (set_store_policies(job->settings, reference.policies, err) == 0) {
		job->settings->job = job->given;
		job->settings->job.compare.base = given.compare.base;
		result = add_reference(job, &reference, report, status, err);
	}
	two_sides_free(reference.sides);
	policies_free(reference.policies);
	given.compare.base = job->settings->job.compare.base; /* it may have grown */
	job->settings->job = given;
	*job->store = of_base;
	return result;
}

/* Report of the gate; --explain changes its rows, not the findings of the gate. */
static struct report *make_report(struct gate_job *job, int *status, struct error *err)
{
	struct two_sides *v = job->sides;
	bool explains = job->settings->job.compare.explain != NULL;
	struct report *report;
	struct gate gate;

	if (decide(job, &gate, err) < 0)
		return NULL;
	report = explains ? two_sides_explain(v, &job->settings->job, &job->build, err)
			  : build_comparison(&v->base_runs, &v->new_runs, &v->comparison,
				    &v->options, &job->build, &gate);
	if (!report)
		return NULL;
	report->command = "gate";
	if (job->store)
		gate_store_describe(job->store, v, report);
	(explains ? build_gate_result : build_gate)(
		report, &v->comparison, &v->options, job->policies, &gate, &job->build);
	*status = gate.exit_status;
	if (job->store && job->store->reference && judge_reference(job, report, status, err) < 0) {
		report_free(report);
		return NULL;
	}
	return report;
}

/* Prints the name of the file that set the policies to standard error, where no output can name
 * it. */
static void print_policies(struct settings *s)
{
	bool is_hidden = s->explain_inputs || (s->to && text_equal(s->to->name, "csv"));

	for (size_t i = 0; i < s->output.count; i++)
		is_hidden |= text_ends(*(const char *const *)vec_at(&s->output, i), ".csv");
	if (s->config && is_hidden)
		diagnostic_line("stepstat: gate: policies and settings of ",
			arena_printf(s->arena, "%s, SHA-256 %.*s", s->config, POLICY_DIGITS,
				s->config_sha256));
}

/* Prints the result to standard error after --explain-inputs, which replaces the report. */
static int print_result(struct gate_job *job, struct error *err)
{
	struct two_sides *v = job->sides;
	struct report *report;
	struct gate gate;

	if (decide(job, &gate, err) < 0)
		return -1;
	report = report_new("gate");
	build_gate_result(report, &v->comparison, &v->options, job->policies, &gate, &job->build);
	if (gate.exit_status)
		diagnostic_line("stepstat: gate: ", report->result);
	report_free(report);
	print_policies(job->settings);
	return gate.exit_status;
}

static struct report *test_itself(struct gate_job *job, int *status, struct error *err)
{
	struct two_sides *v = job->sides;
	struct self_test test;

	if (gate_self_test(&v->comparison, &v->options, job->policies, v->arena, &test, err) < 0)
		return NULL;
	*status = test.can_fail ? 0 : 3;
	return build_self_test(&v->comparison, &test, &job->build);
}

static int show(struct gate_job *job, struct error *err)
{
	struct settings *s = job->settings;
	struct report *report;
	int status = 0;

	if (s->job.compare.self_test && !s->job.compare.explain)
		report = test_itself(job, &status, err);
	else
		report = make_report(job, &status, err);
	if (!report)
		return -1;
	note_replaced(s, job->policies, report);
	if (s->config)
		report_policy(report, s->config, s->config_sha256);
	input_lines_add_extra(s, report,
		(struct extra_side[]){
			{"base", job->sides->base->self}, {"new", job->sides->new_side->self}},
		2);
	if (!s->job.compare.self_test)
		report_output_page_of_sides(s, job->sides, &job->build, report);
	if (report_output_write(s, report, err) < 0)
		status = -1;
	else if (status && report->has_result && s->to && text_equal(s->to->name, "csv"))
		diagnostic_line("stepstat: gate: ", report->result); /* CSV has no place for it */
	report_free(report);
	print_policies(s);
	return status;
}

/* One rule for all ops becomes the rule of the options, so that the report words it as an
 * option. */
static int compare(struct gate_job *job, struct error *err)
{
	struct settings *s = job->settings;
	bool one_rule = gate_standard_rule(job->policies, &s->job.compare.options);

	s->job.compare.allow_loss = job->policies->allow_loss_frac;
	return two_sides_compare(job->sides, &s->job, one_rule ? NULL : gate_rule_of,
		gate_rules_new(job->policies, job->sides->arena), err);
}

/* Adds the runs of a side whose session is known. */
static size_t add_runs_of(const struct cube *cube, struct run *run, struct arena *arena)
{
	char start[MOMENT_TEXT_SIZE];
	size_t n = 0;

	for (size_t r = 0; r < cube->run_count; r++) {
		const struct facts *said = cube->run[r].facts;
		struct facts *facts =
			said ? facts_copy(said, arena) : arena_alloc(arena, sizeof(*facts));
		int64_t ns;

		if (!run_start(cube, r, &ns) && !facts->session)
			continue;
		if (run_start(cube, r, &ns))
			facts->start = arena_strdup(arena, moment_to_text(start, ns));
		run[n++].facts = facts;
	}
	return n;
}

/* Two sessions differ, whatever ran in them: where each side is one of its own, the runs of a side
 * say nothing of what chance makes of the other. */
static int check_sessions(const struct gate_job *job, struct error *err)
{
	const struct compare_settings *c = &job->settings->job.compare;
	const struct cube *base = job->sides->base->self, *new_side = job->sides->new_side->self;
	const size_t count = base->run_count + new_side->run_count;
	struct arena *scratch = arena_new();
	struct run *run = arena_array(scratch, count, sizeof(*run));
	uint32_t *session = arena_array(scratch, count, sizeof(*session));
	const size_t of_base = add_runs_of(base, run, scratch);
	const struct cube both = {
		.run = run, .run_count = of_base + add_runs_of(new_side, run + of_base, scratch)};
	bool one_each = both.run_count == count && count > 2 && sessions_find(&both, session) == 2;

	for (size_t r = 1; r < count && one_each; r++)
		one_each = (session[r] == session[0]) == (r < of_base);
	arena_free(scratch);
	if (!one_each || c->allow_mixed || c->noise_path || !isnan(c->options.run_cv))
		return 0;
	error_set(err, ERROR_INPUT, NULL,
		"insufficient: base and new are one session each, and sessions differ by "
		"themselves");
	return error_hint(err, "record both in turns (stepstat ab), or judge by recorded sessions: "
			       "stepstat help store; --noise and --run-cv say how much sessions "
			       "differ; --allow=mixed compares them as they are");
}

/* Files that a CI shows say why nothing was judged, so that none of the last time is taken for
 * today's. Always -1: the error stays, or is that of a file. */
static int write_insufficient(const struct gate_job *job, struct error *err)
{
	const struct settings *s = job->settings;
	const bool says = text_starts(err->message, "insufficient");
	struct settings quiet = *s;
	struct error of_file = {.kind = ERROR_NONE};
	struct report *report;

	if (err->kind != ERROR_INPUT || !s->output.count ||
		(!says && !(job->store && job->store->lack)))
		return -1;
	quiet.quiet = true;
	report = report_new("gate");
	report_result(report, 3, "%s%s", says ? "" : "insufficient: ", err->message);
	if (*err->hint)
		report_next(report, "%s", err->hint);
	if (report_output_write(&quiet, report, &of_file) < 0)
		*err = of_file;
	report_free(report);
	return -1;
}

/* Too few recorded runs may pass, said aloud. */
static int show_first(struct gate_job *job, struct error *err)
{
	struct settings *s = job->settings;
	struct report *report;
	int status = 0;

	if (!passes_first(job))
		return write_insufficient(job, err);
	*err = (struct error){.kind = ERROR_NONE};
	report = gate_store_first(job->store);
	if ((job->store->reference && judge_reference(job, report, &status, err) < 0) ||
		report_output_write(s, report, err) < 0)
		status = write_insufficient(job, err);
	report_free(report);
	return status;
}

static int load(struct gate_job *job, struct error *err)
{
	if (job->store)
		return load_store(job, job->store->base, err);
	job->sides = two_sides_load(&job->settings->job, err);
	return job->sides ? check_sessions(job, err) : -1;
}

static int judge(struct gate_job *job, struct error *err)
{
	struct settings *s = job->settings;
	int status;

	two_sides_set_defaults(&s->job);
	if ((job->store ? set_store_policies : set_policies)(s, job->policies, err) < 0)
		return -1;
	job->given = s->job;
	if (load(job, err) < 0)
		return job->store ? show_first(job, err) : write_insufficient(job, err);
	if ((s->explain_inputs && explain_sides(s, job->sides, err) < 0) ||
		(!job->store && compare(job, err) < 0) ||
		report_choices_make(&s->job, job->sides->base, &job->build, err) < 0)
		return -1;
	if (s->explain_inputs)
		return print_result(job, err);
	status = show(job, err);
	return status < 0 ? write_insufficient(job, err) : status;
}

static int run(struct settings *s, struct error *err)
{
	struct gate_job job = {.settings = s, .policies = policies_new()};
	int exit_status, status = 0;

	*err = (struct error){.kind = ERROR_NONE};
	job.store = gate_store_new(s, err);
	if (err->kind != ERROR_NONE)
		status = -1;
	else if (!job.store)
		status = ab_sides_answer(
			s, s->config || s->job.compare.self_test, &exit_status, err);
	if (status > 0)
		status = exit_status;
	else if (status == 0)
		status = judge(&job, err);
	two_sides_free(job.sides);
	policies_free(job.policies);
	return status;
}

const struct command command_gate = {
	.name = "gate",
	.letter = 'G',
	.arguments = "BASE NEW",
	.summary = "red or green for a CI: exit 1 if an op regressed beyond the margin",
	.about = "Exit: 0 green; 1 red; 2 wrong options; 3 unusable (too few runs, expired "
		 "waiver); 4 blind or undecided;\n5 only improvements, where asked. Policies and "
		 "waivers: section `gate` of stepstat.yaml (stepstat help gate).",
	.examples = "  stepstat gate before/ after/ --margin=2% -o gate.md -o gate.xml\n"
		    "  stepstat gate before/ after/ --self-test\n",
	.run = run,
};
