/* Entry point: what a process needs before the command line is read. */
#include <errno.h>
#include <fcntl.h>
#include <gsl/gsl_errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/number.h"
#include "base/output/outfolder.h"
#include "base/platform.h"
#include "cli/program.h"

static void out_of_memory(size_t size_bytes)
{
	outfile_abandon_all();
	outfolder_abandon_all();
	if (size_bytes)
		fprintf(stderr, "stepstat: out of memory: %zu bytes were not to be had\n",
			size_bytes);
	else
		fputs("stepstat: out of memory\n", stderr);
	_exit(3);
}

/* Opens descriptors 0 to 2 where they are closed: otherwise the first file opened would become
 * standard output, and a report would be written into it. Using a closed one stays an error,
 * because it is opened for the wrong direction. */
static void open_standard(void)
{
	static const int flags[] = {O_WRONLY, O_RDONLY, O_RDONLY};

	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
			continue;
		if (open("/dev/null", flags[fd]) != fd)
			_exit(3); /* there is no descriptor for a message */
	}
}

static void on_signal(int number)
{
	outfile_abandon_all();
	outfolder_abandon_all();
	signal(number, SIG_DFL);
	raise(number);
}

#ifdef STEPSTAT_SANITIZE
/* A test build fails the n-th allocation, to show that the program ends with a message. */
static void set_up_failure(void)
{
	const char *text = getenv("STEPSTAT_FAIL_ALLOCATION");
	int64_t n;

	if (text && number_parse_int(text, strlen(text), &n) && n > 0)
		memory_fail_after((size_t)n);
}
#endif

/* Signals that end a process: temporary files are removed first. A signal that was ignored at the
 * start stays ignored (nohup). A file beyond the size limit is a write error with a message. */
static void set_up_signals(void)
{
	static const int ending[] = {
		SIGHUP,
		SIGINT,
		SIGQUIT,
		SIGTERM,
		SIGPIPE,
		SIGALRM,
		SIGUSR1,
		SIGUSR2,
		SIGXCPU,
		SIGVTALRM,
		SIGPROF,
		SIGPOLL,
		SIGABRT,
#ifndef STEPSTAT_SANITIZE /* sanitizers have handlers of their own */
		SIGSEGV,
		SIGBUS,
		SIGILL,
		SIGFPE,
		SIGSYS,
#endif
	};
	struct sigaction action = {.sa_handler = on_signal}, before;

	for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++)
		if (sigaction(ending[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaction(ending[i], &action, NULL);
	signal(SIGXFSZ, SIG_IGN);
}

static void set_up(void)
{
	open_standard();
	/* The C library would give back the memory of each file that was read, and the system
	 * would clear it again for the next. */
	platform_keep_memory();
	memory_set_handler(out_of_memory);
	memory_handle_new();
#ifdef STEPSTAT_SANITIZE
	set_up_failure();
#endif
	gsl_set_error_handler_off();
	set_up_signals();
}

int main(int argc, char **argv)
{
	set_up();
	return program_run(argc, argv);
}
