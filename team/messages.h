/* messages.h: messages between two members: what a member has sent and asked for, and how both meet. */
#ifndef BN_TEAM_MESSAGES_H
#define BN_TEAM_MESSAGES_H

#include "banyan/team.h"
#include "team/letters.h"

/* Letters of a member that this one gives back, some at once */
struct bn_owed {
    struct bn_letter *first, *last;
    size_t bytes;
};

/* As a member has them.  All zero: there is no team yet. */
struct bn_messages {
    struct bn_inbox *inboxes;           /* of all members, by rank, in shared memory */
    struct bn_letter *kept, **kept_end; /* that have come, and nobody has asked for, in order */
    banyan_message *asked, *asked_last; /* receives that nothing has come for, in order */
    banyan_message *ended;              /* that the caller still has, and sends on their way */
    struct bn_letter *on_the_way;       /* of sends that have not ended */
    struct bn_letter *spare;            /* letters of the least size, to be used again */
    uint64_t away_bytes;                /* of letters that others have */
    struct bn_owed *owed;               /* to each member */
    uint64_t next_look_ns;              /* of tests that wait for nothing, at the others */
    uint32_t tests;
};

/** Bytes of zeroed shared memory for size members. */
size_t bn_messages_shared_bytes(int size);

/** False: no memory. */
bool bn_messages_begin(banyan_team *team, void *shared);

/** Letters that nobody has taken are taken back; returns when nobody reads this member's memory any more.  Between
 * calls. */
void bn_messages_withdraw(banyan_team *team);

/** After it, when the team has gone. */
void bn_messages_end(banyan_team *team);

/** Others that wait are to see that this member has ended. */
void bn_messages_wake_others(banyan_team *team);

/** Takes what has come for receives that were asked for; by waits of other calls. */
void bn_messages_progress(banyan_team *team);

#endif
