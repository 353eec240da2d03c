/* messages.h: messages between two members: a member's sends and receives in progress, and their matching. */
#ifndef BN_TEAM_MESSAGES_H
#define BN_TEAM_MESSAGES_H

#include "banyan/team.h"
#include "team/letters.h"

/* Letters that this member is going to return to another one, several at a time */
struct bn_owed {
    struct bn_letter *first, *last;
    size_t bytes;
};

/* A member's messages.  All zero: no team yet. */
struct bn_messages {
    struct bn_inbox *inboxes;           /* of all members, by rank; in shared memory */
    struct bn_letter *kept, **kept_end; /* letters that no receive has matched yet, in order */
    banyan_message *asked, *asked_last; /* receives that no letter has matched yet, in order */
    banyan_message *ended;              /* ended messages that the caller still has, and sends in progress */
    struct bn_letter *on_the_way;       /* letters of sends in progress */
    struct bn_letter *spare;            /* letters of the minimum size, for reuse */
    uint64_t away_bytes;                /* in letters that others hold */
    struct bn_owed *owed;               /* by rank */
    uint64_t next_look_ns;              /* when tests check next whether others are alive */
    uint32_t tests;
};

/** The number of bytes of zeroed shared memory needed for size members. */
size_t bn_messages_shared_bytes(int size);

/** Sets up a member's messages.  False: no memory. */
bool bn_messages_begin(banyan_team *team, void *shared);

/** Withdraws letters that nobody has taken; returns when nobody reads this member's memory any more.  Between calls. */
void bn_messages_withdraw(banyan_team *team);

/** Frees all messages, after bn_messages_withdraw, when the team is gone. */
void bn_messages_end(banyan_team *team);

/** Wakes waiting members, so that they notice that this one has ended. */
void bn_messages_wake_others(banyan_team *team);

/** Takes letters for pending receives; called while other calls wait. */
void bn_messages_progress(banyan_team *team);

#endif
