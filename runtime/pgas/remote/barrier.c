/*
 * The barrier of sync/barrier.h over a tree: the threads of a node below their leader, the leaders in a binomial tree.
 *
 * A message is one word: phase, and the value that was given first in the subtree, with its thread.  It goes up when all
 * children have sent theirs, and comes down when the root has heard all.  Each message has a place of its own at the receiver, with
 * one writer, who writes it again only after the receiver has read it: a child's phase p + 1 follows its wait of p, which
 * follows the parent's message down, which follows its reading; and likewise the other way.
 *
 * Nobody waits in notify: what cannot be sent then is sent by whoever waits or polls later (bn_barrier_advance).
 */
#include "pgas/remote/barrier.h"

#include "platform/atomic_word.h"

#include <stddef.h>

enum {
    PHASE_SHIFT = 44,
    PHASE_MASK = (1 << 20) - 1,
    GIVEN_SHIFT = 43,
    THREAD_SHIFT = 32,
    THREAD_MASK = 0x7ff,
    STEPS_PER_CHECK = 64, /* of waiting, before looking whether a thread has ended */
};

_Static_assert(BN_REMOTE_THREADS - 1 <= THREAD_MASK, "a thread fits into a message");

struct bn_barrier {
    int index; /* in bn_control.barriers */
    int parent; /* -1 for the root */
    int child_count;
    int children[BN_REMOTE_THREADS];

    /* The phase that is under way */
    uint32_t phase;
    int heard;          /* children that have sent */
    bool is_sent;       /* up */
    bool is_released;   /* has come down, and went on to the children */
    uint64_t value;     /* of this subtree; then that of all: given, thread, value; without the phase */
    uint64_t payload;   /* of the root */

    uint64_t told; /* the payload that the children have; it stays until another one is sent */
};

static struct bn_barrier barriers[BN_REMOTE_BARRIERS];

size_t bn_barrier_size_bytes(void)
{
    return sizeof(struct bn_barrier);
}

/* ---- The tree ---- */

/* Leaders in the order of their numbers; the binomial tree is over places in this list. */
static void join_leaders(struct bn_barrier *barrier)
{
    int leaders[BN_REMOTE_THREADS];
    int count = 0;
    int place = 0;
    for (int thread = 0; thread < bn_remote.thread_count; thread++) {
        if (thread == bn_remote.thread)
            place = count;
        if (bn_remote.leaders[thread] == thread)
            leaders[count++] = thread;
    }
    barrier->parent = place == 0 ? -1 : leaders[place & (place - 1)];
    for (int bit = 1; place + bit < count && (place & bit) == 0; bit <<= 1)
        barrier->children[barrier->child_count++] = leaders[place + bit];
}

/* Makes the tree again from the start; the number of the barrier stays. */
void bn_barrier_init(struct bn_barrier *barrier, int thread_count, struct bn_wait_policy policy)
{
    (void)policy; /* that of bn_remote */
    *barrier = (struct bn_barrier){.index = barrier->index, .is_sent = true, .is_released = true};
    if (bn_remote.leaders[bn_remote.thread] != bn_remote.thread) {
        barrier->parent = bn_remote.leaders[bn_remote.thread];
        return;
    }
    join_leaders(barrier);
    for (int thread = 0; thread < thread_count; thread++) {
        if (bn_remote.leaders[thread] == bn_remote.thread && thread != bn_remote.thread)
            barrier->children[barrier->child_count++] = thread;
    }
}

/* Between nodes there is one way to meet. */
size_t bn_barrier_lines_bytes(int thread_count)
{
    (void)thread_count;
    return 0;
}

void bn_barrier_extend(struct bn_barrier_member *member, struct bn_barrier_lines *lines, const struct bn_barrier_tree *tree)
{
    (void)member;
    (void)lines;
    (void)tree;
}

void bn_barrier_choose(struct bn_barrier_member *member, enum bn_barrier_kind kind)
{
    member->kind = kind;
}

struct bn_barrier *bn_remote_barrier(int index)
{
    struct bn_barrier *barrier = &barriers[index];
    barrier->index = index;
    bn_barrier_init(barrier, bn_remote.thread_count, bn_remote.policy);
    return barrier;
}

struct bn_barrier_member bn_barrier_join(int thread)
{
    return (struct bn_barrier_member){.thread = thread};
}

/* ---- Messages ---- */

static uint64_t pack(int thread, int value)
{
    return UINT64_C(1) << GIVEN_SHIFT | (uint64_t)thread << THREAD_SHIFT | (uint32_t)value;
}

static bool is_given(uint64_t message)
{
    return message >> GIVEN_SHIFT & 1;
}

static int thread_of(uint64_t message)
{
    return (int)(message >> THREAD_SHIFT & THREAD_MASK);
}

static uint64_t phase_bits(uint32_t phase)
{
    return (uint64_t)(phase & PHASE_MASK) << PHASE_SHIFT;
}

static bool is_of_phase(uint64_t message, uint32_t phase)
{
    return message >> PHASE_SHIFT == (phase & PHASE_MASK);
}

/* Writes a word of another thread's control block. */
static void send_word(int thread, uint64_t offset, uint64_t word)
{
    struct bn_control *control = bn_remote.controls[thread];
    if (control)
        bn_word64_show((uint64_t *)((unsigned char *)control + offset), word);
    else
        bn_remote.transport->store(thread, offset, word);
}

static void send_payload(int thread, uint64_t offset, uint64_t payload)
{
    send_word(thread, offset + offsetof(struct bn_barrier_message, payload), payload);
    if (!bn_remote.controls[thread])
        bn_remote.transport->order();
}

static void send(int thread, uint64_t offset, uint64_t word)
{
    send_word(thread, offset + offsetof(struct bn_barrier_message, word), word);
}

static struct bn_barrier_control *control_of(const struct bn_barrier *barrier)
{
    return &bn_remote.control->barriers[barrier->index];
}

static uint64_t offset_in_control(const struct bn_barrier *barrier, uint64_t offset)
{
    return BN_CONTROL_OFFSET(barriers) + (uint64_t)barrier->index * sizeof(struct bn_barrier_control) + offset;
}

/* ---- A phase ---- */

static void release(struct bn_barrier *barrier)
{
    uint64_t down = offset_in_control(barrier, offsetof(struct bn_barrier_control, down));
    for (int i = 0; i < barrier->child_count; i++) {
        if (barrier->payload != barrier->told)
            send_payload(barrier->children[i], down, barrier->payload);
        send(barrier->children[i], down, phase_bits(barrier->phase) | barrier->value);
    }
    barrier->told = barrier->payload;
    barrier->is_released = true;
}

/* Reads what children have sent; true when all have. */
static bool hear_children(struct bn_barrier *barrier)
{
    for (; barrier->heard < barrier->child_count; barrier->heard++) {
        uint64_t word = bn_word64_see(&control_of(barrier)->up[barrier->children[barrier->heard]].word);
        if (!is_of_phase(word, barrier->phase))
            return false;
        if (!is_given(barrier->value))
            barrier->value = word & ~(UINT64_MAX << PHASE_SHIFT);
    }
    return true;
}

void bn_barrier_advance(struct bn_barrier *barrier)
{
    if (!barrier->is_sent && hear_children(barrier)) {
        uint64_t up = offset_in_control(barrier, offsetof(struct bn_barrier_control, up)) +
                      (uint64_t)bn_remote.thread * sizeof(struct bn_barrier_message);
        barrier->is_sent = true;
        if (barrier->parent < 0)
            release(barrier);
        else
            send(barrier->parent, up, phase_bits(barrier->phase) | barrier->value);
    }
    if (barrier->is_sent && !barrier->is_released) {
        const struct bn_barrier_message *down = &control_of(barrier)->down;
        uint64_t word = bn_word64_see(&down->word);
        if (!is_of_phase(word, barrier->phase))
            return;
        barrier->value = word & ~(UINT64_MAX << PHASE_SHIFT);
        barrier->payload = bn_word64_get(&down->payload);
        release(barrier);
    }
}

enum bn_barrier_result bn_barrier_notify(struct bn_barrier *barrier, struct bn_barrier_member *member,
                                         struct bn_barrier_value value)
{
    if (member->has_notified)
        return BN_BARRIER_NOTIFIED_TWICE;
    member->has_notified = true;
    member->notified = value;
    member->phase++;
    bn_fence(); /* what this thread has written is there before others go on */
    barrier->phase = member->phase;
    barrier->heard = 0;
    barrier->is_sent = false;
    barrier->is_released = false;
    barrier->value = value.given ? pack(member->thread, value.value) : 0;
    bn_barrier_advance(barrier);
    return BN_BARRIER_OK;
}

/* Whether a thread has ended that would have to take part in this phase */
static bool is_abandoned(const struct bn_barrier *barrier, int *thread_p)
{
    uint64_t word = bn_word64_see(&control_of(barrier)->abandoned);
    uint32_t last = (uint32_t)(word >> PHASE_SHIFT) & PHASE_MASK;
    uint32_t ahead = (barrier->phase - last) & PHASE_MASK;
    if (!is_given(word) || ahead == 0 || ahead > PHASE_MASK / 2)
        return false;
    *thread_p = thread_of(word);
    return true;
}

static enum bn_barrier_result check_values(const struct bn_barrier_member *member, struct bn_barrier_value value,
                                           uint64_t all, struct bn_barrier_conflict *conflict_p)
{
    if (!is_given(all))   /* nobody notified with a value: that of the wait has nothing to match */
        return BN_BARRIER_OK;
    conflict_p->other_thread = thread_of(all);
    conflict_p->other_value = (int)(uint32_t)all;
    if (member->notified.given && member->notified.value != conflict_p->other_value) {
        conflict_p->own_value = member->notified.value;
        return BN_BARRIER_NOTIFY_MISMATCH;
    }
    if (value.given && value.value != conflict_p->other_value) {
        conflict_p->own_value = value.value;
        return BN_BARRIER_WAIT_MISMATCH;
    }
    return BN_BARRIER_OK;
}

enum bn_barrier_result bn_barrier_wait(struct bn_barrier *barrier, struct bn_barrier_member *member,
                                       struct bn_barrier_value value, struct bn_barrier_conflict *conflict_p)
{
    if (!member->has_notified)
        return BN_BARRIER_NOT_NOTIFIED;
    uint32_t step = 0;
    for (uint32_t looks = 1;; looks++) {
        bn_barrier_advance(barrier);
        if (barrier->is_released)
            break;
        if (looks % STEPS_PER_CHECK == 0 && is_abandoned(barrier, &conflict_p->other_thread))
            return BN_BARRIER_ABANDONED;
        bn_remote_step(&step);
    }
    member->has_notified = false;
    bn_remote_let_go(); /* what was read since the notify */
    return check_values(member, value, barrier->value, conflict_p);
}

enum bn_barrier_result bn_barrier_cross(struct bn_barrier *barrier, struct bn_barrier_member *member,
                                        struct bn_barrier_value value, struct bn_barrier_conflict *conflict_p)
{
    enum bn_barrier_result result = bn_barrier_notify(barrier, member, value);
    return result == BN_BARRIER_OK ? bn_barrier_wait(barrier, member, value, conflict_p) : result;
}

void bn_barrier_pass(struct bn_barrier *barrier, struct bn_barrier_member *member)
{
    static const struct bn_barrier_value none = {false, 0};
    struct bn_barrier_conflict conflict;
    bn_barrier_cross(barrier, member, none, &conflict);
}

enum bn_barrier_result bn_barrier_tell(struct bn_barrier *barrier, struct bn_barrier_member *member,
                                       struct bn_barrier_value value, uint64_t *payload,
                                       struct bn_barrier_conflict *conflict_p)
{
    barrier->payload = barrier->parent < 0 ? *payload : 0;
    enum bn_barrier_result result = bn_barrier_cross(barrier, member, value, conflict_p);
    *payload = barrier->payload;
    return result;
}

void bn_barrier_abandon(struct bn_barrier *barrier, const struct bn_barrier_member *member)
{
    uint64_t word = phase_bits(member->phase) | pack(member->thread, 0);
    uint64_t offset = offset_in_control(barrier, offsetof(struct bn_barrier_control, abandoned));
    if (barrier->parent >= 0)
        send_word(barrier->parent, offset, word);
    for (int i = 0; i < barrier->child_count; i++)
        send_word(barrier->children[i], offset, word);
}
