/* The program behind main(): a command line in, an exit status out. It sets up no signals and ends
 * no process. */
#pragma once

/* Runs the command that the words name; argv[0] is the program's own name. Reports go to standard
 * output, messages to standard error. Returns the exit status. */
int program_run(int argc, char *const *argv);
