/* Functions of the program that MPI calls, and that call MPI */
#include "check.h"

#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int delete_attribute(MPI_Comm comm, int key, void *value, void *extra)
{
    int is_inter;
    (void)key;
    (void)extra;
    MPI_Comm_test_inter(comm, &is_inter);
    ++*(int *)value;
    return MPI_SUCCESS;
}

static int copy_attribute(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    int is_inter;
    (void)key;
    (void)extra;
    MPI_Comm_test_inter(comm, &is_inter);
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static void attributes(const struct lane *lane)
{
    int key, deleted = 0;
    MPI_Comm first, copy;
    MPI_Comm_create_keyval(copy_attribute, delete_attribute, &key, NULL);
    MPI_Comm_dup(lane->comm, &first);
    MPI_Comm_set_attr(first, key, &deleted);
    MPI_Comm_dup(first, &copy);
    MPI_Comm_free(&copy);
    CHECK(deleted == 1);
    MPI_Comm_free(&first);
    CHECK(deleted == 2);
    MPI_Comm_free_keyval(&key);
}

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    int size;
    MPI_Type_size(*type, &size);
    for (int i = 0; i < *count && size == sizeof(int); i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void operations(const struct lane *lane)
{
    int mine[3] = {lane->rank, 1, 2}, sum[3] = {0};
    MPI_Op op;
    MPI_Op_create(add, 1, &op);
    MPI_Allreduce(mine, sum, 3, MPI_INT, op, lane->comm);
    CHECK(sum[0] == lane->size * (lane->size - 1) / 2 && sum[1] == lane->size && sum[2] == 2 * lane->size);
    MPI_Op_free(&op);
}

/* Of the calling thread: errors that its handler got, and the class of the last one */
static _Thread_local int handled, last;

static void handle(MPI_Comm *comm, int *error, ...)
{
    int size;
    MPI_Error_class(*error, &last);
    MPI_Comm_size(*comm, &size);
    CHECK(last != MPI_SUCCESS);
    handled++;
}

/* A wrong argument is reported once.  A careless library may then return MPI_SUCCESS. */
static void expect(const struct lane *lane, int expected, int error)
{
    int class;
    MPI_Error_class(error, &class);
    CHECK((class == expected && handled == 1 && last == expected) || (lane->is_careless && handled <= 1));
    handled = 0;
}

static void errors(const struct lane *lane)
{
    int data = 0, other, left = (lane->rank + lane->size - 1) % lane->size, nobody = lane->size + 1;
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(lane->comm, handler);
    expect(lane, MPI_ERR_RANK, MPI_Send(&data, 1, MPI_INT, nobody, 0, lane->comm));
    expect(lane, MPI_ERR_RANK, MPI_Recv(&data, 1, MPI_INT, nobody, 0, lane->comm, MPI_STATUS_IGNORE));
    expect(lane, MPI_ERR_RANK,
           MPI_Sendrecv(&data, 1, MPI_INT, nobody, 0, &other, 1, MPI_INT, left, 0, lane->comm, MPI_STATUS_IGNORE));
    expect(lane, MPI_ERR_ROOT, MPI_Bcast(&data, 1, MPI_INT, nobody, lane->comm));
    MPI_Comm_set_errhandler(lane->comm, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
}

static int query(void *extra, MPI_Status *status)
{
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = *(int *)extra;
    MPI_Status_set_elements(status, MPI_INT, 3);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int free_nothing(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int cancel_nothing(void *extra, int complete)
{
    (void)extra;
    (void)complete;
    return MPI_SUCCESS;
}

static void generalized(const struct lane *lane)
{
    int number = 50 + lane->thread, count;
    MPI_Request request;
    MPI_Status status;
    MPI_Grequest_start(query, free_nothing, cancel_nothing, &number, &request);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(status.MPI_TAG == number && count == 3);
}

/* ---- A function that is called inside MPI, and another thread that begins the same kind of call ---- */

enum { OWN_OPERATION, OWN_TYPE, ALLOWED, KINDS };

/* The first of each pair is for the function, the second for the other thread. */
struct pair {
    const struct lane *lane;
    int kind;
    MPI_Comm comms[2];
    MPI_Op ops[2];
    MPI_Datatype types[2];
    sem_t ready, inside;
};

/* What MPI forbids and this library, in the versions that are known, allows */
static void call_allowed(const struct pair *pair, MPI_Comm comm)
{
    if (pair->lane->is_careless)
        return;
#ifdef OPEN_MPI
    int sum = 1;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    CHECK(MPI_Allreduce(&sum, &sum, 1, MPI_INT, MPI_SUM, comm) != MPI_SUCCESS || sum == pair->lane->size);
#else
    int *none = calloc((size_t)pair->lane->size, sizeof *none);
    MPI_Datatype *types = malloc((size_t)pair->lane->size * sizeof *types);
    for (int i = 0; i < pair->lane->size; i++)
        types[i] = MPI_DATATYPE_NULL;
    MPI_Alltoallw(NULL, none, none, types, types, none, none, types, comm);
    free(types);
    free(none);
#endif
}

static void call_one(const struct pair *pair, int which)
{
    MPI_Comm comm = pair->comms[which];
    int one = 1, sum = 0, data[] = {pair->lane->rank, -1, pair->lane->rank};
    if (pair->kind == OWN_OPERATION) {
        MPI_Allreduce(&one, &sum, 1, MPI_INT, pair->ops[which], comm);
        CHECK(sum == pair->lane->size);
    } else if (pair->kind == OWN_TYPE) {
        MPI_Bcast(data, 1, pair->types[which], 0, comm);
        CHECK(data[0] == 0 && data[1] == -1 && data[2] == 0);
    } else {
        call_allowed(pair, comm);
    }
}

static int call_inside(MPI_Comm comm, int key, void *value, void *extra)
{
    struct pair *pair = value;
    (void)comm;
    (void)key;
    (void)extra;
    const struct timespec until_the_other_waits = {.tv_nsec = 60000000};
    sem_post(&pair->inside);
    nanosleep(&until_the_other_waits, NULL);
    call_one(pair, 0);
    return MPI_SUCCESS;
}

static void *call_outside(void *value)
{
    struct pair *pair = value;
    int one = 1, sum;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, pair->comms[1]); /* so that the thread knows the communicator */
    sem_post(&pair->ready);
    sem_wait(&pair->inside);
    call_one(pair, 1);
    return NULL;
}

static void call_both(const struct lane *lane, int kind)
{
    struct pair pair = {.lane = lane, .kind = kind};
    MPI_Comm freed;
    pthread_t other;
    int key;
    sem_init(&pair.ready, 0, 0);
    sem_init(&pair.inside, 0, 0);
    for (int i = 0; i < 2; i++) {
        MPI_Comm_dup(lane->comm, &pair.comms[i]);
        MPI_Op_create(add, 1, &pair.ops[i]);
        MPI_Type_vector(2, 1, 2, MPI_INT, &pair.types[i]);
        MPI_Type_commit(&pair.types[i]);
    }
    MPI_Barrier(pair.comms[0]);
    MPI_Comm_dup(lane->comm, &freed);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, call_inside, &key, NULL);
    MPI_Comm_set_attr(freed, key, &pair);
    pthread_create(&other, NULL, call_outside, &pair);
    sem_wait(&pair.ready);
    MPI_Comm_free(&freed);
    pthread_join(other, NULL);
    MPI_Comm_free_keyval(&key);
    for (int i = 0; i < 2; i++) {
        MPI_Type_free(&pair.types[i]);
        MPI_Op_free(&pair.ops[i]);
        MPI_Comm_free(&pair.comms[i]);
    }
}

void check_callbacks(const struct lane *lane)
{
    attributes(lane);
    operations(lane);
    errors(lane);
    generalized(lane);
}

void check_calls_inside(const struct lane *lane)
{
    for (int kind = 0; kind < KINDS; kind++)
        call_both(lane, kind);
}
