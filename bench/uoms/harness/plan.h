/* plan.h: which benchmarks run with which sizes, and whether they fit into memory. */
#ifndef UOMS_PLAN_H
#define UOMS_PLAN_H

#include "bench.h"
#include "options.h"

struct uoms_plan {
    const struct uoms_bench **benches;
    size_t bench_count;
};

/*
 * Chooses benchmarks by name, operation or glob, in the order of the table.  Names that this build lacks are an error;
 * without names, such benchmarks are left out.  So are those for whose type the operator is not defined; it is an error
 * if a name other than a glob selects them.  Zero; the caller frees benches.  Or non-zero and a message; there is
 * nothing to free then.
 */
int uoms_plan_make(const struct uoms_options *options, struct uoms_plan *plan_p, char *message, size_t room);

/* Sizes of a benchmark: those of the options that are multiples of its unit; just 0 if it takes none. */
size_t uoms_plan_sizes(const struct uoms_options *options, const struct uoms_bench *bench, size_t *sizes);

/*
 * Calls in one sample.  It depends only on the benchmark, the size and the options, never on how fast a system turns
 * out to be, so that all systems of a comparison have the same: 1 if consecutive calls would speed each other up
 * (caches that are not hot, collectives of several threads, delays); otherwise enough to make the clock's cost
 * negligible. is_near: all threads are on one machine.
 */
long uoms_plan_batch(const struct uoms_options *options, const struct uoms_bench *bench, size_t bytes, int threads,
                     int is_near);

/* Bytes per thread that a benchmark needs at a size, guards included; SIZE_MAX if they are more than that */
size_t uoms_plan_bytes(const struct uoms_bench *bench, size_t bytes, int threads);

/*
 * Whether the whole plan fits into available_bytes, which threads_on_node threads share, and into what the system can
 * allocate.  Collective.  Zero, or non-zero and a message that says what would fit.
 */
int uoms_plan_fits(const struct uoms_options *options, const struct uoms_plan *plan, int threads, int threads_on_node,
                   double available_bytes, char *message, size_t room);

#endif
