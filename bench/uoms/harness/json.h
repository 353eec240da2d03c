/*
 * json.h: writes a JSON document, one value after another; the text is jansson's.
 *
 * What was opened with uoms_json_stream is written as it grows, so that an interrupted run leaves its results; what was
 * opened with uoms_json_open is written when it is closed.
 */
#ifndef UOMS_JSON_H
#define UOMS_JSON_H

#include <stddef.h>
#include <stdio.h>

struct json_t;

#define UOMS_JSON_DEPTH 64

struct uoms_json {
    FILE *file;                           /* null: all calls do nothing */
    struct json_t *open[UOMS_JSON_DEPTH]; /* outermost first; null for those that are written as they grow */
    int depth;
    int needs_comma; /* whether the innermost open stream has values already */
};

/* Opens an object, '{', or an array, '['. name is null within arrays.  Streams can be opened only in streams. */
void uoms_json_stream(struct uoms_json *json, const char *name, char bracket);
void uoms_json_open(struct uoms_json *json, const char *name, char bracket);
/* Closes the innermost object or array; bracket is its '}' or ']'. */
void uoms_json_close(struct uoms_json *json, char bracket);
/* A null pointer becomes null; if the text or a name is not UTF-8, its bytes beyond ASCII become question marks. */
void uoms_json_text(struct uoms_json *json, const char *name, const char *text);
/* Fifteen significant digits; NaN and infinity become null. */
void uoms_json_number(struct uoms_json *json, const char *name, double number);
void uoms_json_count(struct uoms_json *json, const char *name, size_t number);
void uoms_json_bool(struct uoms_json *json, const char *name, int is_true);
/* Times in nanoseconds: whole numbers from 1000 on, four decimals below; negative ones are null. */
void uoms_json_times(struct uoms_json *json, const char *name, const double *times, size_t count);

#endif
