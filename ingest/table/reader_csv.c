/* Reader of tables of observations in CSV. */
#include <string.h>
#include "ingest/reader.h"
#include "ingest/table/csv_columns.h"
#include "ingest/table/csv_rows.h"
#include "ingest/table/table_read.h"

#define PROBE_ROW_BYTES ((size_t)PROBE_BYTES)

static int csv_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	const unsigned char *bytes;
	struct cell_rows *rows;
	size_t size;
	char separator;
	int result;

	if (input_peek(in, PROBE_BYTES, &bytes, &size, err) < 0)
		return -1;
	separator = csv_separator(bytes, size);
	rows = csv_rows_new(in, separator ? separator : ',', opt->max_record_bytes);
	result = table_read(rows, out, opt, err);
	if (result == 0 && rows->unended)
		issue_add(&out->issues, ISSUE_INFO, "line-unended",
			"tables whose last line has no end: its last value may be cut", 1,
			input_path(in));
	if (result == 0)
		input_report_tail(in, &out->issues);
	csv_rows_free(rows);
	return result;
}

/* The first row of the bytes; the score of what it says. */
static int csv_probe(const struct probe *p)
{
	char separator = csv_separator(p->bytes, p->size);
	struct input *in;
	struct cell_rows *rows;
	struct cell_row header;
	int score = 0;

	if (!separator || memchr(p->bytes, 0, p->size))
		return 0;
	in = input_memory(p->bytes, p->size, "");
	rows = csv_rows_new(in, separator, PROBE_ROW_BYTES);
	if (rows->next(rows, &header, NULL) > 0)
		score = csv_columns_score(&header);
	csv_rows_free(rows);
	input_close(in);
	return score;
}

const struct reader reader_csv = {
	.name = "csv",
	.title = "observations (CSV)",
	.summary = "observations as a table: run,step,op,measure,value,unit, or a column per "
		   "measure",
	.suffixes = (const char *const[]){".csv", ".tsv", NULL},
	.probe = csv_probe,
	.read = csv_read,
	.uses_kilobyte = true,
};
