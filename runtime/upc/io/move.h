/* move.h: moves bytes between a file and memory, in few system calls. */
#ifndef BN_UPC_IO_MOVE_H
#define BN_UPC_IO_MOVE_H

#include "platform/storage.h"
#include "upc/io/extents.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_IO_BUFFER_BYTES = 256 << 10 };

/* Buffer for small pieces; allocated when first needed */
struct bn_io_buffer {
    unsigned char *memory;
    size_t size_bytes;
};

enum bn_io_direction { BN_IO_READ, BN_IO_WRITE };

/*
 * Moves bytes between the ranges of the file and the memory at its current position, as many as the ranges have; the
 * memory must have at least as many.  Ranges are in order of their offsets; those that are written do not overlap.
 * *moved_p becomes the number of bytes moved, also after an error; a read moves fewer than requested if the file ends.
 *
 * Nothing outside the ranges is written.  Other threads may do the same with the same file.
 *
 * @return 0 or an errno.
 */
int bn_io_move(struct bn_storage *storage, enum bn_io_direction direction, struct bn_io_memory memory,
               const struct bn_io_ranges *ranges, struct bn_io_buffer *buffer, int64_t *moved_p);

#ifdef __cplusplus
}
#endif

#endif
