/* RE2's regular expressions for C. tfprof's patterns are RE2's, which refuses some that PCRE2
 * compiles ("a++", "(?=a)", "\1"). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "tfprof/options/options.h"

#ifdef __cplusplus
extern "C" {
#endif

struct regex_list;

/* The list "all" is the one that is exactly ".*". An invalid pattern never matches. */
struct regex_list *regex_list_new(const struct word_list *words);
void regex_list_free(struct regex_list *list);
bool regex_list_is_all(const struct regex_list *list);
bool regex_list_is_empty(const struct regex_list *list);
size_t regex_list_count(const struct regex_list *list);
/* True if any member matches the whole text. */
bool regex_list_matches(const struct regex_list *list, const char *text);
bool regex_list_matches_bytes(const struct regex_list *list, const char *text, size_t bytes);
/* The member `index` alone. */
bool regex_list_matches_one(const struct regex_list *list, size_t index, const char *text);

#ifdef __cplusplus
}
#endif
