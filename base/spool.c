/* Bytes that are added wait in memory until there are enough of them to write, and are read in
 * large pieces. */
#include "base/spool.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/temporary_file.h"

/* Bytes that are written at once to a file: so much stays in a cache of the processor. */
#define WRITE_BYTES ((size_t)256 << 10)

void spool_init(struct spool *s, const struct spool_options *options)
{
	*s = (struct spool){.options = *options, .fd = -1};
	if (!s->options.folder)
		s->options.folder = "/tmp";
}

void spool_release(struct spool *s)
{
	if (s->fd >= 0)
		close(s->fd);
	memory_unmap(s->tail, s->mapped);
	*s = (struct spool){.fd = -1};
}

void spool_clear(struct spool *s)
{
	s->written = 0;
	s->used = 0;
}

static int file_fail(const struct spool *s, const char *doing, struct error *err)
{
	const char *word = strerror(errno);

	error_set(err, ERROR_OUTPUT, s->options.folder,
		"cannot %s the temporary file in which %s are kept: %s", doing, s->options.what,
		word);
	return error_hint(err, "set TMPDIR to a folder that can be written and has room, or read "
			       "fewer files at once");
}

int spool_damaged(const struct spool *s, struct error *err)
{
	errno = EIO;
	return file_fail(s, "read back", err);
}

static int write_tail(struct spool *s, struct error *err)
{
	const uint64_t most = s->options.max_disk_bytes;

	if (s->used > most || s->written > most - s->used) {
		error_set(err, ERROR_LIMIT, s->options.folder,
			"more than %llu bytes of temporary disk to keep %s",
			(unsigned long long)most, s->options.what);
		return error_hint(err, "allow more with spill-limit in stepstat.yaml, or read "
				       "fewer files at once");
	}
	if (s->fd < 0)
		s->fd = temporary_file(s->options.folder);
	if (s->fd < 0)
		return file_fail(s, "make", err);
	if (temporary_file_write(s->fd, s->tail, s->used, s->written) != 0)
		return file_fail(s, "write", err);
	s->written += s->used;
	s->used = 0;
	s->room = s->room < WRITE_BYTES ? s->room : WRITE_BYTES;
	return 0;
}

int spool_make_room(struct spool *s, size_t n, struct error *err)
{
	size_t most = s->options.memory_bytes;

	if (s->used && write_tail(s, err) != 0)
		return -1;
	most = s->fd >= 0 && most > WRITE_BYTES ? WRITE_BYTES : most;
	most = most > n ? most : n;
	if (s->mapped < most + SPOOL_SLACK) {
		memory_unmap(s->tail, s->mapped);
		s->mapped = most + SPOOL_SLACK;
		s->tail = memory_map(s->mapped);
	}
	s->room = most;
	return 0;
}

int spool_add(struct spool *s, const void *bytes, size_t n, struct error *err)
{
	unsigned char *to;

	if (n == 0)
		return 0;
	to = spool_end(s, n, err);
	if (!to)
		return -1;
	memcpy(to, bytes, n);
	s->used += n;
	return 0;
}

int spool_settle(struct spool *s, struct error *err)
{
	if (s->fd < 0)
		return 0;
	if (write_tail(s, err) != 0)
		return -1;
	memory_unmap(s->tail, s->mapped);
	s->tail = NULL;
	s->room = s->mapped = 0;
	return 0;
}

/* ---- reading ---- */

void spool_pass_init(struct spool_pass *p, const struct spool *s, size_t window_bytes)
{
	*p = (struct spool_pass){.spool = s, .window_bytes = window_bytes};
}

void spool_pass_release(struct spool_pass *p)
{
	memory_free(p->window);
	*p = (struct spool_pass){.spool = NULL};
}

void spool_pass_begin(struct spool_pass *p, uint64_t offset, uint64_t bytes)
{
	const struct spool *s = p->spool;

	p->at = p->end = s->fd < 0 && bytes ? s->tail + offset : p->window;
	p->offset = offset;
	p->left = bytes;
	if (s->fd < 0 && bytes) {
		p->end += bytes;
		p->left = 0;
	}
}

int spool_pass_fill(struct spool_pass *p, size_t n, struct error *err)
{
	const size_t have = (size_t)(p->end - p->at);
	unsigned char *window = p->window;
	size_t want;

	if (!window || p->window_bytes < n) {
		p->window_bytes = p->window_bytes < n ? n : p->window_bytes;
		window = memory_alloc(p->window_bytes + SPOOL_SLACK);
	}
	if (have)
		memmove(window, p->at, have);
	if (window != p->window)
		memory_free(p->window);
	want = p->window_bytes - have < p->left ? p->window_bytes - have : (size_t)p->left;
	p->window = window;
	p->at = window;
	p->end = window + have;
	if (temporary_file_read(p->spool->fd, window + have, want, p->offset) != 0)
		return file_fail(p->spool, "read back", err);
	p->end += want;
	p->offset += want;
	p->left -= want;
	return 0;
}
