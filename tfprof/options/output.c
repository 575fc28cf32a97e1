/* The value of -output. */
#include "tfprof/options/output.h"

#include <string.h>
#include "tfprof/options/word_list.h"

static const char *const type_names[] = {
	[OUTPUT_STDOUT] = "stdout",
	[OUTPUT_FILE] = "file",
	[OUTPUT_TIMELINE] = "timeline",
	[OUTPUT_PPROF] = "pprof",
	[OUTPUT_NONE] = "none",
	[OUTPUT_CSV] = "csv",
	[OUTPUT_JSON] = "json",
	[OUTPUT_MD] = "md",
	[OUTPUT_TXT] = "txt",
};

#define TYPE_COUNT (sizeof(type_names) / sizeof(*type_names))

static const char outfile_key[] = "outfile"; /* the only one there is */

static bool has_file(enum tfprof_output type)
{
	return type != OUTPUT_STDOUT && type != OUTPUT_NONE;
}

const char *tfprof_output_writer(enum tfprof_output type)
{
	if (type == OUTPUT_TXT)
		return "text";
	return type >= OUTPUT_CSV ? type_names[type] : NULL;
}

const char *tfprof_output_file(const struct tfprof_options *options)
{
	for (size_t i = 0; i < options->output_option_count; i++)
		if (text_equal(options->output_option[i].key, outfile_key))
			return options->output_option[i].value;
	return NULL;
}

/* The map has one key at most, since there is only one that is valid. */
static void set_file(struct tfprof_options *options, const char *value, struct arena *arena)
{
	options->output_option = arena_alloc(arena, sizeof(*options->output_option));
	options->output_option[0].key = outfile_key;
	options->output_option[0].value = value;
	options->output_option_count = 1;
}

/* "key=value": empty parts between "=" vanish, so that a==b is a=b. NULL: no value. */
static const char *split_pair(const char *pair, char **value, struct arena *arena)
{
	const char *key = NULL;
	struct text rest;

	text_init(&rest);
	while (*pair) {
		size_t n = strcspn(pair, "=");

		if (n && !key) {
			key = arena_strndup(arena, pair, n);
		} else if (n) {
			text_add(&rest, rest.size ? "=" : "");
			text_add_bytes(&rest, pair, n);
		}
		pair += n + (pair[n] == '=');
	}
	*value = arena_strdup(arena, text_string(&rest));
	text_release(&rest);
	return **value ? key : NULL;
}

static bool parse_pairs(
	struct tfprof_options *options, const char *text, struct arena *arena, struct text *message)
{
	struct word_list pairs;

	word_list_split(&pairs, text, arena);
	for (size_t i = 0; i < pairs.count; i++) {
		char *value;
		const char *key = split_pair(pairs.word[i], &value, arena);

		if (!key) {
			text_add(message, "Invalid argument: Visualize format: -output "
					  "timeline:key=value,key=value,...");
			return false;
		}
		if (!has_file(options->output) || !text_equal(key, outfile_key)) {
			text_printf(message,
				"Invalid argument: Unrecognized options %s for output_type: %s\n",
				key, type_names[options->output]);
			return false;
		}
		set_file(options, value, arena);
	}
	return true;
}

bool tfprof_output_parse(
	struct tfprof_options *options, const char *text, struct arena *arena, struct text *message)
{
	size_t n = strcspn(text, ":");
	size_t type = 0;

	if (!*text) {
		options->output = OUTPUT_STDOUT;
		return true;
	}
	while (type < TYPE_COUNT &&
		(strlen(type_names[type]) != n || memcmp(type_names[type], text, n) != 0))
		type++;
	if (type == TYPE_COUNT) {
		text_printf(message,
			"Invalid argument: E.g. Unknown output type: %.*s, Valid "
			"types: file,none,pprof,stdout,timeline\n",
			(int)n, text);
		return false;
	}
	options->output = (enum tfprof_output)type;
	if (text[n] && !parse_pairs(options, text + n + 1, arena, message))
		return false;
	if (!has_file(options->output) || tfprof_output_file(options))
		return true;
	text_printf(message,
		"Invalid argument: Missing required output_options for %s\nE.g. -output "
		"%s:%s=...\n",
		type_names[type], type_names[type], outfile_key);
	return false;
}

void tfprof_output_print(const struct tfprof_options *options, struct text *out)
{
	text_printf(out, "%s:", type_names[options->output]);
	for (size_t i = 0; i < options->output_option_count; i++)
		text_printf(out, "%s%s=%s", i ? "," : "", options->output_option[i].key,
			options->output_option[i].value);
}
