/* The record of a session on the disk: ab.txt (what was asked), runs.csv (a line for each run,
 * added when it ends), output/ (what the commands print), reads/ (the files that they write), and
 * for each side a folder with a table that compare and gate read. It runs nothing and decides
 * nothing. */
#pragma once

#include "ab/session.h"

struct ab_record;

/* True if the folder is a record. */
bool ab_record_is(const char *path);

/* Makes the folder; one that is there must be empty. -1: ERROR_OUTPUT. */
struct ab_record *ab_record_new(
	const char *path, const struct ab_session *session, struct error *err);
/* Reads what is there into the session, options included. `add`: runs will be added: whatever a
 * crash left of the last line is removed, and no other process may add meanwhile. */
struct ab_record *ab_record_open(
	const char *path, bool add, struct ab_session *session, struct error *err);
/* Writes that runs follow, and what is now asked of them, into a record that was opened. */
int ab_record_begin(
	const struct ab_record *record, const struct ab_session *session, struct error *err);
/* Descriptor for what this run prints; *name is the file's path. -1: ERROR_OUTPUT. */
int ab_record_output(struct ab_record *record, const struct ab_session *session, size_t round,
	size_t side, const char **name, struct error *err);
/* The folder in which the run finds room for its files, empty; an absolute path. "reads/a/0003" of
 * the record, of a warm-up "warmup/a". NULL: ERROR_OUTPUT. */
const char *ab_record_folder(struct ab_record *record, const struct ab_session *session,
	size_t round, size_t side, struct error *err);
/* Moves files that match the pattern of the options, and changed since the run began, into it,
 * by their paths below the folder that the pattern names; never over a file that is there. */
int ab_record_collect(const struct ab_record *record, const struct ab_session *session,
	const struct command_result *run, const char *folder, struct error *err);
/* Adds the last run of the session. Without room on the disk the record stays as it was. */
int ab_record_add(struct ab_record *record, const struct ab_session *session, struct error *err);
/* Writes the tables of the sides, of the rounds that are complete. */
int ab_record_write_sides(
	const struct ab_record *record, const struct ab_session *session, struct error *err);
/* Writes how the session ended beside what was asked. */
int ab_record_end(
	const struct ab_record *record, const struct ab_session *session, struct error *err);
void ab_record_free(struct ab_record *record); /* NULL is fine */
