/* One-sided transfers that MPI does not define, in epochs that begin with a lock: those that the library carries out
 * alone, and what is said about the others */
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES = 64 };

static int class_of(int result)
{
    int error_class;
    MPI_Error_class(result, &error_class);
    return error_class;
}

/* Every member adds to the memory of the next one.  MPI defines neither sums nor swaps of MPI_CHAR. */
static void extensions(const struct lane *lane, MPI_Win window, const unsigned char *memory)
{
    int right = (lane->rank + 1) % lane->size;
    char one = 1, zero = 0, old = -1;
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_CHAR, &pair);
    MPI_Type_commit(&pair);
    CHECK(MPI_Fetch_and_op(&one, &old, MPI_CHAR, right, 0, MPI_SUM, window) == MPI_SUCCESS && old == 0);
    CHECK(MPI_Accumulate(&one, 1, MPI_CHAR, right, 0, 1, MPI_CHAR, MPI_SUM, window) == MPI_SUCCESS);
    CHECK(MPI_Accumulate((const char[]){1, 1}, 2, MPI_CHAR, right, 0, 1, pair, MPI_SUM, window) == MPI_SUCCESS);
    CHECK(MPI_Compare_and_swap(&one, &zero, &old, MPI_CHAR, right, 2, window) == MPI_SUCCESS && old == 0);
    CHECK(MPI_Accumulate(&one, 1, MPI_PACKED, right, 3, 1, MPI_PACKED, MPI_REPLACE, window) == MPI_SUCCESS);
    MPI_Type_free(&pair);
    MPI_Win_flush(right, window);
    MPI_Barrier(lane->comm);
    MPI_Win_sync(window);
    CHECK(memcmp(memory, (const char[]){3, 1, 1, 1, 0}, 5) == 0);
}

/* MPICH and Open MPI alone ignore some of these, or write to other memory. */
static void errors(const struct lane *lane, MPI_Win window)
{
    int right = (lane->rank + 1) % lane->size;
    double number = 1, other = 0;
    MPI_Request request;
    MPI_Datatype raw;
    double many[4];
    long double padded = 1, room = 0;
    CHECK(class_of(MPI_Compare_and_swap(&padded, &padded, &room, MPI_LONG_DOUBLE, right, 0, window)) == MPI_ERR_TYPE);
    MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &raw);
    CHECK(class_of(MPI_Get(many, 4, MPI_DOUBLE, right, BYTES, 1, MPI_DOUBLE, window)) == MPI_ERR_RMA_RANGE);
    CHECK(class_of(MPI_Put(many, 1, raw, right, 0, 1, raw, window)) == MPI_ERR_TYPE);
    MPI_Type_free(&raw);
    CHECK(class_of(MPI_Accumulate(&number, 1, MPI_DOUBLE, right, 8, 1, MPI_DOUBLE, MPI_BXOR, window)) == MPI_ERR_OP);
    CHECK(class_of(MPI_Fetch_and_op(&number, &other, MPI_DOUBLE, right, 8, MPI_BAND, window)) == MPI_ERR_OP);
    CHECK(class_of(MPI_Accumulate(&number, 1, MPI_DOUBLE, right, 8, 1, MPI_DOUBLE, MPI_OP_NULL, window)) == MPI_ERR_OP);
    CHECK(class_of(MPI_Put(&number, 1, MPI_DOUBLE, right, BYTES, 1, MPI_DOUBLE, window)) == MPI_ERR_RMA_RANGE);
    CHECK(class_of(MPI_Rget(&number, 1, MPI_DOUBLE, right, BYTES - 4, 1, MPI_DOUBLE, window, &request)) ==
          MPI_ERR_RMA_RANGE);
    CHECK(class_of(MPI_Accumulate(&number, 1, MPI_DOUBLE, right, BYTES, 1, MPI_DOUBLE, MPI_SUM, window)) ==
          MPI_ERR_RMA_RANGE);
    CHECK(class_of(MPI_Compare_and_swap(&number, &number, &other, MPI_INT, right, BYTES, window)) == MPI_ERR_RMA_RANGE);
    CHECK(class_of(MPI_Put(&number, 1, MPI_DOUBLE, right, -1, 1, MPI_DOUBLE, window)) == MPI_ERR_DISP);
    CHECK(class_of(MPI_Put(&number, 1, MPI_DOUBLE, right, 8, 1, MPI_INT, window)) == MPI_ERR_TYPE);
    CHECK(class_of(MPI_Put(&number, -1, MPI_DOUBLE, right, 8, -1, MPI_DOUBLE, window)) == MPI_ERR_COUNT);
}

/* Whether the first of four numbers has arrived, and the others are untouched */
static bool has_only_first(const long *memory)
{
    return memory[0] == 7 && memory[1] == 0 && memory[2] == 0 && memory[3] == 0;
}

/* The receiver may have room for more than is sent, in any epoch; and nothing may be at any place. */
static void larger(const struct lane *lane, MPI_Win window, const long *memory)
{
    int right = (lane->rank + 1) % lane->size;
    long number = 7, got[4] = {0};
    MPI_Datatype apart;
    MPI_Type_vector(2, 1, 2, MPI_LONG, &apart);
    MPI_Type_commit(&apart);
    CHECK(MPI_Put(&number, 1, MPI_LONG, right, 0, 2, MPI_LONG, window) == MPI_SUCCESS);
    CHECK(MPI_Put(&number, 1, MPI_LONG, right, 0, 1, apart, window) == MPI_SUCCESS);
    MPI_Win_flush(right, window);
    MPI_Barrier(lane->comm);
    MPI_Win_sync(window);
    CHECK(has_only_first(memory));
    CHECK(MPI_Get(got, 4, MPI_LONG, right, 0, 1, MPI_LONG, window) == MPI_SUCCESS);
    MPI_Win_flush(right, window);
    CHECK(has_only_first(got));
    got[0] = 0;
    CHECK(MPI_Get(got, 1, apart, right, 0, 1, MPI_LONG, window) == MPI_SUCCESS);
    MPI_Win_flush(right, window);
    CHECK(has_only_first(got));
    CHECK(MPI_Put(&number, 0, MPI_LONG, right, 2 * BYTES, 0, MPI_LONG, window) == MPI_SUCCESS);
    MPI_Type_free(&apart);
}

/* The memory of a window is shared, or reached through the kernel. */
static void check_larger(const struct lane *lane, bool is_shared)
{
    long own[BYTES / sizeof(long)], *memory = own;
    MPI_Win window;
    if (is_shared)
        MPI_Win_allocate(sizeof own, 1, MPI_INFO_NULL, lane->comm, &memory, &window);
    else
        MPI_Win_create(own, sizeof own, 1, MPI_INFO_NULL, lane->comm, &window);
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    memset(memory, 0, sizeof own);
    MPI_Barrier(lane->comm);
    MPI_Win_lock_all(0, window);
    larger(lane, window, memory);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
}

void check_refusals(const struct lane *lane)
{
    unsigned char *memory;
    MPI_Win window;
    if (lane->is_careless)
        return;
    MPI_Win_allocate(BYTES, 1, MPI_INFO_NULL, lane->comm, &memory, &window);
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    memset(memory, 0, BYTES);
    MPI_Barrier(lane->comm);
    MPI_Win_lock_all(0, window);
    extensions(lane, window, memory);
    if (getenv("BANYAN_MPI_THREADS"))
        errors(lane, window);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    check_larger(lane, true);
    check_larger(lane, false);
}
