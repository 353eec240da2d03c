/* mpi_ops.h: what the table in mpi.c needs from mpi_reduce.c. */
#ifndef UOMS_MPI_OPS_H
#define UOMS_MPI_OPS_H

#include "harness/bench.h"

/* param: a type and the kind of operation; types as in UPC's reductions */
enum { TYPE_C, TYPE_UC, TYPE_S, TYPE_US, TYPE_I, TYPE_UI, TYPE_L, TYPE_UL, TYPE_F, TYPE_D, TYPE_LD, REDUCE_TYPES };
enum {
    FOLD_REDUCE = 0,
    FOLD_PREFIX = 16,
    FOLD_ALL = 32,
    ELEMENTWISE_REDUCE = 48,
    ELEMENTWISE_ALL = 64,
    ELEMENTWISE_SCAN = 80
};

int reduce_setup(struct uoms_run *run);
void reduce_prepare(struct uoms_run *run);
void reduce_clear(struct uoms_run *run);
void reduce_run(struct uoms_run *run, long count);
size_t reduce_check(struct uoms_run *run);

#endif
