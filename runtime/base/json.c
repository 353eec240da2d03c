#include "base/json.h"

#include <string.h>

/* Deeper than any real input; bounds the recursion of bn_json_skip. */
enum { DEPTH_MAX = 32 };

struct bn_json bn_json_begin(const char *text)
{
    return (struct bn_json){.begin = text, .at = text};
}

static void fail(struct bn_json *json)
{
    json->has_failed = true;
}

static void pass_blanks(struct bn_json *json)
{
    while (*json->at == ' ' || *json->at == '\t' || *json->at == '\n' || *json->at == '\r')
        json->at++;
}

static bool take(struct bn_json *json, char wanted)
{
    pass_blanks(json);
    if (json->has_failed || *json->at != wanted) {
        fail(json);
        return false;
    }
    json->at++;
    return true;
}

void bn_json_enter(struct bn_json *json, char bracket)
{
    if (json->depth == DEPTH_MAX)
        fail(json);
    if (take(json, bracket)) {
        json->depth++;
        json->is_first = true;
    }
}

bool bn_json_next(struct bn_json *json, char bracket)
{
    pass_blanks(json);
    if (json->has_failed)
        return false;
    if (*json->at == bracket) {
        json->at++;
        json->depth--;
        json->is_first = false;
        return false;
    }
    if (!json->is_first && !take(json, ','))
        return false;
    json->is_first = false;
    return true;
}

/* The character that an escape stands for; 0 if the escape is not supported */
static char unescape(char c)
{
    static const char names[] = "\"\\/bfnrt";
    static const char values[] = "\"\\/\b\f\n\r\t";
    const char *place = c != '\0' ? strchr(names, c) : NULL;
    return place ? values[place - names] : '\0';
}

bool bn_json_string(struct bn_json *json, char *text, size_t text_bytes)
{
    size_t used = 0;
    if (text_bytes > 0)
        text[0] = '\0';
    if (!take(json, '"'))
        return false;
    while (*json->at != '"') {
        char c = *json->at++;
        if (c == '\\')
            c = unescape(*json->at++);
        if ((unsigned char)c < ' ' && c != '\b' && c != '\f' && c != '\n' && c != '\r' && c != '\t') {
            json->at--;
            fail(json);
            return false;
        }
        if (used + 1 >= text_bytes) {
            fail(json);
            return false;
        }
        text[used++] = c;
    }
    json->at++;
    text[used] = '\0';
    return true;
}

bool bn_json_key(struct bn_json *json, char *text, size_t text_bytes)
{
    return bn_json_string(json, text, text_bytes) && take(json, ':');
}

bool bn_json_number(struct bn_json *json, uint64_t *number_p)
{
    uint64_t number = 0;
    pass_blanks(json);
    const char *begin = json->at;
    while (!json->has_failed && *json->at >= '0' && *json->at <= '9') {
        uint64_t digit = (uint64_t)(*json->at - '0');
        if (number > (UINT64_MAX - digit) / 10)
            fail(json);
        number = number * 10 + digit;
        json->at++;
    }
    if (json->at == begin || *json->at == '.' || *json->at == 'e' || *json->at == 'E')
        fail(json);
    *number_p = number;
    return !json->has_failed;
}

static void skip_string(struct bn_json *json)
{
    take(json, '"');
    while (!json->has_failed && *json->at != '"') {
        if (*json->at == '\\' && json->at[1] != '\0')
            json->at++;
        if (*json->at++ == '\0') {
            json->at--;
            fail(json);
        }
    }
    take(json, '"');
}

static void skip_word(struct bn_json *json)
{
    size_t length = strspn(json->at, "+-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    if (length == 0)
        fail(json);
    json->at += length;
}

void bn_json_skip(struct bn_json *json)
{
    pass_blanks(json);
    if (json->has_failed)
        return;
    if (*json->at == '{') {
        for (bn_json_enter(json, '{'); bn_json_next(json, '}');) {
            skip_string(json);
            take(json, ':');
            bn_json_skip(json);
        }
    } else if (*json->at == '[') {
        for (bn_json_enter(json, '['); bn_json_next(json, ']');)
            bn_json_skip(json);
    } else if (*json->at == '"') {
        skip_string(json);
    } else {
        skip_word(json);
    }
}

bool bn_json_end(struct bn_json *json)
{
    pass_blanks(json);
    return !json->has_failed && json->depth == 0 && *json->at == '\0';
}

int bn_json_line(const struct bn_json *json)
{
    int line = 1;
    for (const char *c = json->begin; c < json->at; c++)
        line += *c == '\n';
    return line;
}

/* The length in bytes of the non-ASCII character that begins there; 0 if it is not valid UTF-8 (RFC 3629). */
static size_t count_utf8_bytes(const unsigned char *text)
{
    unsigned char first = text[0];
    /* Excludes overlong forms, surrogates and code points beyond the last one */
    unsigned char lowest = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    unsigned char highest = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    size_t count = first < 0xC2 || first > 0xF4 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (count > 0 && (text[1] < lowest || text[1] > highest))
        return 0;
    for (size_t i = 2; i < count; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    return count;
}

void bn_json_write_string(FILE *file, const char *text)
{
    fputc('"', file);
    for (size_t count = 1; *text != '\0'; text += count) {
        bool is_ascii = (unsigned char)*text < 0x80;
        size_t utf8_bytes = is_ascii ? 0 : count_utf8_bytes((const unsigned char *)text);
        count = utf8_bytes > 0 ? utf8_bytes : 1;
        if (*text == '"' || *text == '\\')
            fprintf(file, "\\%c", *text);
        else if (is_ascii && *text < 0x20)
            fprintf(file, "\\u%04x", (unsigned)*text);
        else if (is_ascii || utf8_bytes > 0)
            fwrite(text, 1, count, file);
        else
            fputs("\\ufffd", file);
    }
    fputc('"', file);
}
