/* One run of a command: started in a process group of its own, waited for, measured, and everything
 * that it started ended. */
#include "ab/command_run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "base/number.h"
#include "base/platform.h"
#include "base/text.h"

#define NS_PER_S INT64_C(1000000000)
/* After SIGTERM a command has so long to end by itself. */
#define GRACE_NS (2 * NS_PER_S)

#define PIDS_SIZE 4096

extern char **environ;

struct command_watch {
	sigset_t waited, before;
	bool adopted;
	char before_pids[PIDS_SIZE]; /* children from before an exec: not of the commands */
};

static int64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * NS_PER_S + t.tv_nsec;
}

int64_t clock_now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* Adds the word at *at, as sh would split it; false: only a shell can tell. */
static bool next_word(const char **at, struct text *word)
{
	const char *p = *at;

	for (; *p && *p != ' ' && *p != '\t'; p++) {
		if (*p == '\'') {
			const char *end = strchr(p + 1, '\'');

			if (!end)
				return false;
			text_add_bytes(word, p + 1, (size_t)(end - p - 1));
			p = end;
		} else if (*p == '"') {
			for (p++; *p && *p != '"'; p++) {
				if (strchr("$`!", *p))
					return false;
				p += *p == '\\' && p[1] && strchr("\"\\$`", p[1]);
				text_add_char(word, *p);
			}
			if (!*p)
				return false;
		} else if (*p == '\\' && p[1] && p[1] != '\n') {
			text_add_char(word, *++p);
		} else if (text_starts(p, AB_OUT)) {
			text_add(word, AB_OUT);
			p += strlen(AB_OUT) - 1;
		} else if (strchr("\\|&;<>()$`*?[]#~%!{}\n", *p)) {
			return false;
		} else {
			text_add_char(word, *p);
		}
	}
	*at = p;
	return true;
}

/* True if sh would run the first word itself, or sets a variable by it. */
static bool is_of_shell(const char *word)
{
	static const char *const words[] = {".", ":", "alias", "break", "case", "cd", "command",
		"continue", "do", "eval", "exec", "exit", "export", "for", "if", "local", "read",
		"return", "set", "shift", "source", "times", "trap", "type", "ulimit", "umask",
		"unset", "until", "wait", "while"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (text_equal(word, words[i]))
			return true;
	return strchr(word, '=') != NULL;
}

int command_words(const char *text, bool no_shell, struct arena *arena,
	struct command_line_words *out, struct error *err)
{
	char **word = arena_array(arena, strlen(text) + 4, sizeof(*word));
	const char *at = text;
	bool plain = true;
	size_t count = 0;
	struct text one;

	text_init(&one);
	for (;;) {
		at += strspn(at, " \t");
		if (!*at || !plain)
			break;
		text_clear(&one);
		plain = next_word(&at, &one);
		word[count++] = arena_strdup(arena, text_string(&one));
	}
	text_release(&one);
	if (!count)
		return error_set(err, ERROR_USAGE, NULL, "expected a command, found \"%s\"", text);
	plain = plain && !is_of_shell(word[0]);
	if (!plain && no_shell)
		return error_set(
			err, ERROR_USAGE, "--shell=none", "\"%s\" needs a shell to run it", text);
	if (!plain) {
		word[0] = arena_strdup(arena, "/bin/sh");
		word[1] = arena_strdup(arena, "-c");
		word[2] = arena_strdup(arena, text);
		count = 3;
	}
	word[count] = NULL;
	*out = (struct command_line_words){.word = word, .by_shell = !plain};
	return 0;
}

/* Children of this process, each as " PID " in the text; -1: not known. */
static ssize_t read_children(char pids[PIDS_SIZE])
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%ld/children", (long)getpid());
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, pids + 1, PIDS_SIZE - 2);
	if (fd >= 0)
		close(fd);
	pids[0] = ' ';
	pids[n > 0 ? n + 1 : 1] = '\0';
	return n;
}

static void take_note(int number)
{
	(void)number;
}

struct command_watch *command_watch_start(struct arena *arena)
{
	static const int signals[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	struct command_watch *watch = arena_alloc(arena, sizeof(*watch));

	sigemptyset(&watch->waited);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		struct sigaction action;

		/* Signals that nohup ignores stay ignored. */
		if (sigaction(signals[i], NULL, &action) == 0 &&
			(action.sa_handler != SIG_IGN || signals[i] == SIGCHLD))
			sigaddset(&watch->waited, signals[i]);
	}
	signal(SIGCHLD, take_note); /* BSDs keep no signal for later whose effect is none */
	sigprocmask(SIG_BLOCK, &watch->waited, &watch->before);
	watch->adopted = platform_adopt(true);
	read_children(watch->before_pids);
	return watch;
}

void command_watch_stop(struct command_watch *watch)
{
	platform_adopt(watch->adopted);
	sigprocmask(SIG_SETMASK, &watch->before, NULL);
}

int command_watch_pause(const struct command_watch *watch, int64_t most_ns)
{
	const int64_t end = clock_now_ns() + most_ns;
	int number;

	do {
		const int64_t rest = end - clock_now_ns();

		number = platform_signal_wait(&watch->waited, rest > 0 ? rest : 0);
	} while (number == SIGCHLD);
	return number;
}

/* The environment with what the run is called; valid until the next call. */
static char **environment_of(const struct command_request *request, struct arena *arena)
{
	size_t count = 0, kept = 0;
	char **all;

	while (environ[count])
		count++;
	all = arena_array(arena, count + 3, sizeof(*all));
	for (size_t i = 0; i < count; i++)
		if (!text_starts(environ[i], "STEPSTAT_RUN=") &&
			!text_starts(environ[i], AB_OUT_VARIABLE "="))
			all[kept++] = environ[i];
	if (request->run)
		all[kept++] = arena_printf(arena, "STEPSTAT_RUN=%s", request->run);
	if (request->folder)
		all[kept] = arena_printf(arena, AB_OUT_VARIABLE "=%s", request->folder);
	return all;
}

/* The words with the folder of the run in the place of {out}. */
static char **words_of(const struct command_request *request, struct arena *arena)
{
	size_t count = 0;
	char **all;

	while (request->words->word[count])
		count++;
	all = arena_array(arena, count + 1, sizeof(*all));
	for (size_t i = 0; i < count; i++) {
		const char *at = request->words->word[i], *found;
		struct text word;

		text_init(&word);
		while (request->folder && (found = strstr(at, AB_OUT)) != NULL) {
			text_add_bytes(&word, at, (size_t)(found - at));
			text_add(&word, request->folder);
			at = found + strlen(AB_OUT);
		}
		text_add(&word, at);
		all[i] = arena_strdup(arena, text_string(&word));
		text_release(&word);
	}
	return all;
}

/* Checks that the shell reads the folder in the place of {out} as it is. */
static int check_folder(const struct command_request *request, struct error *err)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789_./+,:@%=-";
	const char *folder = request->folder;

	if (!folder || !request->words->by_shell || !strstr(request->words->word[2], AB_OUT) ||
		!folder[strspn(folder, safe)])
		return 0;
	error_set(err, ERROR_USAGE, folder,
		"this name in the place of " AB_OUT " would be more than a word to the shell");
	return error_hint(err, "write \"$" AB_OUT_VARIABLE "\" in the place of " AB_OUT);
}

static int start(const struct command_watch *watch, const struct command_request *request,
	struct arena *arena, pid_t *child, struct command_result *out, int64_t *began)
{
	char **environment = environment_of(request, arena), **word = words_of(request, arena);
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t defaults;
	int status;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, request->output, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, request->output, STDERR_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes,
		POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attributes, &watch->before);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGXFSZ);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	out->start_ns = clock_ns(CLOCK_REALTIME);
	*began = clock_now_ns();
	status = posix_spawnp(child, word[0], &files, &attributes, word, environment);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	return status;
}

static void add_usage(struct command_result *out, const struct rusage *usage, int64_t floor_bytes)
{
	const int64_t peak = (int64_t)usage->ru_maxrss * PLATFORM_MAXRSS_BYTES;

	out->user_ns += usage->ru_utime.tv_sec * NS_PER_S + usage->ru_utime.tv_usec * 1000;
	out->system_ns += usage->ru_stime.tv_sec * NS_PER_S + usage->ru_stime.tv_usec * 1000;
	if (peak > floor_bytes && peak > out->peak_bytes)
		out->peak_bytes = peak;
}

/* Ends the processes that the command left: its group, and what has left the group and was adopted
 * by this process. Their CPU time counts. */
static void end_rest(const struct command_watch *watch, pid_t group, struct command_result *out,
	int64_t floor_bytes)
{
	char pids[PIDS_SIZE], name[32];
	struct rusage usage;
	bool any = true;

	kill(-group, SIGKILL);
	if (read_children(pids) < 0)
		while (wait4(-group, NULL, 0, &usage) > 0)
			add_usage(out, &usage, floor_bytes);
	for (int rounds = 0; rounds < 1000 && any && read_children(pids) > 0; rounds++) {
		any = false;
		for (const char *at = pids + 1, *end; (end = strchr(at, ' ')) != NULL;
			at = end + 1) {
			int64_t pid;

			if (!number_parse_int(at, (size_t)(end - at), &pid))
				continue;
			snprintf(name, sizeof(name), " %" PRId64 " ", pid);
			if (strstr(watch->before_pids, name))
				continue;
			any = true;
			kill((pid_t)pid, SIGKILL);
			if (wait4((pid_t)pid, NULL, 0, &usage) > 0) {
				out->left++;
				add_usage(out, &usage, floor_bytes);
			}
		}
	}
}

/* Waits for the child; a limit that is passed and a signal that comes end its group: first by
 * SIGTERM or that signal, then by SIGKILL. */
static void wait_for(const struct command_watch *watch, const struct command_request *request,
	pid_t child, int64_t began, int64_t floor_bytes, struct command_result *out)
{
	int64_t end = request->limit_ns ? began + request->limit_ns : 0;
	bool ending = false;
	struct rusage usage;
	int status;

	for (;;) {
		const pid_t done = wait4(child, &status, WNOHANG, &usage);
		int64_t rest = end - clock_now_ns();
		int number;

		if (done == child || (done < 0 && errno != EINTR))
			break;
		number = platform_signal_wait(&watch->waited, !end ? -1 : rest > 0 ? rest : 0);
		rest = end - clock_now_ns();
		if (number && number != SIGCHLD) {
			out->interrupted = number;
			kill(-child, ending ? SIGKILL : number);
		} else if (!number && end && rest <= 0) {
			out->timed_out |= !ending;
			kill(-child, ending ? SIGKILL : SIGTERM);
		} else {
			continue;
		}
		ending = true;
		end = clock_now_ns() + GRACE_NS;
	}
	out->wall_ns = clock_now_ns() - began;
	add_usage(out, &usage, floor_bytes);
	out->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	out->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

int command_run(const struct command_watch *watch, const struct command_request *request,
	struct command_result *out, struct error *err)
{
	struct arena *arena;
	struct rusage own;
	int64_t began = 0, floor_bytes;
	int64_t peak_of_tree = -1;
	int counter[COMMAND_COUNTS];
	bool has_group;
	pid_t child;
	int status;

	if (check_folder(request, err) < 0)
		return -1;
	*out = (struct command_result){.peak_bytes = -1};
	/* A process begins as a copy of this one, whose size its peak then includes. */
	getrusage(RUSAGE_SELF, &own);
	floor_bytes = (int64_t)own.ru_maxrss * PLATFORM_MAXRSS_BYTES;
	arena = arena_new();
	has_group = request->group && memory_group_enter(request->group);
	for (size_t i = 0; i < COMMAND_COUNTS; i++)
		counter[i] = request->counted ? counter_open(&request->counted[i]) : -1;
	status = start(watch, request, arena, &child, out, &began);
	if (!status) {
		wait_for(watch, request, child, began, floor_bytes, out);
		end_rest(watch, child, out, floor_bytes);
	}
	if (has_group)
		peak_of_tree = memory_group_leave(request->group);
	out->peak_of_tree = peak_of_tree >= 0;
	if (out->peak_of_tree)
		out->peak_bytes = peak_of_tree;
	for (size_t i = 0; i < COMMAND_COUNTS; i++)
		out->count[i] = counter[i] < 0 ? -1 : counter_close(counter[i]);
	arena_free(arena);
	if (!status)
		return 0;
	error_set(err, ERROR_INPUT, request->words->word[0], "the command cannot be started: %s",
		strerror(status));
	return error_hint(err, "name a program that can be run, or quote the command as for sh -c");
}
