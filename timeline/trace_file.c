/*
 * An outfile with a compressor before it.
 */
#include "timeline/trace_file.h"

#include "base/output/gzip_writer.h"
#include "base/memory.h"
#include "base/output/outfile.h"
#include "base/text.h"
#include "timeline/pftrace/pftrace_file.h"

struct trace_file {
	struct outfile *out;
	struct gzip_writer *gzip;     /* NULL: not compressed */
	struct pftrace_file *pftrace; /* NULL: what is written is the file */
};

static bool is_pftrace(const char *path)
{
	return text_ends(path, ".pftrace") || text_ends(path, ".pftrace.gz");
}

struct trace_file *trace_file_open(const struct trace_file_options *options, struct error *err)
{
	const struct pftrace_options pftrace = {.path = options->path,
		.issues = options->issues,
		.folder = options->folder,
		.max_disk_bytes = options->max_disk_bytes};
	struct outfile *out = outfile_open(options->path, err);
	struct trace_file *file;

	if (!out)
		return NULL;
	file = memory_alloc(sizeof(*file));
	file->out = out;
	file->gzip = text_ends(options->path, ".gz") ? gzip_writer_new(out) : NULL;
	file->pftrace = is_pftrace(options->path) ? pftrace_file_new(&pftrace) : NULL;
	return file;
}

static void write_bytes(void *to, const void *bytes, size_t n)
{
	struct trace_file *file = to;

	if (file->gzip)
		gzip_writer_write(file->gzip, bytes, n);
	else
		outfile_write(file->out, bytes, n);
}

void trace_file_write(struct trace_file *file, const void *bytes, size_t n)
{
	if (file->pftrace)
		pftrace_file_add(file->pftrace, bytes, n);
	else
		write_bytes(file, bytes, n);
}

int trace_file_finish(struct trace_file *file, struct error *err)
{
	int status = 0;

	if (file->pftrace)
		status = pftrace_file_finish(file->pftrace, write_bytes, file, err);
	pftrace_file_free(file->pftrace);
	file->pftrace = NULL;
	return status;
}

int trace_file_commit(struct trace_file *file, struct error *err)
{
	struct outfile *out = file->out;
	int status;

	if (trace_file_finish(file, err) != 0) {
		trace_file_discard(file);
		return -1;
	}
	status = gzip_writer_finish(file->gzip, err);
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
	pftrace_file_free(file->pftrace);
	outfile_discard(file->out);
	memory_free(file);
}
