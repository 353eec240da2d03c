/* hints.h: the hints that a program gives about a file. */
#ifndef BN_UPC_IO_HINTS_H
#define BN_UPC_IO_HINTS_H

#include "platform/storage.h"
#include "upc/io/io_c.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All-zero: no hints. */
struct bn_io_hints {
    struct upc_hint *list;
    size_t count;
};

/* Copies a hint, replacing one with the same key.  Returns 0, ENOMEM, or EINVAL for null strings. */
int bn_io_hints_set(struct bn_io_hints *hints, const struct upc_hint *hint);
void bn_io_hints_free(struct bn_io_hints *hints);

/* The value that the hints give; the default if they give none, or an invalid one */
unsigned bn_io_hints_permissions(const struct bn_io_hints *hints);
enum bn_storage_style bn_io_hints_style(const struct bn_io_hints *hints);
size_t bn_io_hints_buffer_bytes(const struct bn_io_hints *hints);

#ifdef __cplusplus
}
#endif

#endif
