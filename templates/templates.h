/*
 * Texts that are compiled in: plain, with @NAME@ places, no logic. templates/local.mk lists the
 * files.
 */
#ifndef STEPSTAT_TEMPLATES_TEMPLATES_H
#define STEPSTAT_TEMPLATES_TEMPLATES_H

/* Template by the name of the file ("report.sql"); NULL when there is none. */
const char *template_find(const char *name);

#endif
