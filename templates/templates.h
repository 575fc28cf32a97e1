/* Texts that are compiled in: plain, with @NAME@ places, no logic. templates/local.mk lists the
 * files. */
#pragma once

/* Template by the name of the file ("report.sql"); NULL when there is none. */
const char *template_find(const char *name);
