/*
 * An outfile with a compressor before it.
 */
#include "timeline/trace_file.h"

#include "base/output/gzip_writer.h"
#include "base/memory.h"
#include "base/output/outfile.h"
#include "base/text.h"

struct trace_file {
	struct outfile *out;
	struct gzip_writer *gzip; /* NULL: not compressed */
};

struct trace_file *trace_file_open(const char *path, struct error *err)
{
	const bool is_gzip = text_ends(path, ".gz");
	struct outfile *out = NULL;
	struct trace_file *file;

	if (text_ends(path, ".pftrace") || text_ends(path, ".pftrace.gz"))
		error_set(err, ERROR_USAGE, path,
			"timeline writes JSON alone, which ui.perfetto.dev opens: use a name that "
			"ends in .json%s",
			is_gzip ? ".gz" : "");
	else
		out = outfile_open(path, err);
	if (!out)
		return NULL;
	file = memory_alloc(sizeof(*file));
	file->out = out;
	file->gzip = is_gzip ? gzip_writer_new(out) : NULL;
	return file;
}

void trace_file_write(struct trace_file *file, const void *bytes, size_t n)
{
	if (file->gzip)
		gzip_writer_write(file->gzip, bytes, n);
	else
		outfile_write(file->out, bytes, n);
}

int trace_file_commit(struct trace_file *file, struct error *err)
{
	struct outfile *out = file->out;
	int status = gzip_writer_finish(file->gzip, err);

	memory_free(file);
	if (status == 0)
		return outfile_commit(out, err);
	outfile_discard(out);
	return -1;
}

void trace_file_discard(struct trace_file *file)
{
	if (!file)
		return;
	gzip_writer_discard(file->gzip);
	outfile_discard(file->out);
	memory_free(file);
}
