/*
 * packed.h: one side of a call as bytes: the program's own memory, if it is nothing else, or a packed copy.
 */
#ifndef BN_MPI_FRONT_PACKED_H
#define BN_MPI_FRONT_PACKED_H

#include "front/communicator.h"

#include <stddef.h>
#include <stdint.h>

/* Data of a program: count times a type, one behind the other */
struct bn_data {
    const void *buffer;
    MPI_Aint count;
    MPI_Datatype type;
};

struct bn_packed {
    uint64_t address; /* of the bytes; not 0 */
    struct bn_data data;
    struct bn_room *room; /* where they are, if they are a copy; else null */
};

/** The bytes of data, with their content if it has one; the copy, if it needs one, is in room.  False: no memory. */
bool bn_pack_begin(struct bn_packed *packed, const struct bn_data *data, bool has_content, struct bn_room *room);

/** The bytes have been used; has_changed: they go where they belong. */
void bn_pack_end(const struct bn_packed *packed, bool has_changed);

#endif
