#include "json.h"

#include <math.h>

static void write_string(FILE *file, const char *text)
{
    putc('"', file);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else if (c < 0x20)
            fprintf(file, "\\u%04x", c);
        else
            putc(c, file);
    }
    putc('"', file);
}

/* Comma, line and name before a value.  Non-zero if there is a file. */
static int begin(struct uoms_json *json, const char *name)
{
    if (json->file == NULL)
        return 0;
    if (json->needs_comma)
        putc(',', json->file);
    json->needs_comma = 1;
    if (name != NULL) {
        putc('\n', json->file);
        write_string(json->file, name);
        fputs(": ", json->file);
    }
    return 1;
}

void uoms_json_open(struct uoms_json *json, const char *name, char bracket)
{
    if (!begin(json, name))
        return;
    putc(bracket, json->file);
    json->needs_comma = 0;
}

void uoms_json_close(struct uoms_json *json, char bracket)
{
    if (json->file == NULL)
        return;
    putc(bracket, json->file);
    json->needs_comma = 1;
}

void uoms_json_text(struct uoms_json *json, const char *name, const char *text)
{
    if (!begin(json, name))
        return;
    if (text == NULL)
        fputs("null", json->file);
    else
        write_string(json->file, text);
}

void uoms_json_number(struct uoms_json *json, const char *name, double number)
{
    if (!begin(json, name))
        return;
    if (isnan(number) || isinf(number))
        fputs("null", json->file);
    else
        fprintf(json->file, "%.6g", number);
}

void uoms_json_count(struct uoms_json *json, const char *name, size_t number)
{
    if (begin(json, name))
        fprintf(json->file, "%zu", number);
}

void uoms_json_bool(struct uoms_json *json, const char *name, int is_true)
{
    if (begin(json, name))
        fputs(is_true ? "true" : "false", json->file);
}

void uoms_json_times(struct uoms_json *json, const char *name, const double *times, size_t count)
{
    if (!begin(json, name))
        return;
    putc('[', json->file);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            putc(',', json->file);
        if (isnan(times[i]) || times[i] < 0)
            fputs("null", json->file);
        else
            fprintf(json->file, times[i] >= 1000 ? "%.0f" : "%.4g", times[i]);
    }
    putc(']', json->file);
}
