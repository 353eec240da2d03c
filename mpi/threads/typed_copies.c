#include "threads/typed_copies.h"

#include <limits.h>
#include <stddef.h>

static MPI_Comm self;

void bn_typed_copies_begin(void)
{
    bn_below.Comm_dup(bn_handles.self, &self);
    bn_below.Comm_set_errhandler(self, bn_handles.errors_return);
}

void bn_typed_copies_end(void)
{
    bn_below.Comm_free(&self);
}

bool bn_typed_copy(const void *from, MPI_Count from_count, MPI_Datatype from_type, void *to, MPI_Count to_count,
                   MPI_Datatype to_type)
{
    if (from_count > INT_MAX || to_count > INT_MAX)
        return bn_typed_copy_large && bn_typed_copy_large(from, from_count, from_type, to, to_count, to_type, self);
    return bn_below.Sendrecv(from, (int)from_count, from_type, 0, 0, to, (int)to_count, to_type, 0, 0, self,
                             MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

/* For 0 elements, MPICH would not check the type. */
bool bn_typed_copies_take(MPI_Datatype type)
{
    return bn_below.Send(&self, 1, type, MPI_PROC_NULL, 0, self) == MPI_SUCCESS;
}

int bn_typed_copies_request(MPI_Request *request)
{
    return bn_below.Irecv(NULL, 0, bn_handles.byte, MPI_PROC_NULL, 0, self, request);
}
