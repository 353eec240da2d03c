/*
 * parse.h: the notations for numbers that people write: counts, sizes, durations.
 *
 * All functions take the whole text (surrounding blanks are allowed) and answer false, with the result untouched, if it
 * is not of that form or does not fit.
 */
#ifndef BN_BASE_PARSE_H
#define BN_BASE_PARSE_H

#include "base/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A decimal integer */
bool bn_parse_int(const char *text, int64_t *value_p);

/* "2.5", "90s", "10m", "1h", "1d"; a bare number counts seconds */
bool bn_parse_seconds(const char *text, int64_t *nanoseconds_p);

/* yes no on off true false 1 0, and the empty text, which is yes: it stands for a variable that is merely set */
bool bn_parse_bool(const char *text, int64_t *value_p);

/* Place of text in "one|two|three" */
bool bn_parse_choice(const char *text, const char *choices, int64_t *place_p);

#ifdef __cplusplus
}
#endif

#endif
