/* message.h: a message, and what messages.c, which transports it, provides for the calls in message_calls.c. */
#ifndef BN_TEAM_MESSAGE_H
#define BN_TEAM_MESSAGE_H

#include "team/letters.h"
#include "team/member.h"

struct banyan_message {
    banyan_message *before, *behind; /* in its list */
    struct bn_letter *letter;        /* of a send in progress */
    void *data;
    size_t bytes;
    int rank, tag;
    bool is_asked, has_ended; /* is_asked: a receive without a matching letter yet */
    banyan_status status;
    banyan_received received;
};

/* The arguments of a call */
struct bn_message_wish {
    const char *call;
    const void *send; /* for a send */
    void *recv;
    size_t bytes;
    int rank, tag;
    bool has_message; /* the caller gets the message, and waits for it later */
    banyan_message *message;
    banyan_received *received; /* or null */
    bool answer;
};

static inline struct bn_inbox *bn_inbox_of(const banyan_team *team, int rank)
{
    return &team->messages.inboxes[rank];
}

/** Begin a message and store it in the wish; null if there is nothing to wait for. */
banyan_status bn_message_post_send(banyan_team *team, struct bn_message_wish *wish);
banyan_status bn_message_post_receive(banyan_team *team, struct bn_message_wish *wish);

/** Takes all letters that have arrived; may leave the call by longjmp. */
void bn_messages_take_letters(banyan_team *team);

/** To be called when the letter of a message has been read. */
void bn_message_end_send(banyan_team *team, banyan_message *message);

/** To be called when a letter has been withdrawn. */
void bn_message_forget_letter(banyan_team *team, const struct bn_letter *letter);

/** Removes a message from its list, before it is freed. */
void bn_message_take_out(banyan_team *team, banyan_message *message);

#endif
