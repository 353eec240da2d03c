/* Functions of the program that MPI calls, and that call MPI */
#include "check.h"

#include <stddef.h>

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

void check_callbacks(const struct lane *lane)
{
    attributes(lane);
    operations(lane);
    errors(lane);
    generalized(lane);
}
