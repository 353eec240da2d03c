/*
 * data.h: shared memory for benchmarks: a source and a destination block on each thread, at the same offset on all
 * threads.  One benchmark at a time uses them.
 */
#ifndef UOMS_DATA_H
#define UOMS_DATA_H

#include "harness/bench.h"

#include <upc_relaxed.h>

extern shared void *data_source;
extern shared void *data_destination;

/* Collective.  Allocates and touches; guards follow the destinations.  Non-zero if there is no memory. */
int data_take(struct uoms_run *run, size_t source_bytes, size_t destination_bytes);
/* Collective */
void data_give(struct uoms_run *run);

/* A thread's block, and the caller's own, as pointer-to-local */
shared void *data_at(shared void *block, int thread);
unsigned char *data_own(shared void *block);

/* Results of loops go here, so that the loops are not optimised away. */
extern volatile long data_sink;

/* Flags for collectives */
int data_flags(const struct uoms_options *options);

#endif
