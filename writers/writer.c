/*
 * The table of output formats and the searches in it. A new format is one line in writers.def.
 */
#include "writers/writer.h"

#include <string.h>
#include <strings.h>

#define WRITER(name) extern const struct writer writer_##name;
#include "writers/writers.def"
#undef WRITER

const struct writer *const writer_table[] = {
#define WRITER(name) &writer_##name,
#include "writers/writers.def"
#undef WRITER
};

const size_t writer_count = sizeof(writer_table) / sizeof(writer_table[0]);

#define WRITERS (sizeof(writer_table) / sizeof(writer_table[0]))

const struct writer *writer_find(const char *name, struct error *err)
{
	const char *names[WRITERS];
	struct text list;

	for (size_t i = 0; i < WRITERS; i++) {
		names[i] = writer_table[i]->name;
		if (text_equal(names[i], name))
			return writer_table[i];
	}
	text_init(&list);
	for (size_t i = 0; i < WRITERS; i++)
		text_printf(&list, "%s%s", i ? ", " : "", names[i]);
	int nearest = text_nearest(name, names, WRITERS);

	error_set(err, ERROR_USAGE, NULL, "unknown output format \"%s\"", name);
	if (nearest >= 0)
		error_hint(err, "did you mean \"%s\"? formats: %s", names[nearest],
			text_string(&list));
	else
		error_hint(err, "formats: %s", text_string(&list));
	text_release(&list);
	return NULL;
}

/* Suffixes are compared without case: OPS.CSV is meant for a spreadsheet too. */
static bool path_has_suffix(const char *path, const char *suffix)
{
	size_t length = strlen(path), tail = strlen(suffix);

	return length > tail && strcasecmp(path + length - tail, suffix) == 0;
}

const struct writer *writer_for_path(const char *path, struct error *err)
{
	struct text list;

	for (size_t i = 0; i < WRITERS; i++)
		for (const char *const *s = writer_table[i]->suffixes; *s; s++)
			if (path_has_suffix(text_base_name(path), *s))
				return writer_table[i];
	text_init(&list);
	for (size_t i = 0; i < WRITERS; i++)
		for (const char *const *s = writer_table[i]->suffixes; *s; s++)
			text_printf(&list, "%s%s", list.size ? " " : "", *s);
	error_set(err, ERROR_USAGE, NULL,
		"the name \"%s\" does not say which format to write, expected a suffix of: %s",
		path, text_string(&list));
	error_hint(err, "change the suffix; any format goes to standard output: --to=csv > FILE");
	text_release(&list);
	return NULL;
}
