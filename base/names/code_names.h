/* Short forms of the names of C++ functions, which kernels of accelerators have: the function
 * without its return type, namespaces and parameters, and of its template arguments the words that
 * tell it from the others. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "base/arena.h"

/* True if it looks like a function in C++. Paths do not. */
bool code_name_is(const char *name);
/* form[i] becomes "function" or "function<word word>" for the names, all different and of
 * code_name_is, in the arena; where it is wider than `width` columns, the function is cut and may
 * be to a third of it, its words are not. Different names mostly have different forms; names that
 * differ only in the order of their words have the same. */
void code_names(const char *const *name, size_t count, size_t width, struct arena *arena,
	const char **form);
