/* One-sided transfers, with all kinds of synchronisation */
#include "check.h"

#include <stdlib.h>

enum { SLOTS = 8 };

static void fences(const struct lane *lane, MPI_Win window, int *memory)
{
    int right = (lane->rank + 1) % lane->size, left = (lane->rank + lane->size - 1) % lane->size;
    int value = lane->rank * 10 + lane->thread, got = -1;
    memory[0] = memory[1] = -1;
    MPI_Win_fence(0, window);
    MPI_Put(&value, 1, MPI_INT, right, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    CHECK(memory[0] == left * 10 + lane->thread);
    MPI_Get(&got, 1, MPI_INT, right, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    CHECK(got == value);
}

static void passive(const struct lane *lane, MPI_Win window, int *memory)
{
    int one = 1, old, sum;
    /* All members hold their own locks at the same time: these are different locks. */
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, lane->rank, 0, window);
    memory[2] = memory[3] = 0;
    MPI_Barrier(lane->comm);
    MPI_Win_unlock(lane->rank, window);
    MPI_Barrier(lane->comm);
    for (int rank = 0; rank < lane->size; rank++) {
        int target = (lane->rank + rank) % lane->size;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, window);
        MPI_Get(&old, 1, MPI_INT, target, 2, 1, MPI_INT, window);
        MPI_Win_flush(target, window);
        old++;
        MPI_Put(&old, 1, MPI_INT, target, 2, 1, MPI_INT, window);
        MPI_Win_unlock(target, window);
    }
    MPI_Win_lock_all(0, window);
    for (int target = 0; target < lane->size; target++) {
        MPI_Accumulate(&one, 1, MPI_INT, target, 3, 1, MPI_INT, MPI_SUM, window);
        MPI_Win_flush(target, window);
        MPI_Fetch_and_op(&one, &old, MPI_INT, target, 3, MPI_SUM, window);
        MPI_Win_flush_local(target, window);
        CHECK(old >= 1 && old < 2 * lane->size);
    }
    MPI_Win_flush_all(window);
    MPI_Win_unlock_all(window);
    MPI_Barrier(lane->comm);
    MPI_Win_lock(MPI_LOCK_SHARED, lane->rank, 0, window);
    sum = memory[2] * 1000 + memory[3];
    MPI_Win_unlock(lane->rank, window);
    CHECK(sum == lane->size * 1000 + 2 * lane->size);
}

static void by_request(const struct lane *lane, MPI_Win window)
{
    int right = (lane->rank + 1) % lane->size, value = lane->rank + 5, got = -1;
    MPI_Request request;
    MPI_Win_lock_all(0, window);
    MPI_Rput(&value, 1, MPI_INT, right, 4, 1, MPI_INT, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_flush(right, window);
    MPI_Rget(&got, 1, MPI_INT, right, 4, 1, MPI_INT, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_unlock_all(window);
    CHECK(got == value);
    MPI_Barrier(lane->comm);
}

static void posted(const struct lane *lane, MPI_Win window, int *memory)
{
    int right = (lane->rank + 1) % lane->size, left = (lane->rank + lane->size - 1) % lane->size;
    int value = 3 * lane->rank + lane->round;
    MPI_Group all, to, from;
    MPI_Win_get_group(window, &all);
    MPI_Group_incl(all, 1, &right, &to);
    MPI_Group_incl(all, 1, &left, &from);
    MPI_Win_post(from, 0, window);
    MPI_Win_start(to, 0, window);
    MPI_Put(&value, 1, MPI_INT, right, 5, 1, MPI_INT, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    CHECK(memory[5] == 3 * left + lane->round);
    MPI_Group_free(&all);
    MPI_Group_free(&to);
    MPI_Group_free(&from);
}

void check_windows(const struct lane *lane)
{
    int *memory;
    MPI_Win window;
    MPI_Win_allocate(SLOTS * sizeof(int), sizeof(int), MPI_INFO_NULL, lane->comm, &memory, &window);
    for (int i = 0; i < SLOTS; i++)
        memory[i] = 0;
    fences(lane, window, memory);
    passive(lane, window, memory);
    by_request(lane, window);
    posted(lane, window, memory);
    MPI_Win_free(&window);
    memory = malloc(SLOTS * sizeof(int));
    MPI_Win_create(memory, SLOTS * sizeof(int), sizeof(int), MPI_INFO_NULL, lane->comm, &window);
    fences(lane, window, memory);
    MPI_Win_free(&window);
    free(memory);
}
