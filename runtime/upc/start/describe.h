/*
 * describe.h: describes in words what lies at an address, for crash reports.
 */
#ifndef BN_UPC_START_DESCRIBE_H
#define BN_UPC_START_DESCRIBE_H

#include "banyan/access.h"
#include "pgas/segment.h"

#include <stddef.h>
#include <stdint.h>

/* Names the thread, and the static object at or before the address, or the heap.  The text is empty if the address is
 * unrelated to shared memory, or if there is no shared memory yet.  Safe in a signal handler. */
void bn_describe_address(const struct bn_segments *segments, const struct bn_unit *units, uint64_t address, char *text,
                         size_t room);

#endif
