/*
 * letters.h: what one member of a team hands another one: letters in shared memory, and an inbox for each member.
 *
 * Who sends makes a letter in its own heap and puts it into the inbox of who receives, which takes out all that have
 * come, in the order in which they came.  A letter has a copy of its data behind it, or says where they lie, from where
 * who receives takes them, and says so.
 */
#ifndef BN_TEAM_LETTERS_H
#define BN_TEAM_LETTERS_H

#include "sync/wait.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of a letter without data:
 *     SENT -> TAKEN -> READ    by who receives
 *     SENT -> WITHDRAWN        by who has sent; who receives gives the letter back then */
enum bn_letter_state { BN_LETTER_SENT, BN_LETTER_TAKEN, BN_LETTER_READ, BN_LETTER_WITHDRAWN };

struct bn_letter {
    struct bn_letter *next; /* of who has it: in the inbox, and then as who receives wants it */
    uint64_t place;         /* of the data (platform/copy.h) */
    size_t bytes;
    int from, to, tag;
    uint32_t state;
    bool has_data;           /* who has sent it has done with it, and who receives gives it back */
    struct bn_letter *other; /* the next one that who has sent it waits for */
    unsigned char data[] __attribute__((aligned(BN_LINE_BYTES)));
};

/* Zeroed: empty.  Its owner waits for the bell, whose line has what others write. */
struct bn_inbox {
    struct bn_event bell;
};

/** By any member.  The owner is woken. */
void bn_inbox_put(struct bn_inbox *inbox, struct bn_letter *letter);

/** By the owner: all letters that have come, the oldest first; null: none.  @cost A load if there is none. */
struct bn_letter *bn_inbox_take(struct bn_inbox *inbox);

/** Gives letters of the owner back, from first to last by next; the owner is not woken. */
void bn_inbox_return(struct bn_inbox *inbox, struct bn_letter *first, struct bn_letter *last);

/** By the owner: all that were given back, in any order; null: none.  @cost A load if there is none. */
struct bn_letter *bn_inbox_take_returned(struct bn_inbox *inbox);

/** Tries to go from SENT to another state. */
bool bn_letter_leave_sent(struct bn_letter *letter, enum bn_letter_state state);

#endif
