/* Communicators made and freed by all threads at the same time, in a different order in each process */
#include "check.h"

#include <stdio.h>

static void check_members(MPI_Comm comm, int expected)
{
    int one = 1, sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK(sum == expected);
}

static void between_halves(const struct lane *lane)
{
    int is_upper = lane->rank >= lane->size / 2, size;
    MPI_Comm half, inter, merged;
    MPI_Comm_split(lane->comm, is_upper, lane->rank, &half);
    MPI_Intercomm_create(half, 0, lane->comm, is_upper ? 0 : lane->size / 2, 40 + lane->thread, &inter);
    MPI_Comm_remote_size(inter, &size);
    CHECK(size == (is_upper ? lane->size / 2 : lane->size - lane->size / 2));
    MPI_Intercomm_merge(inter, is_upper, &merged);
    check_members(merged, lane->size);
    MPI_Comm_free(&merged);
    MPI_Comm_disconnect(&inter);
    MPI_Comm_free(&half);
}

static void of_group(const struct lane *lane)
{
    MPI_Group all, odd;
    MPI_Comm comm;
    int range[1][3] = {{lane->size - 1, lane->size % 2 == 0 ? 1 : 0, -2}};
    MPI_Comm_group(lane->comm, &all);
    MPI_Group_range_incl(all, 1, range, &odd);
    int rank;
    MPI_Group_rank(odd, &rank);
    if (rank != MPI_UNDEFINED) {
        MPI_Comm_create_group(lane->comm, odd, lane->thread, &comm);
        check_members(comm, lane->size / 2 + lane->size % 2);
        MPI_Comm_free(&comm);
    }
    MPI_Comm_create(lane->comm, odd, &comm);
    CHECK((comm != MPI_COMM_NULL) == (rank != MPI_UNDEFINED));
    if (comm != MPI_COMM_NULL)
        MPI_Comm_free(&comm);
    MPI_Group_free(&all);
    MPI_Group_free(&odd);
}

#if MPI_VERSION >= 4
/* Each thread has a session of its own, and makes communicators of its groups that differ only in the tag. */
static void of_session(const struct lane *lane)
{
    char tag[32];
    int range[1][3] = {{lane->rank % 2, lane->size - 1, 2}}, size;
    MPI_Session session;
    MPI_Group all, mine, others;
    MPI_Comm comm, inter;
    snprintf(tag, sizeof tag, "thread %d", lane->thread);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
    MPI_Comm_create_from_group(all, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    check_members(comm, lane->size);
    MPI_Comm_free(&comm);
    if (lane->size > 1) {
        MPI_Group_range_incl(all, 1, range, &mine);
        MPI_Group_difference(all, mine, &others);
        MPI_Intercomm_create_from_groups(mine, 0, others, 0, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &inter);
        MPI_Comm_remote_size(inter, &size);
        CHECK(size == (lane->size + lane->rank % 2) / 2);
        MPI_Comm_free(&inter);
        MPI_Group_free(&mine);
        MPI_Group_free(&others);
    }
    MPI_Group_free(&all);
    MPI_Session_finalize(&session);
}
#endif

void check_communicators(const struct lane *lane)
{
    MPI_Comm copy, part;
    for (int i = 0; i < 5; i++) {
        MPI_Comm_dup(lane->comm, &copy);
        check_members(copy, lane->size);
        MPI_Comm_split(copy, lane->rank % 2, -lane->rank, &part);
        check_members(part, (lane->size + 1 - lane->rank % 2) / 2);
        MPI_Comm_free(&part);
        MPI_Comm_free(&copy);
    }
    if (lane->size > 1)
        between_halves(lane);
    of_group(lane);
#if MPI_VERSION >= 4
    of_session(lane);
#endif
}
