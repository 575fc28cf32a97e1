/*
 * Reads the configuration file through the rules reader and hands its settings to the option table.
 */
#include "cli/config_file.h"

#include <string.h>
#include <unistd.h>
#include "base/text.h"
#include "cli/options.h"

struct config_context {
	struct settings *settings;
	char letter;
};

static int apply(
	void *context, const char *key, const char *value, const char *place, struct error *err)
{
	const struct config_context *c = context;

	return options_set(c->settings, c->letter, key, value, place, err);
}

/* The last --config on the command line, or NULL. */
static const char *chosen(int argc, char *const *argv)
{
	const char *path = NULL;

	for (int i = 0; i < argc && !text_equal(argv[i], "--"); i++) {
		if (text_starts(argv[i], "--config="))
			path = argv[i] + strlen("--config=");
		else if (text_equal(argv[i], "--config") && i + 1 < argc)
			path = argv[++i];
	}
	return path;
}

int config_read(
	struct settings *settings, char letter, int argc, char *const *argv, struct error *err)
{
	struct config_context context = {settings, letter};
	struct rules_settings visitor = {apply, &context};
	const char *path = chosen(argc, argv);

	if (path && text_equal(path, "none"))
		return 0;
	if (!path && access(CONFIG_FILE_STANDARD, F_OK) != 0)
		return 0;
	settings->config = path ? path : CONFIG_FILE_STANDARD;
	if (rules_read_config(settings->rules, settings->config, &visitor, err) < 0)
		return -1;
	settings->rules_given |= rules_count(settings->rules) > 0;
	return 0;
}
