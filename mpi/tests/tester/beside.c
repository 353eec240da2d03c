// beside.c: messages and other collectives in progress while a collective runs, and processes that arrive late.
#include "tester.h"

#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

enum { SMALL = 100, LARGE = 300000, TAG = 17, WORDS = 40 };

// All kinds except NOTHING and the last three are messages around a ring.  PAIRS go from even members to the next
// member, which receives before it joins the collective that the sender is in.
enum beside_kind {
    NOTHING,
    SEND_BEFORE,
    RECEIVE_BEFORE,
    PAIRS,
    IALLREDUCE,
    IBCAST,
    IBARRIER,
    KINDS,
};

struct beside {
    enum beside_kind kind;
    MPI_Request request;
    size_t nbytes;
    unsigned char *sent, *received;
    int words[WORDS], sums[WORDS];
    int64_t came_ns; // to the barrier
};

void delay(struct trial *trial)
{
    if (!options.has_delays || !chance(&trial->own, 15)) {
        return;
    }
    if (chance(&trial->own, 40)) {
        usleep(below(&trial->own, 300));
    } else {
        for (unsigned times = 1 + below(&trial->own, 20); times > 0; times--) {
            sched_yield();
        }
    }
}

static uint64_t message_key(const struct trial *trial, int from)
{
    return key_of(trial->key, 3000, (uint64_t)from);
}

static void check_message(const struct trial *trial, const struct beside *beside, int from)
{
    unsigned char *want = malloc(beside->nbytes);
    fill(want, beside->nbytes, message_key(trial, from));
    if (memcmp(want, beside->received, beside->nbytes) != 0) {
        fail(trial, "a message of %zu bytes from %d beside the collective is wrong", beside->nbytes, from);
    }
    free(want);
}

static void receive(const struct trial *trial, struct beside *beside, int from)
{
    MPI_Recv(beside->received, (int)beside->nbytes, MPI_BYTE, from, TAG, trial->in->comm, MPI_STATUS_IGNORE);
    check_message(trial, beside, from);
}

static int word_of(const struct trial *trial, int member, int i)
{
    return (int)(key_of(trial->key, 4000 + (uint64_t)member, (uint64_t)i) % 1000);
}

static void begin_collective(struct trial *trial, struct beside *beside)
{
    const MPI_Comm comm = trial->in->comm;
    for (int i = 0; i < WORDS; i++) {
        beside->words[i] = word_of(trial, trial->in->me, i);
    }
    switch (beside->kind) {
    case IALLREDUCE:
        MPI_Iallreduce(beside->words, beside->sums, WORDS, MPI_INT, MPI_SUM, comm, &beside->request);
        break;
    case IBCAST: MPI_Ibcast(beside->words, WORDS, MPI_INT, trial->in->n - 1, comm, &beside->request); break;
    default:
        beside->came_ns = clock_ns();
        MPI_Ibarrier(comm, &beside->request);
        break;
    }
}

struct beside *beside_begin(struct trial *trial)
{
    const int n = trial->in->n, me = trial->in->me, next = (me + 1) % n, previous = (me + n - 1) % n;
    const enum beside_kind kind =
        trial->in->remote_n || !chance(&trial->common, 35) ? NOTHING : below(&trial->common, KINDS);
    if (kind == NOTHING) {
        return NULL;
    }
    struct beside *beside = calloc(1, sizeof *beside);
    beside->kind = kind;
    beside->request = MPI_REQUEST_NULL;
    if (kind >= IALLREDUCE) {
        begin_collective(trial, beside);
        return beside;
    }
    beside->nbytes = chance(&trial->common, 50) ? SMALL : LARGE;
    beside->sent = malloc(beside->nbytes);
    beside->received = calloc(1, beside->nbytes);
    fill(beside->sent, beside->nbytes, message_key(trial, me));
    if (kind == RECEIVE_BEFORE) {
        MPI_Irecv(beside->received, (int)beside->nbytes, MPI_BYTE, previous, TAG, trial->in->comm, &beside->request);
    } else if (kind == SEND_BEFORE || (me % 2 == 0 && me + 1 < n)) {
        MPI_Isend(beside->sent, (int)beside->nbytes, MPI_BYTE, next, TAG, trial->in->comm, &beside->request);
    } else if (me % 2 == 1) {
        receive(trial, beside, previous);
    }
    return beside;
}

void beside_end(struct trial *trial, struct beside *beside)
{
    if (beside == NULL) {
        return;
    }
    const int n = trial->in->n, me = trial->in->me, next = (me + 1) % n, previous = (me + n - 1) % n;
    if (beside->kind == SEND_BEFORE) {
        receive(trial, beside, previous);
    } else if (beside->kind == RECEIVE_BEFORE) {
        MPI_Send(beside->sent, (int)beside->nbytes, MPI_BYTE, next, TAG, trial->in->comm);
    }
    MPI_Wait(&beside->request, MPI_STATUS_IGNORE);
    if (beside->kind == RECEIVE_BEFORE) {
        check_message(trial, beside, previous);
    } else if (beside->kind == IBARRIER) {
        barrier_check(trial, "an MPI_Ibarrier beside the collective", beside->came_ns);
    }
    for (int i = 0; i < WORDS && (beside->kind == IALLREDUCE || beside->kind == IBCAST); i++) {
        int sum = 0;
        for (int member = 0; member < n; member++) {
            sum += word_of(trial, member, i);
        }
        const bool is_sum = beside->kind == IALLREDUCE;
        if (is_sum ? beside->sums[i] != sum : beside->words[i] != word_of(trial, n - 1, i)) {
            fail(trial, "word %d of an %s beside the collective is wrong", i, is_sum ? "MPI_Iallreduce" : "MPI_Ibcast");
        }
    }
    free(beside->sent);
    free(beside->received);
    free(beside);
}
