#include "host/operations.h"

#include "base/options.h"

#include <string.h>

const char *bn_mpi_operation_name(enum bn_mpi_operation operation)
{
    return bn_option_describe((enum bn_option_id)(BN_OPTION_MPI_BARRIER + (int)operation))->name +
           strlen("BANYAN_MPI_");
}

const char *bn_mpi_reason_text(enum bn_mpi_reason reason)
{
    static const char *const texts[BN_MPI_REASON_COUNT] = {
        [BN_MPI_OURS] = "carried out",
        [BN_MPI_NOT_READY] = "nothing known of the communicator",
        [BN_MPI_SWITCHED_OFF] = "switched off",
        [BN_MPI_ALONE] = "one process",
        [BN_MPI_INTERCOMMUNICATOR] = "intercommunicator",
        [BN_MPI_NO_NODE] = "no shared memory",
        [BN_MPI_BEYOND_JOB] = "processes of another job",
        [BN_MPI_MIXED_RANKS] = "ranks of machines mixed",
        [BN_MPI_NO_MEMORY] = "no memory for the communicator",
        [BN_MPI_TOO_MANY] = "too many processes",
        [BN_MPI_TOO_LARGE] = "blocks of 2 GiB and more",
        [BN_MPI_GAPS] = "reduction of a derived type",
        [BN_MPI_WRONG_ARGUMENT] = "wrong argument",
        [BN_MPI_TRIAL] = "trial",
        [BN_MPI_SLOWER] = "MPI library faster",
    };
    return texts[reason];
}
