/*
 * letters.h: letters in shared memory, which carry messages between members of a team, and an inbox for each member.
 *
 * The sender makes a letter in its own heap and puts it into the receiver's inbox; the receiver takes out all letters
 * that have arrived, in order of arrival.  A letter is either followed by a copy of its data or has their address.  In
 * the latter case the receiver copies the data from there and then marks the letter as read.
 */
#ifndef BN_TEAM_LETTERS_H
#define BN_TEAM_LETTERS_H

#include "sync/wait.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The state of a letter without data:
 *     SENT -> TAKEN -> READ    by the receiver
 *     SENT -> WITHDRAWN        by the sender; then the receiver returns the letter */
enum bn_letter_state { BN_LETTER_SENT, BN_LETTER_TAKEN, BN_LETTER_READ, BN_LETTER_WITHDRAWN };

struct bn_letter {
    struct bn_letter *next; /* belongs to the holder of the letter: links the inbox, then the receiver's lists */
    uint64_t place;         /* of the data (platform/copy.h) */
    size_t bytes;
    int from, to, tag;
    uint32_t state;
    bool has_data;           /* the data follow: the sender is done with the letter, and the receiver returns it */
    struct bn_letter *other; /* the next one in the sender's list of letters that it waits for */
    unsigned char data[] __attribute__((aligned(BN_LINE_BYTES)));
};

/* All zero: empty.  The owner waits for the bell, whose cache line also has what others write. */
struct bn_inbox {
    struct bn_event bell;
};

/** Puts a letter into an inbox and wakes its owner.  By any member. */
void bn_inbox_put(struct bn_inbox *inbox, struct bn_letter *letter);

/** Takes all letters that have arrived, the oldest first; null: none.  By the owner.  @cost A load if there is none */
struct bn_letter *bn_inbox_take(struct bn_inbox *inbox);

/** Returns letters to the owner of the inbox, linked by next from first to last; does not wake it. */
void bn_inbox_return(struct bn_inbox *inbox, struct bn_letter *first, struct bn_letter *last);

/** Takes all returned letters, in any order; null: none.  By the owner.  @cost A load if there is none */
struct bn_letter *bn_inbox_take_returned(struct bn_inbox *inbox);

/** Tries to change the state from SENT to another one; false: it was no longer SENT. */
bool bn_letter_leave_sent(struct bn_letter *letter, enum bn_letter_state state);

#endif
