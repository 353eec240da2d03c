/*
 * outlet.h: what waits for a standard file of this process to take it, so that a slow reader of one file does not keep
 * the other one waiting.
 */
#ifndef BN_LAUNCHER_OUTLET_H
#define BN_LAUNCHER_OUTLET_H

#include <stddef.h>

enum { LAUNCHER_OUTLET_BYTES = 32 << 10 };

struct launcher_outlet {
    int fd;
    int error; /* 0, or why nothing can be written any more: the number of the error; all that comes then is dropped */
    size_t begin, end; /* of what waits, in data */
    char data[LAUNCHER_OUTLET_BYTES];
};

/* Appends; waits for the file only where there is no room. */
void launcher_outlet_put(struct launcher_outlet *outlet, const char *text, size_t bytes);

/* Writes as much as a file that poll calls writable takes at once. */
void launcher_outlet_move(struct launcher_outlet *outlet);

/* Writes all that waits, however long that takes. */
void launcher_outlet_flush(struct launcher_outlet *outlet);

static inline size_t launcher_outlet_bytes(const struct launcher_outlet *outlet)
{
    return outlet->end - outlet->begin;
}

#endif
