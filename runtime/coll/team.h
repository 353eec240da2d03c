/*
 * team.h: the members of a team, which carry out operations together, and how they signal their progress to each other.
 *
 * Members are ranks 0 .. size-1.  Each is a thread or process and has its own struct bn_team; they share the control
 * memory, which holds a barrier and some cache lines per member.  The memory that operations work on is named by
 * places.  If all members see it at the same addresses, a place is an address, and the memory of rank r lies at the
 * address of rank 0's plus r * stride; otherwise each member announces its places (docs/design/011-reach.md).
 *
 * The members call the same operations in the same order.  An operation that needs flags takes a number, and uses
 * these:
 *
 *     progress   per member, written by it alone, read by anybody: (operation, step), which only grows
 *     slots      per member, used in turn by operation number; in one operation each has one writer, either the member
 *                itself or the one that it gets data from; has room for a small payload next to the number
 *     rooms      per member and slot, in teams on one machine: for payloads that do not fit into the slot
 *     mail       per member, in teams over several nodes: room for larger data, used in turn as slots are, and a flag
 *                for each sender
 *     stages     per member, if the host provides them: memory through which blocks of any size pass in pieces
 *                (stage.h)
 *
 * One rule keeps all of this correct: no member begins operation k before all have ended operation k - BN_TEAM_WINDOW.
 * A member that would break this rule waits in a barrier (bn_team_begin), as all others do at the same point.  So by
 * the time a slot is reused, all members have read it.
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
    BN_TEAM_WINDOW = 16,                /* how many operations members may be apart; a power of two */
    BN_TEAM_CALLS = 2 * BN_TEAM_WINDOW, /* how many calls they may be apart in teams that announce buffers: each call
                                           takes a number or passes a barrier */
    BN_TEAM_STEP_BITS = 16,             /* steps of an operation */
    BN_TEAM_ROOM_BYTES = 8192,          /* of the room that belongs to a slot, on one machine */
    BN_TEAM_MAIL_BYTES = 65536,         /* of one operation */
    BN_TEAM_WIDE_MAIL_BYTES = 8 * BN_TEAM_MAIL_BYTES, /* of an operation that takes several slots */
    BN_TEAM_MAIL_MEMBERS = 1024,                      /* limit for teams with mail */
    BN_STAGE_PIECES = 8,                              /* per member, used in turn */
    BN_POSTED = 1 << 14, /* first of the slot steps that mean data have been left next to the slot (posted.h) */
};

/* Where a member's data lie, as places (bn_team_place) */
struct bn_buffers {
    uint64_t dst, src;
};

/* What a member announces about a call, in teams that announce their buffers */
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

/* Whether two announcements of the same call contradict each other */
static inline bool bn_said_differ(const struct bn_said *left, const struct bn_said *right)
{
    return ((left->what ^ right->what) | (left->nbytes ^ right->nbytes)) != 0;
}

/* How the size that a member received in an operation compares with the size that it asked for; a mismatch is a bug of
 * the program */
enum bn_fit {
    BN_FIT_EXACT, /* or no mismatch was noticed */
    BN_FIT_LESS,  /* the missing part of the buffer was left unchanged */
    BN_FIT_MORE,  /* the excess was dropped */
};

/* The part of a member's state that the others see */
struct bn_member_lines {
    struct bn_flag progress;
    struct bn_flag slots[BN_TEAM_WINDOW];
    uint64_t left __attribute__((aligned(BN_LINE_BYTES))); /* number of its last operation plus 1; 0: it has not left */
    uint64_t meets; /* where it has waited for long in a barrier, if that is watched; 0: it does not */
    struct bn_said said[BN_TEAM_CALLS] __attribute__((aligned(BN_LINE_BYTES))); /* if the team announces its buffers */
    struct bn_said elsewhere __attribute__((aligned(BN_LINE_BYTES))); /* its last call that bypassed the team */
};

/* Room for data that do not fit into a slot, in teams on one machine */
struct bn_member_rooms {
    unsigned char of_slots[BN_TEAM_WINDOW][BN_TEAM_ROOM_BYTES] __attribute__((aligned(BN_LINE_BYTES)));
};

/* Room for data sent to a member that may not have entered yet.  The member's slot announces the data; if several
 * members write to different parts of the mail in one operation, each has a flag. */
struct bn_member_mail {
    unsigned char of_slots[BN_TEAM_WINDOW][BN_TEAM_MAIL_BYTES];
    struct bn_flag from[BN_TEAM_MAIL_MEMBERS]; /* by the rank of the sender */
};

/* How members access each other's announced memory (docs/design/011-reach.md).  The same for all members. */
enum bn_reach {
    BN_REACH_MAPPED, /* by load and store */
    BN_REACH_KERNEL, /* the kernel copies it */
    BN_REACH_STAGES, /* the kernel cannot copy it: stages are best */
    BN_REACH_HEAP,   /* the kernel copies it, but most large blocks are mapped */
    BN_REACH_COUNT
};

struct bn_team;
struct bn_call;
struct bn_fold;

/*
 * Collectives of an underlying library among all members; a null pointer where it has none.  All members call, with a
 * turn below BN_TEAM_WINDOW that no call still running on any member uses. dst, src and nbytes of a call are multiples
 * of BN_NATIVE_WORD_BYTES.
 */
struct bn_team_native {
    /* The root writes its own dst. */
    void (*broadcast)(struct bn_team *team, const struct bn_call *call, unsigned turn);
    void (*gather_all)(struct bn_team *team, const struct bn_call *call, unsigned turn);
    void (*exchange)(struct bn_team *team, const struct bn_call *call, unsigned turn);
    bool (*can_fold)(const struct bn_fold *fold);
    /* Afterwards call->fold has the result on all members. */
    void (*fold)(struct bn_team *team, const struct bn_call *call, unsigned turn);
};
enum { BN_NATIVE_WORD_BYTES = 4 };

/* What a team needs from the layer above, called on the member that needs it.  A null function is not available. */
struct bn_team_host {
    void *context;
    /* Allocates memory that all members see; 0: there is no room */
    uint64_t (*alloc)(void *context, size_t size_bytes);
    void (*release)(void *context, uint64_t address);
    /* Returns where the members are, or null, reported, if that cannot be found out.  The hierarchy must last as long
     * as the team. */
    const struct bn_hierarchy *(*find_hierarchy)(void *context);
    const struct bn_team_native *native;
    /* Called when this member waits in an operation that another one left before entering (bn_team_abandon); does not
     * return.  Null: nobody leaves. */
    void (*abandoned)(void *context, int rank);
    /* Called when another member's announcement of the current call contradicts this one's in the operation, the root
     * or the size, so that the call cannot end.  If the function returns, the call goes on.  Null: nobody wants to
     * know. */
    void (*differs)(void *context, int rank, const struct bn_said *theirs, const struct bn_said *own);
};

/* A buffer that other members see; kept for the next operation unless it is large */
struct bn_team_buffer {
    uint64_t address;
    size_t size_bytes;
};

/* Two adjacent pieces of private memory of a member, for intermediate data; kept */
struct bn_team_pieces {
    unsigned char *memory; /* aligned to BN_LINE_BYTES */
    size_t piece_bytes;
};

/* Last use of a piece of a stage: who had to read it (-1: all others), and the operation and step that they announce
 * once they have; step 0: not used yet */
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
    int core_count;  /* shared by the members */
    uint64_t stride; /* bytes between the memory of two consecutive ranks */
    struct bn_wait_policy policy;
    struct bn_barrier *barrier;
    struct bn_barrier_member member;
    struct bn_barrier_lines *barrier_lines;
    struct bn_barrier_tree barrier_groups; /* made when a barrier kind needs them */
    struct bn_member_lines *lines;         /* of rank 0 */
    uint64_t line_stride;                  /* bytes between the lines of two consecutive ranks */
    struct bn_member_rooms *rooms;         /* rank 0's, the others follow; null: mail is used instead */
    struct bn_member_mail *mail;           /* of rank 0; null: there is none */
    uint64_t mail_stride;
    struct bn_member_stage *stages; /* rank 0's, the others follow; set by the host; null: there are none */
    uint64_t stage_turn;            /* rounds so far, in each of which a member may post a piece */
    struct bn_stage_use stage_uses[BN_STAGE_PIECES];
    int node_count;     /* machines that the members are on */
    int largest_node;   /* number of members on the machine that has the most */
    uint64_t operation; /* number of the current operation; stays below 2^48, enough for months */
    unsigned mail_slot; /* first slot of the current operation's mail */
    bool announces;     /* in each call, each member announces where its buffers lie */
    enum bn_reach reach;
    uint64_t call;                       /* number of the current call, if the team announces */
    uint32_t elsewhere;                  /* calls made that bypassed the team */
    int (*own_operation)(void *context); /* if barriers are watched (bn_team_watch_barriers) */
    uint64_t process; /* ORed into an address of this member to make a place; 0: the others see all its memory */
    uint64_t mapped_begin, mapped_bytes; /* the part of its memory that the others always see */
    uint32_t since_barrier;              /* operations begun since the last barrier, this one included */
    struct bn_team_host host;
    struct bn_team_buffer buffer;
    struct bn_team_pieces pieces;
    struct bn_plans *plans;
    bn_status_t status;        /* of the current operation, if it turns out that it cannot be carried out */
    enum bn_fit fit;           /* the worst of all operations since it was last set to BN_FIT_EXACT */
    void (*before_step)(void); /* called where members synchronise; null except in tests, which delay members there */
};

/** Bytes of control memory for size members.  The memory must be aligned to BN_LINE_BYTES, zeroed, and seen by all
 * members. */
size_t bn_team_control_bytes(int size);

/** Initialises the control memory; called once, before any member joins. */
void bn_team_control_init(void *control, int size, struct bn_wait_policy policy);

/** Returns the view of one rank. policy as given to bn_team_control_init. */
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

/** As bn_team_join, for teams in which each member's lines lie in its own memory. */
struct bn_team bn_team_join_apart(const struct bn_team_memory *memory, int rank, int size, uint64_t stride,
                                  int core_count, struct bn_wait_policy policy);

/** Frees what the member holds, except its plans (call bn_plans_destroy first).  The view cannot be used afterwards. */
void bn_team_leave(struct bn_team *team);

/** Sets the kind of the team's barriers from now on.  Called by all members at the same point.
 *  @errors BN_ERR_INVALID, BN_ERR_MEMORY: the kind needs to know where the members are, and that cannot be found out;
 * or the team spans several nodes, where barriers have only one kind.  Reported. */
bn_status_t bn_team_choose_barrier(struct bn_team *team, enum bn_barrier_kind kind);

/** Waits until all members are here. */
void bn_team_barrier(struct bn_team *team);

/** Whether this member waits in a barrier. */
static inline bool bn_team_is_in_barrier(const struct bn_team *team)
{
    return team->member.has_notified;
}

/** This member will begin no more operations.  A member of the same node that waits, now or later, in an operation that
 * this one has not begun or in a barrier of the team is told by host.abandoned after half a second; a member of another
 * node that waits for this one is told after ten seconds. */
void bn_team_abandon(struct bn_team *team);

/** The same in the middle of an operation, which this member will not end: members that wait in it are told, too. */
void bn_team_give_up(struct bn_team *team);

/** Returns a member of this node that has ended (bn_team_abandon, bn_team_give_up) before or in the current operation;
 * -1: none has. */
int bn_team_find_ended(const struct bn_team *team);

/** Whether a member has called bn_team_abandon or bn_team_give_up. */
bool bn_team_has_ended(const struct bn_team *team, int rank);

/** Takes the number of the next operation that uses flags.  Returns true if that took a barrier, so that all members
 *  have entered; the result is the same on all members. */
bool bn_team_begin(struct bn_team *team);

/** The same for an operation whose mail may take more than BN_TEAM_MAIL_BYTES, up to BN_TEAM_WIDE_MAIL_BYTES: takes as
 * many operation numbers as it needs, and with them their mail.  All members give the same size. */
bool bn_team_begin_wide(struct bn_team *team, size_t mail_bytes);

/** Memory of a rank, given the address of rank 0's. */
static inline unsigned char *bn_team_at(const struct bn_team *team, uint64_t address, int rank)
{
    return (unsigned char *)(address + (uint64_t)rank * team->stride);
}

/** The rank that is distance (up to size) further on, modulo the team's size. */
static inline int bn_team_rotate(const struct bn_team *team, int rank, int distance)
{
    int sum = rank + distance;
    return sum < team->size ? sum : sum - team->size;
}

/** The place that names memory of this member to all members: its address, if they see it there. */
static inline uint64_t bn_team_place(const struct bn_team *team, const void *address)
{
    uint64_t number = (uint64_t)address;
    return number - team->mapped_begin < team->mapped_bytes ? number : number | team->process;
}

/** Announces the call that begins, and where this member's data lie (addresses or 0); comes before anything else in the
 * call. operation is a number below 256. root, below 2^24, is anything else that must be the same on all members; 0 if
 * there is nothing. */
void bn_team_announce_call(struct bn_team *team, int operation, int root, size_t nbytes, struct bn_buffers addresses);

/** The buffers of another member that this one has heard in this call; valid until this member's next call.  If the two
 * members' calls differ, host.differs is called first. */
const struct bn_buffers *bn_team_buffers_of(const struct bn_team *team, int rank);

/** Records that this member received nbytes although it asked for own_nbytes. */
static inline void bn_team_got(struct bn_team *team, uint64_t nbytes, uint64_t own_nbytes)
{
    enum bn_fit fit = nbytes > own_nbytes ? BN_FIT_MORE : nbytes < own_nbytes ? BN_FIT_LESS : BN_FIT_EXACT;
    team->fit = fit > team->fit ? fit : team->fit;
}

/** What a member has announced about the current call; null: nothing yet. */
const struct bn_said *bn_team_said(const struct bn_team *team, int rank);

/** What a member has announced about the call after the current one; null: nothing yet. */
const struct bn_said *bn_team_said_next(const struct bn_team *team, int rank);

/** Announces that this member makes a call that bypasses the team, which all members should make; operation and root as
 * for bn_team_announce_call.  A member that waits for it in a call of the team is told by host.differs, or in a barrier
 * by host.abandoned, after half a second. */
void bn_team_call_elsewhere(struct bn_team *team, int operation, int root, size_t nbytes);

/** The call bypassing the team that a member has made and this one has not; null: there is none. */
const struct bn_said *bn_team_said_elsewhere(const struct bn_team *team, int rank);

/** Makes barriers of the team look for such members, too, and for members that have announced a call instead of
 * entering the barrier (host.abandoned); members that wait in that call notice the barrier (host.differs).
 * own_operation returns the operation that the member is carrying out, given the context of the host.  The struct must
 * not move from now on. */
void bn_team_watch_barriers(struct bn_team *team, int (*own_operation)(void *context));

/** Announces that this member has reached step of the current operation; steps only grow. */
void bn_team_say(struct bn_team *team, uint32_t step);

/** The same, but only for data in memory of this node: what the member has written to other nodes may still be in
 * transit. */
void bn_team_say_to_node(struct bn_team *team, uint32_t step);

/** As bn_team_say, together with a payload of at most BN_FLAG_PAYLOAD_BYTES, which must be read before the member's
 * next announcement. */
void bn_team_announce(struct bn_team *team, const void *payload, size_t size_bytes, uint32_t step);

/** Copies the payload that a member announced; after bn_team_hear. */
void bn_team_read(const struct bn_team *team, int rank, void *payload, size_t size_bytes);

/** Waits until a member has reached step of the current operation; what the member did before is then visible. */
void bn_team_hear(struct bn_team *team, int rank, uint32_t step);

/** As bn_team_hear, for all other members. */
void bn_team_hear_all(struct bn_team *team, uint32_t step);

/** Fills the slot of a rank with a payload of at most BN_FLAG_PAYLOAD_BYTES, or none, and a step, which only grows. */
void bn_slot_fill(struct bn_team *team, int rank, const void *payload, size_t size_bytes, uint32_t step);

/** Copies data of this node to memory of a rank, and fills its slot with a step and no payload. */
void bn_slot_deliver(struct bn_team *team, int rank, void *dst, const void *src, size_t size_bytes, uint32_t step);

/** The same if the rank waits for the data before it leaves the operation; nothing else may rely on their arrival. */
void bn_slot_hand_over(struct bn_team *team, int rank, void *dst, const void *src, size_t size_bytes, uint32_t step);

/** Where size_bytes of data for the slot of a rank are stored: in its payload, in its room (up to BN_TEAM_ROOM_BYTES),
 * or in its mail (up to BN_TEAM_MAIL_BYTES, in teams that have mail). */
void *bn_slot_room(const struct bn_team *team, int rank, size_t size_bytes);

/** Waits until the slot of a rank has been filled with step or a later one.  If this member waits for an address but
 * data have been left there, host.differs is called. */
void bn_slot_await(struct bn_team *team, int rank, uint32_t step);

/** The step that it has been filled with. */
uint32_t bn_slot_step(const struct bn_team *team, int rank);

/** bn_slot_await for an operation that this member has ended, in which that rank fills its own slot. */
void bn_slot_await_of(struct bn_team *team, int rank, uint64_t operation, uint32_t step);

/** bn_slot_await for a slot of this node that is filled by sender rather than by its own member. */
void bn_slot_await_from(struct bn_team *team, int rank, int sender, uint32_t step);

/** Copies the payload of a slot that has been filled. */
void bn_slot_take(const struct bn_team *team, int rank, void *payload, size_t size_bytes);

/** Like bn_slot_fill and bn_slot_take, for the bytes from offset on; earlier pieces may still be being read. */
void bn_slot_fill_at(struct bn_team *team, int rank, size_t offset, const void *payload, size_t size_bytes,
                     uint32_t step);
void bn_slot_take_at(const struct bn_team *team, int rank, size_t offset, void *payload, size_t size_bytes);

/** As bn_team_say, to one member, which waits by bn_team_hear_told.  A member of another node gets a message, so that
 * it need not poll over the network; it must wait for it before it leaves the operation. */
void bn_team_tell(struct bn_team *team, int rank, uint32_t step);

void bn_team_tell_all(struct bn_team *team, uint32_t step);

/** Wait until a member, or all others, have told this one a step or a later one. */
void bn_team_hear_told(struct bn_team *team, int rank, uint32_t step);
void bn_team_hear_all_told(struct bn_team *team, uint32_t step);

/** The mail of a rank in the current operation: BN_TEAM_MAIL_BYTES, or what bn_team_begin_wide asked for. */
unsigned char *bn_mail_at(const struct bn_team *team, int rank);

/** Copies data of this node into the mail of a rank, and tells it a step, which only grows.  The rank, or a member of
 * its node, must wait for that before the rank leaves the operation. */
void bn_mail_send(struct bn_team *team, int rank, size_t offset, const void *src, size_t size_bytes, uint32_t step);

/** Copies data of this node to memory of a rank, and tells it a step as bn_mail_send does. */
void bn_team_hand_over(struct bn_team *team, int rank, void *dst, const void *src, size_t size_bytes, uint32_t step);

/** Waits until a sender has told a rank of this node a step, or a later one. */
void bn_mail_await(struct bn_team *team, int rank, int sender, uint32_t step);

/** Returns a buffer of this member that others see, of size_bytes or more; 0 if there is no room.  Its content is lost
 *  at the next call, and at the end of the operation nobody may be using it any more. */
uint64_t bn_team_buffer_get(struct bn_team *team, size_t size_bytes);

/** Called when nobody uses the buffer any more; frees it if it is too large to be worth keeping. */
void bn_team_buffer_done(struct bn_team *team);

/** Ensures that each of team->pieces has piece_bytes or more; false: there is no memory. */
bool bn_team_pieces_get(struct bn_team *team, size_t piece_bytes);

#ifdef __cplusplus
}
#endif

#endif
