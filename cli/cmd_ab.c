/* stepstat ab: runs commands in turns until it is known which of them is slower. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "ab/build_ab.h"
#include "ab/rounds.h"
#include "base/platform.h"
#include "base/text.h"
#include "cli/ab_reads.h"
#include "cli/options/command.h"
#include "cli/report_output.h"
#include "cli/screen.h"

#define SEEDS 1000000
/* A terminal shows so many rounds; later ones take the place of the last. */
#define ROUNDS_KEPT 12

struct ab_screen {
	struct settings *settings;
	bool lines;    /* the rounds are shown on standard output */
	bool terminal; /* which is one: the last line is painted again */
	size_t width;
};

/* One line, in ASCII where the terminal is. */
static void put_line(const char *text, const char *end)
{
	struct text line;

	text_init(&line);
	if (screen_is_ascii(STDOUT_FILENO))
		text_add_ascii(&line, text);
	else
		text_add(&line, text);
	fputs(text_string(&line), stdout);
	fputs(end, stdout);
	fflush(stdout);
	text_release(&line);
}

static void show_heading(const struct ab_screen *screen, const struct ab_session *session)
{
	struct report *report = report_new("ab");

	ab_add_heading(report, session);
	for (size_t i = 0; i < report->heading_count; i++)
		put_line(report->heading[i], "\n");
	put_line("", "\n");
	put_line(ab_round_line(report->arena, session, 0, screen->width), "\n");
	report_free(report);
}

static void show_round(void *context, const struct ab_session *session, size_t round)
{
	const struct ab_screen *screen = context;
	struct arena *arena;

	if (!screen->lines)
		return;
	arena = arena_new();
	if (screen->terminal)
		fputs(round > ROUNDS_KEPT ? "\r\033[K\033[A\033[K" : "\r\033[K", stdout);
	put_line(ab_round_line(arena, session, round, screen->width), "\n");
	if (screen->terminal && session->end == AB_RUNNING)
		put_line(ab_state_line(arena, session), "");
	arena_free(arena);
}

static bool rows_are_decided(void *context, const struct ab_session *session)
{
	const struct ab_screen *screen = context;

	return ab_reads_decided(screen->settings, session);
}

/* Options that a record has and that no later runs may change, and those of runs where it is only
 * shown. */
static int check_options_of_record(const struct settings *s, struct error *err)
{
	const struct ab_settings *ab = &s->ab;
	const struct {
		const char *name;
		bool given, of_runs;
	} own[] = {{"--prepare", ab->prepare, false}, {"--cleanup", ab->cleanup, false},
		{"--cpu", ab->cpu, false}, {"--reads", ab->reads, false},
		{"--seed", ab->seed_text, false}, {"--shell", ab->shell_text, false},
		{"--max-time", ab->max_time_text, true}, {"--max-runs", ab->max_runs_text, true},
		{"--until", ab->until_text, true}, {"--cool-down", ab->cool_down_text, true},
		{"--time-limit", ab->time_limit_text, true},
		{"--ignore-failure", ab->ignore_failure, true},
		{"--warmup", s->job.warmup_text, true}};

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++) {
		if (!own[i].given || (own[i].of_runs && ab->resume))
			continue;
		error_set(err, ERROR_USAGE, own[i].name,
			own[i].of_runs ? "a record is shown, nothing is run"
				       : "the record has its own");
		return own[i].of_runs ? error_hint(err, "stepstat ab --resume FOLDER runs more")
				      : -1;
	}
	return 0;
}

static int check_options(struct settings *s, struct error *err)
{
	const struct compare_options *c = &s->job.compare.options;

	if (!s->ab.resume && s->job.input.count < 2 &&
		!(s->job.input.count == 1 &&
			ab_record_is(*(const char **)vec_at(&s->job.input, 0)))) {
		error_set(err, ERROR_USAGE, NULL, "expected two commands or more, found %zu",
			s->job.input.count);
		return error_hint(err, "stepstat ab './old' './new'");
	}
	if ((s->ab.resume || s->job.input.count < 2) && check_options_of_record(s, err) < 0)
		return -1;
	if (s->job.input.count > AB_SIDES_MOST)
		return error_set(err, ERROR_USAGE, NULL, "expected at most %d commands, found %zu",
			AB_SIDES_MOST, s->job.input.count);
	if (s->ab.max_runs > AB_ROUNDS_MOST)
		return error_set(err, ERROR_USAGE, "--max-runs", "expected at most %d, found %zu",
			AB_ROUNDS_MOST, s->ab.max_runs);
	if (s->ab.max_time_ps <= 0)
		return error_set(err, ERROR_USAGE, "--max-time", "expected a time above 0");
	if (!(c->rule.margin_relative > 0) && !(c->margin_ps > 0)) {
		error_set(err, ERROR_USAGE, "--margin", "expected a margin above 0");
		return error_hint(err, "--margin=2%%, --margin=10ms: changes within it are SAME");
	}
	return 0;
}

/* Options of the command line, over those of a record. */
static void set_options(const struct settings *s, struct ab_options *o)
{
	const struct compare_options *c = &s->job.compare.options;
	const struct ab_settings *ab = &s->ab;

	if (s->job.compare.margin_text || !o->sides) {
		o->margin_relative = c->rule.margin_relative;
		o->margin_ps = c->margin_ps > 0 ? c->margin_ps : 0;
	}
	if (s->job.compare.alpha_text || !o->sides)
		o->alpha = c->rule.alpha;
	if (!o->sides || s->ab.resume) {
		o->max_time_ns = ab->max_time_ps / 1000;
		o->max_rounds = ab->max_runs ? ab->max_runs : AB_ROUNDS_MOST;
	}
	o->warmup = s->job.steps.warmup == WARMUP_MODE_COUNT ? (int64_t)s->job.steps.warmup_count
		    : s->job.warmup_text && s->job.steps.warmup == WARMUP_MODE_NONE ? 0
										    : -1;
	if (ab->time_limit_ps)
		o->limit_ns = ab->time_limit_ps / 1000;
	if (ab->cool_down_ps)
		o->cool_down_ns = ab->cool_down_ps / 1000;
	o->ignore_failure |= ab->ignore_failure && (!o->sides || s->ab.resume);
	if (o->sides)
		return;
	o->command = s->job.input.data;
	o->sides = s->job.input.count;
	o->seed = ab->seed;
	o->prepare = ab->prepare;
	o->cleanup = ab->cleanup;
	o->cpus = ab->cpu;
	o->reads = ab->reads;
	o->no_shell = ab->no_shell;
	if (!ab->time_limit_ps)
		o->limit_ns = o->max_time_ns;
}

static const char *folder_name(struct arena *arena, const char *path)
{
	return arena_strndup(arena, path, text_path_size(path));
}

/* The folder of -o, or "ab-SEED"; without --seed the seed is one whose folder is new. */
static const char *choose_folder(const struct settings *s, struct ab_session *session)
{
	struct stat info;

	for (;;) {
		const char *folder;
		uint32_t drawn = 0;

		if (!s->ab.seed) {
			if (!platform_random(&drawn, sizeof(drawn)))
				drawn = (uint32_t)clock_now_ns();
			session->options.seed = drawn % SEEDS + 1;
		}
		if (s->ab.record)
			return folder_name(session->arena, s->ab.record);
		folder = arena_printf(session->arena, "ab-%" PRIu64, session->options.seed);
		if (s->ab.seed || stat(folder, &info) != 0)
			return folder;
	}
}

/* An output that ends in / is the record; the others are reports. */
static int split_outputs(struct settings *s, struct error *err)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->output.count; i++) {
		const char **slot = vec_at(&s->output, i);

		if (output_is_folder(*slot)) {
			s->ab.record = *slot;
			if (s->ab.resume || s->job.input.count < 2)
				return error_set(err, ERROR_USAGE, "-o",
					"the record has its folder: expected a file, found %s",
					*slot);
			continue;
		}
		if (!text_equal(*slot, "-") && !writer_for_path(*slot, err))
			return error_hint(err, "a name that ends in / is the folder of the record");
		*(const char **)vec_at(&s->output, kept++) = *slot;
	}
	s->output.count = kept;
	return 0;
}

static int finish(struct settings *s, const struct ab_screen *screen, struct ab_session *session,
	struct error *err)
{
	struct report *report = build_ab(session, screen->lines && !s->output.count);
	const int exit_status = report->exit_status, number = session->signal;
	int status;

	for (size_t side = 1; side < session->options.sides && ab_has_folders(&session->options);
		side++)
		ab_reads_add(s, session, side, report);

	if (screen->lines)
		put_line(screen->terminal ? "\r\033[K" : "", "\n");
	status = report_output_write(s, report, err);
	report_free(report);
	if (status || !session->is_interrupted)
		return status ? status : exit_status;
	fflush(stdout);
	signal(number, SIG_DFL);
	raise(number);
	return exit_status;
}

static int check_until(
	const struct settings *s, const struct ab_session *session, struct error *err)
{
	if (!s->ab.until_rows || ab_has_folders(&session->options))
		return 0;
	error_set(err, ERROR_USAGE, "--until", "no rows are read of what the runs write");
	return error_hint(err, "--reads='*.json', or " AB_OUT " in a command");
}

static int run_new(struct settings *s, struct ab_session *session, struct ab_record **record,
	struct error *err)
{
	set_options(s, &session->options);
	session->folder = choose_folder(s, session);
	if (check_until(s, session, err) < 0 || ab_prepare_commands(session, true, err) < 0 ||
		ab_measure_shell(session, err) < 0)
		return -1;
	*record = ab_record_new(session->folder, session, err);
	return *record ? 0 : -1;
}

/* Adds the commands of the command line to the record, and writes it once all can run. */
static int resume(struct settings *s, struct ab_session *session, const struct ab_record *record,
	struct error *err)
{
	const struct vec *more = &s->job.input;

	if (session->options.sides + more->count > AB_SIDES_MOST)
		return error_set(err, ERROR_USAGE, NULL,
			"expected at most %d commands, found %zu and %zu", AB_SIDES_MOST,
			session->options.sides, more->count);
	if (more->count)
		ab_session_add_commands(session, more->data, more->count);
	session->end = AB_RUNNING;
	session->signal = 0;
	session->reason = session->remedy = NULL;
	if (check_until(s, session, err) < 0 || ab_prepare_commands(session, true, err) < 0 ||
		ab_measure_shell(session, err) < 0)
		return -1;
	return ab_record_begin(record, session, err);
}

static int open_record(struct settings *s, const char *folder, bool add, struct ab_session *session,
	struct ab_record **record, struct error *err)
{
	session->folder = folder_name(session->arena, folder);
	*record = ab_record_open(session->folder, add, session, err);
	if (!*record)
		return -1;
	set_options(s, &session->options);
	return add ? resume(s, session, *record, err) : ab_prepare_commands(session, false, err);
}

/* The side that the input names, FOLDER/c or FOLDER/reads/c of a record; false: none. */
static bool side_of(const struct settings *s, const char *input, size_t *side, const char **folder,
	bool *is_reads)
{
	const char *name = folder_name(s->arena, input), *last = text_base_name(name);

	if (last == name || *last < 'a' || *last >= 'a' + AB_SIDES_MOST || last[1])
		return false;
	name = folder_name(s->arena, arena_strndup(s->arena, name, (size_t)(last - name)));
	*side = (size_t)(*last - 'a');
	last = text_base_name(name);
	*is_reads = text_equal(last, "reads") && !ab_record_is(name);
	if (*is_reads)
		name = last == name ? "."
				    : folder_name(s->arena,
					      arena_strndup(s->arena, name, (size_t)(last - name)));
	*folder = name;
	return ab_record_is(name);
}

/* The sides of one record that the inputs name, at least two; NULL: not so. Its folder. */
static const char *sides_of(
	const struct settings *s, size_t side[AB_SIDES_MOST], size_t *count, bool *is_reads)
{
	const struct vec *parts[] = {&s->job.input, &s->job.compare.base, &s->job.compare.new_side};
	const char *folder = NULL;

	*count = 0;
	for (size_t part = 0; part < 3; part++)
		for (size_t i = 0; i < parts[part]->count; i++) {
			const char *own;
			bool reads;

			if (*count == AB_SIDES_MOST ||
				!side_of(s, *(const char **)vec_at(parts[part], i), &side[*count],
					&own, &reads) ||
				(folder && (!text_equal(own, folder) || reads != *is_reads)))
				return NULL;
			for (size_t j = 0; j < *count; j++)
				if (side[j] == side[*count])
					return NULL;
			++*count;
			folder = own;
			*is_reads = reads;
		}
	return *count >= 2 ? folder : NULL;
}

int ab_sides_answer(struct settings *s, bool by_tables, int *exit_status, struct error *err)
{
	size_t side[AB_SIDES_MOST], count;
	bool is_reads;
	const char *folder = sides_of(s, side, &count, &is_reads);
	const struct ab_screen screen = {.settings = s};
	struct ab_record *record = NULL;
	struct ab_session *session;
	int status;

	by_tables |= s->job.compare.explain || s->explain_inputs;
	if (!folder || s->job.compare.method_text || ((is_reads || by_tables) && count > 2))
		return 0;
	session = ab_session_new();
	status = open_record(s, folder, false, session, &record, err);
	for (size_t i = 0; i < count && !status; i++)
		if (side[i] >= session->options.sides)
			status = error_set(err, ERROR_USAGE, folder, "the record has no command %c",
				(int)('a' + side[i]));
	ab_record_free(record);
	if (!status && (side[0] || count < session->options.sides))
		ab_session_keep(session, side, count);
	if (!status && (is_reads || by_tables)) {
		status = ab_reads_ask(s, session, is_reads ? 1 : 0, err);
	} else if (!status) {
		*exit_status = finish(s, &screen, session, err);
		status = *exit_status < 0 ? -1 : 1;
	}
	ab_session_free(session);
	return status;
}

static int run(struct settings *s, struct error *err)
{
	struct ab_screen screen = {.settings = s,
		.lines = !s->quiet && (!s->to || text_equal(s->to->name, "text")),
		.terminal = isatty(STDOUT_FILENO),
		.width = screen_width()};
	const struct ab_watcher watcher = {
		show_round, s->ab.until_rows ? rows_are_decided : NULL, &screen};
	struct ab_session *session = ab_session_new();
	struct ab_record *record = NULL;
	const bool replay = !s->ab.resume && s->job.input.count == 1;
	int status = check_options(s, err);

	if (!status)
		status = split_outputs(s, err);
	if (!status)
		status = s->ab.resume ? open_record(s, s->ab.resume, true, session, &record, err)
			 : replay ? open_record(s, *(const char **)vec_at(&s->job.input, 0), false,
					    session, &record, err)
				  : run_new(s, session, &record, err);
	if (!status && screen.lines)
		show_heading(&screen, session);
	if (!status && (replay || s->ab.resume)) {
		for (size_t round = 1; round <= session->rounds; round++)
			show_round(&screen, session, round);
	}
	if (!status && !replay)
		ab_run_rounds(session, record, &watcher);
	ab_record_free(record);
	if (!status)
		status = finish(s, &screen, session, err);
	ab_session_free(session);
	return status;
}

const struct command command_ab = {
	.name = "ab",
	.letter = 'B',
	.arguments = "'OLD COMMAND' 'NEW COMMAND'...",
	.summary = "run commands in turns until it is known which is slower",
	.about = "Pairs in random order; after each pair the interval holds, however often one "
		 "looks. Ends when\n"
		 "the change is beyond the margin, or within it. Exit: 0 same or faster, 1 slower, "
		 "4 undecided.\n"
		 "stepstat ab FOLDER shows a record again.",
	.examples = "  stepstat ab './old data.txt' './new data.txt'\n"
		    "  stepstat ab --resume ab-7193 --margin=1%\n",
	.run = run,
	.output_help = "FOLDER/: the record (default ab-SEED/); else a file for the report: .md "
		       ".json .csv",
};
