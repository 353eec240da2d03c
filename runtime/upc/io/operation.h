/* operation.h: this thread's part of a transfer, carried out immediately or in the background. */
#ifndef BN_UPC_IO_OPERATION_H
#define BN_UPC_IO_OPERATION_H

#include "platform/background.h"
#include "sync/wait.h"
#include "upc/io/move.h"

#ifdef __cplusplus
extern "C" {
#endif

struct bn_io_operation {
    enum bn_io_direction direction;
    int flags;                    /* upc_flag_t */
    bool moves_pointer;           /* true unless the call has a list */
    bool is_common;               /* one transfer shared by all threads */
    bool is_shared;               /* its memory is shared */
    struct bn_io_region region;   /* of calls without a list */
    struct bn_io_region *regions; /* of lists; to be freed */
    size_t region_count;
    struct bn_io_ranges ranges;
    struct upc_filevec *copied_list; /* the list of ranges, to be freed; null if the list is the caller's */

    int error; /* errno, or 0 */
    int64_t moved;

    struct bn_storage *storage;
    struct bn_io_buffer *buffer;
    bool is_in_background;
    struct bn_background background;
    struct bn_event done; /* reaches 1 */
};

/* Carries out the operation.  Does nothing if there is an error already. */
void bn_io_operation_run(struct bn_io_operation *operation);

/* Starts the operation in the background and returns immediately; but if the system has no room for a POSIX thread, or
 * if the memory is on other nodes, carries it out before returning. */
void bn_io_operation_start(struct bn_io_operation *operation);

/* Test whether the operation is done, or wait until it is. error and moved are valid afterwards. */
bool bn_io_operation_is_done(struct bn_io_operation *operation);
void bn_io_operation_wait(struct bn_io_operation *operation);

/* Frees what it holds. */
void bn_io_operation_end(struct bn_io_operation *operation);

#ifdef __cplusplus
}
#endif

#endif
