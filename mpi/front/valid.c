#include "front/valid.h"

#include "front/below.h"
#include "platform/atomic_word.h"

#include <pthread.h>

static struct {
    MPI_Comm comm;        /* a private copy of MPI_COMM_SELF that returns errors */
    pthread_mutex_t lock; /* for collective calls on it.  Nobody waits for it: who has it may wait until another thread
                             leaves MPI (mpi/threads). */
} asked = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct {
    uint32_t are_known;
    int alias_error, reduce_alias_error; /* Open MPI 4 only reports the latter */
    bool takes_no_type;                  /* MPICH does */
} habits;

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

/* MPICH does not find out that an operation has been freed, so a handle that was valid need not be tried again.  While
 * another thread tries one, it is not tried. */
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

static void try_habits(void)
{
    int number = 0, other = 0, none = 0;
    habits.alias_error = bn_below.Allreduce(&number, &number, 1, bn_below.type_int, bn_below.op_max, asked.comm);
    habits.reduce_alias_error = bn_below.Reduce(&number, &number, 1, bn_below.type_int, bn_below.op_max, 0, asked.comm);
    habits.takes_no_type = bn_below.Alltoallw(&number, &none, &none, &bn_below.no_type, &other, &none, &none,
                                              &bn_below.no_type, asked.comm) == MPI_SUCCESS;
}

/* False: another thread is trying them. */
static bool know_habits(void)
{
    if (bn_word_see(&habits.are_known))
        return true;
    if (pthread_mutex_trylock(&asked.lock) != 0)
        return false;
    if (!bn_word_see(&habits.are_known))
        try_habits();
    bn_word_show(&habits.are_known, 1);
    pthread_mutex_unlock(&asked.lock);
    return true;
}

int bn_alias_error(bool is_reduce)
{
    if (!know_habits())
        return MPI_SUCCESS;
    return is_reduce ? habits.reduce_alias_error : habits.alias_error;
}

bool bn_takes_no_type(void)
{
    return !know_habits() || habits.takes_no_type;
}
