/* families.h: the functions of bench.h for each family of benchmarks in table.upc, and the values of param that tell
 * its kinds apart. */
#ifndef UOMS_FAMILIES_H
#define UOMS_FAMILIES_H

#include "harness/bench.h"

/* forall.upc: loops over a shared array of int with block size 1 */
enum { LOOP_READ, LOOP_WRITE, LOOP_READWRITE, LOOP_ALONE = 4 };
int loop_setup(struct uoms_run *run);
void loop_prepare(struct uoms_run *run);
void loop_run(struct uoms_run *run, long count);
size_t loop_check(struct uoms_run *run);

/* barrier.upc */
enum { BARRIER, BARRIER_SPLIT, BARRIER_OVERLAP };
int barrier_setup(struct uoms_run *run);
void barrier_run(struct uoms_run *run, long count);

/* collective.upc */
enum { BROADCAST, SCATTER, GATHER, GATHER_ALL, EXCHANGE, PERMUTE };
size_t collective_bytes_1_1(size_t bytes, int threads);
size_t collective_bytes_n_1(size_t bytes, int threads);
size_t collective_bytes_n_n(size_t bytes, int threads);
int collective_setup(struct uoms_run *run);
void collective_prepare(struct uoms_run *run);
void collective_clear(struct uoms_run *run);
void collective_run(struct uoms_run *run, long count);
size_t collective_check(struct uoms_run *run);
void collective_teardown(struct uoms_run *run);

/* reduce.upc: param is a type and the destination of the result */
enum { TYPE_C, TYPE_UC, TYPE_S, TYPE_US, TYPE_I, TYPE_UI, TYPE_L, TYPE_UL, TYPE_F, TYPE_D, TYPE_LD, REDUCE_TYPES };
enum { REDUCE_ONE = 0, REDUCE_PREFIX = 16, REDUCE_ALL = 32 };
int reduce_setup(struct uoms_run *run);
void reduce_prepare(struct uoms_run *run);
void reduce_clear(struct uoms_run *run);
void reduce_run(struct uoms_run *run, long count);
size_t reduce_check(struct uoms_run *run);

/* copy.upc, copy_nb.upc: copies between thread 0 and the last thread, or within thread 0; or by all threads at once,
 * each copying the next one's data if its memory is shared */
/* clang-format off */
enum { COPY_GET, COPY_PUT, COPY_COPY, COPY_MEMCPY, COPY_MEMMOVE, COPY_MEMCPY_ALL, COPY_LOCAL = 8, COPY_NB = 16,
       COPY_NBI = 32, COPY_ASYNC = 64, COPY_ASYNCI = 128 };
/* clang-format on */
int copy_setup(struct uoms_run *run);
void copy_prepare(struct uoms_run *run);
void copy_clear(struct uoms_run *run);
void copy_run(struct uoms_run *run, long count);
size_t copy_check(struct uoms_run *run);
void copy_teardown(struct uoms_run *run);

/* alloc.upc */
enum { ALLOC_ALL, ALLOC_GLOBAL, ALLOC_OWN, ALLOC_FREE, ALLOC_ALL_FREE };
void alloc_run(struct uoms_run *run, long count);

/* lock.upc */
enum { LOCK_ALONE, LOCK_CONTENDED, LOCK_ATTEMPT };
int lock_setup(struct uoms_run *run);
void lock_prepare(struct uoms_run *run);
void lock_run(struct uoms_run *run, long count);
size_t lock_check(struct uoms_run *run);
void lock_teardown(struct uoms_run *run);

/* atomic.upc: param is an index of its table */
/* clang-format off */
enum { ATOMIC_GET, ATOMIC_SET, ATOMIC_CSWAP, ATOMIC_ADD, ATOMIC_SUB, ATOMIC_MULT, ATOMIC_MIN, ATOMIC_MAX, ATOMIC_INC,
       ATOMIC_DEC, ATOMIC_AND, ATOMIC_OR, ATOMIC_XOR, ATOMIC_STRICT_ADD, ATOMIC_CONTENDED_ADD };
/* clang-format on */
int atomic_setup(struct uoms_run *run);
void atomic_prepare(struct uoms_run *run);
void atomic_run(struct uoms_run *run, long count);
size_t atomic_check(struct uoms_run *run);
void atomic_teardown(struct uoms_run *run);

/* access.upc: elements of the last thread or of thread 0 itself, and the clock */
enum { ACCESS_READ, ACCESS_WRITE, ACCESS_STRICT_READ, ACCESS_STRICT_WRITE, ACCESS_LOCAL = 8, ACCESS_TICKS = 16 };
int access_setup(struct uoms_run *run);
void access_prepare(struct uoms_run *run);
void access_run(struct uoms_run *run, long count);
size_t access_check(struct uoms_run *run);

#endif
