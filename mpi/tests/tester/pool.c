// pool.c: communicators of every origin, made from a run's parent, used for some cases, and freed.
#include "tester.h"

#include <stdlib.h>

enum origin {
    PARENT,
    DUP,
    IDUP,
    SPLIT,
    REVERSED,
    SPLIT_OF_REVERSED,
    CREATE,
    CREATE_GROUP,
    SHARED,
    CART,
    CART_SUB,
    GRAPH,
    DIST_GRAPH,
    SELF,
    INTER,
    MERGED,
    ORIGINS,
};
static const char *const origin_names[ORIGINS] = {
    "the parent",
    "dup",
    "idup",
    "split",
    "reversed ranks",
    "split of reversed ranks",
    "create",
    "create_group",
    "split_type shared",
    "cart",
    "cart_sub",
    "graph",
    "dist_graph",
    "self",
    "inter",
    "merged inter",
};

static MPI_Comm split(MPI_Comm parent, struct rng *rng, int me, unsigned most_colors)
{
    const unsigned colors = 1 + below(rng, most_colors);
    const uint64_t key = rng_next(rng);
    const unsigned color = (unsigned)(key_of(key, (uint64_t)me, 1) % (colors + 1));
    MPI_Comm made;
    // Sometimes the last color gets no communicator.
    MPI_Comm_split(parent, color == colors && key % 3 == 0 ? MPI_UNDEFINED : (int)color,
                   (int)(key_of(key, (uint64_t)me, 2) % 1000), &made);
    return made;
}

static MPI_Comm reversed(MPI_Comm parent, int me)
{
    MPI_Comm made;
    MPI_Comm_split(parent, 0, -me, &made);
    return made;
}

// Some of the parent's processes, in any order
static MPI_Group some(MPI_Comm parent, struct rng *rng, int n)
{
    int ranks[MOST_MEMBERS], count = 1 + (int)below(rng, (unsigned)n);
    for (int i = 0; i < n; i++) {
        ranks[i] = i;
    }
    for (int i = n - 1; i > 0; i--) {
        const int other = (int)below(rng, (unsigned)i + 1), kept = ranks[i];
        ranks[i] = ranks[other];
        ranks[other] = kept;
    }
    MPI_Group all, chosen;
    MPI_Comm_group(parent, &all);
    MPI_Group_incl(all, count, ranks, &chosen);
    MPI_Group_free(&all);
    return chosen;
}

static MPI_Comm from_group(MPI_Comm parent, struct rng *rng, int n, bool is_collective)
{
    MPI_Group group = some(parent, rng, n);
    MPI_Comm made = MPI_COMM_NULL;
    int me;
    MPI_Group_rank(group, &me);
    if (is_collective) {
        MPI_Comm_create(parent, group, &made);
    } else if (me != MPI_UNDEFINED) {
        MPI_Comm_create_group(parent, group, 5, &made);
    }
    MPI_Group_free(&group);
    return made;
}

static MPI_Comm cart(MPI_Comm parent, struct rng *rng, int n, bool is_sub)
{
    int sizes[2] = {1 + (int)below(rng, (unsigned)n), 0}, periods[2] = {1, (int)below(rng, 2)}, kept[2] = {0, 1};
    sizes[1] = n / sizes[0];
    MPI_Comm made, sub = MPI_COMM_NULL;
    MPI_Cart_create(parent, 2, sizes, periods, (int)below(rng, 2), &made);
    if (!is_sub || made == MPI_COMM_NULL) {
        return made;
    }
    MPI_Cart_sub(made, kept, &sub);
    MPI_Comm_free(&made);
    return sub;
}

// A ring in which each process knows the next one
static MPI_Comm ring(MPI_Comm parent, int n, int me, bool is_distributed)
{
    MPI_Comm made;
    if (is_distributed) {
        const int from = (me + n - 1) % n, to = (me + 1) % n, weight = 1;
        MPI_Dist_graph_create_adjacent(parent, 1, &from, &weight, 1, &to, &weight, MPI_INFO_NULL, 0, &made);
        return made;
    }
    int ends[MOST_MEMBERS], edges[MOST_MEMBERS];
    for (int i = 0; i < n; i++) {
        ends[i] = i + 1;
        edges[i] = (i + 1) % n;
    }
    MPI_Graph_create(parent, n, ends, edges, 0, &made);
    return made;
}

// Two groups of random sizes, as an inter-communicator or merged
static MPI_Comm between(MPI_Comm parent, struct rng *rng, int n, int me, bool is_merged)
{
    if (n < 2) {
        return MPI_COMM_NULL;
    }
    const int first = 1 + (int)below(rng, (unsigned)n - 1);
    const bool is_low = me < first;
    MPI_Comm local, made, merged;
    MPI_Comm_split(parent, is_low, me, &local);
    MPI_Intercomm_create(local, 0, parent, is_low ? first : 0, 6, &made);
    MPI_Comm_free(&local);
    if (!is_merged) {
        return made;
    }
    MPI_Intercomm_merge(made, is_low, &merged);
    MPI_Comm_free(&made);
    return merged;
}

static MPI_Comm make(struct run *run, enum origin origin, struct rng *rng)
{
    const MPI_Comm parent = run->parent;
    int n, me;
    MPI_Comm_size(parent, &n);
    MPI_Comm_rank(parent, &me);
    MPI_Comm made = MPI_COMM_NULL, other;
    MPI_Request request;
    switch (options.has_inter || (origin != INTER && origin != MERGED) ? origin : DUP) {
    case DUP: MPI_Comm_dup(parent, &made); return made;
    case IDUP:
        MPI_Comm_idup(parent, &made, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        return made;
    case SPLIT: return split(parent, rng, me, 3);
    case REVERSED: return reversed(parent, me);
    case SPLIT_OF_REVERSED:
        other = reversed(parent, me);
        made = split(other, rng, n - 1 - me, 2);
        MPI_Comm_free(&other);
        return made;
    case CREATE: return from_group(parent, rng, n, true);
    case CREATE_GROUP: return from_group(parent, rng, n, false);
    case SHARED:
        MPI_Comm_split_type(parent, MPI_COMM_TYPE_SHARED, (int)(key_of(rng_next(rng), (uint64_t)me, 0) % 100),
                            MPI_INFO_NULL, &made);
        return made;
    case CART: return cart(parent, rng, n, false);
    case CART_SUB: return cart(parent, rng, n, true);
    case GRAPH: return ring(parent, n, me, false);
    case DIST_GRAPH: return ring(parent, n, me, true);
    case SELF: MPI_Comm_dup(MPI_COMM_SELF, &made); return made;
    case INTER: return between(parent, rng, n, me, false);
    case MERGED: return between(parent, rng, n, me, true);
    default: return parent;
    }
}

// The first member's rank in the parent tells concurrent communicators apart; both groups of an inter-communicator use
// the lower one.
static uint64_t key_of_members(const struct run *run, MPI_Comm comm, bool is_inter, bool *has_first)
{
    MPI_Group all, own, remote;
    int first = 0, other = 0;
    MPI_Comm_group(run->parent, &all);
    MPI_Comm_group(comm, &own);
    MPI_Group_translate_ranks(own, 1, &(int){0}, all, &first);
    *has_first = first == 0;
    if (is_inter) {
        MPI_Comm_remote_group(comm, &remote);
        MPI_Group_translate_ranks(remote, 1, &(int){0}, all, &other);
        MPI_Group_free(&remote);
        first = other < first ? other : first;
    }
    MPI_Group_free(&own);
    MPI_Group_free(&all);
    return key_of(options.seed, (uint64_t)first, (uint64_t)run->thread);
}

static void learn(const struct run *run, struct members *members, enum origin origin)
{
    int is_inter;
    MPI_Comm_size(members->comm, &members->n);
    MPI_Comm_rank(members->comm, &members->me);
    MPI_Comm_test_inter(members->comm, &is_inter);
    members->remote_n = 0;
    if (is_inter) {
        MPI_Comm_remote_size(members->comm, &members->remote_n);
    }
    members->key = key_of_members(run, members->comm, is_inter, &members->is_first_group);
    snprintf(members->words, sizeof members->words, "%s, rank %d of %d%s", origin_names[origin], members->me,
             members->n, run->thread ? " (of a thread)" : "");
}

const struct members *pool_take(struct run *run, long number, int slot)
{
    if (run->pool != number / CASES_OF_A_POOL) {
        pool_free(run);
        run->pool = number / CASES_OF_A_POOL;
    }
    struct members *members = &run->slots[slot];
    if (members->words[0] == '\0') {
        struct rng rng = {
            key_of(options.seed, (uint64_t)run->pool * SLOTS + (uint64_t)slot, 77 + (uint64_t)run->thread)};
        const enum origin origin = chance(&rng, 20) ? PARENT : below(&rng, ORIGINS);
        members->comm = make(run, origin, &rng);
        snprintf(members->words, sizeof members->words, "%s", origin_names[origin]);
        if (members->comm != MPI_COMM_NULL) {
            learn(run, members, origin);
        }
    }
    return members;
}

void pool_free(struct run *run)
{
    for (int i = 0; i < SLOTS; i++) {
        struct members *members = &run->slots[i];
        if (members->words[0] != '\0' && members->comm != MPI_COMM_NULL && members->comm != run->parent) {
            MPI_Comm_free(&members->comm);
        }
        *members = (struct members){.comm = MPI_COMM_NULL};
    }
}
