/*
 * Runs a command several times and prints the medians of its CPU time (user and system) and wall time
 * in milliseconds, and the largest resident size in KiB: what GNU time shows in hundredths only, and
 * not every machine has.
 */
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

#define RUNS_MOST 1000

struct result {
	double cpu_ms, wall_ms;
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

/* In the child: the command with its standard output thrown away. */
static _Noreturn void become(char **command)
{
	int nowhere = open("/dev/null", O_WRONLY);

	if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0)
		fail("/dev/null", strerror(errno));
	execvp(command[0], command);
	fprintf(stderr, "measure: %s: %s\n", command[0], strerror(errno));
	_exit(127);
}

static struct result run_once(char **command)
{
	double start = now_ms();
	struct rusage usage;
	int status;
	pid_t child = fork();

	if (child < 0)
		fail("fork", strerror(errno));
	if (child == 0)
		become(command);
	while (wait4(child, &status, 0, &usage) < 0)
		if (errno != EINTR)
			fail("wait4", strerror(errno));
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		fail(command[0], "did not end with status 0");
	return (struct result){
		.cpu_ms = milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime),
		.wall_ms = now_ms() - start,
		.rss_kib = usage.ru_maxrss,
	};
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

int main(int argc, char **argv)
{
	double cpu_ms[RUNS_MOST], wall_ms[RUNS_MOST];
	long rss_kib = 0;
	char *end;
	long runs = argc < 3 ? 0 : strtol(argv[1], &end, 10);

	if (runs < 1 || runs > RUNS_MOST || *end)
		fail("usage", "measure RUNS COMMAND [ARGUMENT]...");
	for (long i = 0; i < runs; i++) {
		struct result r = run_once(argv + 2);

		cpu_ms[i] = r.cpu_ms;
		wall_ms[i] = r.wall_ms;
		if (r.rss_kib > rss_kib)
			rss_kib = r.rss_kib;
	}
	printf("%.3f %.3f %ld\n", median(cpu_ms, (size_t)runs), median(wall_ms, (size_t)runs),
		rss_kib);
	return 0;
}
