/*
 * operations.h: the collective operations of MPI, and the reasons why the engine does not carry out a call.
 */
#ifndef BN_MPI_HOST_OPERATIONS_H
#define BN_MPI_HOST_OPERATIONS_H

#include <limits.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In the order of the options BANYAN_MPI_BARRIER, ... */
enum bn_mpi_operation {
    BN_MPI_BARRIER,
    BN_MPI_BCAST,
    BN_MPI_SCATTER,
    BN_MPI_SCATTERV,
    BN_MPI_GATHER,
    BN_MPI_GATHERV,
    BN_MPI_ALLGATHER,
    BN_MPI_ALLGATHERV,
    BN_MPI_ALLTOALL,
    BN_MPI_ALLTOALLV,
    BN_MPI_ALLTOALLW,
    BN_MPI_REDUCE,
    BN_MPI_ALLREDUCE,
    BN_MPI_REDUCE_SCATTER,
    BN_MPI_REDUCE_SCATTER_BLOCK,
    BN_MPI_SCAN,
    BN_MPI_EXSCAN,
    BN_MPI_OPERATION_COUNT
};

/* Why a call is not ours, that is, goes to the library below */
enum bn_mpi_reason {
    BN_MPI_OURS,      /* it is */
    BN_MPI_NOT_READY, /* nothing is known about the communicator */
    BN_MPI_SWITCHED_OFF,
    BN_MPI_ALONE,
    BN_MPI_INTERCOMMUNICATOR,
    BN_MPI_NO_NODE,     /* the processes of this machine have no shared memory */
    BN_MPI_BEYOND_JOB,  /* some members belong to another job, spawned or joined */
    BN_MPI_MIXED_RANKS, /* order matters, and the ranks of a machine are not consecutive */
    BN_MPI_NO_MEMORY,
    BN_MPI_TOO_MANY,  /* members */
    BN_MPI_TOO_LARGE, /* a block of more than BN_MPI_BLOCK_BYTES */
    BN_MPI_GAPS,      /* a reduction of a derived type with gaps */
    BN_MPI_WRONG_ARGUMENT,
    BN_MPI_TRIAL,  /* a trial of the library below */
    BN_MPI_SLOWER, /* as trials have shown */
    BN_MPI_REASON_COUNT
};

/* The library below counts packed bytes in an int, so some member might be unable to pack a larger block. */
#define BN_MPI_BLOCK_BYTES ((size_t)INT_MAX)

/** The name in BANYAN_MPI_<name>: "BCAST", ... */
const char *bn_mpi_operation_name(enum bn_mpi_operation operation);

/** A reason in words, to follow "because". */
const char *bn_mpi_reason_text(enum bn_mpi_reason reason);

#ifdef __cplusplus
}
#endif

#endif
