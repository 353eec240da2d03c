/*
 * parse.h: parses numbers as users write them: counts, sizes, durations.
 *
 * All functions parse the whole text (surrounding blanks are allowed) and return false, leaving the result untouched,
 * if it does not have that form or does not fit.
 */
#ifndef BN_BASE_PARSE_H
#define BN_BASE_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A decimal integer */
bool bn_parse_int(const char *text, int64_t *value_p);

/* "64M", "64", "1.5GB", "100 MiB" as bytes; a bare number counts units of default_unit bytes. */
bool bn_parse_bytes(const char *text, uint64_t default_unit, uint64_t *bytes_p);

/* The shortest exact way to write a number of bytes: "64M", "1G", "1000".  text holds at least 24 bytes. */
void bn_format_bytes(uint64_t bytes, char *text, size_t text_bytes);

/* "2.5", "90s", "10m", "1h", "1d"; a bare number counts seconds */
bool bn_parse_seconds(const char *text, int64_t *nanoseconds_p);

/* yes no on off true false 1 0; the empty text means yes, because a variable that is merely set is empty */
bool bn_parse_bool(const char *text, int64_t *value_p);

/* The index of text in "one|two|three" */
bool bn_parse_choice(const char *text, const char *choices, int64_t *place_p);

#ifdef __cplusplus
}
#endif

#endif
