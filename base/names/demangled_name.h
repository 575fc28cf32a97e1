/* The names of C++ functions as people write them: "ck_tile::kernel<128>(float const*)" of
 * "_ZN7ck_tile6kernelILi128EEEvPKf". It does not shorten them. */
#pragma once

#include "base/arena.h"

/* Longest mangled name and longest result, in bytes: a few bytes of substitutions can stand for a
 * gigabyte. Beyond either the name stays as it is. */
#define MANGLED_MOST 1024
#define DEMANGLED_MOST 4096

/* The demangled name in the arena, or NULL if the name is not mangled or is too long. */
const char *demangled_name(struct arena *arena, const char *name);
