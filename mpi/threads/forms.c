#include "threads/forms.h"

#include "base/log.h"

#include <stdlib.h>

bool bn_forms_meets_itself(MPI_Comm comm)
{
    enum { FEW = 16 };
    int kind = MPI_UNDEFINED, count = 0, few[3 * FEW], *all = few;
    if (comm == bn_handles.no_comm || bn_below.Topo_test(comm, &kind) != MPI_SUCCESS || kind != MPI_CART)
        return false;
    bn_below.Cartdim_get(comm, &count);
    if (count > FEW)
        all = malloc(3 * (size_t)count * sizeof *all);
    if (!all) {
        bn_log_error("there is no memory for the dimensions of a communicator");
        bn_library_abort(comm);
    }
    int *sizes = all, *are_periodic = all + count, *place = all + 2 * count;
    bn_below.Cart_get(comm, count, sizes, are_periodic, place);
    bool meets = false;
    for (int i = 0; i < count; i++)
        meets |= are_periodic[i] && sizes[i] <= 2;
    if (all != few)
        free(all);
    return meets;
}
