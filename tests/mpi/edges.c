/*
 * Calls at the edge of what MPI allows: types that are none, or not committed, for blocks without elements, which MPICH
 * takes, handles that are none, operations of one-sided communication, which no library takes in a collective
 * operation, types that are committed late, buffers that are the same, and error handlers that leave by longjmp.
 * Meanwhile an attribute of MPI_COMM_SELF stays where it is.
 */
#include <mpi.h>

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static void check(int is_right, const char *what)
{
    if (is_right)
        return;
    fprintf(stderr, "rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static int is_mpich(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    return strstr(version, "MPICH") != NULL;
}

/* Everybody sends to the next one alone, and all but rank 0 have no type for the others, or none that is committed. */
static void blocks_without_a_type(void)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size, mine = rank, got = -1;
    int *counts = calloc(3 * (size_t)size, sizeof *counts), *received = counts + size, *places = received + size;
    MPI_Datatype *types = malloc(2 * (size_t)size * sizeof(MPI_Datatype)), *received_types = types + size;
    MPI_Datatype uncommitted;
    MPI_Type_contiguous(2, MPI_INT, &uncommitted);
    for (int r = 0; r < 2 * size; r++)
        types[r] = rank == 0 ? MPI_INT : rank == 1 ? uncommitted : MPI_DATATYPE_NULL;
    counts[next] = received[before] = 1;
    types[next] = received_types[before] = MPI_INT;
    for (int call = 0; call < 60; call++) {
        got = -1;
        MPI_Alltoallw(&mine, counts, places, types, &got, received, places, received_types, MPI_COMM_WORLD);
        check(got == before, "MPI_Alltoallw with types that are none");
    }
    MPI_Type_free(&uncommitted);
    free(types);
    free(counts);
}

static void is_class(int result, int wanted, const char *what)
{
    int class;
    MPI_Error_class(result, &class);
    check(class == wanted, what);
}

/* On a communicator whose error handler returns, while the one of MPI_COMM_WORLD still ends the job.  MPICH notices;
 * Open MPI reads memory there. */
static void handles_of_nothing(void)
{
    MPI_Comm own;
    MPI_Datatype no_type = (MPI_Datatype)(intptr_t)0x12345678;
    MPI_Op no_op = (MPI_Op)(intptr_t)0x12345678;
    int one = 1, all[8] = {0};
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    is_class(MPI_Bcast(&one, 1, no_type, 0, own), MPI_ERR_TYPE, "MPI_Bcast of no type");
    is_class(MPI_Allgather(&one, 1, MPI_INT, all, 1, no_type, own), MPI_ERR_TYPE, "MPI_Allgather to no type");
    is_class(MPI_Allreduce(&one, all, 1, MPI_INT, no_op, own), MPI_ERR_OP, "MPI_Allreduce with no operation");
    is_class(MPI_Scan(&one, all, 1, MPI_INT, no_op, own), MPI_ERR_OP, "MPI_Scan with no operation");
    MPI_Comm_free(&own);
}

static void refuses(MPI_Op op, const char *what)
{
    int one = 1, all = -1;
    is_class(MPI_Allreduce(&one, &all, 1, MPI_INT, op, MPI_COMM_WORLD), MPI_ERR_OP, what);
    check(all == -1, what);
}

static void wants_commit(void)
{
    int pair[2] = {rank, rank};
    MPI_Datatype type;
    MPI_Type_contiguous(2, MPI_INT, &type);
    is_class(MPI_Bcast(pair, 1, type, 0, MPI_COMM_WORLD), MPI_ERR_TYPE, "a type that is not committed was no error");
    check(pair[1] == rank, "a type that is not committed was used");
    MPI_Type_commit(&type);
    check(MPI_Bcast(pair, 1, type, 0, MPI_COMM_WORLD) == MPI_SUCCESS && pair[1] == 0, "a type that is committed now");
    MPI_Type_free(&type);
}

/* Some libraries take this, others do not. */
static void sums_in_one_buffer(void)
{
    int number = 1;
    MPI_Allreduce(&number, &number, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static jmp_buf handled;

static void leave(MPI_Comm *comm, int *error, ...)
{
    (void)comm;
    (void)error;
    longjmp(handled, 1);
}

/* Writes over what a function that was left has had on the stack. */
static void scribble(int depth)
{
    volatile char bytes[1000];
    memset((char *)bytes, 0x41, sizeof bytes);
    if (depth > 0)
        scribble(depth - 1);
}

/* All but the root have no room for what it sends.  Then their type is still theirs to free. */
static void handlers_that_leave(void)
{
    int data[8] = {0};
    MPI_Comm own;
    MPI_Datatype type;
    MPI_Errhandler handler;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    MPI_Comm_create_errhandler(leave, &handler);
    MPI_Comm_set_errhandler(own, handler);
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    if (setjmp(handled) == 0) {
        MPI_Bcast(data, rank == 0 ? 2 : 1, type, 0, own);
        check(rank == 0, "MPI_Bcast of more than there is room for was no error");
    }
    scribble(20);
    MPI_Type_free(&type);
    check(type == MPI_DATATYPE_NULL, "a type was not freed");
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&own);
}

static int copies, deletes;

static int copy(MPI_Comm comm, int keyval, void *extra, void *from, void *to, int *has_copied)
{
    (void)comm;
    (void)keyval;
    (void)extra;
    copies++;
    *(void **)to = from;
    *has_copied = 1;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int keyval, void *attribute, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)attribute;
    (void)extra;
    deletes++;
    return MPI_SUCCESS;
}

static void give_attribute(void)
{
    int keyval;
    MPI_Comm_create_keyval(copy, delete, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, &copies);
    MPI_Comm_free_keyval(&keyval);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided); /* so that a type may be freed during a call */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    give_attribute();
    if (is_mpich()) {
        blocks_without_a_type();
        handles_of_nothing();
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    refuses(MPI_NO_OP, "MPI_NO_OP was no error");
    refuses(MPI_REPLACE, "MPI_REPLACE was no error");
    wants_commit();
    sums_in_one_buffer();
    handlers_that_leave();
    check(copies == 0 && deletes == 0, "an attribute of MPI_COMM_SELF was copied or deleted before the end");
    MPI_Finalize();
    if (rank == 0)
        puts("ok");
    return 0;
}
