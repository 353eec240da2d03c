#include "json.h"

#include "port.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A double preserves numbers of up to this many digits. */
enum { DIGITS = 15 };

static json_t *must(json_t *value)
{
    if (value == NULL) {
        fprintf(stderr, "out of memory for the JSON file\n");
        port_abort(1);
    }
    return value;
}

static void write_value(struct uoms_json *json, const json_t *value)
{
    /* Errors are detected when the file is closed. */
    json_dumpf(value, json->file, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(DIGITS));
}

/* The text; if it is not UTF-8, with question marks for bytes beyond ASCII */
static json_t *text_value(const char *text)
{
    json_t *value = json_string(text);
    if (value != NULL)
        return value;
    char *plain = malloc(strlen(text) + 1);
    if (plain == NULL)
        return NULL;
    for (size_t i = 0; i <= strlen(text); i++)
        plain[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
    value = json_string(plain);
    free(plain);
    return value;
}

static void write_name(struct uoms_json *json, const char *name)
{
    if (json->needs_comma)
        putc(',', json->file);
    json->needs_comma = 1;
    if (json->depth > 0)
        putc('\n', json->file);
    if (name == NULL)
        return;
    json_t *text = must(text_value(name));
    write_value(json, text);
    json_decref(text);
    putc(':', json->file);
}

/* Adds a value to the innermost open object or array, which takes it over. */
static void put(struct uoms_json *json, const char *name, json_t *value)
{
    json_t *parent = json->depth > 0 ? json->open[json->depth - 1] : NULL;
    must(value);
    if (parent == NULL) {
        write_name(json, name);
        write_value(json, value);
        json_decref(value);
    } else if (name == NULL) {
        must(json_array_append_new(parent, value) == 0 ? parent : NULL);
    } else {
        json_t *text = must(text_value(name));
        must(json_object_set_new(parent, json_string_value(text), value) == 0 ? parent : NULL);
        json_decref(text);
    }
}

static void enter(struct uoms_json *json, json_t *container)
{
    if (json->depth == UOMS_JSON_DEPTH) {
        fprintf(stderr, "the JSON document is nested too deeply\n");
        port_abort(1);
    }
    json->open[json->depth++] = container;
}

void uoms_json_stream(struct uoms_json *json, const char *name, char bracket)
{
    if (json->file == NULL)
        return;
    write_name(json, name);
    putc(bracket, json->file);
    json->needs_comma = 0;
    enter(json, NULL);
}

void uoms_json_open(struct uoms_json *json, const char *name, char bracket)
{
    if (json->file == NULL)
        return;
    json_t *container = must(bracket == '{' ? json_object() : json_array());
    json_t *parent = json->depth > 0 ? json->open[json->depth - 1] : NULL;
    /* The outermost value is written when it is complete, after its name. */
    if (parent == NULL)
        write_name(json, name);
    else
        put(json, name, json_incref(container));
    enter(json, container);
}

void uoms_json_close(struct uoms_json *json, char bracket)
{
    if (json->file == NULL)
        return;
    json_t *container = json->open[--json->depth];
    int is_outermost = json->depth == 0 || json->open[json->depth - 1] == NULL;
    if (container == NULL)
        putc(bracket, json->file);
    else if (is_outermost)
        write_value(json, container);
    json_decref(container);
    if (is_outermost)
        json->needs_comma = 1;
}

static json_t *number_value(double number)
{
    const double most_exact = 9007199254740992.0; /* 2^53 */
    if (isnan(number) || isinf(number))
        return json_null();
    if (number == floor(number) && fabs(number) < most_exact)
        return json_integer((json_int_t)number);
    return json_real(number);
}

void uoms_json_text(struct uoms_json *json, const char *name, const char *text)
{
    if (json->file != NULL)
        put(json, name, text != NULL ? text_value(text) : json_null());
}

void uoms_json_number(struct uoms_json *json, const char *name, double number)
{
    if (json->file != NULL)
        put(json, name, number_value(number));
}

void uoms_json_count(struct uoms_json *json, const char *name, size_t number)
{
    if (json->file != NULL)
        put(json, name, json_integer((json_int_t)number));
}

void uoms_json_bool(struct uoms_json *json, const char *name, int is_true)
{
    if (json->file != NULL)
        put(json, name, json_boolean(is_true));
}

void uoms_json_times(struct uoms_json *json, const char *name, const double *times, size_t count)
{
    if (json->file == NULL)
        return;
    json_t *values = must(json_array());
    for (size_t i = 0; i < count; i++) {
        double time = times[i] < 0 ? NAN : times[i];
        double rounded = time < 1000 ? round(time * 1e4) / 1e4 : round(time);
        if (json_array_append_new(values, number_value(rounded)))
            must(NULL);
    }
    put(json, name, values);
}
