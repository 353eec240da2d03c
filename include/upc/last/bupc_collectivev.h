/*
 * bupc_collectivev.h: collectives on private values, as in Berkeley UPC.
 *
 * All threads call them in the same order, with the same TYPE, root and op.  Values may have any assignable type.  Each
 * call is also a barrier and must not stand between upc_notify and upc_wait.  Includes the headers that Berkeley UPC's
 * version includes.
 */
#pragma upc upc_code
#ifndef BUPC_COLLECTIVEV_H
#define BUPC_COLLECTIVEV_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <upc.h>
#include <upc_collective.h>

#define BUPC_COLLECTIVEV_VERSION_MAJOR 1
#define BUPC_COLLECTIVEV_VERSION_MINOR 2

/* Returns val of thread root on all threads */
#define bupc_allv_broadcast(TYPE, val, root)                                                                           \
    bn_value_call(TYPE, bn_value_broadcast(&bn_value_out, &bn_value_in, sizeof(TYPE), (root)), val)

/* Stores val of thread i in destarray[i], a private array on thread root; destarray of the other threads is ignored.
 * Returns destarray; if it is null, the values are not stored. */
#define bupc_allv_gather(TYPE, val, root, destarray)                                                                   \
    bn_value_array_call(TYPE, bn_value_gather((destarray), &bn_value_in, sizeof(TYPE), (root)), val)

/* The same, into a private array on each thread */
#define bupc_allv_gather_all(TYPE, val, destarray)                                                                     \
    bn_value_array_call(TYPE, bn_value_gather_all((destarray), &bn_value_in, sizeof(TYPE)), val)

/* Returns srcarray[i] of thread root on thread i; srcarray of the other threads is ignored */
#define bupc_allv_scatter(TYPE, root, srcarray)                                                                        \
    __extension__({                                                                                                    \
        TYPE bn_value_out;                                                                                             \
        bn_value_out = bn_value_at(bn_value_out, bn_value_scatter(&bn_value_out, (srcarray), sizeof(TYPE), (root)));   \
    })

/* Sends val to thread tothread and returns the value that was sent to this thread.  No two threads send to the same
 * one. */
#define bupc_allv_permute(TYPE, val, tothread)                                                                         \
    bn_value_call(TYPE, bn_value_permute(&bn_value_out, &bn_value_in, sizeof(TYPE), (tothread)), val)

/*
 * Returns val of thread 0 op val of thread 1 op ...: on thread root, and zero elsewhere; if root is -1, on all
 * threads.  TYPE is an integer type, float or double; op is one of <upc_types.h>.
 */
#define bupc_allv_reduce(TYPE, val, root, op)                                                                          \
    bn_value_call(TYPE, bn_value_reduce(&bn_value_out, &bn_value_in, sizeof(TYPE), bn_value_kind(TYPE), (root), (op)), \
                  val)
#define bupc_allv_reduce_all(TYPE, val, op) bupc_allv_reduce(TYPE, val, -1, op)

/* The same over the threads 0 to MYTHREAD */
#define bupc_allv_prefix_reduce(TYPE, val, op)                                                                         \
    bn_value_call(TYPE, bn_value_prefix_reduce(&bn_value_out, &bn_value_in, sizeof(TYPE), bn_value_kind(TYPE), (op)),  \
                  val)

#ifdef BUPC_USE_UPC_NAMESPACE
#define upc_allv_broadcast bupc_allv_broadcast
#define upc_allv_gather bupc_allv_gather
#define upc_allv_gather_all bupc_allv_gather_all
#define upc_allv_scatter bupc_allv_scatter
#define upc_allv_permute bupc_allv_permute
#define upc_allv_reduce bupc_allv_reduce
#define upc_allv_reduce_all bupc_allv_reduce_all
#define upc_allv_prefix_reduce bupc_allv_prefix_reduce
#endif

/* ---- Implementation of the macros ---- */

/*
 * These statement expressions end in an assignment, because compilers warn about an unused value or cast when the
 * program does not use the result.
 */
#define bn_value_call(TYPE, call, val)                                                                                 \
    __extension__({                                                                                                    \
        TYPE bn_value_in = (val);                                                                                      \
        TYPE bn_value_out;                                                                                             \
        bn_value_out = bn_value_at(bn_value_out, call);                                                                \
    })

#define bn_value_array_call(TYPE, call, val)                                                                           \
    __extension__({                                                                                                    \
        TYPE bn_value_in = (val);                                                                                      \
        __typeof__(bn_value_in) *bn_value_array __attribute__((__unused__));                                           \
        bn_value_array = (call);                                                                                       \
    })

/* The object that a call returns a pointer to, with the type of `like` */
#define bn_value_at(like, call) (*(__typeof__(like) *)(call))

/* 0 unsigned, 1 signed, 2 floating */
#define bn_value_kind(TYPE) ((TYPE)0.5 > (TYPE)0 ? 2 : (TYPE) - 1 < (TYPE)1)

/* Each returns its first argument. */
void *bn_value_broadcast(void *result, const void *value, size_t size_bytes, int root);
void *bn_value_gather(void *array, const void *value, size_t size_bytes, int root);
void *bn_value_gather_all(void *array, const void *value, size_t size_bytes);
void *bn_value_scatter(void *result, const void *array, size_t size_bytes, int root);
void *bn_value_permute(void *result, const void *value, size_t size_bytes, int to_thread);
void *bn_value_reduce(void *result, const void *value, size_t size_bytes, int kind, int root, upc_op_t op);
void *bn_value_prefix_reduce(void *result, const void *value, size_t size_bytes, int kind, upc_op_t op);

#endif
