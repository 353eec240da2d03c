/*
 * team.h: members that carry out operations together, and how they tell each other how far they have come.
 *
 * Members are ranks 0 .. size-1.  Each is a thread or process and has its own struct bn_team; they share the control
 * memory: a barrier, and some cache lines per member.  Memory that operations work on has places: addresses, where all
 * members see it at the same ones (memory of rank r then lies at that of rank 0's plus r * stride), or what each member
 * announces (docs/design/011-reach.md).
 *
 * The members call the same operations in the same order.  An operation that needs flags takes a number:
 *
 *     progress   of each member, written by it alone, read by anybody: (operation, step), which only grows
 *     slots      of each member, used in turn by operation number, each with one writer in an operation: the member
 *                itself or the one that it gets data from; with room for a small payload beside the number
 *     rooms      of each member, in teams of one machine: for each slot, for payloads that do not fit into it
 *     mail       of each member, in teams over nodes: room for larger data, used in turn as slots are, and a flag for
 *                each sender
 *     stages     of each member, if the host has given them: room for blocks of any size in pieces (stage.h)
 *
 * One rule keeps all of this correct: no member begins operation k before all have ended operation k - BN_TEAM_WINDOW.
 * A member that would break it waits in a barrier (bn_team_begin), as all others do at the same point.  So all members
 * have read a slot when its turn comes again.
 */
#ifndef BN_COLL_TEAM_H
#define BN_COLL_TEAM_H

#include "sync/barrier.h"
#include "sync/flag.h"
#include "topology/hierarchy.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BN_TEAM_WINDOW = 16,                /* operations that members may be apart; a power of two */
    BN_TEAM_CALLS = 2 * BN_TEAM_WINDOW, /* calls of teams that announce buffers that they may be apart: each takes a
                                           number or passes a barrier */
    BN_TEAM_STEP_BITS = 16,             /* steps of an operation */
    BN_TEAM_ROOM_BYTES = 8192,          /* beside a slot, on one machine */
    BN_TEAM_MAIL_BYTES = 65536,         /* of one operation */
    BN_TEAM_WIDE_MAIL_BYTES = 8 * BN_TEAM_MAIL_BYTES, /* of one that takes several turns */
    BN_TEAM_MAIL_MEMBERS = 1024,                      /* most members of a team with mail */
    BN_STAGE_PIECES = 8,                              /* of a member, which take turns */
    BN_POSTED = 1 << 14, /* steps of slots beside which data have been left begin here (posted.h) */
};

/* Where a member's data lie, as places (bn_team_place) */
struct bn_buffers {
    uint64_t dst, src;
};

/* What a member says of a call, in teams that announce their buffers */
struct bn_said {
    struct bn_buffers buffers;
    uint64_t nbytes; /* of a block */
    uint64_t what;   /* number of the call, root, operation (bn_said_root, bn_said_operation); written last */
};

static inline int bn_said_root(const struct bn_said *said)
{
    return (int)(said->what >> 8 & 0xffffff);
}

static inline int bn_said_operation(const struct bn_said *said)
{
    return (int)(said->what & 0xff);
}

/* Of two that are about the same call */
static inline bool bn_said_differ(const struct bn_said *left, const struct bn_said *right)
{
    return ((left->what ^ right->what) | (left->nbytes ^ right->nbytes)) != 0;
}

/* How large what a member was given in an operation is beside what it has called for: programs are wrong in that */
enum bn_fit {
    BN_FIT_EXACT, /* or nobody has noticed */
    BN_FIT_LESS,  /* what is missing was left as it was */
    BN_FIT_MORE,  /* the rest was left out */
};

/* What the others see of a member */
struct bn_member_lines {
    struct bn_flag progress;
    struct bn_flag slots[BN_TEAM_WINDOW];
    uint64_t left __attribute__((aligned(BN_LINE_BYTES))); /* one more than its last operation; 0: it has not left */
    struct bn_said said[BN_TEAM_CALLS] __attribute__((aligned(BN_LINE_BYTES))); /* if the team announces its buffers */
    struct bn_said elsewhere __attribute__((aligned(BN_LINE_BYTES))); /* its last call that went past the team */
};

/* Room for data that do not fit beside the number of a slot, in teams on one machine */
struct bn_member_rooms {
    unsigned char of_slots[BN_TEAM_WINDOW][BN_TEAM_ROOM_BYTES] __attribute__((aligned(BN_LINE_BYTES)));
};

/* Room for data sent to a member that may not have entered yet.  Its slot announces them; if several members write to
 * different parts of it in one operation, each has a flag. */
struct bn_member_mail {
    unsigned char of_slots[BN_TEAM_WINDOW][BN_TEAM_MAIL_BYTES];
    struct bn_flag from[BN_TEAM_MAIL_MEMBERS]; /* by the rank of the sender */
};

/* How members come to memory of each other that is announced (docs/design/011-reach.md).  All members say the same. */
enum bn_reach {
    BN_REACH_MAPPED, /* by load and store */
    BN_REACH_KERNEL, /* the system copies it */
    BN_REACH_STAGES, /* it does not: best through stages */
    BN_REACH_HEAP,   /* the system copies it, but most large blocks are mapped */
    BN_REACH_COUNT
};

struct bn_team;
struct bn_call;
struct bn_fold;

/*
 * Collectives of a library below, among all members; null where there is none.  All members call, with a turn below
 * BN_TEAM_WINDOW that no call has that has not ended everywhere.  dst and src of a call, and its nbytes, are multiples
 * of BN_NATIVE_WORD_BYTES.
 */
struct bn_team_native {
    /* The root writes its own dst. */
    void (*broadcast)(struct bn_team *team, const struct bn_call *call, unsigned turn);
    void (*gather_all)(struct bn_team *team, const struct bn_call *call, unsigned turn);
    void (*exchange)(struct bn_team *team, const struct bn_call *call, unsigned turn);
    bool (*can_fold)(const struct bn_fold *fold);
    /* call->fold has the result then, on all members. */
    void (*fold)(struct bn_team *team, const struct bn_call *call, unsigned turn);
};
enum { BN_NATIVE_WORD_BYTES = 4 };

/* What a team asks of the layer above, on the member that needs it.  A null function: not available. */
struct bn_team_host {
    void *context;
    /* Memory that all members see; 0: there is no room */
    uint64_t (*alloc)(void *context, size_t size_bytes);
    void (*release)(void *context, uint64_t address);
    /* Where the members are; null, reported, if it cannot be found out.  It must last as long as the team. */
    const struct bn_hierarchy *(*find_hierarchy)(void *context);
    const struct bn_team_native *native;
    /* A member has left (bn_team_abandon) before an operation that this one waits in; does not return.  Null: nobody
     * leaves. */
    void (*abandoned)(void *context, int rank);
    /* What a member has said of the current call does not go with what this one has: the operation, the root or the
     * size.  The call cannot end.  If this returns, it goes on.  Null: nobody asks. */
    void (*differs)(void *context, int rank, const struct bn_said *theirs, const struct bn_said *own);
};

/* A buffer that other members see; it is kept for the next operation unless it is large */
struct bn_team_buffer {
    uint64_t address;
    size_t size_bytes;
};

/* Two pieces of private memory of a member, one behind the other, for data on their way; kept */
struct bn_team_pieces {
    unsigned char *memory; /* aligned to BN_LINE_BYTES */
    size_t piece_bytes;
};

/* What a piece of a stage was used for last: who had to read it (-1: all others), and what they say when they have;
 * step 0: nothing yet */
struct bn_stage_use {
    uint64_t operation;
    uint32_t step;
    int reader;
};

struct bn_plans;        /* plan.h */
struct bn_member_stage; /* stage.h */

/* One member's view of its team; private to the member */
struct bn_team {
    int rank;
    int size;
    int core_count;  /* that the members share */
    uint64_t stride; /* bytes from memory of a rank to that of the next */
    struct bn_wait_policy policy;
    struct bn_barrier *barrier;
    struct bn_barrier_member member;
    struct bn_barrier_lines *barrier_lines;
    struct bn_barrier_tree barrier_groups; /* made when a barrier asks for them */
    struct bn_member_lines *lines;         /* of rank 0 */
    uint64_t line_stride;                  /* bytes from the lines of a rank to those of the next */
    struct bn_member_rooms *rooms;         /* of rank 0, one behind the other; null: mail is used as such */
    struct bn_member_mail *mail;           /* of rank 0; null: there is none */
    uint64_t mail_stride;
    struct bn_member_stage *stages; /* of rank 0, one behind the other, set by the host; null: there are none */
    uint64_t stage_turn;            /* pieces that each member has had a turn for */
    struct bn_stage_use stage_uses[BN_STAGE_PIECES];
    int node_count;     /* machines that the members are on */
    int largest_node;   /* members on the machine that has most */
    uint64_t operation; /* number of the current operation; below 2^48, which take months */
    unsigned mail_slot; /* the first that its mail takes */
    bool announces;     /* each member says where its buffers lie, in each call */
    enum bn_reach reach;
    uint64_t call;      /* number of the current one, if so */
    uint32_t elsewhere; /* calls made past the team */
    uint64_t process;   /* what makes a place of an address of this member; 0: nothing, the others see all its memory */
    uint64_t mapped_begin, mapped_bytes; /* of its memory, what they see in any case */
    uint32_t since_barrier;              /* operations begun since the last barrier, this one included */
    struct bn_team_host host;
    struct bn_team_buffer buffer;
    struct bn_team_pieces pieces;
    struct bn_plans *plans;
    bn_status_t status;        /* of the current operation, where it finds out that it cannot be carried out */
    enum bn_fit fit;           /* of the operations since somebody has set it to exact, the worst of them */
    void (*before_step)(void); /* called where members meet; null but in tests, which delay them there */
};

/** Bytes of control memory for size members; to be aligned to BN_LINE_BYTES, zeroed, seen by all members. */
size_t bn_team_control_bytes(int size);

/** Makes the control memory ready; called once, before any member joins. */
void bn_team_control_init(void *control, int size, struct bn_wait_policy policy);

/** The view of one rank.  policy as given to bn_team_control_init. */
struct bn_team bn_team_join(void *control, int rank, int size, uint64_t stride, int core_count,
                            struct bn_wait_policy policy);

/* Where a member of a team over several nodes finds the others */
struct bn_team_memory {
    struct bn_barrier *barrier;
    struct bn_member_lines *lines; /* of rank 0; zeroed */
    uint64_t line_stride;
    struct bn_member_mail *mail; /* of rank 0 */
    uint64_t mail_stride;
    int node_count;
    int largest_node;
};

/** The view of one rank where each member has its own lines in its own memory; the other arguments as above. */
struct bn_team bn_team_join_apart(const struct bn_team_memory *memory, int rank, int size, uint64_t stride,
                                  int core_count, struct bn_wait_policy policy);

/** Frees what the member holds, its plans excepted (bn_plans_destroy comes before).  After it the view is gone. */
void bn_team_leave(struct bn_team *team);

/** The kind of the team's barriers from now on.  Called by all members at the same point.
 *  @errors BN_ERR_INVALID, BN_ERR_MEMORY: where the members are cannot be found out, but must be known; or barriers of
 * this team, which are those over nodes, go one way only.  Reported. */
bn_status_t bn_team_choose_barrier(struct bn_team *team, enum bn_barrier_kind kind);

/** Waits until all members are here. */
void bn_team_barrier(struct bn_team *team);

/** This member will begin no more operations.  A member that waits in an operation that this one has not begun, or in a
 * barrier of the team, now or later, learns so through host.abandoned after half a second; on another node, a member
 * that waits for this one learns so after ten seconds. */
void bn_team_abandon(struct bn_team *team);

/** The same in the middle of an operation, which this member will not end: those that wait in it learn so, too. */
void bn_team_give_up(struct bn_team *team);

/** A member of this node that has ended before or in the current operation; -1: none has. */
int bn_team_find_ended(const struct bn_team *team);

/** Whether a member has said either. */
bool bn_team_has_ended(const struct bn_team *team, int rank);

/** Takes the number of the next operation that uses flags; true if it had to pass a barrier for it, so that all have
 *  entered.  Whether it does is the same for all members. */
bool bn_team_begin(struct bn_team *team);

/** The same for an operation whose mail may take more than BN_TEAM_MAIL_BYTES, up to BN_TEAM_WIDE_MAIL_BYTES: takes as
 * many numbers, so that the mail of all of them is its own.  All members give the same size. */
bool bn_team_begin_wide(struct bn_team *team, size_t mail_bytes);

/** Memory of a rank, given the address of rank 0's. */
static inline unsigned char *bn_team_at(const struct bn_team *team, uint64_t address, int rank)
{
    return (unsigned char *)(address + (uint64_t)rank * team->stride);
}

/** The rank that is distance (up to size) further on, counted in a circle. */
static inline int bn_team_rotate(const struct bn_team *team, int rank, int distance)
{
    int sum = rank + distance;
    return sum < team->size ? sum : sum - team->size;
}

/** What names memory of this member to all members: its address, if they see all of it at that. */
static inline uint64_t bn_team_place(const struct bn_team *team, const void *address)
{
    uint64_t number = (uint64_t)address;
    return number - team->mapped_begin < team->mapped_bytes ? number : number | team->process;
}

/** Announces the call that begins, and where data of this member lie in it (addresses or 0), before anything else in
 * it.  operation is a number below 256; root, below 2^24, what else all members must say alike, 0 if there is nothing.
 */
void bn_team_announce_call(struct bn_team *team, int operation, int root, size_t nbytes, struct bn_buffers addresses);

/** Where those of another member lie, which has been heard in this call; until this member's next call.  If its call is
 * not that of this member, host.differs is asked first. */
const struct bn_buffers *bn_team_buffers_of(const struct bn_team *team, int rank);

/** Another member has given this one nbytes where it has called for own_nbytes. */
static inline void bn_team_got(struct bn_team *team, uint64_t nbytes, uint64_t own_nbytes)
{
    enum bn_fit fit = nbytes > own_nbytes ? BN_FIT_MORE : nbytes < own_nbytes ? BN_FIT_LESS : BN_FIT_EXACT;
    team->fit = fit > team->fit ? fit : team->fit;
}

/** What a member has said of the current call; null: nothing yet. */
const struct bn_said *bn_team_said(const struct bn_team *team, int rank);

/** What a member has said of the call after the current one; null: nothing yet. */
const struct bn_said *bn_team_said_next(const struct bn_team *team, int rank);

/** Says that this member makes a call past the team, as all should do; operation and root as bn_team_announce_call has
 * them.  Who waits for it in a call of the team learns so through host.differs, or, in a barrier, host.abandoned, after
 * half a second or two. */
void bn_team_call_elsewhere(struct bn_team *team, int operation, int root, size_t nbytes);

/** The call that a member has made past the team, and this one has not; null: there is none. */
const struct bn_said *bn_team_said_elsewhere(const struct bn_team *team, int rank);

/** Barriers of the team look for such members, too.  The team stays where it is from now on. */
void bn_team_watch_barriers(struct bn_team *team);

/** Announces that this member has reached step of the current operation; steps only grow. */
void bn_team_say(struct bn_team *team, uint32_t step);

/** The same about memory of this node alone: what the member has written to other nodes may still be on its way. */
void bn_team_say_to_node(struct bn_team *team, uint32_t step);

/** As bn_team_say, with a payload of at most BN_FLAG_PAYLOAD_BYTES beside it, which must be read before the member's
 * next announcement. */
void bn_team_announce(struct bn_team *team, const void *payload, size_t size_bytes, uint32_t step);

/** Copies the payload that a member announced; after bn_team_hear. */
void bn_team_read(const struct bn_team *team, int rank, void *payload, size_t size_bytes);

/** Waits until a member has reached step of the current operation; what it did before is visible then. */
void bn_team_hear(struct bn_team *team, int rank, uint32_t step);

/** As bn_team_hear, for all other members. */
void bn_team_hear_all(struct bn_team *team, uint32_t step);

/** Fills the slot of a rank with a payload of at most BN_FLAG_PAYLOAD_BYTES, or none, and a step, which only grows. */
void bn_slot_fill(struct bn_team *team, int rank, const void *payload, size_t size_bytes, uint32_t step);

/** Copies data of this node to memory of a rank, and fills its slot with a step and no payload. */
void bn_slot_deliver(struct bn_team *team, int rank, void *dst, const void *src, size_t size_bytes, uint32_t step);

/** The same, where the rank waits for it before it leaves the operation: nothing else waits until it has arrived. */
void bn_slot_hand_over(struct bn_team *team, int rank, void *dst, const void *src, size_t size_bytes, uint32_t step);

/** Where size_bytes lie that belong to the slot of a rank: in its payload, in its room (up to BN_TEAM_ROOM_BYTES), or
 * in its mail (up to BN_TEAM_MAIL_BYTES, in teams that have it). */
void *bn_slot_room(const struct bn_team *team, int rank, size_t size_bytes);

/** Waits until the slot of a rank has been filled with step or a later one.  If data have been left there where an
 * address is waited for, host.differs is asked. */
void bn_slot_await(struct bn_team *team, int rank, uint32_t step);

/** The step that it has been filled with. */
uint32_t bn_slot_step(const struct bn_team *team, int rank);

/** The same for an operation that this member has ended, in which that rank fills its own slot. */
void bn_slot_await_of(struct bn_team *team, int rank, uint64_t operation, uint32_t step);

/** The same for a slot of this node that another one fills than its member. */
void bn_slot_await_from(struct bn_team *team, int rank, int sender, uint32_t step);

/** Copies the payload of a slot that has been filled. */
void bn_slot_take(const struct bn_team *team, int rank, void *payload, size_t size_bytes);

/** The same for a piece of the payload, while others may still read the pieces before it. */
void bn_slot_fill_at(struct bn_team *team, int rank, size_t offset, const void *payload, size_t size_bytes,
                     uint32_t step);
void bn_slot_take_at(const struct bn_team *team, int rank, size_t offset, void *payload, size_t size_bytes);

/** As bn_team_say to one member, which hears it by bn_team_hear_told.  A member of another node is told by a message,
 * so that it need not ask for it; it must hear it before it leaves the operation. */
void bn_team_tell(struct bn_team *team, int rank, uint32_t step);

void bn_team_tell_all(struct bn_team *team, uint32_t step);

/** Waits until a member, or all others, have told this one a step, or a later one. */
void bn_team_hear_told(struct bn_team *team, int rank, uint32_t step);
void bn_team_hear_all_told(struct bn_team *team, uint32_t step);

/** The mail of a rank in the current operation: BN_TEAM_MAIL_BYTES, or what bn_team_begin_wide asked for. */
unsigned char *bn_mail_at(const struct bn_team *team, int rank);

/** Copies data of this node into the mail of a rank, and tells it a step, which only grows.  The rank, or a member of
 * its node, waits for that before the rank leaves the operation. */
void bn_mail_send(struct bn_team *team, int rank, size_t offset, const void *src, size_t size_bytes, uint32_t step);

/** Copies data of this node to memory of a rank, and tells it a step as bn_mail_send does. */
void bn_team_hand_over(struct bn_team *team, int rank, void *dst, const void *src, size_t size_bytes, uint32_t step);

/** Waits until a sender has told a rank of this node a step, or a later one. */
void bn_mail_await(struct bn_team *team, int rank, int sender, uint32_t step);

/** A buffer of this member that others see, of size_bytes or more; 0 if there is no room.  Its content is lost at the
 *  next call, and nobody may use it any more at the end of the operation. */
uint64_t bn_team_buffer_get(struct bn_team *team, size_t size_bytes);

/** Nobody uses the buffer any more: frees it if it is too large to be worth keeping. */
void bn_team_buffer_done(struct bn_team *team);

/** Sees to it that team->pieces are of piece_bytes or more; false: there is no memory. */
bool bn_team_pieces_get(struct bn_team *team, size_t piece_bytes);

#ifdef __cplusplus
}
#endif

#endif
