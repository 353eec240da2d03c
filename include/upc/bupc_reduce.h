/*
 * bupc_reduce.h: reductions whose result goes to all threads, as in Berkeley UPC.
 *
 * Like upc_all_reduceT of <upc_collective.h>, but dst is an array with one element on each thread.
 */
#pragma upc upc_code
#ifndef BUPC_REDUCE_H
#define BUPC_REDUCE_H

#include <stddef.h>
#include <upc_types.h>

#define BN_BUPC_REDUCE_DECLARE(X, T)                                                                                   \
    void bupc_all_reduce_all##X(shared void *__restrict__ __dst, shared const void *__restrict__ __src, upc_op_t __op, \
                                size_t __nelems, size_t __blk_size, T (*__func)(T, T), upc_flag_t __flags);

#pragma banyan offer
BN_BUPC_REDUCE_DECLARE(C, signed char)
BN_BUPC_REDUCE_DECLARE(UC, unsigned char)
BN_BUPC_REDUCE_DECLARE(S, short)
BN_BUPC_REDUCE_DECLARE(US, unsigned short)
BN_BUPC_REDUCE_DECLARE(I, int)
BN_BUPC_REDUCE_DECLARE(UI, unsigned int)
BN_BUPC_REDUCE_DECLARE(L, long)
BN_BUPC_REDUCE_DECLARE(UL, unsigned long)
BN_BUPC_REDUCE_DECLARE(F, float)
BN_BUPC_REDUCE_DECLARE(D, double)
BN_BUPC_REDUCE_DECLARE(LD, long double)
#pragma banyan end

#undef BN_BUPC_REDUCE_DECLARE

#endif
