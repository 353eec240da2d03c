/* hints.h: the hints that a program gives about a file. */
#ifndef BN_UPC_IO_HINTS_H
#define BN_UPC_IO_HINTS_H

#include "platform/storage.h"
#include "upc/io/io_c.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All zero is none. */
struct bn_io_hints {
    struct upc_hint *list;
    size_t count;
};

/* Copies a hint, in place of one with the same key.  0, ENOMEM, or EINVAL for null strings. */
int bn_io_hints_set(struct bn_io_hints *hints, const struct upc_hint *hint);
void bn_io_hints_free(struct bn_io_hints *hints);

/* What they say; the default if they say nothing, or nothing that makes sense */
unsigned bn_io_hints_permissions(const struct bn_io_hints *hints);
enum bn_storage_style bn_io_hints_style(const struct bn_io_hints *hints);
size_t bn_io_hints_buffer_bytes(const struct bn_io_hints *hints);

#ifdef __cplusplus
}
#endif

#endif
