// across.c: collectives on inter-communicators, in which each group receives the data of the other one.
#include "layout.h"

#include <stdlib.h>

enum { MOST_WORDS = 3000 };

struct groups {
    const struct trial *trial;
    int count, n, remote; // words in a block; processes in the own group, and in the remote group
    bool is_first;
};

static int word_of(const struct groups *groups, bool of_first, int member, int block, int i)
{
    const uint64_t who = 5000 + (of_first ? 100 : 0) + (uint64_t)member;
    return (int)(key_of(groups->trial->key, who, (uint64_t)block * MOST_WORDS + (uint64_t)i) % 100000);
}

static int *make_words(const struct groups *groups, int blocks)
{
    int *words = malloc(((size_t)blocks * (size_t)groups->count + 1) * sizeof *words);
    for (int block = 0; block < blocks; block++) {
        for (int i = 0; i < groups->count; i++) {
            words[block * groups->count + i] = word_of(groups, groups->is_first, groups->trial->in->me, block, i);
        }
    }
    words[blocks * groups->count] = -1;
    return words;
}

// A word of a block from the remote group: from one of its members, or (member < 0) the sum over all of them
static int expected(const struct groups *groups, int member, int block, int i)
{
    if (member >= 0) {
        return word_of(groups, !groups->is_first, member, block, i);
    }
    int sum = 0;
    for (int other = 0; other < groups->remote; other++) {
        sum += word_of(groups, !groups->is_first, other, block, i);
    }
    return sum;
}

static void check(const struct groups *groups, const int *got, int at, int member, int block)
{
    for (int i = 0; i < groups->count; i++) {
        const int want = expected(groups, member, block, i);
        if (got[at + i] != want) {
            fail(groups->trial, "word %d from the other group is %d instead of %d", at + i, got[at + i], want);
        }
    }
}

static void perform(const struct groups *groups, int root, int *sent, int *got)
{
    const struct trial *trial = groups->trial;
    const MPI_Comm comm = trial->in->comm;
    const int count = groups->count;
    const int64_t came_ns = clock_ns();
    int error;
    switch (trial->operation) {
    case BARRIER: error = MPI_Barrier(comm); break;
    case BCAST: error = MPI_Bcast(root == MPI_ROOT ? sent : got, count, MPI_INT, root, comm); break;
    case SCATTER: error = MPI_Scatter(sent, count, MPI_INT, got, count, MPI_INT, root, comm); break;
    case GATHER: error = MPI_Gather(sent, count, MPI_INT, got, count, MPI_INT, root, comm); break;
    case REDUCE: error = MPI_Reduce(sent, got, count, MPI_INT, MPI_SUM, root, comm); break;
    case ALLREDUCE: error = MPI_Allreduce(sent, got, count, MPI_INT, MPI_SUM, comm); break;
    case ALLTOALL: error = MPI_Alltoall(sent, count, MPI_INT, got, count, MPI_INT, comm); break;
    default: error = MPI_Allgather(sent, count, MPI_INT, got, count, MPI_INT, comm); break;
    }
    if (error != MPI_SUCCESS) {
        fail(trial, "between two groups: the call returned %d", error);
    }
    if (trial->operation == BARRIER) {
        barrier_check(trial, "the barrier between two groups", came_ns);
    }
}

// The root is in one group; the other members of its group do nothing.
static void check_rooted(const struct groups *groups, int root, int root_rank, const int *got)
{
    const enum operation operation = groups->trial->operation;
    if (root == MPI_PROC_NULL) {
        return;
    }
    if (root == MPI_ROOT) {
        for (int member = 0; member < groups->remote && operation == GATHER; member++) {
            check(groups, got, member * groups->count, member, 0);
        }
        if (operation == REDUCE) {
            check(groups, got, 0, -1, 0);
        }
    } else if (operation == BCAST) {
        check(groups, got, 0, root_rank, 0);
    } else if (operation == SCATTER) {
        check(groups, got, 0, root_rank, groups->trial->in->me);
    }
}

static void check_all(const struct groups *groups, const int *got)
{
    if (groups->trial->operation == ALLREDUCE) {
        check(groups, got, 0, -1, 0);
        return;
    }
    const bool is_exchange = groups->trial->operation == ALLTOALL;
    for (int member = 0; member < groups->remote; member++) {
        check(groups, got, member * groups->count, member, is_exchange ? groups->trial->in->me : 0);
    }
}

void across_trial(struct trial *trial)
{
    static const enum operation able[] = {BARRIER, BCAST, SCATTER, GATHER, REDUCE, ALLREDUCE, ALLGATHER, ALLTOALL};
    struct rng *rng = &trial->common;
    trial->operation = able[below(rng, sizeof able / sizeof able[0])];
    const struct members *in = trial->in;
    struct groups groups = {trial, (int)below(rng, MOST_WORDS), in->n, in->remote_n, in->is_first_group};
    const bool root_is_first = chance(rng, 50);
    const int of_root = root_is_first == groups.is_first ? groups.n : groups.remote;
    const int root_rank = (int)below(rng, (unsigned)of_root);
    const int root = root_is_first != groups.is_first ? root_rank : in->me == root_rank ? MPI_ROOT : MPI_PROC_NULL;
    say(trial, "between two groups: %s of %d words, root %d in the %s group", operation_names[trial->operation],
        groups.count, root_rank, root_is_first ? "first" : "second");
    int *sent = make_words(&groups, groups.remote), *got = make_words(&groups, groups.remote);
    delay(trial);
    perform(&groups, root, sent, got);
    if (trial->operation == ALLREDUCE || trial->operation == ALLGATHER || trial->operation == ALLTOALL) {
        check_all(&groups, got);
    } else {
        check_rooted(&groups, root, root_rank, got);
    }
    if (sent[groups.remote * groups.count] != -1 || got[groups.remote * groups.count] != -1) {
        fail(trial, "a word behind a buffer has changed");
    }
    free(sent);
    free(got);
}
