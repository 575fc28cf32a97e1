/* stepstat formats: lists the formats that are read and written. */
#include <string.h>
#include "cli/options/command.h"
#include "cli/screen.h"
#include "ingest/reader.h"
#include "writers/writer.h"

static void put_readers(struct outfile *out, bool are_read)
{
	size_t width = 0;

	for (size_t i = 0; i < reader_count; i++)
		if (strlen(reader_table[i]->name) > width)
			width = strlen(reader_table[i]->name);
	for (size_t i = 0; i < reader_count; i++)
		if ((reader_table[i]->read != NULL) == are_read)
			outfile_printf(out, "  %-*s  %s\n", (int)width, reader_table[i]->name,
				reader_table[i]->summary);
}

static int run(struct settings *s, struct error *err)
{
	struct outfile *out = screen_open(err);

	(void)s;
	if (!out)
		return -1;
	outfile_puts(out, "Read (detected by content; --from=NAME forces one)\n");
	put_readers(out, true);
	outfile_puts(out, "\nRecognised and named, not read by this version\n");
	put_readers(out, false);
	outfile_puts(out, "\nWritten (by the suffix of -o FILE; --to=NAME for standard output)\n");
	for (size_t i = 0; i < writer_count; i++)
		outfile_printf(
			out, "  %-11s  %s\n", writer_table[i]->name, writer_table[i]->summary);
	return outfile_commit(out, err);
}

const struct command command_formats = {
	.name = "formats",
	.arguments = "",
	.summary = "formats that are read and written",
	.run = run,
};
