/*
 * operations.h: the collective operations of MPI, and who carries out a call.
 */
#ifndef BN_MPI_HOST_OPERATIONS_H
#define BN_MPI_HOST_OPERATIONS_H

#ifdef __cplusplus
extern "C" {
#endif

/* In the order of the options BANYAN_MPI_BARRIER, ... */
enum bn_mpi_operation { BN_MPI_BARRIER, BN_MPI_BCAST, BN_MPI_OPERATION_COUNT };

/* Why a call is not ours */
enum bn_mpi_reason {
    BN_MPI_OURS,      /* it is */
    BN_MPI_NOT_READY, /* nothing is known of the communicator */
    BN_MPI_SWITCHED_OFF,
    BN_MPI_ALONE,
    BN_MPI_INTERCOMMUNICATOR,
    BN_MPI_NO_NODE,
    BN_MPI_BEYOND_NODE,
    BN_MPI_NO_MEMORY,
    BN_MPI_WRONG_ARGUMENT,
    BN_MPI_TOO_LARGE,
    BN_MPI_REASON_COUNT
};

#ifdef __cplusplus
}
#endif

#endif
