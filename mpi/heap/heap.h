/*
 * heap.h: large blocks of a program's heap in memory that all processes of the machine map, so that collectives read
 * and write them without the kernel.  An option of banyan-mpi (--shared-heap), off by default.
 *
 * A shared object of its own, libbanyan-mpi-heap.so, stands in front of the program's malloc and its kin; whoever has
 * the memory opens it.  Blocks from BN_HEAP_LARGE_BYTES on that are allocated from then on lie there, all others, and
 * those for which there is no room, where they always did.
 *
 * A process that is forked gets a copy of the blocks, as of all its memory: they are copied before the fork.
 */
#ifndef BN_MPI_HEAP_HEAP_H
#define BN_MPI_HEAP_HEAP_H

#include <stddef.h>
#include <stdint.h>

enum { BN_HEAP_LARGE_BYTES = 64 << 10 };

/* What the memory's owner does.  Threads may call at the same time. */
struct bn_heap_source {
    uint64_t (*take)(size_t size_bytes);        /* aligned to 64, contents undefined; 0: no room */
    uint64_t (*take_zeroed)(size_t size_bytes); /* the same, zeroed */
    void (*give_back)(uint64_t address);
    uint64_t begin, size_bytes; /* where the blocks of this process lie, all of them */
};

/** Called once, by dlsym: a program may run without the object. */
typedef void (*bn_heap_open_function)(const struct bn_heap_source *source);
#define BN_HEAP_OPEN "bn_heap_open"

#endif
