#include "front/valid.h"

#include "front/below.h"
#include "sync/spinlock.h"

static struct {
    MPI_Comm comm;           /* a private copy of MPI_COMM_SELF that returns errors */
    struct bn_spinlock lock; /* for collective calls on it */
} asked;

void bn_valid_begin(void)
{
    bn_below.Comm_dup(bn_below.self, &asked.comm);
    bn_below.Comm_set_errhandler(asked.comm, bn_below.errors_return);
}

void bn_valid_end(void)
{
    bn_below.Comm_free(&asked.comm);
}

/* MPI has no function that tells whether a type is committed. */
bool bn_type_is_valid(MPI_Datatype type)
{
    char none = 0;
    int position = 0;
    return bn_below.Pack(&none, 0, type, &none, 0, &position, asked.comm) == MPI_SUCCESS;
}

static bool try_op(MPI_Op op)
{
    int none = 0, result = 0;
    bn_spinlock_acquire(&asked.lock);
    bool is_valid = bn_below.Allreduce(&none, &result, 0, bn_below.type_int, op, asked.comm) == MPI_SUCCESS;
    bn_spinlock_release(&asked.lock);
    return is_valid;
}

/* MPICH does not find out that an operation has been freed, so a handle that was valid need not be tried again. */
bool bn_op_is_valid(MPI_Op op)
{
    enum { KEPT = 4 };
    static _Thread_local struct {
        MPI_Op ops[KEPT];
        unsigned count;
    } seen;
    for (unsigned i = 0; i < KEPT && i < seen.count; i++)
        if (seen.ops[i] == op)
            return true;
    bool is_valid = try_op(op);
    if (is_valid)
        seen.ops[seen.count++ % KEPT] = op;
    return is_valid;
}
