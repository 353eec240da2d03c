/*
 * heap.h: large blocks of a program's heap in memory that all processes of the machine map, so that collectives read
 * and write them without the kernel.  An option of banyan-mpi (--shared-heap), off by default.
 *
 * A separate shared object, libbanyan-mpi-heap.so, stands in front of the program's malloc() and related functions. The
 * owner of the shared memory opens it.  From then on, blocks of BN_HEAP_LARGE_BYTES or more are allocated there;
 * smaller ones, and those for which there is no room, still come from the program's own allocator.
 *
 * A forked process gets a copy of the blocks, as of all its memory: they are copied before the fork.
 */
#ifndef BN_MPI_HEAP_HEAP_H
#define BN_MPI_HEAP_HEAP_H

#include <stddef.h>
#include <stdint.h>

enum { BN_HEAP_LARGE_BYTES = 64 << 10 };

/* Functions of the owner of the memory; must be thread-safe. */
struct bn_heap_source {
    uint64_t (*take)(size_t size_bytes);        /* aligned to 64, contents undefined; 0: no room */
    uint64_t (*take_zeroed)(size_t size_bytes); /* the same, zeroed */
    void (*give_back)(uint64_t address);
    uint64_t begin, size_bytes; /* the range that contains all blocks of this process */
    uint64_t offset_bytes;      /* of the range in the file that is mapped there */
    int file;
};

/** Called once, and looked up with dlsym, since a program may run without this shared object. */
typedef void (*bn_heap_open_function)(const struct bn_heap_source *source);
#define BN_HEAP_OPEN "bn_heap_open"

#endif
