/* Reads the configuration file through the rules reader and passes its settings to the option
 * table. */
#include "cli/options/config_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/temporary_file.h"
#include "base/text.h"
#include "cli/options/options.h"
#include "analysis/select/yaml_reader.h"

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

/* The last value of an option ("--config") on the command line, or NULL. */
static const char *chosen(int argc, char *const *argv, const char *option)
{
	const char *path = NULL;
	size_t size = strlen(option);

	for (int i = 0; i < argc && !text_equal(argv[i], "--"); i++) {
		if (text_starts(argv[i], option) && argv[i][size] == '=')
			path = argv[i] + size + 1;
		else if (text_equal(argv[i], option) && i + 1 < argc)
			path = argv[++i];
	}
	return path;
}

static int fail(const char *path, const char *verb, int number, struct error *err)
{
	struct stat info;

	error_set(err, ERROR_USAGE, path, "cannot %s the rules file: %s", verb, strerror(number));
	if (number == ENOENT && lstat(path, &info) == 0)
		return error_hint(err, "it is a link to a file that does not exist; --config=none "
				       "does without it");
	return -1;
}

/* A pipe is read only where it was typed: one found in a folder would hang the program. */
static int read_file(struct settings *s, bool typed, struct error *err)
{
	int fd = file_open(s->config, O_RDONLY | O_CLOEXEC | O_NOCTTY | (typed ? 0 : O_NONBLOCK));
	struct stat info;
	int status;

	if (fd < 0)
		return fail(s->config, "open", errno, err);
	if (!typed && fstat(fd, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
		error_set(err, ERROR_USAGE, s->config,
			"is not a regular file, expected a rules file");
		status = error_hint(err, "--config=none does without it");
	} else {
		/* Read one byte more than is allowed, so that the YAML reader reports the size. */
		char part[8192];
		struct text text;
		ssize_t n = 0;

		text_init(&text);
		while (text.size <= YAML_FILE_MOST) {
			n = read(fd, part, sizeof(part));
			if (n == 0 || (n < 0 && errno != EINTR))
				break;
			if (n > 0)
				text_add_bytes(&text, part, (size_t)n);
		}
		s->config_bytes = arena_strndup(s->arena, text_string(&text), text.size);
		s->config_size = text.size;
		text_release(&text);
		status = n < 0 ? fail(s->config, "read", errno, err) : 0;
	}
	close(fd);
	if (!status)
		digest_sha256(s->config_bytes, s->config_size, s->config_sha256);
	return status;
}

/* The file that --policy-from replaces, where there is one: its bytes are kept for a comparison,
 * and nothing in them is in force. */
static int read_replaced(struct settings *s, const char *path, struct error *err)
{
	struct settings other = {.arena = s->arena, .config = path ? path : CONFIG_FILE_STANDARD};
	struct stat info;

	if ((path && text_equal(path, "none")) ||
		(!path && lstat(CONFIG_FILE_STANDARD, &info) != 0 && errno == ENOENT))
		return 0;
	if (read_file(&other, path != NULL, err) < 0)
		return -1;
	s->replaced_config = other.config;
	s->replaced_bytes = other.config_bytes;
	s->replaced_size = other.config_size;
	return 0;
}

int config_read(
	struct settings *settings, char letter, int argc, char *const *argv, struct error *err)
{
	struct config_context context = {settings, letter};
	struct rules_settings visitor = {apply, &context};
	const char *path = chosen(argc, argv, "--config");
	const char *from = letter == 'G' ? chosen(argc, argv, "--policy-from") : NULL;
	struct stat info;

	if (from) {
		if (read_replaced(settings, path, err) < 0)
			return -1;
		path = from;
	}

	if (path && text_equal(path, "none"))
		return 0;
	if (!path && lstat(CONFIG_FILE_STANDARD, &info) != 0 && errno == ENOENT)
		return 0;
	settings->config = path ? path : CONFIG_FILE_STANDARD;
	if (read_file(settings, path != NULL, err) < 0 ||
		rules_read_config(settings->job.rules, settings->config_bytes,
			settings->config_size, settings->config, &visitor, err) < 0)
		return -1;
	settings->job.rules_given |= rules_count(settings->job.rules) > 0;
	return 0;
}
