/* The program many times in one process, for tests that have more to run than processes can be
 * started: reads command lines, their words separated by tabs, and answers each with its exit
 * status. Usage: many_runs OUTPUT, where what is printed goes. */
#include <fcntl.h>
#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/output/file_identity.h"
#include "cli/program.h"

#define WORDS_MOST 64

/* Runs the words of a line in the folder that is its first word. */
static int run_line(char *line, const char *output)
{
	char *words[WORDS_MOST] = {NULL}, *rest = line;
	int count = 0, status, fd = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	line[strcspn(line, "\n")] = '\0';
	while (count < WORDS_MOST - 1 && (words[count] = strsep(&rest, "\t")))
		count++;
	if (fd < 0 || chdir(words[0]) != 0)
		return -1;
	dup2(fd, STDOUT_FILENO);
	close(fd);
	words[0] = strdup("stepstat");
	status = program_run(count, words);
	free(words[0]);
	fflush(NULL);
	output_guard_forget_inputs();
	return status;
}

int main(int argc, char **argv)
{
	FILE *lines = fdopen(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), "r");
	const int answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	const int nothing = open("/dev/null", O_RDONLY);
	char *line = NULL;
	size_t room = 0;

	if (argc != 2 || !lines)
		return 2;
	dup2(nothing, STDIN_FILENO);
	gsl_set_error_handler_off();
	while (getline(&line, &room, lines) > 0)
		dprintf(answers, "%d\n", run_line(line, argv[1]));
	free(line);
	fclose(lines);
	return 0;
}
