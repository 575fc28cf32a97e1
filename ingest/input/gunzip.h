/*
 * Unpacks one gzip member, with its header and checksum. configure chooses one of two
 * implementations: ISA-L, which is faster, or zlib. It reads no files and knows nothing of further
 * members.
 */
#ifndef STEPSTAT_INGEST_INPUT_GUNZIP_H
#define STEPSTAT_INGEST_INPUT_GUNZIP_H

#include <stddef.h>

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

#endif
