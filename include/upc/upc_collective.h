/*
 * upc_collective.h: operations that all threads carry out together.
 *
 * nbytes is the size of one block.  Where an argument is an array with a block on each thread, the pointer must have
 * affinity to thread 0, and the blocks lie at the same offset on all threads.
 */
#pragma upc upc_code
#ifndef UPC_COLLECTIVE_H
#define UPC_COLLECTIVE_H

#include <stddef.h>
#include <upc.h>
#include <upc_types.h>

/* Reductions by a function of the program; UPC_FUNC may change the order of operands */
#define UPC_FUNC (1UL << 16)
#define UPC_NONCOMM_FUNC (1UL << 17)

/* Copies src to the block of every thread */
void upc_all_broadcast(shared void *__restrict__ dst, shared const void *__restrict__ src, size_t nbytes,
                       upc_flag_t flags);

/* Copies block i of src to thread i */
void upc_all_scatter(shared void *__restrict__ dst, shared const void *__restrict__ src, size_t nbytes,
                     upc_flag_t flags);

/* Copies the block of thread i to block i of dst */
void upc_all_gather(shared void *__restrict__ dst, shared const void *__restrict__ src, size_t nbytes,
                    upc_flag_t flags);

/* Copies the block of thread i to block i on every thread */
void upc_all_gather_all(shared void *__restrict__ dst, shared const void *__restrict__ src, size_t nbytes,
                        upc_flag_t flags);

/* Copies block i on thread j to block j on thread i */
void upc_all_exchange(shared void *__restrict__ dst, shared const void *__restrict__ src, size_t nbytes,
                      upc_flag_t flags);

/* Copies the block of thread i to thread perm[i] */
void upc_all_permute(shared void *__restrict__ dst, shared const void *__restrict__ src,
                     shared const int *__restrict__ perm, size_t nbytes, upc_flag_t flags);

/* dst = src[0] op ... op src[nelems - 1], for blocks of blk_size elements; 0 if all of src lies on one thread */
void upc_all_reduceC(shared void *__restrict__ dst, shared const void *__restrict__ src, upc_op_t op, size_t nelems,
                     size_t blk_size, signed char (*func)(signed char, signed char), upc_flag_t flags);
void upc_all_reduceUC(shared void *__restrict__ dst, shared const void *__restrict__ src, upc_op_t op, size_t nelems,
                      size_t blk_size, unsigned char (*func)(unsigned char, unsigned char), upc_flag_t flags);
void upc_all_reduceS(shared void *__restrict__ dst, shared const void *__restrict__ src, upc_op_t op, size_t nelems,
                     size_t blk_size, short (*func)(short, short), upc_flag_t flags);
void upc_all_reduceUS(shared void *__restrict__ dst, shared const void *__restrict__ src, upc_op_t op, size_t nelems,
                      size_t blk_size, unsigned short (*func)(unsigned short, unsigned short), upc_flag_t flags);
void upc_all_reduceI(shared void *__restrict__ dst, shared const void *__restrict__ src, upc_op_t op, size_t nelems,
                     size_t blk_size, int (*func)(int, int), upc_flag_t flags);
void upc_all_reduceUI(shared void *__restrict__ dst, shared const void *__restrict__ src, upc_op_t op, size_t nelems,
                      size_t blk_size, unsigned int (*func)(unsigned int, unsigned int), upc_flag_t flags);
void upc_all_reduceL(shared void *__restrict__ dst, shared const void *__restrict__ src, upc_op_t op, size_t nelems,
                     size_t blk_size, long (*func)(long, long), upc_flag_t flags);
void upc_all_reduceUL(shared void *__restrict__ dst, shared const void *__restrict__ src, upc_op_t op, size_t nelems,
                      size_t blk_size, unsigned long (*func)(unsigned long, unsigned long), upc_flag_t flags);
void upc_all_reduceF(shared void *__restrict__ dst, shared const void *__restrict__ src, upc_op_t op, size_t nelems,
                     size_t blk_size, float (*func)(float, float), upc_flag_t flags);
void upc_all_reduceD(shared void *__restrict__ dst, shared const void *__restrict__ src, upc_op_t op, size_t nelems,
                     size_t blk_size, double (*func)(double, double), upc_flag_t flags);
void upc_all_reduceLD(shared void *__restrict__ dst, shared const void *__restrict__ src, upc_op_t op, size_t nelems,
                      size_t blk_size, long double (*func)(long double, long double), upc_flag_t flags);

/* dst[i] = src[0] op ... op src[i]; dst is laid out like src */
void upc_all_prefix_reduceC(shared void *__restrict__ dst, shared const void *__restrict__ src, upc_op_t op,
                            size_t nelems, size_t blk_size, signed char (*func)(signed char, signed char),
                            upc_flag_t flags);
void upc_all_prefix_reduceUC(shared void *__restrict__ dst, shared const void *__restrict__ src, upc_op_t op,
                             size_t nelems, size_t blk_size, unsigned char (*func)(unsigned char, unsigned char),
                             upc_flag_t flags);
void upc_all_prefix_reduceS(shared void *__restrict__ dst, shared const void *__restrict__ src, upc_op_t op,
                            size_t nelems, size_t blk_size, short (*func)(short, short), upc_flag_t flags);
void upc_all_prefix_reduceUS(shared void *__restrict__ dst, shared const void *__restrict__ src, upc_op_t op,
                             size_t nelems, size_t blk_size, unsigned short (*func)(unsigned short, unsigned short),
                             upc_flag_t flags);
void upc_all_prefix_reduceI(shared void *__restrict__ dst, shared const void *__restrict__ src, upc_op_t op,
                            size_t nelems, size_t blk_size, int (*func)(int, int), upc_flag_t flags);
void upc_all_prefix_reduceUI(shared void *__restrict__ dst, shared const void *__restrict__ src, upc_op_t op,
                             size_t nelems, size_t blk_size, unsigned int (*func)(unsigned int, unsigned int),
                             upc_flag_t flags);
void upc_all_prefix_reduceL(shared void *__restrict__ dst, shared const void *__restrict__ src, upc_op_t op,
                            size_t nelems, size_t blk_size, long (*func)(long, long), upc_flag_t flags);
void upc_all_prefix_reduceUL(shared void *__restrict__ dst, shared const void *__restrict__ src, upc_op_t op,
                             size_t nelems, size_t blk_size, unsigned long (*func)(unsigned long, unsigned long),
                             upc_flag_t flags);
void upc_all_prefix_reduceF(shared void *__restrict__ dst, shared const void *__restrict__ src, upc_op_t op,
                            size_t nelems, size_t blk_size, float (*func)(float, float), upc_flag_t flags);
void upc_all_prefix_reduceD(shared void *__restrict__ dst, shared const void *__restrict__ src, upc_op_t op,
                            size_t nelems, size_t blk_size, double (*func)(double, double), upc_flag_t flags);
void upc_all_prefix_reduceLD(shared void *__restrict__ dst, shared const void *__restrict__ src, upc_op_t op,
                             size_t nelems, size_t blk_size, long double (*func)(long double, long double),
                             upc_flag_t flags);

/* ---- Beyond UPC 1.3, as in other UPC systems ---- */

/* Sorts nelems elements of elem_size bytes in blocks of blk_size elements (0: all on one thread), where func returns a
 * negative number, 0 or a positive number if its first operand comes before, is equal to, or comes after the second.
 * Equal elements keep their order. */
void upc_all_sort(shared void *A, size_t elem_size, size_t nelems, size_t blk_size,
                  int (*func)(shared void *, shared void *), upc_flag_t flags);

#endif
