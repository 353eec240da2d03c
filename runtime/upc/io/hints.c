#include "upc/io/hints.h"

#include "upc/io/move.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_PERMISSIONS = 0666, LEAST_BUFFER_BYTES = 4096, MOST_BUFFER_BYTES = 1 << 30 };

static struct upc_hint *find(const struct bn_io_hints *hints, const char *key)
{
    for (size_t i = 0; i < hints->count; i++) {
        if (strcmp(hints->list[i].key, key) == 0)
            return &hints->list[i];
    }
    return NULL;
}

static const char *value_of(const struct bn_io_hints *hints, const char *key)
{
    const struct upc_hint *hint = find(hints, key);
    return hint ? hint->value : NULL;
}

static int append(struct bn_io_hints *hints, const char *key, const char *value)
{
    struct upc_hint *list = realloc(hints->list, (hints->count + 1) * sizeof *list);
    if (!list)
        return ENOMEM;
    hints->list = list;
    list[hints->count++] = (struct upc_hint){key, value};
    return 0;
}

int bn_io_hints_set(struct bn_io_hints *hints, const struct upc_hint *hint)
{
    if (!hint->key || !hint->value)
        return EINVAL;
    char *value = strdup(hint->value);
    if (!value)
        return ENOMEM;
    struct upc_hint *old = find(hints, hint->key);
    if (old) {
        free((char *)old->value);
        old->value = value;
        return 0;
    }
    char *key = strdup(hint->key);
    int error = key ? append(hints, key, value) : ENOMEM;
    if (error != 0) {
        free(key);
        free(value);
    }
    return error;
}

void bn_io_hints_free(struct bn_io_hints *hints)
{
    for (size_t i = 0; i < hints->count; i++) {
        free((char *)hints->list[i].key);
        free((char *)hints->list[i].value);
    }
    free(hints->list);
    *hints = (struct bn_io_hints){0};
}

/* The value as a number from least to most; otherwise if it is anything else */
static long number_of(const struct bn_io_hints *hints, const char *key, int base, long least, long most, long otherwise)
{
    const char *value = value_of(hints, key);
    char *end;
    if (!value || *value == '\0')
        return otherwise;
    errno = 0;
    long number = strtol(value, &end, base);
    return *end == '\0' && errno == 0 && number >= least && number <= most ? number : otherwise;
}

unsigned bn_io_hints_permissions(const struct bn_io_hints *hints)
{
    enum { OCTAL = 8, ALL_PERMISSIONS = 0777 };
    return (unsigned)number_of(hints, "file_perm", OCTAL, 0, ALL_PERMISSIONS, DEFAULT_PERMISSIONS);
}

size_t bn_io_hints_buffer_bytes(const struct bn_io_hints *hints)
{
    enum { DECIMAL = 10 };
    return (size_t)number_of(hints, "cb_buffer_size", DECIMAL, LEAST_BUFFER_BYTES, MOST_BUFFER_BYTES,
                             BN_IO_BUFFER_BYTES);
}

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    while (*words) {
        size_t here = strcspn(words, ", ");
        if (here == length && strncmp(words, word, length) == 0)
            return true;
        words += here + (words[here] != '\0');
    }
    return false;
}

enum bn_storage_style bn_io_hints_style(const struct bn_io_hints *hints)
{
    const char *value = value_of(hints, "access_style");
    if (value && has_word(value, "random"))
        return BN_STORAGE_RANDOM;
    if (value && has_word(value, "sequential"))
        return BN_STORAGE_SEQUENTIAL;
    return BN_STORAGE_NORMAL;
}
