/*
 * outlet.h: a buffer in front of a standard file of this process, so that a slow reader of one file does not block the
 * other file.
 */
#ifndef BN_LAUNCHER_OUTLET_H
#define BN_LAUNCHER_OUTLET_H

#include <stddef.h>

enum { LAUNCHER_OUTLET_BYTES = 32 << 10 };

struct launcher_outlet {
    int fd;
    int error;         /* 0, or the errno of a failed write, after which all output is dropped */
    size_t begin, end; /* of the waiting bytes, in data */
    char data[LAUNCHER_OUTLET_BYTES];
};

/* Appends text; blocks only if there is no room. */
void launcher_outlet_put(struct launcher_outlet *outlet, const char *text, size_t bytes);

/* Writes as much as possible in one call, to a file that poll reports as writable. */
void launcher_outlet_move(struct launcher_outlet *outlet);

/* Writes everything that waits, however long that takes. */
void launcher_outlet_flush(struct launcher_outlet *outlet);

static inline size_t launcher_outlet_bytes(const struct launcher_outlet *outlet)
{
    return outlet->end - outlet->begin;
}

#endif
