// moves.c: operations that move data: who sends what to whom, and what must be received.
#include "layout.h"

#include <stdlib.h>

struct move {
    struct trial *trial;
    struct signature signature;
    size_t units;  // in each block; the maximum if counts differ
    size_t common; // divides all counts
};

static bool has_counts(enum operation operation)
{
    return operation == SCATTERV || operation == GATHERV || operation == ALLGATHERV || operation == ALLTOALLV ||
           operation == ALLTOALLW;
}

static bool is_all_to_all(enum operation operation)
{
    return operation == ALLTOALL || operation == ALLTOALLV || operation == ALLTOALLW;
}

static size_t units_between(const struct move *move, int from, int to)
{
    const struct trial *trial = move->trial;
    if (!has_counts(trial->operation)) {
        return move->units;
    }
    int low = from, high = to;
    if (trial->operation == SCATTERV) {
        low = 0;
    } else if (!is_all_to_all(trial->operation)) {
        high = 0;
    } else if (trial->in_place && from > to) { // the same count in both directions
        low = to, high = from;
    }
    struct rng rng = {key_of(trial->key, 1 + (uint64_t)low, (uint64_t)high)};
    const size_t most = move->common ? move->units / move->common : 0;
    return chance(&rng, 25) ? 0 : move->common * (most ? 1 + below(&rng, (unsigned)most) : 0);
}

// In a broadcast and in ALLGATHER, everybody receives the same data.
static unsigned char *stream_between(const struct move *move, int from, int to)
{
    const enum operation operation = move->trial->operation;
    const bool is_same = operation == BCAST || operation == ALLGATHER || operation == ALLGATHERV;
    const size_t nbytes = units_between(move, from, to) * move->signature.bytes;
    unsigned char *stream = malloc(nbytes + 1);
    fill(stream, nbytes, key_of(move->trial->key, 1000 + (uint64_t)from, is_same ? 0 : 1 + (uint64_t)to));
    return stream;
}

static void put(struct side *side, int block, const struct move *move, int from, int to)
{
    unsigned char *stream = stream_between(move, from, to);
    side_put(side, block, stream);
    free(stream);
}

static void expect(struct side *side, int block, const struct move *move, int from, int to)
{
    unsigned char *stream = stream_between(move, from, to);
    side_expect(side, block, stream);
    free(stream);
}

static enum style style_of(enum operation operation, bool is_many)
{
    return !is_many || !has_counts(operation) ? SAME : operation == ALLTOALLW ? MIXED : SPREAD;
}

static void make_side(struct side *side, const struct move *move, bool is_send, bool is_many, int other)
{
    struct trial *trial = move->trial;
    const int n = is_many ? trial->in->n : 1, me = trial->in->me;
    size_t units[MOST_MEMBERS];
    for (int i = 0; i < n; i++) {
        const int peer = is_many ? i : other;
        units[i] = is_send ? units_between(move, me, peer) : units_between(move, peer, me);
    }
    const enum style style = style_of(trial->operation, is_many);
    struct rng same = {trial->key};
    const bool is_weak = trial->operation == ALLGATHERV && !is_send;
    side_make(side, is_weak ? &same : &trial->own, &move->signature, style, n, units,
              style == SAME ? units[0] : move->common);
    if (!is_many && trial->operation != ALLGATHERV) { // otherwise its type would be that of all data sent
        side_use_bottom(side, &trial->own);
    }
    side_use_null(side, &trial->own);
}

static void describe(const struct move *move, const struct side *send, const struct side *receive)
{
    struct trial *trial = move->trial;
    char words[100];
    signature_words(&move->signature, words, sizeof words);
    say(trial, " of %s%zu x %s, root %d%s", has_counts(trial->operation) ? "up to " : "", move->units, words,
        trial->root, trial->in_place ? ", in place" : "");
    if (send) {
        say(trial, "; sends %zu of %s%s", send->counts[0], send->layouts[0].words, send->is_bottom ? " (bottom)" : "");
    }
    if (receive) {
        say(trial, "; receives %zu of %s%s", receive->counts[0], receive->layouts[0].words,
            receive->is_bottom ? " (bottom)" : "");
    }
}

static void perform(struct trial *trial, const struct side *send, const struct side *receive)
{
    struct beside *beside = beside_begin(trial);
    delay(trial);
    call_move(trial, send, receive);
    beside_end(trial, beside);
}

static void broadcast(struct move *move)
{
    struct trial *trial = move->trial;
    struct side side;
    make_side(&side, move, false, false, trial->root);
    if (trial->in->me == trial->root) {
        put(&side, 0, move, trial->root, 0);
    }
    describe(move, NULL, &side);
    perform(trial, NULL, &side);
    if (trial->in->me != trial->root) {
        expect(&side, 0, move, trial->root, 0);
    }
    side_check(trial, &side, trial->in->me == trial->root ? "the root's buffer" : "the buffer");
    side_free(&side);
}

// Which sides this process has, and whether they have many blocks
struct roles {
    bool sends, receives, sends_many, receives_many;
};

static struct roles roles_of(const struct trial *trial)
{
    const bool is_root = trial->in->me == trial->root;
    switch (trial->operation) {
    case SCATTER:
    case SCATTERV: return (struct roles){is_root, !(is_root && trial->in_place), true, false};
    case GATHER:
    case GATHERV: return (struct roles){!(is_root && trial->in_place), is_root, false, true};
    case ALLGATHER:
    case ALLGATHERV: return (struct roles){!trial->in_place, true, false, true};
    default: return (struct roles){!trial->in_place, true, true, true};
    }
}

// With MPI_IN_PLACE, the receive buffer holds what this process sends to all, or to itself.
static void put_in_place(struct side *receive, const struct move *move)
{
    const struct trial *trial = move->trial;
    const int n = trial->in->n, me = trial->in->me;
    if (is_all_to_all(trial->operation)) {
        for (int i = 0; i < n; i++) {
            put(receive, i, move, me, i);
        }
    } else {
        put(receive, me, move, me, me);
    }
}

static void exchange(struct move *move)
{
    struct trial *trial = move->trial;
    const struct roles roles = roles_of(trial);
    const int me = trial->in->me;
    struct side send, receive;
    if (roles.sends) {
        make_side(&send, move, true, roles.sends_many, trial->root);
        for (int i = 0; i < send.n; i++) {
            put(&send, i, move, me, roles.sends_many ? i : trial->root);
        }
    }
    if (roles.receives) {
        make_side(&receive, move, false, roles.receives_many, trial->root);
        if (!roles.sends) {
            put_in_place(&receive, move);
        }
    }
    describe(move, roles.sends ? &send : NULL, roles.receives ? &receive : NULL);
    perform(trial, roles.sends ? &send : NULL, roles.receives ? &receive : NULL);
    if (roles.sends) {
        side_check(trial, &send, "the send buffer");
        side_free(&send);
    }
    if (roles.receives) {
        for (int i = 0; i < receive.n; i++) {
            expect(&receive, i, move, roles.receives_many ? i : trial->root, me);
        }
        side_check(trial, &receive, "the receive buffer");
        side_free(&receive);
    }
}

// Usually few units; never more than keep all blocks of a process within bounds
static void choose_units(struct move *move)
{
    struct trial *trial = move->trial;
    struct rng *rng = &trial->common;
    const unsigned many = trial->operation == BCAST ? 1 : (unsigned)trial->in->n;
    const size_t most_bytes = move->signature.is_weak ? 256
                              : trial->is_much        ? 2 * MOST_BLOCK_BYTES / many
                              : below(rng, 4)         ? 256
                                                      : 8192;
    const size_t most = most_bytes / move->signature.bytes + 1;
    move->units = chance(rng, 8) ? 0 : chance(rng, 40) ? 1 + below(rng, 8) : 1 + below(rng, (unsigned)most);
    if (chance(rng, 30) && move->units > 16) {
        move->units &= ~(size_t)15; // allows types of many shapes
    }
    move->common = move->units ? 1 + below(rng, move->units < 12 ? (unsigned)move->units : 12) : 0;
}

void move_trial(struct trial *trial)
{
    if (trial->operation == BARRIER) {
        perform(trial, NULL, NULL);
        return;
    }
    struct move move = {.trial = trial};
    signature_make(&move.signature, &trial->common);
    choose_units(&move);
    // The same for all members: libraries return early if the count is 0, and wait for a message if it is not.
    move.signature.is_nothing = move.units == 0 && !has_counts(trial->operation) && chance(&trial->common, 30);
    // Open MPI 4.1 and MPICH 4.0 choose the algorithm of MPI_Allgatherv and its fragments by types, which may differ.
    if (trial->operation == ALLGATHERV && move.common) {
        move.signature.units_of_instance = 1;
        for (unsigned units = 1 + below(&trial->common, 4); units > 1; units--) {
            if (move.common % units == 0) {
                move.signature.units_of_instance = units;
            }
        }
    }
    if (trial->operation == BCAST) {
        trial->in_place = false;
        broadcast(&move);
    } else {
        exchange(&move);
    }
}
