/*
 * describe.h: says in words what lies at an address, for the report of a crash.
 */
#ifndef BN_UPC_START_DESCRIBE_H
#define BN_UPC_START_DESCRIBE_H

#include "banyan/access.h"
#include "pgas/segment.h"

#include <stddef.h>
#include <stdint.h>

/* The thread, and the static object at or before the address, or the heap.  The text is empty if the address has
 * nothing to do with shared memory, or before there is any.  Safe in a signal handler. */
void bn_describe_address(const struct bn_segments *segments, const struct bn_unit *units, uint64_t address, char *text,
                         size_t room);

#endif
