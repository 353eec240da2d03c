/*
 * packed.h: one side of a call as bytes: the program's own memory, if it is nothing else, or a packed copy.
 */
#ifndef BN_MPI_FRONT_PACKED_H
#define BN_MPI_FRONT_PACKED_H

#include "front/call.h"
#include "front/layout.h"

#include <stddef.h>
#include <stdint.h>

/* What a member has on one side */
enum bn_blocks {
    BN_NO_BLOCK,
    BN_ONE_BLOCK,
    BN_ALL_BLOCKS, /* one for each member */
};

struct bn_packed {
    uint64_t address;      /* of the bytes; not 0, but for BN_NO_BLOCK */
    struct bn_room *room;  /* where they are, if they are a copy; else null */
    struct bn_parts parts; /* of blocks that differ: where each lies */
    const struct bn_args *args;
    const struct bn_side *side;
    enum bn_blocks blocks;
};

struct bn_packing {
    enum bn_blocks blocks;
    bool has_content; /* a copy begins with what the side has */
    bool must_copy;   /* in any case */
};

/** Whether the arguments of one side are as they should be; else the library below says what is wrong.  nbytes: of one
 * block, if all are alike, or there is one; of all together, if they differ. */
bool bn_side_measure(const struct bn_args *args, const struct bn_side *side, enum bn_blocks blocks, size_t *nbytes_p);

/** Bytes of one block: of all, if they are alike; of a rank's, if they differ. */
size_t bn_side_block_bytes(const struct bn_args *args, const struct bn_side *side, int rank);

/** The bytes of a side; which is 0 or 1 and tells the two sides of a call apart.  False: no memory. */
bool bn_pack_begin(struct bn_packed *packed, const struct bn_args *args, const struct bn_side *side, int which,
                   struct bn_packing packing);

/** In place of a side that has no room for blocks of nbytes: memory in which nobody looks. */
bool bn_pack_aside(struct bn_packed *packed, const struct bn_args *args, enum bn_blocks blocks, int which,
                   size_t nbytes);

/** So many elements of a type, whose layout is given, from the program's memory to bytes, or back (unpacks). */
void bn_pack_elements(MPI_Datatype type, const struct bn_layout *layout, void *address, MPI_Count count, void *packed,
                      bool unpacks);

/** Memory of size_bytes for the same purpose; null: there is none. */
void *bn_room_get(struct bn_room *room, size_t size_bytes);

/** Nobody uses it any more. */
void bn_room_done(struct bn_room *room);

/** The bytes have been used; has_changed: they go where they belong. */
void bn_pack_end(const struct bn_packed *packed, bool has_changed);

#endif
