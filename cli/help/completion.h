/* Completion for bash, zsh and fish, made from the tables of commands and options (stepstat help
 * bash-completion). */
#pragma once

#include "base/output/outfile.h"

void completion_write(struct outfile *out);
void completion_write_zsh(struct outfile *out);
void completion_write_fish(struct outfile *out);
