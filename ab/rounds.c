/* Rounds of runs: their order, what is run around them, when they end. */
#include "ab/rounds.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "ab/machine.h"
#include "base/number.h"
#include "base/platform.h"
#include "base/temporary_file.h"

#define NS_PER_S INT64_C(1000000000)
/* A first run shorter than this is a warm-up, unless --warmup says otherwise. */
#define WARMUP_BELOW_NS (5 * NS_PER_S)
#define SHELL_STARTS 25
#define ASK_EVERY 10
/* The files that tell about the machine are below it. */
#define ROOT ""
/* Bytes that are kept of what a run prints. */
#define OUTPUT_MOST (1 << 20)
/* Tables of the sides are written at most so often. */
#define TABLES_EVERY_NS NS_PER_S

struct rounds {
	struct ab_session *session;
	struct ab_record *record;
	struct command_watch *watch;
	const struct counted_event *counted; /* NULL: nothing can be counted */
	const struct memory_group *group;    /* NULL: none can be made */
	int64_t warmups;		     /* still to do; -1: as the first run shows */
	size_t ask_at;			     /* rounds at which the watcher is asked next */
	int64_t tables_ns;		     /* when they were last written */
};

static int use_cpus(const char *list, struct error *err)
{
	bool wanted[PLATFORM_PROCESSORS] = {false};

	for (const char *p = list;;) {
		const size_t n = strcspn(p, ","), dash = strcspn(p, "-,");
		int64_t first, last;

		if (!number_parse_int(p, dash, &first) || first < 0 || first >= PLATFORM_PROCESSORS)
			break;
		last = first;
		if (dash < n && (!number_parse_int(p + dash + 1, n - dash - 1, &last) ||
					last < first || last >= PLATFORM_PROCESSORS))
			break;
		for (; first <= last; first++)
			wanted[first] = true;
		if (p[n]) {
			p += n + 1;
			continue;
		}
		if (platform_use_processors(wanted))
			return 0;
		return error_set(err, ERROR_USAGE, "--cpu",
			errno == ENOSYS ? "this system cannot keep commands on processors \"%s\""
					: "this machine has no processors \"%s\"",
			list);
	}
	error_set(err, ERROR_USAGE, "--cpu", "expected numbers of processors, found \"%s\"", list);
	return error_hint(err, "--cpu=2, --cpu=4-7,9");
}

int ab_prepare_commands(struct ab_session *session, bool runs_follow, struct error *err)
{
	const struct ab_options *o = &session->options;
	struct arena *arena = session->arena;
	struct command_line_words *line = arena_array(arena, o->sides, sizeof(*line));

	if ((runs_follow && o->cpus && use_cpus(o->cpus, err) < 0) ||
		(o->prepare &&
			command_words(o->prepare, false, arena, &session->prepare, err) < 0) ||
		(o->cleanup && command_words(o->cleanup, false, arena, &session->cleanup, err) < 0))
		return -1;
	for (size_t i = 0; i < o->sides; i++)
		if (command_words(o->command[i], o->no_shell, arena, &line[i], err) < 0)
			return -1;
	session->line = line;
	return 0;
}

static void number_medians(double *wall, double *cpu, size_t n, struct ab_session *session)
{
	number_sort(wall, n);
	number_sort(cpu, n);
	session->shell_ns = wall[n / 2];
	session->shell_cpu_ns = cpu[n / 2];
}

static void end_by_signal(struct ab_session *session, int number)
{
	session->end = AB_INTERRUPTED;
	session->signal = number;
	session->is_interrupted = true;
}

int ab_measure_shell(struct ab_session *session, struct error *err)
{
	double wall[SHELL_STARTS], cpu[SHELL_STARTS];
	struct command_line_words nothing;
	struct command_request request = {.words = &nothing};
	struct command_watch *watch;
	bool needed = false;
	int status = 0;

	for (size_t i = 0; i < session->options.sides; i++)
		needed |= session->line[i].by_shell;
	if (!needed || session->shell_ns > 0)
		return 0;
	if (command_words(":", false, session->arena, &nothing, err) < 0)
		return -1;
	request.output = file_open("/dev/null", O_WRONLY | O_CLOEXEC);
	watch = command_watch_start(session->arena);
	for (size_t i = 0; i < SHELL_STARTS && !status; i++) {
		struct command_result result;

		status = command_run(watch, &request, &result, err);
		wall[i] = (double)result.wall_ns;
		cpu[i] = (double)(result.user_ns + result.system_ns);
		if (!status && result.interrupted) {
			end_by_signal(session, result.interrupted);
			break;
		}
	}
	command_watch_stop(watch);
	close(request.output);
	if (!status && !session->is_interrupted)
		number_medians(wall, cpu, SHELL_STARTS, session);
	return status;
}

static void end_by(struct ab_session *session, const char *reason, const char *remedy)
{
	session->end = AB_FAILED;
	session->reason = reason;
	session->remedy = remedy;
}

/* Ends the session where the run did not end as it should. */
static void judge(struct ab_session *session, const char *run, const char *what,
	const struct command_result *r, const char *output)
{
	struct arena *arena = session->arena;
	const double limit_s = (double)session->options.limit_ns / (double)NS_PER_S;
	const char *see = arena_printf(arena, "Its output is in %s", output);

	if (session->end != AB_RUNNING)
		return; /* --cleanup of a run that ended the session */
	if (r->interrupted) {
		end_by_signal(session, r->interrupted);
	} else if (r->timed_out) {
		end_by(session,
			arena_printf(arena, "%s%s did not end within %.15g s", what, run, limit_s),
			arena_printf(arena, "%s; --time-limit=%.15gs allows it longer", see,
				limit_s * 2));
	} else if (r->exit_status && (*what || !session->options.ignore_failure)) {
		end_by(session,
			r->signal ? arena_printf(arena, "%s%s was ended by signal %d (%s)", what,
					    run, r->signal, strsignal(r->signal))
				  : arena_printf(arena, "%s%s failed with status %d", what, run,
					    r->exit_status),
			*what ? see
			      : arena_printf(arena, "%s; --ignore-failure counts such runs", see));
	}
}

/* Runs --prepare or --cleanup, within the limit of a run; a failure ends the session. */
static int run_beside(struct rounds *rounds, const struct command_line_words *words,
	const char *what, const char *run, const char *output, int fd, struct error *err)
{
	const struct command_request request = {.words = words,
		.run = run,
		.output = fd,
		.limit_ns = rounds->session->options.limit_ns};
	struct command_result result;

	if (!words->word || command_run(rounds->watch, &request, &result, err) < 0)
		return words->word ? -1 : 0;
	judge(rounds->session, run, what, &result, output);
	return 0;
}

/* Decides by the first run whether its round is a warm-up; where not, its files go to the first
 * round. */
static int choose_warmup(struct rounds *rounds, const struct ab_run *run, size_t *round,
	const char **folder, struct error *err)
{
	const char *counted;

	rounds->warmups = run->result.wall_ns < WARMUP_BELOW_NS;
	*round = rounds->warmups ? 0 : rounds->session->rounds + 1;
	if (!*round || !*folder)
		return 0;
	counted = ab_record_folder(rounds->record, rounds->session, *round, run->side, err);
	if (!counted)
		return -1;
	if (rename(*folder, counted) < 0)
		return error_set(
			err, ERROR_OUTPUT, counted, "cannot be written: %s", strerror(errno));
	*folder = counted;
	return 0;
}

static int run_measured(struct rounds *rounds, size_t *round, size_t side, const char *name,
	const char *output, int fd, struct error *err)
{
	struct ab_session *session = rounds->session;
	const bool has_folder = ab_has_folders(&session->options);
	const char *folder =
		has_folder ? ab_record_folder(rounds->record, session, *round, side, err) : NULL;
	const struct command_request request = {.words = &session->line[side],
		.run = name,
		.folder = folder,
		.output = fd,
		.limit_ns = session->options.limit_ns,
		.counted = rounds->counted,
		.group = rounds->group};
	struct ab_run run = {
		.side = side, .load = machine_load(), .clock_mhz = machine_clock_mhz(ROOT)};

	if ((has_folder && !folder) || command_run(rounds->watch, &request, &run.result, err) < 0)
		return -1;
	judge(session, name, "", &run.result, output);
	if (run.result.interrupted)
		return 0;
	if ((rounds->warmups < 0 && choose_warmup(rounds, &run, round, &folder, err) < 0) ||
		(folder &&
			ab_record_collect(rounds->record, session, &run.result, folder, err) < 0))
		return -1;
	run.round = *round;
	ab_session_add(session, &run);
	return ab_record_add(rounds->record, session, err);
}

/* One run with all around it; *round becomes 0 where the first run shows that it is a warm-up. */
static int run_one(struct rounds *rounds, size_t *round, size_t side, struct error *err)
{
	struct ab_session *session = rounds->session;
	const char *name = ab_run_name(session, *round, side), *output;
	const int fd = ab_record_output(rounds->record, session, *round, side, &output, err);
	int status;

	if (fd < 0)
		return -1;
	status = run_beside(rounds, &session->prepare, "--prepare of ", name, output, fd, err);
	if (!status && session->end == AB_RUNNING)
		status = run_measured(rounds, round, side, name, output, fd, err);
	if (!status)
		status = run_beside(
			rounds, &session->cleanup, "--cleanup of ", name, output, fd, err);
	if (lseek(fd, 0, SEEK_END) > OUTPUT_MOST && ftruncate(fd, OUTPUT_MOST) < 0)
		status = error_set(err, ERROR_OUTPUT, output, "cannot be cut: %s", strerror(errno));
	close(fd);
	return status;
}

static bool all_decided(const struct ab_session *session)
{
	for (size_t side = 1; side < session->options.sides; side++)
		if (!ab_is_decided(session, side, session->rounds))
			return false;
	return true;
}

static int write_tables(struct rounds *rounds, bool now, struct error *err)
{
	if (!now && clock_now_ns() - rounds->tables_ns < TABLES_EVERY_NS)
		return 0;
	rounds->tables_ns = clock_now_ns();
	return ab_record_write_sides(rounds->record, rounds->session, err);
}

static int run_round(struct rounds *rounds, struct error *err)
{
	struct ab_session *session = rounds->session;
	size_t round = rounds->warmups ? 0 : session->rounds + 1;
	size_t order[AB_SIDES_MOST];

	ab_order(&session->options, session->rounds + 1, order);
	for (size_t i = 0; i < session->options.sides && session->end == AB_RUNNING; i++) {
		if ((rounds->warmups || !session->rounds) &&
			clock_now_ns() - session->began_ns > session->options.max_time_ns) {
			session->end = AB_TIME_OVER;
			break;
		}
		const int signal =
			command_watch_pause(rounds->watch, session->options.cool_down_ns);

		if (signal) {
			end_by_signal(session, signal);
		} else if (run_one(rounds, &round, order[i], err) < 0) {
			return -1;
		}
	}
	rounds->warmups -= rounds->warmups > 0;
	return 0;
}

/* The watcher looks at all that was written so far: it is asked after each tenth more of rounds. */
static bool rest_is_decided(struct rounds *rounds, const struct ab_watcher *watcher)
{
	const size_t now = rounds->session->rounds;

	if (!watcher->decided)
		return true;
	if (now < rounds->ask_at)
		return false;
	rounds->ask_at = now + 1 + now / ASK_EVERY;
	return watcher->decided(watcher->context, rounds->session);
}

/* Sets the end where the next round is not to begin. */
static void check_limits(struct rounds *all, const struct ab_watcher *watcher, size_t rounds_before)
{
	struct ab_session *session = all->session;
	const int64_t took = clock_now_ns() - session->began_ns;
	const size_t rounds = session->rounds - rounds_before;

	if (session->rounds && all_decided(session) && rest_is_decided(all, watcher))
		session->end = AB_DECIDED;
	else if (session->rounds >= session->options.max_rounds)
		session->end = AB_ROUNDS_OVER;
	else if (took + (rounds ? took / (int64_t)rounds : 0) > session->options.max_time_ns)
		session->end = AB_TIME_OVER;
}

static int run_all(struct rounds *rounds, const struct ab_watcher *watcher, struct error *err)
{
	struct ab_session *session = rounds->session;
	const size_t before = session->rounds;

	session->began_ns = clock_now_ns();
	session->end = session->is_interrupted ? AB_INTERRUPTED : AB_RUNNING;
	for (;;) {
		const size_t complete = session->rounds;

		check_limits(rounds, watcher, before);
		if (session->end != AB_RUNNING)
			return 0;
		if (run_round(rounds, err) < 0)
			return -1;
		if (session->rounds > complete) {
			watcher->round(watcher->context, session, session->rounds);
			if (write_tables(rounds, false, err) < 0)
				return -1;
		}
		if (session->end != AB_RUNNING)
			return 0;
	}
}

static void look_for_counters(struct rounds *rounds)
{
	struct ab_session *session = rounds->session;
	const int counter = counter_open(&counters_of_processor[COUNT_INSTRUCTIONS]);

	session->uncounted = counter >= 0			      ? NULL
			     : errno == EACCES || errno == EPERM      ? "they are not allowed here"
			     : errno == ENOENT || errno == EOPNOTSUPP ? "this machine has none"
								      : strerror(errno);
	if (counter < 0)
		return;
	counter_close(counter);
	rounds->counted = counters_of_processor;
}

/* Looks who else uses a device, while no command runs; how busy it is, `before` they ran. */
static void look_for_others(struct ab_session *session, bool before)
{
	const int64_t users = machine_device_users(ROOT);
	const int64_t busy = before ? machine_device_busy(ROOT) : 0;

	if (users > session->device_users)
		session->device_users = users;
	if (busy > session->device_busy)
		session->device_busy = busy;
}

void ab_run_rounds(
	struct ab_session *session, struct ab_record *record, const struct ab_watcher *watcher)
{
	struct error error = {0}, *err = &error;
	struct rounds rounds = {
		.session = session, .record = record, .warmups = session->options.warmup};
	int64_t throttled;
	int status;

	session->processors = machine_processors();
	session->governor = machine_governor(ROOT, session->arena);
	throttled = machine_throttled(ROOT);
	look_for_others(session, true);
	look_for_counters(&rounds);
	rounds.watch = command_watch_start(session->arena);
	rounds.group = memory_group_find(ROOT, session->arena);
	status = run_all(&rounds, watcher, err);
	throttled = machine_throttled(ROOT) - throttled;
	look_for_others(session, false);
	if (rounds.group)
		memory_group_remove(rounds.group);
	session->throttled += throttled > 0 ? throttled : 0;
	if (!status)
		status = write_tables(&rounds, true, err);
	if (status)
		end_by(session,
			arena_printf(session->arena, "%s%s%s", err->place, *err->place ? ": " : "",
				err->message),
			*err->hint ? arena_strdup(session->arena, err->hint)
				   : "Mend that and add to the record: --resume");
	if (ab_record_end(record, session, err) < 0 && !status)
		end_by(session, arena_printf(session->arena, "%s: %s", err->place, err->message),
			"The rounds are kept, but not how they ended");
	command_watch_stop(rounds.watch);
}
