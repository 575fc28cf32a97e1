/*
 * The patient way to a table of JSON text: byte by byte, for text that producers got wrong.
 * Internal to json_index.
 */
#ifndef STEPSTAT_INGEST_JSON_JSON_PATIENT_H
#define STEPSTAT_INGEST_JSON_JSON_PATIENT_H

#include "ingest/json/json_index.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills `at` (room for size + 1 entries), returns their number. */
size_t json_patient(const char *bytes, size_t size, uint32_t *at, struct json_damage *damage);

#ifdef __cplusplus
}
#endif

#endif
