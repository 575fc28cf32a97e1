/* The unpacked bytes of a gzip file or of gzip data in memory: several members are one stream,
 * padding with zeros is passed over. It does not know threads. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "base/text.h"

/* An open file that is read from front to back, counted, and whose reading can be broken off from
 * another thread. It knows no formats. */

struct raw_file {
	const char *path; /* for messages */
	int fd;		  /* -1: none */
	int break_fd;	  /* of a pipe: once its other end is closed, reading fails; -1: none */
	_Atomic uint64_t *_Atomic counter; /* of bytes read, for progress; NULL: none */
};

/* Reads up to `size` bytes; *got is 0 at the end only. ERROR_INPUT with the path and the system's
 * word. */
int raw_file_read(struct raw_file *file, void *bytes, size_t size, size_t *got, struct error *err);

struct gzip_stream {
	struct raw_file *file; /* of the caller's */
	struct gunzip *gunzip;
	const unsigned char *raw; /* packed bytes: the memory, or raw_buffer */
	unsigned char *raw_buffer;
	size_t raw_at, raw_end;
	uint64_t raw_offset; /* of raw[0] in the file */
	bool raw_at_end;
	bool at_end, garbage; /* bytes that are not gzip follow the last member */
};

bool gzip_magic(const unsigned char *bytes, size_t size);

/* `head` is what was read of the file already (copied), or, where file->fd is -1, all there is
 * (must outlive it). */
void gzip_stream_init(
	struct gzip_stream *stream, struct raw_file *file, const unsigned char *head, size_t size);
void gzip_stream_release(struct gzip_stream *stream);
/* Unpacks `size` bytes, fewer only at the end (then at_end is set) or with -1: *got bytes are good
 * then. ERROR_INPUT with path and offset in the packed data: they end too early, are damaged, have
 * a wrong checksum, or reading failed. */
int gzip_stream_read(struct gzip_stream *stream, unsigned char *bytes, size_t size, size_t *got,
	struct error *err);

/* Unpacks a block of zlib's format (RFC 1950) that lies in memory. */

/* Replaces `out` by what the bytes unpack to. False: they are damaged, or it is more than `most`
 * bytes; then `out` has what could be unpacked. */
bool unzlib(const void *bytes, size_t size, size_t most, struct text *out);

/* Unpacks one gzip member, with its header and checksum. configure chooses one of two
 * implementations: ISA-L, which is faster, or zlib. It reads no files and knows nothing of further
 * members. */
struct gunzip;

enum gunzip_state {
	GUNZIP_GOES_ON,	   /* unpacked what it could: more input or more room is needed */
	GUNZIP_MEMBER_END, /* all of it unpacked, the checksum is right */
	GUNZIP_CHECKSUM,   /* all of it unpacked, the checksum is wrong */
	GUNZIP_DAMAGED,
};

struct gunzip *gunzip_new(void);
void gunzip_free(struct gunzip *gunzip); /* NULL is fine */
void gunzip_next(struct gunzip *gunzip); /* a new member begins */

/* Unpacks from *in to *out and moves both on; after the end or damage *in is where that was
 * found. */
enum gunzip_state gunzip_run(struct gunzip *gunzip, const unsigned char **in, size_t in_bytes,
	unsigned char **out, size_t out_bytes);
