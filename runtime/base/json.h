/*
 * json.h: a streaming reader of JSON (RFC 8259), without a tree in memory; also writes JSON strings.
 *
 *     struct bn_json json = bn_json_begin(text);
 *     for (bn_json_enter(&json, '{'); bn_json_next(&json, '}');) {
 *         bn_json_key(&json, key, sizeof key);
 *         if (strcmp(key, "size") == 0) ok = bn_json_number(&json, &size); else bn_json_skip(&json);
 *     }
 *     if (!bn_json_end(&json)) ...
 *
 * After the first error every call fails, so that one check at the end is enough.
 */
#ifndef BN_BASE_JSON_H
#define BN_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bn_json {
    const char *begin;
    const char *at;
    bool has_failed;
    bool is_first; /* nothing of the innermost object or array has been read yet */
    int depth;
};

/** Begins to read a null-terminated text. */
struct bn_json bn_json_begin(const char *text);

/** Enters an object ('{') or an array ('['). */
void bn_json_enter(struct bn_json *json, char bracket);

/** True if there is another element (in an object: another key); at the end, consumes the closing bracket and leaves
 * the object or array. */
bool bn_json_next(struct bn_json *json, char bracket);

/** Reads a string, or a key with its colon.  Fails if it does not fit.  Escapes beyond \" \\ \/ \b \f \n \r \t fail. */
bool bn_json_string(struct bn_json *json, char *text, size_t text_bytes);
bool bn_json_key(struct bn_json *json, char *text, size_t text_bytes);

/** Reads a non-negative integer. */
bool bn_json_number(struct bn_json *json, uint64_t *number_p);

/** Skips a value of any kind. */
void bn_json_skip(struct bn_json *json);

/** Whether nothing has failed and only blanks are left. */
bool bn_json_end(struct bn_json *json);

/** The number of the current line, for messages. */
int bn_json_line(const struct bn_json *json);

/** Writes a text as a string, in quotation marks; each byte that is not valid UTF-8 becomes U+FFFD. */
void bn_json_write_string(FILE *file, const char *text);

#ifdef __cplusplus
}
#endif

#endif
