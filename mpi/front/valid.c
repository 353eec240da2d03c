#include "front/valid.h"

#include "front/below.h"

#include <pthread.h>

static struct {
    MPI_Comm comm;        /* a private copy of MPI_COMM_SELF that returns errors */
    pthread_mutex_t lock; /* for collective calls on it */
} asked = {.lock = PTHREAD_MUTEX_INITIALIZER};

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

/*
 * MPICH does not find out that an operation has been freed, so a handle that was valid need not be tried again.  While
 * another thread tries one, it is not tried: that thread may wait until this one leaves MPI (front/threads).
 */
bool bn_op_is_valid(MPI_Op op)
{
    enum { KEPT = 2 };
    static _Thread_local struct {
        MPI_Op ops[KEPT];
        unsigned count;
    } seen;
    for (unsigned i = 0; i < KEPT && i < seen.count; i++)
        if (seen.ops[i] == op)
            return true;
    if (pthread_mutex_trylock(&asked.lock) != 0)
        return true;
    int none = 0, result = 0;
    bool is_valid = bn_below.Allreduce(&none, &result, 0, bn_below.type_int, op, asked.comm) == MPI_SUCCESS;
    pthread_mutex_unlock(&asked.lock);
    if (is_valid)
        seen.ops[seen.count++ % KEPT] = op;
    return is_valid;
}
