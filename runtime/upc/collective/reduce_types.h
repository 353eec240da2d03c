/*
 * reduce_types.h: what a reduction must know about the type of its elements.
 */
#ifndef BN_UPC_COLLECTIVE_REDUCE_TYPES_H
#define BN_UPC_COLLECTIVE_REDUCE_TYPES_H

#include "upc/collective/prefix_blocks.h"
#include "upc/upc_c.h"

struct bn_reduce_type {
    size_t size_bytes;
    enum bn_value_type value_type;
    bool has_bits; /* whether UPC_AND, UPC_OR and UPC_XOR are defined */
    void (*combine)(void *left, const void *right, const struct bn_fold *fold);
    struct bn_prefix_steps steps;
};

/* bn_reduce_type_C, bn_reduce_type_UC, ...: by the suffix of the functions' names */
#define BN_REDUCE_DECLARE_TYPE(SUFFIX, T) extern const struct bn_reduce_type bn_reduce_type_##SUFFIX;
BN_REDUCE_INTEGER_TYPES(BN_REDUCE_DECLARE_TYPE)
BN_REDUCE_FLOATING_TYPES(BN_REDUCE_DECLARE_TYPE)
#undef BN_REDUCE_DECLARE_TYPE

#endif
