/* alloc.upc: allocating and freeing shared memory.  Each is timed without the other half of the pair. */
#include "families.h"
#include "libraries.h"
#include "harness/now.h"

#include <stdio.h>
#include <upc_relaxed.h>

#if defined(HAS_ALL_FREE)
static void free_by_all(shared void *block)
{
    upc_all_free(block);
}
#else
static void free_by_all(shared void *block)
{
    upc_barrier;
    if (MYTHREAD == 0)
        upc_free(block);
}
#endif

static shared void *take(int kind, size_t bytes)
{
    shared void *block;
    if (kind == ALLOC_ALL || kind == ALLOC_ALL_FREE)
        block = upc_all_alloc(THREADS, bytes);
    else if (kind == ALLOC_OWN)
        block = upc_alloc(bytes);
    else
        block = upc_global_alloc(THREADS, bytes);
    if (block == NULL) {
        fprintf(stderr, "uoms: thread %d: no shared memory for %zu bytes\n", MYTHREAD, bytes);
        upc_global_exit(1);
    }
    return block;
}

/* The time that is not counted: freeing for allocations, allocating for frees, and the barrier between the two */
void alloc_run(struct uoms_run *run, long count)
{
    int kind = run->bench->param;
    int is_collective = kind == ALLOC_ALL || kind == ALLOC_ALL_FREE;
    int frees = kind == ALLOC_FREE || kind == ALLOC_ALL_FREE;
    double left_out = 0;

    for (long i = 0; i < count; i++) {
        double start = uoms_now_ns();
        shared void *block = take(kind, run->bytes);
        double taken = uoms_now_ns();
        if (is_collective)
            upc_barrier;
        double freed_from = uoms_now_ns();
        if (is_collective)
            free_by_all(block);
        else
            upc_free(block);
        double end = uoms_now_ns();
        left_out += frees ? freed_from - start : end - taken;
    }
    run->work_ns = left_out;
}
