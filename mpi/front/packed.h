/*
 * packed.h: one side of a call as bytes: the program's own memory if it is contiguous, otherwise a packed copy.
 */
#ifndef BN_MPI_FRONT_PACKED_H
#define BN_MPI_FRONT_PACKED_H

#include "front/call.h"
#include "front/layout.h"

#include <stddef.h>
#include <stdint.h>

/* What one side of a member's call consists of */
enum bn_blocks {
    BN_NO_BLOCK,
    BN_ONE_BLOCK,
    BN_ALL_BLOCKS, /* one for each member */
};

struct bn_packed {
    uint64_t address;            /* of the bytes; 0 only for BN_NO_BLOCK, and if the only block has no bytes */
    struct bn_room *room;        /* holds the packed copy; null: there is none */
    struct bn_block_table parts; /* where each block lies, if they differ */
    const struct bn_args *args;
    const struct bn_side *side;
    enum bn_blocks blocks;
};

struct bn_packing {
    enum bn_blocks blocks;
    bool has_content; /* a copy starts with the contents of the side */
    bool must_copy;   /* make a copy in any case */
};

/** Checks the arguments of one side.  False: they are wrong, and the library below is to report how.  nbytes: the size
 * of a block if there is one or all are equal, otherwise of all together.  Of BN_NO_BLOCK nothing is looked at, and of
 * an empty block only the type, which MPI wants to be valid all the same (but see bn_takes_no_type). */
bool bn_side_measure(const struct bn_args *args, const struct bn_side *side, enum bn_blocks blocks, size_t *nbytes_p);

/** The size of the block of a rank. */
size_t bn_side_block_bytes(const struct bn_args *args, const struct bn_side *side, int rank);

/** Makes a side available as bytes.  `which` is 0 or 1 and tells the two sides of a call apart.  False: no memory. */
bool bn_pack_begin(struct bn_packed *packed, const struct bn_args *args, const struct bn_side *side, int which,
                   struct bn_packing packing);

/** Scratch memory instead of a side that has no room for blocks of nbytes; its contents are ignored. */
bool bn_pack_aside(struct bn_packed *packed, const struct bn_args *args, enum bn_blocks blocks, int which,
                   size_t nbytes);

/** Copies elements of a type with a given layout from the program's memory to bytes, or back if unpacks. */
void bn_pack_elements(MPI_Datatype type, const struct bn_layout *layout, void *address, MPI_Count count, void *packed,
                      bool unpacks);

/** At least size_bytes of memory from a room; null: there is none. */
void *bn_room_get(struct bn_room *room, size_t size_bytes);

/** The memory is no longer used; a large one is freed. */
void bn_room_done(struct bn_room *room);

/** The bytes are no longer used; if has_changed, a copy is unpacked to the program's memory. */
void bn_pack_end(const struct bn_packed *packed, bool has_changed);

#endif
