/* The man page, made from the tables of commands and options (stepstat help man). doc/stepstat.1 is
 * its output. */
#pragma once

#include "base/output/outfile.h"

void manpage_write(struct outfile *out);
