/*
 * Looks through a zip file of XML parts, as spreadsheets are, whether each part has its end. It is
 * for files that a library wrote by way of temporary files without looking at its writes: a full
 * disk gives parts that stop somewhere.
 */
#ifndef STEPSTAT_BASE_OUTPUT_ZIP_CHECK_H
#define STEPSTAT_BASE_OUTPUT_ZIP_CHECK_H

#include <stdbool.h>

/* False where a part does not end with the end of its first element, or where the file is no such
 * zip. The file is read, its position stays. A part of 4 GiB or more counts as broken. */
bool zip_check_xml(int fd);

#endif
