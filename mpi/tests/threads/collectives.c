/* All collective operations, on communicators of the threads' own */
#include "check.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 32, COUNT = 50 };

static int mine(const struct lane *lane, int rank, int i)
{
    return rank * 1000 + lane->thread * 100 + i;
}

static int sum(const struct lane *lane, int ranks, int i)
{
    int all = 0;
    for (int rank = 0; rank < ranks; rank++)
        all += mine(lane, rank, i);
    return all;
}

static void fill(const struct lane *lane, int *data, int count)
{
    for (int i = 0; i < count; i++)
        data[i] = mine(lane, lane->rank, i);
}

static void rooted(const struct lane *lane, int root, int *out, int *in)
{
    fill(lane, in, COUNT);
    MPI_Bcast(in, COUNT, MPI_INT, root, lane->comm);
    for (int i = 0; i < COUNT; i++)
        CHECK(in[i] == mine(lane, root, i));
    fill(lane, out, lane->size);
    MPI_Scatter(out, 1, MPI_INT, in, 1, MPI_INT, root, lane->comm);
    CHECK(in[0] == mine(lane, root, lane->rank));
    MPI_Gather(out, 1, MPI_INT, in, 1, MPI_INT, root, lane->comm);
    for (int rank = 0; lane->rank == root && rank < lane->size; rank++)
        CHECK(in[rank] == mine(lane, rank, 0));
    MPI_Reduce(out, in, lane->size, MPI_INT, MPI_SUM, root, lane->comm);
    for (int i = 0; lane->rank == root && i < lane->size; i++)
        CHECK(in[i] == sum(lane, lane->size, i));
}

static void rooted_with_counts(const struct lane *lane, int root, int *out, int *in)
{
    int counts[MOST], offsets[MOST];
    for (int rank = 0, at = 0; rank < lane->size; at += counts[rank++]) {
        counts[rank] = 1 + rank % 3;
        offsets[rank] = at;
    }
    fill(lane, out, 3 * lane->size);
    MPI_Scatterv(out, counts, offsets, MPI_INT, in, counts[lane->rank], MPI_INT, root, lane->comm);
    for (int i = 0; i < counts[lane->rank]; i++)
        CHECK(in[i] == mine(lane, root, offsets[lane->rank] + i));
    MPI_Gatherv(out, counts[lane->rank], MPI_INT, in, counts, offsets, MPI_INT, root, lane->comm);
    for (int rank = 0; lane->rank == root && rank < lane->size; rank++)
        for (int i = 0; i < counts[rank]; i++)
            CHECK(in[offsets[rank] + i] == mine(lane, rank, i));
}

static void to_all(const struct lane *lane, int *out, int *in)
{
    fill(lane, out, lane->size);
    MPI_Allgather(out, 1, MPI_INT, in, 1, MPI_INT, lane->comm);
    for (int rank = 0; rank < lane->size; rank++)
        CHECK(in[rank] == mine(lane, rank, 0));
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, lane->comm);
    for (int rank = 0; rank < lane->size; rank++)
        CHECK(in[rank] == mine(lane, rank, lane->rank));
    int counts[MOST], offsets[MOST], bytes[MOST];
    MPI_Datatype types[MOST];
    for (int rank = 0; rank < lane->size; rank++) {
        counts[rank] = 1;
        offsets[rank] = rank;
        bytes[rank] = rank * (int)sizeof(int);
        types[rank] = MPI_INT;
    }
    memset(in, 0, (size_t)lane->size * sizeof *in);
    MPI_Allgatherv(out, 1, MPI_INT, in, counts, offsets, MPI_INT, lane->comm);
    for (int rank = 0; rank < lane->size; rank++)
        CHECK(in[rank] == mine(lane, rank, 0));
    MPI_Alltoallv(out, counts, offsets, MPI_INT, in, counts, offsets, MPI_INT, lane->comm);
    for (int rank = 0; rank < lane->size; rank++)
        CHECK(in[rank] == mine(lane, rank, lane->rank));
    memset(in, 0, (size_t)lane->size * sizeof *in);
    MPI_Alltoallw(out, counts, bytes, types, in, counts, bytes, types, lane->comm);
    for (int rank = 0; rank < lane->size; rank++)
        CHECK(in[rank] == mine(lane, rank, lane->rank));
}

static void reductions(const struct lane *lane, int *out, int *in)
{
    int ones[MOST];
    for (int rank = 0; rank < lane->size; rank++)
        ones[rank] = 1;
    fill(lane, out, COUNT);
    MPI_Allreduce(out, in, COUNT, MPI_INT, MPI_SUM, lane->comm);
    for (int i = 0; i < COUNT; i++)
        CHECK(in[i] == sum(lane, lane->size, i));
    MPI_Scan(out, in, COUNT, MPI_INT, MPI_SUM, lane->comm);
    for (int i = 0; i < COUNT; i++)
        CHECK(in[i] == sum(lane, lane->rank + 1, i));
    MPI_Exscan(out, in, COUNT, MPI_INT, MPI_SUM, lane->comm);
    for (int i = 0; lane->rank > 0 && i < COUNT; i++)
        CHECK(in[i] == sum(lane, lane->rank, i));
    MPI_Reduce_scatter(out, in, ones, MPI_INT, MPI_SUM, lane->comm);
    CHECK(in[0] == sum(lane, lane->size, lane->rank));
    MPI_Reduce_scatter_block(out, in, 1, MPI_INT, MPI_SUM, lane->comm);
    CHECK(in[0] == sum(lane, lane->size, lane->rank));
}

/* In the second dimension every process is its own neighbor on both sides; in the first, two processes are so for each
 * other.  There MPICH (4.0 and 5) exchanges the sides, also without Banyan. */
static void neighbors(const struct lane *lane, int *out, int *in)
{
#ifdef OPEN_MPI
    const bool exchanges = false;
#else
    const bool exchanges = true;
#endif
    int sizes[2] = {lane->size, 1}, are_rings[2] = {1, 1};
    int left = (lane->rank + lane->size - 1) % lane->size, right = (lane->rank + 1) % lane->size;
    MPI_Comm ring;
    MPI_Cart_create(lane->comm, 2, sizes, are_rings, 0, &ring);
    fill(lane, out, 4);
    MPI_Neighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, ring);
    CHECK(in[0] == mine(lane, left, 0) && in[1] == mine(lane, right, 0));
    const int ones[4] = {1, 1, 1, 1}, offsets[4] = {0, 1, 2, 3};
    const MPI_Aint bytes[4] = {0, sizeof(int), 2 * sizeof(int), 3 * sizeof(int)};
    const MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
    for (int i = 0; i < 3; i++) {
        memset(in, 0, 4 * sizeof *in);
        if (i == 0)
            MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring);
        else if (i == 1)
            MPI_Neighbor_alltoallv(out, ones, offsets, MPI_INT, in, ones, offsets, MPI_INT, ring);
        else
            MPI_Neighbor_alltoallw(out, ones, bytes, types, in, ones, bytes, types, ring);
        CHECK((exchanges && lane->size <= 2) || (in[0] == mine(lane, left, 1) && in[1] == mine(lane, right, 0)));
        CHECK(exchanges || (in[2] == out[3] && in[3] == out[2]));
    }
    MPI_Comm_free(&ring);
}

/* From process `root` of the lane, which is in the group of the lower or of the upper ranks, to the other group or from
 * there.  The other processes of its group pass arguments that are not significant. */
static void between_groups(const struct lane *lane, MPI_Comm groups, int root, int *out, int *in)
{
    int middle = lane->size / 2, counts[MOST], offsets[MOST], others;
    bool is_with_root = (root < middle) == (lane->rank < middle), is_idle = is_with_root && lane->rank != root;
    int place = lane->rank == root ? MPI_ROOT : is_idle ? MPI_PROC_NULL : root < middle ? root : root - middle;
    int first_other = lane->rank < middle ? middle : 0, count = is_idle ? 0 : 1;
    MPI_Comm_remote_size(groups, &others);
    for (int i = 0; i < others; i++) {
        counts[i] = 1;
        offsets[i] = i;
    }
    fill(lane, out, MOST);
    memcpy(in, out, sizeof *in);
    MPI_Bcast(is_idle ? NULL : in, count, MPI_INT, place, groups);
    CHECK(in[0] == mine(lane, is_with_root ? lane->rank : root, 0));
    for (int i = 0; i < 2; i++) {
        memset(in, 0, sizeof *in);
        if (i == 0)
            MPI_Scatter(is_idle ? NULL : out, count, MPI_INT, in, count, MPI_INT, place, groups);
        else
            MPI_Scatterv(out, counts, offsets, MPI_INT, in, count, MPI_INT, place, groups);
        CHECK(is_with_root || in[0] == mine(lane, root, lane->rank < middle ? lane->rank : lane->rank - middle));
    }
    for (int i = 0; i < 2; i++) {
        memset(in, 0, (size_t)others * sizeof *in);
        if (i == 0)
            MPI_Gather(is_idle ? NULL : out, count, MPI_INT, in, count, MPI_INT, place, groups);
        else
            MPI_Gatherv(out, count, MPI_INT, in, counts, offsets, MPI_INT, place, groups);
        for (int j = 0; lane->rank == root && j < others; j++)
            CHECK(in[j] == mine(lane, first_other + j, 0));
    }
    MPI_Reduce(out, in, count, MPI_INT, MPI_SUM, place, groups);
    for (int j = 0; lane->rank == root && j < others; j++)
        in[0] -= mine(lane, first_other + j, 0);
    CHECK(lane->rank != root || in[0] == 0);
}

/* The same with nothing to send, after which a collective must still match those of the others */
static void nothing_between_groups(const struct lane *lane, MPI_Comm groups, int root)
{
    int middle = lane->size / 2, nothing[2], got[MOST], others;
    bool is_with_root = (root < middle) == (lane->rank < middle);
    int place = lane->rank == root ? MPI_ROOT : is_with_root ? MPI_PROC_NULL : root < middle ? root : root - middle;
    MPI_Bcast(nothing, 0, MPI_INT, place, groups);
    MPI_Reduce(nothing, nothing + 1, 0, MPI_INT, MPI_SUM, place, groups);
    MPI_Comm_remote_size(groups, &others);
    MPI_Allgather(&lane->rank, 1, MPI_INT, got, 1, MPI_INT, groups);
    for (int i = 0; i < others; i++)
        CHECK(got[i] == (lane->rank < middle ? middle : 0) + i);
}

static void between_all_groups(const struct lane *lane, int *out, int *in)
{
    int is_upper = lane->rank >= lane->size / 2;
    MPI_Comm half, groups;
    MPI_Comm_split(lane->comm, is_upper, lane->rank, &half);
    MPI_Intercomm_create(half, 0, lane->comm, is_upper ? 0 : lane->size / 2, lane->thread, &groups);
    for (int root = 0; root < lane->size; root++) {
        between_groups(lane, groups, root, out, in);
        nothing_between_groups(lane, groups, root);
    }
    MPI_Barrier(groups);
    MPI_Comm_free(&groups);
    MPI_Comm_free(&half);
}

/* ---- Types and operations that are freed while a call uses them ---- */

struct handles {
    const struct lane *lane;
    MPI_Comm comm;
    MPI_Datatype gaps, pair; /* every second int; two ints */
    MPI_Op op;
};

/* Adds pairs, or one element that is every second int. */
static void add(void *left, void *right, int *count, MPI_Datatype *type)
{
    const int *from = left;
    int *to = right;
    MPI_Aint lb, extent;
    MPI_Type_get_extent(*type, &lb, &extent);
    bool is_pair = extent == 2 * (MPI_Aint)sizeof(int);
    for (int i = 0; i < (is_pair ? 2 * *count : 2 * COUNT - 1); i += is_pair ? 1 : 2)
        to[i] += from[i];
}

static void make(struct handles *handles)
{
    MPI_Type_vector(COUNT, 1, 2, MPI_INT, &handles->gaps);
    MPI_Type_contiguous(2, MPI_INT, &handles->pair);
    MPI_Type_commit(&handles->gaps);
    MPI_Type_commit(&handles->pair);
    MPI_Op_create(add, 1, &handles->op);
}

static void free_all(struct handles *handles)
{
    MPI_Type_free(&handles->gaps);
    MPI_Type_free(&handles->pair);
    MPI_Op_free(&handles->op);
    CHECK(handles->gaps == MPI_DATATYPE_NULL && handles->pair == MPI_DATATYPE_NULL && handles->op == MPI_OP_NULL);
}

/* While the thread waits in a call, in which the first process does not take part before it hears of this; other
 * handles take the place of those freed. */
static void *free_meanwhile(void *context)
{
    struct handles *handles = context;
    const struct timespec until_it_waits = {.tv_nsec = 30000000};
    struct handles others[8];
    nanosleep(&until_it_waits, NULL);
    free_all(handles);
    for (int i = 0; i < 8; i++)
        make(&others[i]);
    MPI_Send(NULL, 0, MPI_BYTE, 0, 70, handles->lane->comm);
    for (int i = 0; i < 8; i++)
        free_all(&others[i]);
    return NULL;
}

enum { BROADCAST, EXCHANGE, SUM, SUM_WITH_GAPS, FREEING_CALLS };

static void call_with(const struct handles *handles, int which, int *out, int *in)
{
    const struct lane *lane = handles->lane;
    int counts[MOST], offsets[MOST];
    MPI_Datatype types[MOST];
    for (int rank = 0; rank < lane->size; rank++) {
        counts[rank] = 1;
        offsets[rank] = rank * 2 * (int)sizeof(int);
        types[rank] = handles->pair;
    }
    if (which == BROADCAST)
        MPI_Bcast(in, 1, handles->gaps, 0, handles->comm);
    else if (which == EXCHANGE)
        MPI_Alltoallw(out, counts, offsets, types, in, counts, offsets, types, handles->comm);
    else if (which == SUM)
        MPI_Allreduce(out, in, COUNT / 2, handles->pair, handles->op, handles->comm);
    else
        MPI_Allreduce(out, in, 1, handles->gaps, handles->op, handles->comm);
}

static void check_data(const struct lane *lane, int which, const int *in)
{
    if (which == BROADCAST)
        for (int i = 0; i < 2 * COUNT; i++)
            CHECK(in[i] == mine(lane, i % 2 == 0 ? 0 : lane->rank, i));
    else if (which == EXCHANGE)
        for (int i = 0; i < 2 * lane->size; i++)
            CHECK(in[i] == mine(lane, i / 2, 2 * lane->rank + i % 2));
    else if (which == SUM)
        for (int i = 0; i < COUNT; i++)
            CHECK(in[i] == sum(lane, lane->size, i));
    else
        for (int i = 0; i < 2 * COUNT; i++)
            CHECK(in[i] == (i % 2 == 0 ? sum(lane, lane->size, i) : mine(lane, lane->rank, i)));
}

static void call_freed_meanwhile(const struct lane *lane, MPI_Comm comm, int which, int *out, int *in)
{
    struct handles handles = {.lane = lane, .comm = comm};
    pthread_t other;
    make(&handles);
    const struct handles used = handles;
    fill(lane, out, 2 * COUNT);
    fill(lane, in, 2 * COUNT);
    if (lane->rank > 0)
        pthread_create(&other, NULL, free_meanwhile, &handles);
    for (int rank = 1; lane->rank == 0 && rank < lane->size; rank++)
        MPI_Recv(NULL, 0, MPI_BYTE, rank, 70, lane->comm, MPI_STATUS_IGNORE);
    call_with(&used, which, out, in);
    check_data(lane, which, in);
    if (lane->rank > 0)
        pthread_join(other, NULL);
    else
        free_all(&handles);
}

/* In a communicator that has been used, and in the first call on another one, which may wait for more. */
static void freed_meanwhile(const struct lane *lane, int *out, int *in)
{
    for (int which = 0; which < FREEING_CALLS; which++) {
        MPI_Comm fresh;
        MPI_Comm_dup(lane->comm, &fresh);
        call_freed_meanwhile(lane, lane->comm, which, out, in);
        call_freed_meanwhile(lane, fresh, which, out, in);
        MPI_Comm_free(&fresh);
    }
}

void check_collectives(const struct lane *lane)
{
    int *out = malloc(sizeof(int) * 4 * MOST), *in = malloc(sizeof(int) * 4 * MOST);
    CHECK(lane->size <= MOST);
    MPI_Barrier(lane->comm);
    for (int root = 0; root < lane->size; root += 1 + lane->size / 2) {
        rooted(lane, root, out, in);
        rooted_with_counts(lane, root, out, in);
    }
    to_all(lane, out, in);
    reductions(lane, out, in);
    neighbors(lane, out, in);
    if (lane->size > 1)
        between_all_groups(lane, out, in);
    if (lane->threads > 1)
        freed_meanwhile(lane, out, in);
    free(out);
    free(in);
}
