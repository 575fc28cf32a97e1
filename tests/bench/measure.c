/* Runs commands in turn, several times each, and prints a line for each command: the medians of its
 * CPU time (user and system) and wall time in milliseconds, and the largest resident size in KiB.
 * GNU time has hundredths of a second only, and in turn all commands see the same other load. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define RUNS_MOST 200
#define JOBS_MOST 20

struct job {
	char **command; /* ends in NULL */
	double cpu_ms[RUNS_MOST], wall_ms[RUNS_MOST];
	long rss_kib;
};

static _Noreturn void fail(const char *what, const char *why)
{
	fprintf(stderr, "measure: %s: %s\n", what, why);
	exit(1);
}

static double milliseconds(struct timeval t)
{
	return (double)t.tv_sec * 1e3 + (double)t.tv_usec * 1e-3;
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* In the child: the command, its standard output thrown away and its messages kept in a file. */
static _Noreturn void become(char **command, FILE *messages)
{
	int nowhere = open("/dev/null", O_WRONLY);

	if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0 ||
		dup2(fileno(messages), STDERR_FILENO) < 0)
		fail("cannot redirect", strerror(errno));
	execvp(command[0], command);
	fprintf(stderr, "measure: %s: %s\n", command[0], strerror(errno));
	_exit(127);
}

static _Noreturn void show_failure(const char *command, FILE *messages)
{
	int c;

	rewind(messages);
	while ((c = getc(messages)) != EOF)
		putc(c, stderr);
	fail(command, "did not end with status 0");
}

static void run_once(struct job *job, size_t run)
{
	FILE *messages = tmpfile();
	double start = now_ms();
	struct rusage usage;
	int status;

	if (!messages)
		fail("tmpfile", strerror(errno));
	pid_t child = fork();

	if (child < 0)
		fail("fork", strerror(errno));
	if (child == 0)
		become(job->command, messages);
	while (wait4(child, &status, 0, &usage) < 0)
		if (errno != EINTR)
			fail("wait4", strerror(errno));
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		show_failure(job->command[0], messages);
	fclose(messages);
	job->wall_ms[run] = now_ms() - start;
	job->cpu_ms[run] = milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
	if (usage.ru_maxrss > job->rss_kib)
		job->rss_kib = usage.ru_maxrss;
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *value, size_t n)
{
	qsort(value, n, sizeof(*value), compare_doubles);
	return n % 2 ? value[n / 2] : (value[n / 2 - 1] + value[n / 2]) / 2;
}

/* Cuts the arguments at each "+". */
static size_t find_jobs(char **argv, struct job *job)
{
	size_t count = 0;

	for (char **start = argv; *start; count++) {
		char **end = start;

		while (*end && strcmp(*end, "+") != 0)
			end++;
		if (end == start || count == JOBS_MOST)
			fail("usage", "measure RUNS COMMAND... [+ COMMAND...]...");
		job[count].command = start;
		start = *end ? end + 1 : end;
		*end = NULL;
	}
	return count;
}

int main(int argc, char **argv)
{
	struct job *job = calloc(JOBS_MOST, sizeof(*job));
	long runs = argc < 3 ? 0 : strtol(argv[1], NULL, 10);

	if (!job || runs < 1 || runs > RUNS_MOST)
		fail("usage", "measure RUNS COMMAND... [+ COMMAND...]...");
	size_t count = find_jobs(argv + 2, job), n = (size_t)runs;

	for (size_t run = 0; run < n; run++)
		for (size_t i = 0; i < count; i++)
			run_once(&job[i], run);
	for (size_t i = 0; i < count; i++)
		printf("%.3f %.3f %ld\n", median(job[i].cpu_ms, n), median(job[i].wall_ms, n),
			job[i].rss_kib);
	free(job);
	return 0;
}
