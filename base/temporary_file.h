/* Files without a name, which are gone when they are closed. */
#ifndef STEPSTAT_BASE_TEMPORARY_FILE_H
#define STEPSTAT_BASE_TEMPORARY_FILE_H

/* A file to write and read in that folder; -1 with errno. */
int temporary_file(const char *folder);

#endif
