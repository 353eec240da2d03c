#include "coll/team.h"

#include "base/log.h"
#include "coll/barrier_groups.h"
#include "platform/atomic_word.h"
#include "platform/copy.h"

#include <stdlib.h>

/* A buffer above this goes back to the heap after the operation: 16 MiB */
enum { BUFFER_KEPT_BYTES = 16 << 20 };

/* A member that has waited for LEFT_CHECK_NS checks whether the other members of its node have left; after
 * LOOKS_PER_QUESTION checks, also whether the member of another node that it waits for has.  That question is asked
 * rarely because the other member answers only when it polls the network, and what it has sent may arrive long before
 * the answer. */
enum { LEFT_CHECK_NS = 500000000, LOOKS_PER_QUESTION = 20 };

static size_t barrier_bytes(void)
{
    return (bn_barrier_size_bytes() + BN_LINE_BYTES - 1) & ~(size_t)(BN_LINE_BYTES - 1);
}

size_t bn_team_control_bytes(int size)
{
    return barrier_bytes() + bn_barrier_lines_bytes(size) +
           (size_t)size * (sizeof(struct bn_member_lines) + sizeof(struct bn_member_rooms));
}

void bn_team_control_init(void *control, int size, struct bn_wait_policy policy)
{
    bn_barrier_init(control, size, policy);
}

struct bn_team bn_team_join(void *control, int rank, int size, uint64_t stride, int core_count,
                            struct bn_wait_policy policy)
{
    unsigned char *barrier_lines = (unsigned char *)control + barrier_bytes();
    const struct bn_team_memory memory = {
        .barrier = control,
        .lines = (struct bn_member_lines *)(void *)(barrier_lines + bn_barrier_lines_bytes(size)),
        .line_stride = sizeof(struct bn_member_lines),
        .node_count = 1,
        .largest_node = size,
    };
    struct bn_team team = bn_team_join_apart(&memory, rank, size, stride, core_count, policy);
    team.rooms = (struct bn_member_rooms *)(void *)(memory.lines + size);
    team.barrier_lines = (struct bn_barrier_lines *)(void *)barrier_lines;
    bn_barrier_extend(&team.member, team.barrier_lines, NULL);
    return team;
}

struct bn_team bn_team_join_apart(const struct bn_team_memory *memory, int rank, int size, uint64_t stride,
                                  int core_count, struct bn_wait_policy policy)
{
    return (struct bn_team){
        .rank = rank,
        .size = size,
        .core_count = core_count,
        .stride = stride,
        .policy = policy,
        .barrier = memory->barrier,
        .member = bn_barrier_join(rank),
        .lines = memory->lines,
        .line_stride = memory->line_stride,
        .mail = memory->mail,
        .mail_stride = memory->mail_stride,
        .node_count = memory->node_count,
        .largest_node = memory->largest_node,
    };
}

bn_status_t bn_team_choose_barrier(struct bn_team *team, enum bn_barrier_kind kind)
{
    if (!team->barrier_lines && kind != BN_BARRIER_CENTRAL) {
        bn_log_error("programs for several nodes have only one kind of barrier, by nodes; do not force another one");
        return BN_ERR_INVALID;
    }
    if (kind == BN_BARRIER_TREE && !team->barrier_groups.path) {
        const struct bn_hierarchy *hierarchy =
            team->host.find_hierarchy ? team->host.find_hierarchy(team->host.context) : NULL;
        bn_status_t status =
            hierarchy ? bn_barrier_groups_make(hierarchy, team->rank, &team->barrier_groups) : BN_ERR_INVALID;
        if (status != BN_OK)
            return status;
        bn_barrier_extend(&team->member, team->barrier_lines, &team->barrier_groups);
    }
    bn_barrier_choose(&team->member, kind);
    return BN_OK;
}

void bn_team_leave(struct bn_team *team)
{
    bn_barrier_groups_destroy(&team->barrier_groups);
    if (team->buffer.address != 0)
        team->host.release(team->host.context, team->buffer.address);
    free(team->pieces.memory);
    *team = (struct bn_team){0};
}

static inline struct bn_member_lines *lines_of(const struct bn_team *team, int rank)
{
    return (struct bn_member_lines *)((unsigned char *)team->lines + (uint64_t)rank * team->line_stride);
}

static bool is_far(const struct bn_team *team, int rank)
{
    return team->mail && !bn_is_mapped(lines_of(team, rank));
}

static inline void delay(const struct bn_team *team)
{
    if (__builtin_expect(team->before_step != NULL, 0))
        team->before_step();
}

void bn_team_barrier(struct bn_team *team)
{
    static const struct bn_barrier_value none = {false, 0};
    struct bn_barrier_conflict conflict;
    delay(team);
    team->since_barrier = 0;
    if (team->size > 1 &&
        __builtin_expect(bn_barrier_cross(team->barrier, &team->member, none, &conflict) == BN_BARRIER_ABANDONED, 0))
        team->host.abandoned(team->host.context, conflict.other_thread);
}

void bn_team_abandon(struct bn_team *team)
{
    if (team->size > 1)
        bn_barrier_abandon(team->barrier, &team->member);
    bn_word64_show(&lines_of(team, team->rank)->left, team->operation + 1);
}

void bn_team_give_up(struct bn_team *team)
{
    if (team->size > 1)
        bn_barrier_abandon(team->barrier, &team->member);
    bn_word64_show(&lines_of(team, team->rank)->left, team->operation != 0 ? team->operation : 1);
}

bool bn_team_has_ended(const struct bn_team *team, int rank)
{
    return bn_word64_see(&lines_of(team, rank)->left) != 0;
}

bool bn_team_begin(struct bn_team *team)
{
    bool has_met = team->since_barrier == BN_TEAM_WINDOW;
    if (has_met)
        bn_team_barrier(team);
    team->operation++;
    team->since_barrier++;
    team->mail_slot = (unsigned)(team->operation % BN_TEAM_WINDOW);
    return has_met;
}

_Static_assert(2 * BN_TEAM_WIDE_MAIL_BYTES / BN_TEAM_MAIL_BYTES - 1 <= BN_TEAM_WINDOW, "they fit between two barriers");

/* The slots of a wide mail are consecutive: their number is a power of two, and the first is a multiple of it.  No
 * barrier may fall between the operation numbers taken; otherwise the first slots could be reused before the next
 * barrier, which is what ends the operation. */
bool bn_team_begin_wide(struct bn_team *team, size_t mail_bytes)
{
    unsigned slots = 1;
    while (slots * (size_t)BN_TEAM_MAIL_BYTES < mail_bytes)
        slots *= 2;
    uint64_t first = (team->operation + slots) / slots * slots;
    uint64_t last = first + slots - 1;
    bool has_met = team->since_barrier + (last - team->operation) > BN_TEAM_WINDOW;
    if (has_met)
        bn_team_barrier(team);
    team->since_barrier += (uint32_t)(last - team->operation);
    team->operation = last;
    team->mail_slot = (unsigned)(first % BN_TEAM_WINDOW);
    return has_met;
}

static inline struct bn_said *said_of(const struct bn_team *team, int rank)
{
    return &lines_of(team, rank)->said[team->call % BN_TEAM_CALLS];
}

void bn_team_announce_call(struct bn_team *team, int operation, int root, size_t nbytes, struct bn_buffers addresses)
{
    team->call++;
    struct bn_said *said = said_of(team, team->rank);
    said->buffers.dst = addresses.dst ? bn_team_place(team, (const void *)addresses.dst) : 0;
    said->buffers.src = addresses.src ? bn_team_place(team, (const void *)addresses.src) : 0;
    said->nbytes = nbytes;
    bn_word64_show(&said->what, team->call << 32 | (uint64_t)(unsigned)root << 8 | (unsigned)operation);
}

const struct bn_said *bn_team_said(const struct bn_team *team, int rank)
{
    const struct bn_said *said = said_of(team, rank);
    return bn_word64_see(&said->what) >> 32 == (team->call & UINT32_MAX) ? said : NULL;
}

const struct bn_said *bn_team_said_next(const struct bn_team *team, int rank)
{
    const struct bn_said *said = &lines_of(team, rank)->said[(team->call + 1) % BN_TEAM_CALLS];
    return bn_word64_see(&said->what) >> 32 == ((team->call + 1) & UINT32_MAX) ? said : NULL;
}

const struct bn_buffers *bn_team_buffers_of(const struct bn_team *team, int rank)
{
    const struct bn_said *said = said_of(team, rank), *own = said_of(team, team->rank);
    if (__builtin_expect(bn_said_differ(said, own), 0) && team->host.differs)
        team->host.differs(team->host.context, rank, said, own);
    return &said->buffers;
}

void bn_team_call_elsewhere(struct bn_team *team, int operation, int root, size_t nbytes)
{
    struct bn_said *said = &lines_of(team, team->rank)->elsewhere;
    team->elsewhere++;
    said->nbytes = nbytes;
    bn_word64_show(&said->what, (uint64_t)team->elsewhere << 32 | (uint64_t)(unsigned)root << 8 | (unsigned)operation);
}

const struct bn_said *bn_team_said_elsewhere(const struct bn_team *team, int rank)
{
    const struct bn_said *said = &lines_of(team, rank)->elsewhere;
    uint32_t calls = (uint32_t)(bn_word64_see(&said->what) >> 32);
    return (int32_t)(calls - team->elsewhere) > 0 ? said : NULL;
}

/* A place in the sequence of calls and barriers, which is the same for all members: (calls begun, barriers entered), in
 * one word, so that nobody sees parts of two places; with the operation plus 1 that waits there */
enum { PLACE_BITS = 28, PLACE_OPERATION_SHIFT = 2 * PLACE_BITS, PLACE_MASK = (1 << PLACE_BITS) - 1 };

static uint64_t place_of(const struct bn_team *team, int operation)
{
    return (uint64_t)(operation + 1) << PLACE_OPERATION_SHIFT | (team->call & PLACE_MASK) << PLACE_BITS |
           (team->member.phase & PLACE_MASK);
}

/* The difference of two numbers of PLACE_BITS */
static int32_t place_distance(uint64_t left, uint64_t right)
{
    return (int32_t)((uint32_t)(left - right) << (32 - PLACE_BITS)) >> (32 - PLACE_BITS);
}

/* Whether a member waits in a barrier that this one has not entered, without having begun the current call, which this
 * one has: then they are not on the same way, however late any of them is. */
static bool meets_elsewhere(const struct bn_team *team, int rank, struct bn_said *said_p)
{
    uint64_t theirs = bn_word64_see(&lines_of(team, rank)->meets), own = place_of(team, 0);
    const struct bn_said *own_said = said_of(team, team->rank);
    if (theirs == 0 || place_distance(theirs, own) <= 0 || place_distance(theirs >> PLACE_BITS, own >> PLACE_BITS) >= 0)
        return false;
    *said_p = *own_said;
    said_p->what = (own_said->what & ~UINT64_C(0xff)) | ((theirs >> PLACE_OPERATION_SHIFT) - 1);
    return true;
}

/* A member that has waited for long may be waiting for one that has made another call.  A member that is elsewhere and
 * has not begun the current call will not come; one that has begun it may simply be ahead. */
static void find_difference(const struct bn_team *team)
{
    const struct bn_said *own = said_of(team, team->rank);
    for (int rank = 0; rank < team->size; rank++) {
        const struct bn_said *elsewhere = bn_team_said_elsewhere(team, rank), *said = bn_team_said(team, rank);
        struct bn_said meeting;
        if (!said)
            said = elsewhere;
        if (said && (said == elsewhere || bn_said_differ(said, own)))
            team->host.differs(team->host.context, rank, said, own);
        else if (meets_elsewhere(team, rank, &meeting))
            team->host.differs(team->host.context, rank, &meeting, own);
    }
}

static bool is_ahead(const void *context, int rank)
{
    const struct bn_team *team = context;
    return bn_team_said_elsewhere(team, rank) || bn_team_said_next(team, rank);
}

/* Taken back when the barrier ends, since the numbers wrap around. */
static void show_meeting(const void *context, bool waits)
{
    const struct bn_team *team = context;
    uint64_t place = waits ? place_of(team, team->own_operation(team->host.context)) : 0;
    bn_word64_show(&lines_of(team, team->rank)->meets, place);
}

void bn_team_watch_barriers(struct bn_team *team, int (*own_operation)(void *context))
{
    team->own_operation = own_operation;
    bn_barrier_watch(&team->member, is_ahead, show_meeting, team);
}

static inline uint64_t number_of(const struct bn_team *team, uint32_t step)
{
    return team->operation << BN_TEAM_STEP_BITS | step;
}

/* Whether a member has left before the current operation */
static bool has_left(const struct bn_team *team, int rank)
{
    const uint64_t *place = &lines_of(team, rank)->left;
    uint64_t left;
    if (is_far(team, rank))
        bn_copy(&left, place, sizeof left);
    else
        left = bn_word64_see(place);
    return left != 0 && left <= team->operation;
}

/* A member of this node, or the member asked, that has left before the current operation; -1: none */
static int find_left(const struct bn_team *team, int asked)
{
    for (int rank = 0; rank < team->size; rank++) {
        if ((rank == asked || !is_far(team, rank)) && has_left(team, rank))
            return rank;
    }
    return -1;
}

/* Waits for a flag that is raised by sender, or by a member that waits for sender. */
static void await_number(struct bn_team *team, struct bn_flag *flag, int sender, uint64_t number)
{
    static const struct bn_wait_policy sleep_at_once = {.yield_count = 0};
    const struct bn_wait_policy *policy = &team->policy;
    delay(team);
    for (int looks = 1; !bn_flag_await_for(flag, number, policy, LEFT_CHECK_NS); looks++) {
        if (team->announces && team->host.differs)
            find_difference(team);
        int rank = find_left(team, looks % LOOKS_PER_QUESTION == 0 ? sender : team->rank);
        if (rank >= 0)
            team->host.abandoned(team->host.context, rank);
        policy = &sleep_at_once;
    }
}

int bn_team_find_ended(const struct bn_team *team)
{
    return find_left(team, team->rank);
}

static void await(struct bn_team *team, struct bn_flag *flag, int sender, uint32_t step)
{
    await_number(team, flag, sender, number_of(team, step));
}

static inline struct bn_flag *slot_of(const struct bn_team *team, int rank)
{
    return &lines_of(team, rank)->slots[team->operation % BN_TEAM_WINDOW];
}

void bn_team_say(struct bn_team *team, uint32_t step)
{
    delay(team);
    bn_flag_raise(&lines_of(team, team->rank)->progress, number_of(team, step));
}

void bn_team_say_to_node(struct bn_team *team, uint32_t step)
{
    delay(team);
    bn_flag_raise_for_node(&lines_of(team, team->rank)->progress, number_of(team, step));
}

void bn_team_announce(struct bn_team *team, const void *payload, size_t size_bytes, uint32_t step)
{
    bn_flag_put(&lines_of(team, team->rank)->progress, 0, payload, size_bytes);
    bn_team_say(team, step);
}

void bn_team_read(const struct bn_team *team, int rank, void *payload, size_t size_bytes)
{
    bn_flag_get(&lines_of(team, rank)->progress, 0, payload, size_bytes);
}

void bn_team_hear(struct bn_team *team, int rank, uint32_t step)
{
    await(team, &lines_of(team, rank)->progress, rank, step);
}

void bn_team_hear_all(struct bn_team *team, uint32_t step)
{
    for (int distance = 1; distance < team->size; distance++)
        bn_team_hear(team, bn_team_rotate(team, team->rank, distance), step);
}

void bn_slot_fill(struct bn_team *team, int rank, const void *payload, size_t size_bytes, uint32_t step)
{
    bn_slot_fill_at(team, rank, 0, payload, size_bytes, step);
}

void bn_slot_fill_at(struct bn_team *team, int rank, size_t offset, const void *payload, size_t size_bytes,
                     uint32_t step)
{
    struct bn_flag *slot = slot_of(team, rank);
    delay(team);
    bn_flag_send(slot, offset, payload, size_bytes, number_of(team, step));
}

void bn_slot_deliver(struct bn_team *team, int rank, void *dst, const void *src, size_t size_bytes, uint32_t step)
{
    delay(team);
    bn_flag_raise_behind(slot_of(team, rank), number_of(team, step), dst, src, size_bytes);
}

void bn_slot_hand_over(struct bn_team *team, int rank, void *dst, const void *src, size_t size_bytes, uint32_t step)
{
    delay(team);
    bn_flag_hand_over(slot_of(team, rank), number_of(team, step), dst, src, size_bytes);
}

void *bn_slot_room(const struct bn_team *team, int rank, size_t size_bytes)
{
    if (size_bytes <= BN_FLAG_LINE_BYTES)
        return slot_of(team, rank)->payload;
    if (size_bytes <= BN_TEAM_ROOM_BYTES && team->rooms)
        return team->rooms[rank].of_slots[team->operation % BN_TEAM_WINDOW];
    return bn_mail_at(team, rank);
}

void bn_slot_await(struct bn_team *team, int rank, uint32_t step)
{
    await(team, slot_of(team, rank), rank, step);
    if (__builtin_expect(team->announces, 0) && step < BN_POSTED && bn_slot_step(team, rank) >= BN_POSTED &&
        team->host.differs)
        find_difference(team);
}

uint32_t bn_slot_step(const struct bn_team *team, int rank)
{
    return (uint32_t)(bn_word64_see(&slot_of(team, rank)->number) & ((1u << BN_TEAM_STEP_BITS) - 1));
}

/* Operations outside the window have ended on all members. */
void bn_slot_await_of(struct bn_team *team, int rank, uint64_t operation, uint32_t step)
{
    struct bn_flag *slot = &lines_of(team, rank)->slots[operation % BN_TEAM_WINDOW];
    if (operation + BN_TEAM_WINDOW > team->operation)
        await_number(team, slot, rank, operation << BN_TEAM_STEP_BITS | step);
}

void bn_slot_await_from(struct bn_team *team, int rank, int sender, uint32_t step)
{
    await(team, slot_of(team, rank), sender, step);
}

void bn_slot_take(const struct bn_team *team, int rank, void *payload, size_t size_bytes)
{
    bn_slot_take_at(team, rank, 0, payload, size_bytes);
}

void bn_slot_take_at(const struct bn_team *team, int rank, size_t offset, void *payload, size_t size_bytes)
{
    bn_flag_get(slot_of(team, rank), offset, payload, size_bytes);
}

static inline struct bn_member_mail *mail_of(const struct bn_team *team, int rank)
{
    return (struct bn_member_mail *)((unsigned char *)team->mail + (uint64_t)rank * team->mail_stride);
}

unsigned char *bn_mail_at(const struct bn_team *team, int rank)
{
    return mail_of(team, rank)->of_slots[team->mail_slot];
}

void bn_team_hand_over(struct bn_team *team, int rank, void *dst, const void *src, size_t size_bytes, uint32_t step)
{
    delay(team);
    bn_flag_hand_over(&mail_of(team, rank)->from[team->rank], number_of(team, step), dst, src, size_bytes);
}

void bn_mail_send(struct bn_team *team, int rank, size_t offset, const void *src, size_t size_bytes, uint32_t step)
{
    bn_team_hand_over(team, rank, bn_mail_at(team, rank) + offset, src, size_bytes, step);
}

void bn_mail_await(struct bn_team *team, int rank, int sender, uint32_t step)
{
    await(team, &mail_of(team, rank)->from[sender], sender, step);
}

void bn_team_tell(struct bn_team *team, int rank, uint32_t step)
{
    static const uint64_t nothing;
    if (!is_far(team, rank)) {
        bn_team_say(team, step);
        return;
    }
    struct bn_flag *flag = &mail_of(team, rank)->from[team->rank];
    bn_team_hand_over(team, rank, flag->payload, &nothing, sizeof nothing, step);
}

void bn_team_hear_told(struct bn_team *team, int rank, uint32_t step)
{
    if (is_far(team, rank))
        bn_mail_await(team, team->rank, rank, step);
    else
        bn_team_hear(team, rank, step);
}

void bn_team_tell_all(struct bn_team *team, uint32_t step)
{
    bn_team_say(team, step);
    for (int distance = 1; distance < team->size; distance++) {
        int rank = bn_team_rotate(team, team->rank, distance);
        if (is_far(team, rank))
            bn_team_tell(team, rank, step);
    }
}

void bn_team_hear_all_told(struct bn_team *team, uint32_t step)
{
    for (int distance = 1; distance < team->size; distance++)
        bn_team_hear_told(team, bn_team_rotate(team, team->rank, distance), step);
}

uint64_t bn_team_buffer_get(struct bn_team *team, size_t size_bytes)
{
    struct bn_team_buffer *buffer = &team->buffer;
    if (buffer->size_bytes >= size_bytes)
        return buffer->address;
    if (buffer->address != 0)
        team->host.release(team->host.context, buffer->address);
    *buffer = (struct bn_team_buffer){0, 0};
    if (team->host.alloc)
        buffer->address = team->host.alloc(team->host.context, size_bytes);
    if (buffer->address != 0)
        buffer->size_bytes = size_bytes;
    return buffer->address;
}

void bn_team_buffer_done(struct bn_team *team)
{
    if (team->buffer.size_bytes <= BUFFER_KEPT_BYTES)
        return;
    team->host.release(team->host.context, team->buffer.address);
    team->buffer = (struct bn_team_buffer){0, 0};
}

bool bn_team_pieces_get(struct bn_team *team, size_t piece_bytes)
{
    struct bn_team_pieces *pieces = &team->pieces;
    if (__builtin_expect(pieces->piece_bytes >= piece_bytes, 1))
        return true;
    size_t aligned_bytes = (piece_bytes + BN_LINE_BYTES - 1) & ~(size_t)(BN_LINE_BYTES - 1);
    free(pieces->memory);
    pieces->memory = aligned_alloc(BN_LINE_BYTES, 2 * aligned_bytes);
    pieces->piece_bytes = pieces->memory ? aligned_bytes : 0;
    return pieces->memory != NULL;
}
