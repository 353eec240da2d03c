#include "base/parse.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t\r\n");
}

static bool is_at_end(const char *text)
{
    return *skip_blanks(text) == '\0';
}

/*
 * Digits with an optional fraction, as an integer and a fraction of 2^32, to avoid floating-point rounding.  Returns
 * the rest of the text, or null if no number starts there.
 */
static const char *parse_decimal(const char *text, uint64_t *whole_p, uint32_t *fraction_p)
{
    text = skip_blanks(text);
    if (*text < '0' || *text > '9')
        return NULL;
    uint64_t whole = 0;
    for (; *text >= '0' && *text <= '9'; ++text) {
        if (__builtin_mul_overflow(whole, 10U, &whole) ||
            __builtin_add_overflow(whole, (uint64_t)(*text - '0'), &whole))
            return NULL;
    }
    uint64_t numerator = 0;
    uint64_t denominator = 1;
    if (*text == '.') {
        for (++text; *text >= '0' && *text <= '9'; ++text) {
            if (denominator < 1000000000) {
                numerator = numerator * 10 + (uint64_t)(*text - '0');
                denominator *= 10;
            }
        }
    }
    *whole_p = whole;
    *fraction_p = (uint32_t)((numerator << 32) / denominator);
    return text;
}

/* (whole + fraction / 2^32) * unit */
static bool scale(uint64_t whole, uint32_t fraction, uint64_t unit, uint64_t *product_p)
{
    unsigned __int128 product = (unsigned __int128)whole * unit + (((unsigned __int128)fraction * unit) >> 32);
    if (product > UINT64_MAX)
        return false;
    *product_p = (uint64_t)product;
    return true;
}

struct unit {
    const char *name;
    uint64_t factor;
};

/* The factor of the unit that text names, in any case; fallback for none; 0 for an unknown one */
static uint64_t find_unit(const char *text, const struct unit *units, uint64_t fallback)
{
    text = skip_blanks(text);
    size_t bytes = strlen(text);
    while (bytes > 0 && strchr(" \t\r\n", text[bytes - 1]))
        --bytes;
    if (bytes == 0)
        return fallback;
    for (; units->name; ++units) {
        if (strlen(units->name) == bytes && strncasecmp(units->name, text, bytes) == 0)
            return units->factor;
    }
    return 0;
}

bool bn_parse_int(const char *text, int64_t *value_p)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || errno != 0 || !is_at_end(end))
        return false;
    *value_p = value;
    return true;
}

/* Names of powers of 1000 mean powers of 1024 as well, because UPC programs have always been run with "64MB". */
bool bn_parse_bytes(const char *text, uint64_t default_unit, uint64_t *bytes_p)
{
    static const struct unit units[] = {
        {"B", 1},           {"K", 1ULL << 10},   {"KB", 1ULL << 10},  {"KIB", 1ULL << 10}, {"M", 1ULL << 20},
        {"MB", 1ULL << 20}, {"MIB", 1ULL << 20}, {"G", 1ULL << 30},   {"GB", 1ULL << 30},  {"GIB", 1ULL << 30},
        {"T", 1ULL << 40},  {"TB", 1ULL << 40},  {"TIB", 1ULL << 40}, {NULL, 0},
    };
    uint64_t whole;
    uint32_t fraction;
    const char *rest = parse_decimal(text, &whole, &fraction);
    uint64_t unit = rest ? find_unit(rest, units, default_unit) : 0;
    return unit != 0 && scale(whole, fraction, unit, bytes_p);
}

bool bn_parse_seconds(const char *text, int64_t *nanoseconds_p)
{
    static const uint64_t second = 1000000000;
    static const struct unit units[] = {
        {"ms", second / 1000}, {"s", second},         {"m", 60 * second},
        {"h", 3600 * second},  {"d", 86400 * second}, {NULL, 0},
    };
    uint64_t whole;
    uint32_t fraction;
    const char *rest = parse_decimal(text, &whole, &fraction);
    uint64_t unit = rest ? find_unit(rest, units, second) : 0;
    uint64_t value;
    if (unit == 0 || !scale(whole, fraction, unit, &value) || value > INT64_MAX)
        return false;
    *nanoseconds_p = (int64_t)value;
    return true;
}

bool bn_parse_bool(const char *text, int64_t *value_p)
{
    static const char *const words[][2] = {
        {"no", "yes"}, {"off", "on"}, {"false", "true"}, {"0", "1"}, {"n", "y"}, {"no", ""},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        for (int value = 0; value < 2; ++value) {
            if (strcasecmp(text, words[i][value]) == 0) {
                *value_p = value;
                return true;
            }
        }
    }
    return false;
}

bool bn_parse_choice(const char *text, const char *choices, int64_t *place_p)
{
    size_t text_bytes = strlen(text);
    int64_t place = 0;
    for (const char *word = choices;; ++place) {
        size_t bytes = strcspn(word, "|");
        if (bytes == text_bytes && strncasecmp(word, text, bytes) == 0) {
            *place_p = place;
            return true;
        }
        if (word[bytes] == '\0')
            return false;
        word += bytes + 1;
    }
}

void bn_format_bytes(uint64_t bytes, char *text, size_t text_bytes)
{
    static const char suffixes[] = {'\0', 'K', 'M', 'G', 'T'};
    unsigned step = 0;
    while (step + 1 < sizeof suffixes && bytes != 0 && bytes % 1024 == 0) {
        bytes /= 1024;
        ++step;
    }
    snprintf(text, text_bytes, "%" PRIu64 "%.1s", bytes, &suffixes[step]);
}
