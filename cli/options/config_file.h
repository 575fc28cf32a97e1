/* The configuration file: stepstat.yaml in the current folder, or --config=FILE. It is read before
 * the command line, which wins. */
#pragma once

#include "cli/options/settings.h"

#define CONFIG_FILE_STANDARD "stepstat.yaml"

/* Finds --config among the words and reads rules and settings. stepstat.yaml may be missing,
 * the file of --config may not. */
int config_read(
	struct settings *settings, char letter, int argc, char *const *argv, struct error *err);
