/*
 * types.h: predefined types and operations, found by their handles, and operations on them without the library.
 */
#ifndef BN_MPI_THREADS_TYPES_H
#define BN_MPI_THREADS_TYPES_H

#include "threads/library.h"

#include <stddef.h>

/* Native number types; NONE: complex numbers, Fortran's logical values, pairs, long double... */
enum bn_number {
    BN_NUMBER_NONE,
    BN_NUMBER_I8,
    BN_NUMBER_I16,
    BN_NUMBER_I32,
    BN_NUMBER_I64,
    BN_NUMBER_U8,
    BN_NUMBER_U16,
    BN_NUMBER_U32,
    BN_NUMBER_U64,
    BN_NUMBER_F32,
    BN_NUMBER_F64,
    BN_NUMBER_COUNT
};

struct bn_type {
    uint64_t handle;
    uint32_t bytes;  /* of its data; 0: empty slot */
    uint32_t extent; /* equal to bytes, unless there are gaps */
    unsigned groups; /* enum bn_type_group */
    enum bn_number number;
};

/* In the order of BN_PREDEFINED_OPS; the last ones are only for one-sided transfers */
enum bn_op {
    BN_OP_MAX,
    BN_OP_MIN,
    BN_OP_SUM,
    BN_OP_PROD,
    BN_OP_LAND,
    BN_OP_BAND,
    BN_OP_LOR,
    BN_OP_BOR,
    BN_OP_LXOR,
    BN_OP_BXOR,
    BN_OP_MAXLOC,
    BN_OP_MINLOC,
    BN_OP_REPLACE,
    BN_OP_NONE,
    BN_OP_COUNT, /* not predefined */
};

enum { BN_TYPE_BITS = 8, BN_TYPE_SLOTS = 1 << BN_TYPE_BITS };
extern struct bn_type bn_types[BN_TYPE_SLOTS];

/** Asks the library for the sizes of all types.  By the only thread that calls MPI. */
void bn_types_begin(void);

static inline uint64_t bn_type_number(MPI_Datatype type)
{
    uint64_t number = 0;
    __builtin_memcpy(&number, &type, sizeof type);
    return number;
}

static inline size_t bn_type_slot(uint64_t handle)
{
    return (size_t)(handle * UINT64_C(0x9E3779B97F4A7C15) >> (64 - BN_TYPE_BITS));
}

/** Null: not predefined, or unknown to the library. */
static inline const struct bn_type *bn_type_of(MPI_Datatype type)
{
    uint64_t handle = bn_type_number(type);
    for (size_t slot = bn_type_slot(handle); bn_types[slot].bytes > 0; slot = (slot + 1) % BN_TYPE_SLOTS)
        if (bn_types[slot].handle == handle)
            return &bn_types[slot];
    return NULL;
}

enum bn_op bn_op_of(MPI_Op op);

/** Whether MPI defines the operation for the type. */
bool bn_op_suits(enum bn_op op, const struct bn_type *type);

/** The one predefined type of which a valid type consists, as MPI_Accumulate requires.  Those that are not in bn_types,
 *  such as Fortran types defined by their precision, have no groups.  False: there is none.  Inside. */
bool bn_type_basic(MPI_Datatype type, MPI_Datatype *basic_p, struct bn_type *known_p);

/** to[i] = to[i] op from[i]; false: not a native operation.  Alignment is not required. */
bool bn_combine(enum bn_op op, enum bn_number number, void *to, const void *from, size_t count);

#endif
