/* transfer.h: turns the arguments of a transfer into this thread's part of it, and orders the threads. */
#ifndef BN_UPC_IO_TRANSFER_H
#define BN_UPC_IO_TRANSFER_H

#include "upc/io/move.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A transfer as the program requests it */
struct bn_io_call {
    const char *function; /* as the program calls it */
    enum bn_io_direction direction;
    int flags;
    bool is_shared;
    bool is_list;
    bool is_async;

    /* Without a list: elements in blocks of blocksize elements, from start on; for private memory, start holds its
     * address */
    bn_pts_t start;
    size_t blocksize;
    size_t size;
    size_t nmemb;

    /* With a list: either local or shared is set */
    const struct upc_local_memvec *local;
    const struct upc_shared_memvec *shared;
    size_t memory_count;
    const struct upc_filevec *ranges;
    size_t range_count;
};

/* Carries out the transfer and returns the number of bytes, or -1 with errno set.  If it is asynchronous, begins it and
 * returns 0. */
int64_t bn_io_transfer(bn_pts_t fd, const struct bn_io_call *call);

/*
 * Divides a transfer of all threads, between a region and the file at position, and returns the part that this thread
 * moves.
 */
void bn_io_cut(const struct bn_io_region *region, int64_t position, int thread, struct bn_io_region *part_p,
               struct bn_io_ranges *ranges_p);

#ifdef __cplusplus
}
#endif

#endif
