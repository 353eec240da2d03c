#include "threads/typed_copies.h"

bool bn_typed_copy_large(const void *from, MPI_Count from_count, MPI_Datatype from_type, void *to, MPI_Count to_count,
                         MPI_Datatype to_type, MPI_Comm self)
{
    return bn_below.Sendrecv_c(from, from_count, from_type, 0, 0, to, to_count, to_type, 0, 0, self,
                               MPI_STATUS_IGNORE) == MPI_SUCCESS;
}
