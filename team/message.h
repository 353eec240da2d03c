/* message.h: one message, and what those that carry it (messages.c) do for calls (message_calls.c). */
#ifndef BN_TEAM_MESSAGE_H
#define BN_TEAM_MESSAGE_H

#include "team/letters.h"
#include "team/member.h"

struct banyan_message {
    banyan_message *before, *behind; /* in its list */
    struct bn_letter *letter;        /* of a send that is on its way */
    void *data;
    size_t bytes;
    int rank, tag;
    bool is_asked, has_ended; /* asked: a receive that nothing has come for */
    banyan_status status;
    banyan_received received;
};

/* What a call wants */
struct bn_message_wish {
    const char *call;
    const void *send; /* of a send */
    void *recv;
    size_t bytes;
    int rank, tag;
    bool has_message; /* for which the caller waits later */
    banyan_message *message;
    banyan_received *received; /* or null */
    bool answer;
};

static inline struct bn_inbox *bn_inbox_of(const banyan_team *team, int rank)
{
    return &team->messages.inboxes[rank];
}

/** Begin a message; the wish has it then, or none if there is nothing to wait for. */
banyan_status bn_message_post_send(banyan_team *team, struct bn_message_wish *wish);
banyan_status bn_message_post_receive(banyan_team *team, struct bn_message_wish *wish);

/** Takes all that have come; may leave the call for good. */
void bn_messages_take_letters(banyan_team *team);

/** When the letter of a message has been read. */
void bn_message_end_send(banyan_team *team, banyan_message *message);

/** When a letter has been withdrawn. */
void bn_message_forget_letter(banyan_team *team, const struct bn_letter *letter);

/** From the lists of its member, before it is freed. */
void bn_message_take_out(banyan_team *team, banyan_message *message);

#endif
