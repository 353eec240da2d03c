/*
 * The barrier of sync/barrier.h over several nodes: threads tell the leader of their node, leaders tell each other, and
 * then each leader tells its node.
 *
 * On 3 to 8 nodes, leaders tell the first leader, which tells all: that takes two successive messages, and fewer in
 * total than any other scheme.  Otherwise leaders use dissemination: in round k each tells the leader 2^k places
 * further on, so that all have heard from all after log(nodes) successive messages.
 *
 * A message is one word: the phase, and among the values that its sender knows, that of the lowest thread, with the
 * thread's number; so in the end all know the same value.  Each message has a place of its own at the receiver for odd
 * and for even phases, with one writer, which reuses it two phases later: by then all threads have notified the phase
 * in between, so they have read the messages of the first.
 *
 * Notify never waits: messages that cannot be sent then are sent when the thread waits or polls later
 * (bn_barrier_advance).
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
    STEPS_PER_CHECK = 64,  /* steps of waiting between checks whether a thread has ended */
    CENTRAL_MIN_NODES = 3, /* from here on the first leader is in the centre */
    CENTRAL_MAX_NODES = 8,
};

_Static_assert(BN_REMOTE_THREADS - 1 <= THREAD_MASK, "a thread fits into a message");

struct bn_barrier {
    int index;  /* in bn_control.barriers */
    int parent; /* the thread that this one tells and is told by; itself: none */

    int child_count;
    int children[BN_REMOTE_THREADS]; /* of a leader: the other threads of its node; of the first leader, the other
                                        leaders come before them */

    /* At leaders */
    bool is_central;
    int place; /* among leaders */
    int leader_count;
    int leaders[BN_REMOTE_THREADS];

    /* The current phase */
    uint32_t phase;
    int heard;        /* children that have sent */
    int round;        /* of dissemination: the next one to be heard */
    bool is_sent;     /* the message up, or that of the first round, has been sent */
    bool is_released; /* all have notified, and the children know */
    uint64_t value;   /* best value known so far: given, thread, value; without the phase */
};

static BN_PER_THREAD struct bn_barrier barriers[BN_REMOTE_BARRIERS];

size_t bn_barrier_size_bytes(void)
{
    return sizeof(struct bn_barrier);
}

/* ---- Topology ---- */

static int leader_of_node(void)
{
    return bn_remote.leaders[bn_remote.thread];
}

static bool is_leader(void)
{
    return leader_of_node() == bn_remote.thread;
}

/* Whether no other thread tells this one that all have notified: it finds out itself, alone or together with other
 * leaders. */
static bool is_top(const struct bn_barrier *barrier)
{
    return barrier->parent == bn_remote.thread;
}

static void add_child(struct bn_barrier *barrier, int thread)
{
    barrier->children[barrier->child_count++] = thread;
}

/* Re-initialises the barrier; its index is kept. */
void bn_barrier_init(struct bn_barrier *barrier, int thread_count, struct bn_wait_policy policy)
{
    (void)policy; /* that of bn_remote */
    *barrier =
        (struct bn_barrier){.index = barrier->index, .parent = leader_of_node(), .is_sent = true, .is_released = true};
    if (!is_leader())
        return;
    for (int thread = 0; thread < thread_count; thread++) {
        if (thread == bn_remote.thread)
            barrier->place = barrier->leader_count;
        if (bn_remote.leaders[thread] == thread)
            barrier->leaders[barrier->leader_count++] = thread;
    }
    barrier->is_central = barrier->leader_count >= CENTRAL_MIN_NODES && barrier->leader_count <= CENTRAL_MAX_NODES;
    if (barrier->is_central)
        barrier->parent = barrier->leaders[0];
    for (int i = 1; i < barrier->leader_count && barrier->is_central && is_top(barrier); i++)
        add_child(barrier, barrier->leaders[i]); /* first, because they are told by messages */
    for (int thread = 0; thread < thread_count; thread++) {
        if (thread != bn_remote.thread && bn_remote.leaders[thread] == bn_remote.thread)
            add_child(barrier, thread);
    }
}

/* The leader 2^round places after (leader_behind) or before (leader_before) this one; -1 if there is no such round. */
static int leader_behind(const struct bn_barrier *barrier, int round)
{
    int distance = 1 << round;
    int count = barrier->is_central ? 1 : barrier->leader_count;
    return distance < count ? barrier->leaders[(barrier->place + distance) % count] : -1;
}

static int leader_before(const struct bn_barrier *barrier, int round)
{
    int distance = 1 << round;
    int count = barrier->is_central ? 1 : barrier->leader_count;
    return distance < count ? barrier->leaders[(barrier->place + count - distance) % count] : -1;
}

/* Barriers over several nodes have only one kind. */
size_t bn_barrier_lines_bytes(int thread_count)
{
    (void)thread_count;
    return 0;
}

void bn_barrier_extend(struct bn_barrier_member *member, struct bn_barrier_lines *lines,
                       const struct bn_barrier_tree *tree)
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

/* Of two messages, the one with the value of the lower thread */
static uint64_t first_of(uint64_t a, uint64_t b)
{
    if (!is_given(a) || !is_given(b))
        return is_given(a) ? a : b;
    return thread_of(a) < thread_of(b) ? a : b;
}

static uint64_t without_phase(uint64_t message)
{
    return message & ~(UINT64_MAX << PHASE_SHIFT);
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

static struct bn_barrier_control *control_of(const struct bn_barrier *barrier)
{
    return &bn_remote.control->barriers[barrier->index];
}

static uint64_t offset_in_control(const struct bn_barrier *barrier, uint64_t offset)
{
    return BN_CONTROL_OFFSET(barriers) + (uint64_t)barrier->index * sizeof(struct bn_barrier_control) + offset;
}

/* Tells a thread what this one knows: its parent, or another leader. */
static void send_up(const struct bn_barrier *barrier, int thread)
{
    uint64_t up = offsetof(struct bn_barrier_control, up) +
                  (uint64_t)bn_remote.thread * sizeof(struct bn_barrier_message) +
                  barrier->phase % BN_BARRIER_PARITIES * sizeof(uint64_t);
    send_word(thread, offset_in_control(barrier, up), phase_bits(barrier->phase) | barrier->value);
}

static void send_down(const struct bn_barrier *barrier, int thread)
{
    uint64_t down = offsetof(struct bn_barrier_control, down) + barrier->phase % BN_BARRIER_PARITIES * sizeof(uint64_t);
    send_word(thread, offset_in_control(barrier, down), phase_bits(barrier->phase) | barrier->value);
}

/* ---- A phase ---- */

/* Whether a message has arrived; if so, its value is merged. */
static bool hear(struct bn_barrier *barrier, const struct bn_barrier_message *message)
{
    uint64_t word = bn_word64_see(&message->words[barrier->phase % BN_BARRIER_PARITIES]);
    if (!is_of_phase(word, barrier->phase))
        return false;
    barrier->value = first_of(barrier->value, without_phase(word));
    return true;
}

static bool hear_children(struct bn_barrier *barrier)
{
    while (barrier->heard < barrier->child_count) {
        if (!hear(barrier, &control_of(barrier)->up[barrier->children[barrier->heard]]))
            return false;
        barrier->heard++;
    }
    return true;
}

static void begin_round(const struct bn_barrier *barrier)
{
    int to = leader_behind(barrier, barrier->round);
    if (to >= 0)
        send_up(barrier, to);
}

static bool hear_leaders(struct bn_barrier *barrier)
{
    for (int from = leader_before(barrier, barrier->round); from >= 0; from = leader_before(barrier, barrier->round)) {
        if (!hear(barrier, &control_of(barrier)->up[from]))
            return false;
        barrier->round++;
        begin_round(barrier);
    }
    return true;
}

void bn_barrier_advance(struct bn_barrier *barrier)
{
    if (!barrier->is_sent && hear_children(barrier)) {
        barrier->is_sent = true;
        if (is_top(barrier))
            begin_round(barrier);
        else
            send_up(barrier, barrier->parent);
    }
    if (!barrier->is_sent || barrier->is_released)
        return;
    if (is_top(barrier) ? !hear_leaders(barrier) : !hear(barrier, &control_of(barrier)->down))
        return;
    for (int i = 0; i < barrier->child_count; i++)
        send_down(barrier, barrier->children[i]);
    barrier->is_released = true;
}

enum bn_barrier_result bn_barrier_notify(struct bn_barrier *barrier, struct bn_barrier_member *member,
                                         struct bn_barrier_value value)
{
    if (member->has_notified)
        return BN_BARRIER_NOTIFIED_TWICE;
    member->has_notified = true;
    member->notified = value;
    member->phase++;
    bn_fence(); /* what this thread has written is visible before others go on */
    barrier->phase = member->phase;
    barrier->heard = 0;
    barrier->round = 0;
    barrier->is_sent = false;
    barrier->is_released = false;
    barrier->value = value.given ? pack(member->thread, value.value) : 0;
    bn_barrier_advance(barrier);
    return BN_BARRIER_OK;
}

/* Whether a thread that would have to take part in this phase has ended */
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
    if (!is_given(all)) /* nobody notified with a value, so the value of the wait has nothing to match */
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
        if (is_leader())
            bn_remote_step(&step);
        else
            bn_remote_step_for_near(&step);
    }
    member->has_notified = false;
    bn_remote_let_go(); /* drops data that were read ahead since the notify */
    return check_values(member, value, barrier->value, conflict_p);
}

enum bn_barrier_result bn_barrier_cross(struct bn_barrier *barrier, struct bn_barrier_member *member,
                                        struct bn_barrier_value value, struct bn_barrier_conflict *conflict_p)
{
    enum bn_barrier_result result = bn_barrier_notify(barrier, member, value);
    return result == BN_BARRIER_OK ? bn_barrier_wait(barrier, member, value, conflict_p) : result;
}

/* The payload goes to the leaders first, where the threads of their nodes read it. */
enum bn_barrier_result bn_barrier_tell(struct bn_barrier *barrier, struct bn_barrier_member *member,
                                       struct bn_barrier_value value, uint64_t *payload,
                                       struct bn_barrier_conflict *conflict_p)
{
    unsigned parity = (member->phase + 1) % BN_BARRIER_PARITIES;
    uint64_t place =
        offset_in_control(barrier, offsetof(struct bn_barrier_control, payloads) + parity * sizeof(uint64_t));
    for (int i = 0; bn_remote.thread == 0 && i < barrier->leader_count; i++) {
        send_word(barrier->leaders[i], place, *payload);
        if (!bn_remote.controls[barrier->leaders[i]])
            bn_remote_note_write(barrier->leaders[i]); /* to be complete before the barrier */
    }
    enum bn_barrier_result result = bn_barrier_cross(barrier, member, value, conflict_p);
    *payload = bn_word64_see(&bn_remote.controls[leader_of_node()]->barriers[barrier->index].payloads[parity]);
    return result;
}

/* Tells the threads that wait for messages of this one. */
void bn_barrier_abandon(struct bn_barrier *barrier, const struct bn_barrier_member *member)
{
    uint64_t word = phase_bits(member->phase) | pack(member->thread, 0);
    uint64_t offset = offset_in_control(barrier, offsetof(struct bn_barrier_control, abandoned));
    if (!is_top(barrier))
        send_word(barrier->parent, offset, word);
    for (int i = 0; i < barrier->child_count; i++)
        send_word(barrier->children[i], offset, word);
    for (int round = 0; leader_behind(barrier, round) >= 0; round++)
        send_word(leader_behind(barrier, round), offset, word);
}
