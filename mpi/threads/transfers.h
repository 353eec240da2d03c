/*
 * transfers.h: what one-sided calls do in windows in which threads transfer by themselves (direct.h).
 */
#ifndef BN_MPI_THREADS_TRANSFERS_H
#define BN_MPI_THREADS_TRANSFERS_H

#include "threads/direct.h"
#include "threads/types.h"

/* Data of a type in memory; of the target, in its window */
struct bn_data {
    MPI_Count count;
    MPI_Datatype type;
};

/* The arguments of a call */
struct bn_transfer {
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

/** Carries it out.  False: it is the library's, which also says what is wrong with it.  By who is inside, or not. */
bool bn_transfer_put(const struct bn_transfer *transfer);
bool bn_transfer_get(const struct bn_transfer *transfer);
bool bn_transfer_accumulate(const struct bn_transfer *transfer);
bool bn_transfer_get_accumulate(const struct bn_transfer *transfer);

/** The same, for one element of a type, if it is equal to what `compare` has. */
bool bn_transfer_swap(const struct bn_transfer *transfer, const void *compare);

/** Behind one of these that was true, for calls with a request: one that has ended.  Returns what the call does. */
int bn_transfer_request(MPI_Request *request);

/** Bytes of so much of a predefined type without gaps; false: it is another one, or wrong. */
static inline bool bn_data_is_dense(const struct bn_data *data, const struct bn_type *type, uint64_t *bytes_p)
{
    return type && type->bytes == type->extent && data->count >= 0 &&
           !__builtin_mul_overflow((uint64_t)data->count, (uint64_t)type->bytes, bytes_p);
}

/** Where the data of a derived type are; null: as of bn_direct_place, or the type is none.  Inside. */
unsigned char *bn_transfer_place(const struct bn_direct *direct, const struct bn_transfer *transfer);

/** Bytes of data of any type; negative: it is none.  Inside. */
MPI_Count bn_data_bytes(const struct bn_data *data);

#endif
