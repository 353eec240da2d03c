/*
 * reduce_op.h: values of upc_op_t, as in <upc_types.h> and <upc_collective.h>
 */
#ifndef BN_UPC_COLLECTIVE_REDUCE_OP_H
#define BN_UPC_COLLECTIVE_REDUCE_OP_H

enum bn_reduce_op {
    OP_ADD = 1 << 0,
    OP_MULT = 1 << 1,
    OP_AND = 1 << 2,
    OP_OR = 1 << 3,
    OP_XOR = 1 << 4,
    OP_LOGAND = 1 << 5,
    OP_LOGOR = 1 << 6,
    OP_MIN = 1 << 7,
    OP_MAX = 1 << 8,
    OP_FUNC = 1 << 16,
    OP_NONCOMM_FUNC = 1 << 17,
};

#endif
