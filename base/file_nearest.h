/* The file that a misspelt name probably means. It opens no file. */
#pragma once

#include <stdbool.h>
#include "base/text.h"

/* Sets out to the path whose name is nearest to that of `path` in the same folder; false when no
 * name is near. */
bool file_nearest(const char *path, struct text *out);
