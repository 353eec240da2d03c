/*
 * outside.h: says in words what an address beside the window of shared memory is likely to be.
 */
#ifndef BN_UPC_START_OUTSIDE_H
#define BN_UPC_START_OUTSIDE_H

#include "pgas/segment.h"

#include <stddef.h>
#include <stdint.h>

/* Such an address comes from an index below 0, or from a pointer-to-shared to a thread that the job does not have. text
 * stays as it is if neither can be meant. */
void bn_describe_outside(const struct bn_segments *segments, uint64_t address, char *text, size_t text_bytes);

#endif
