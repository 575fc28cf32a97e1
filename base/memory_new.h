/*
 * C++ libraries that run out of memory: their `new` calls the handler of base/memory.h instead
 * of throwing an exception that nobody catches.
 */
#ifndef STEPSTAT_BASE_MEMORY_NEW_H
#define STEPSTAT_BASE_MEMORY_NEW_H

#ifdef __cplusplus
extern "C" {
#endif

void memory_handle_new(void); /* for the whole process; the size is reported as 0 */

#ifdef __cplusplus
}
#endif

#endif
