/*
 * The end of memory in libraries of C++: their `new` calls the handler of base/memory.h instead of
 * throwing what nobody catches.
 */
#ifndef STEPSTAT_BASE_MEMORY_NEW_H
#define STEPSTAT_BASE_MEMORY_NEW_H

#ifdef __cplusplus
extern "C" {
#endif

void memory_handle_new(void); /* for the whole process; the size is told as 0 */

#ifdef __cplusplus
}
#endif

#endif
