/* json.h: writes JSON to a file, one value after the other.  Members and elements are separated where needed. */
#ifndef UOMS_JSON_H
#define UOMS_JSON_H

#include <stddef.h>
#include <stdio.h>

struct uoms_json {
    FILE *file; /* null: everything is ignored */
    int needs_comma;
};

/* name is null within arrays */
void uoms_json_open(struct uoms_json *json, const char *name, char bracket);
void uoms_json_close(struct uoms_json *json, char bracket);
void uoms_json_text(struct uoms_json *json, const char *name, const char *text);
/* Six significant digits; NaN and infinity become null. */
void uoms_json_number(struct uoms_json *json, const char *name, double number);
void uoms_json_count(struct uoms_json *json, const char *name, size_t number);
void uoms_json_bool(struct uoms_json *json, const char *name, int is_true);
/* Times in nanoseconds: whole numbers from 1000 on, negative ones are null. */
void uoms_json_times(struct uoms_json *json, const char *name, const double *times, size_t count);

#endif
