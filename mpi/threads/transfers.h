/*
 * transfers.h: one-sided calls in direct windows (direct.h).
 */
#ifndef BN_MPI_THREADS_TRANSFERS_H
#define BN_MPI_THREADS_TRANSFERS_H

#include "threads/direct.h"
#include "threads/types.h"

/* Data of a type in memory, or in the target's window */
struct bn_data {
    MPI_Count count;
    MPI_Datatype type;
};

/* The arguments of a call */
struct bn_rma {
    MPI_Win window;
    int target;
    MPI_Aint disp;
    struct bn_data there; /* at the target */
    const void *origin;
    struct bn_data here; /* at origin */
    void *result;
    struct bn_data back; /* at result */
    MPI_Op op;
};

enum { BN_RMA_LEFT = -1 };

/** Carry out a transfer.  MPI_SUCCESS: done; BN_RMA_LEFT: the library must do it, and report any error in it; any
 *  other: the class of an error that the window's handler has got.  Inside or outside. */
int bn_rma_put(const struct bn_rma *transfer);
int bn_rma_get(const struct bn_rma *transfer);
int bn_rma_accumulate(const struct bn_rma *transfer);
int bn_rma_get_accumulate(const struct bn_rma *transfer);

/** The same, for one element of a type, which is replaced if it equals the one at `compare`. */
int bn_rma_swap(const struct bn_rma *transfer, const void *compare);

/** For a transfer that could not be carried out: reports what is wrong if the library cannot, because the epoch began
 *  with a lock.  Returns what the above return.  reads, fetches: whether origin and result are used. */
int bn_rma_refuse(const struct bn_rma *transfer, bool reads, bool fetches);

/** After one of these has succeeded, for calls with a request: makes a completed one.  Returns the call's result. */
int bn_rma_request(MPI_Request *request);

/** The size of data of a predefined type without gaps; false: not such a type, or invalid arguments. */
static inline bool bn_data_is_dense(const struct bn_data *data, const struct bn_type *type, uint64_t *bytes_p)
{
    return type && type->bytes == type->extent && data->count >= 0 &&
           !__builtin_mul_overflow((uint64_t)data->count, (uint64_t)type->bytes, bytes_p);
}

/** The address of data of a derived type; null: as bn_direct_place, or the type is invalid.  Inside. */
unsigned char *bn_rma_place(const struct bn_direct *direct, const struct bn_rma *transfer);

/** The size of data of any type; negative: the type is invalid.  Inside. */
MPI_Count bn_data_bytes(const struct bn_data *data);

#endif
