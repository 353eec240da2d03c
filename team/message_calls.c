/*
 * message_calls.c: the calls that send and receive (banyan/team.h), and how they wait.
 */
#include "platform/atomic_word.h"
#include "platform/clock.h"
#include "team/error.h"
#include "team/message.h"
#include "team/watch.h"

#include <stdlib.h>

enum { TESTS_PER_CLOCK = 256, LOOK_NS = 100000000 };

/* ---- Wait ---- */

static bool has_ended(banyan_team *team, banyan_message *message)
{
    if (message->letter && bn_word_see(&message->letter->state) == BN_LETTER_READ)
        bn_message_end_send(team, message);
    return message->has_ended;
}

/* A member that has ended, if all possible partners of the message have; -1: some have not */
static int ended_partner(const banyan_team *team, const banyan_message *message)
{
    const struct bn_team *members = &team->node->team;
    int ended = -1;
    if (message->rank != BANYAN_ANY_RANK)
        return message->rank != team->rank && bn_team_has_ended(members, message->rank) ? message->rank : -1;
    for (int rank = 0; rank < team->size; rank++) {
        if (rank != team->rank && !bn_team_has_ended(members, rank))
            return -1;
        ended = rank != team->rank ? rank : ended;
    }
    return ended;
}

/* Polls for the end of a message; leaves the call by longjmp if it can never end.  Letters that were sent before their
 * sender ended can still be taken. */
static bool look_at(banyan_team *team, banyan_message *message)
{
    bn_messages_take_letters(team);
    if (has_ended(team, message))
        return true;
    int ended = ended_partner(team, message);
    if (ended < 0)
        return false;
    bn_messages_take_letters(team);
    if (!has_ended(team, message))
        bn_watch_abandoned(NULL, ended);
    return true;
}

/* Whether this member itself would have to send or receive the message, which it cannot do while it waits */
static bool waits_for_itself(const banyan_team *team, const banyan_message *message)
{
    return message->rank == team->rank || (message->rank == BANYAN_ANY_RANK && team->size == 1);
}

static banyan_status wait_for(banyan_team *team, struct bn_message_wish *wish)
{
    struct bn_event *bell = &bn_inbox_of(team, team->rank)->bell;
    for (;;) {
        uint32_t rings = bn_event_value(bell);
        if (look_at(team, wish->message))
            return BANYAN_OK;
        if (waits_for_itself(team, wish->message))
            return bn_error(
                BANYAN_ARGUMENT,
                "%s: this member waits for itself: it would have to %s the message, which it cannot do while "
                "it waits",
                wish->call, wish->message->letter ? "receive" : "send");
        bn_event_wait(bell, rings + 1, &team->node->team.policy);
    }
}

/* Returns the result of a message that has ended, and frees the message. */
static banyan_status finish(banyan_team *team, struct bn_message_wish *wish)
{
    banyan_message *message = wish->message;
    banyan_status status = message->status;
    if (status != BANYAN_OK)
        bn_error(
            status,
            "%s: the message of rank %d with tag %d has %zu bytes, but there is room for only %zu; it can still be "
            "received",
            wish->call, message->received.rank, message->received.tag, message->received.bytes, message->bytes);
    if (wish->received)
        *wish->received = message->received;
    bn_message_take_out(team, message);
    free(message);
    wish->message = NULL;
    return status;
}

/* ---- Calls ---- */

static banyan_status do_cancel(banyan_team *team, void *context)
{
    struct bn_message_wish *wish = context;
    banyan_message *message = wish->message;
    wish->answer = false;
    if (!has_ended(team, message)) {
        struct bn_letter *letter = message->letter;
        wish->answer = !letter || bn_letter_leave_sent(letter, BN_LETTER_WITHDRAWN);
        if (letter && wish->answer)
            bn_message_forget_letter(team, letter);
        else if (letter)
            wait_for(team, wish);
    }
    bn_message_take_out(team, message);
    free(message);
    wish->message = NULL;
    return BANYAN_OK;
}

/* Waits for a message; one that the caller does not have is cancelled if that fails. */
static banyan_status wait_and_finish(banyan_team *team, struct bn_message_wish *wish)
{
    banyan_status status = wait_for(team, wish);
    if (status == BANYAN_OK)
        return finish(team, wish);
    if (!wish->has_message)
        do_cancel(team, wish);
    return status;
}

static banyan_status do_send(banyan_team *team, void *context)
{
    struct bn_message_wish *wish = context;
    banyan_status status = bn_message_post_send(team, wish);
    return status != BANYAN_OK || wish->has_message || !wish->message ? status : wait_and_finish(team, wish);
}

static banyan_status do_receive(banyan_team *team, void *context)
{
    struct bn_message_wish *wish = context;
    banyan_status status = bn_message_post_receive(team, wish);
    return status != BANYAN_OK || wish->has_message ? status : wait_and_finish(team, wish);
}

static banyan_status do_wait(banyan_team *team, void *context)
{
    return wait_and_finish(team, context);
}

static banyan_status do_test(banyan_team *team, void *context)
{
    struct bn_message_wish *wish = context;
    struct bn_messages *messages = &team->messages;
    wish->answer = look_at(team, wish->message);
    if (wish->answer)
        return finish(team, wish);
    if (++messages->tests % TESTS_PER_CLOCK == 0 && bn_clock_ns() >= messages->next_look_ns) {
        messages->next_look_ns = bn_clock_ns() + LOOK_NS;
        bn_watch_others(team);
    }
    return BANYAN_OK;
}

static banyan_status check_partner(const banyan_team *team, const struct bn_message_wish *wish, bool is_send)
{
    bool is_any = !is_send && wish->rank == BANYAN_ANY_RANK;
    bool is_any_tag = !is_send && wish->tag == BANYAN_ANY_TAG;
    if (!is_any && (wish->rank < 0 || wish->rank >= team->size))
        return bn_error(BANYAN_ARGUMENT, "%s: ranks are 0 to %d, not %d", wish->call, team->size - 1, wish->rank);
    if (!is_any_tag && wish->tag < 0)
        return bn_error(BANYAN_ARGUMENT, "%s: a tag is 0 or more, not %d", wish->call, wish->tag);
    if (bn_is_too_large(1, wish->bytes))
        return bn_error(BANYAN_ARGUMENT, "%s: %zu bytes is larger than any buffer", wish->call, wish->bytes);
    if (wish->bytes > 0 && !(is_send ? wish->send : wish->recv))
        return bn_error(BANYAN_ARGUMENT, "%s: the buffer is null", wish->call);
    return BANYAN_OK;
}

static banyan_status begin_message(banyan_team *team, struct bn_message_wish *wish, bool is_send,
                                   banyan_message **message_p)
{
    if (wish->has_message && !message_p)
        return bn_error(BANYAN_ARGUMENT, "%s: the pointer to the message is null", wish->call);
    banyan_status status = bn_member_begin(team);
    if (status != BANYAN_OK)
        return status;
    status = check_partner(team, wish, is_send);
    if (status == BANYAN_OK)
        status = bn_member_call(team, is_send ? do_send : do_receive, wish);
    if (status == BANYAN_OK && message_p)
        *message_p = wish->message;
    bn_member_end(team);
    return status;
}

banyan_status banyan_send(banyan_team *team, const void *data, size_t bytes, int to, int tag)
{
    struct bn_message_wish wish = {.call = "banyan_send", .send = data, .bytes = bytes, .rank = to, .tag = tag};
    return begin_message(team, &wish, true, NULL);
}

banyan_status banyan_recv(banyan_team *team, void *data, size_t bytes, int from, int tag, banyan_received *received)
{
    struct bn_message_wish wish = {
        .call = "banyan_recv", .recv = data, .bytes = bytes, .rank = from, .tag = tag, .received = received};
    return begin_message(team, &wish, false, NULL);
}

banyan_status banyan_post_send(banyan_team *team, const void *data, size_t bytes, int to, int tag,
                               banyan_message **message_p)
{
    struct bn_message_wish wish = {
        .call = "banyan_post_send", .send = data, .bytes = bytes, .rank = to, .tag = tag, .has_message = true};
    return begin_message(team, &wish, true, message_p);
}

banyan_status banyan_post_recv(banyan_team *team, void *data, size_t bytes, int from, int tag,
                               banyan_message **message_p)
{
    struct bn_message_wish wish = {
        .call = "banyan_post_recv", .recv = data, .bytes = bytes, .rank = from, .tag = tag, .has_message = true};
    return begin_message(team, &wish, false, message_p);
}

/* Makes a call on a message that the caller has; sets the caller's pointer to null when the message is freed. */
static banyan_status carry_on(banyan_team *team, banyan_message **message_p, struct bn_message_wish *wish,
                              banyan_status (*body)(banyan_team *team, void *context))
{
    if (!message_p)
        return bn_error(BANYAN_ARGUMENT, "%s: the message is null", wish->call);
    wish->answer = true;
    if (!*message_p)
        return BANYAN_OK;
    banyan_status status = bn_member_begin(team);
    if (status != BANYAN_OK)
        return status;
    wish->message = *message_p;
    wish->has_message = true;
    status = bn_member_call(team, body, wish);
    *message_p = wish->message;
    bn_member_end(team);
    return status;
}

banyan_status banyan_wait(banyan_team *team, banyan_message **message_p, banyan_received *received)
{
    struct bn_message_wish wish = {.call = "banyan_wait", .received = received};
    return carry_on(team, message_p, &wish, do_wait);
}

banyan_status banyan_test(banyan_team *team, banyan_message **message_p, bool *has_ended_p, banyan_received *received)
{
    struct bn_message_wish wish = {.call = "banyan_test", .received = received};
    banyan_status status = carry_on(team, message_p, &wish, do_test);
    if (has_ended_p)
        *has_ended_p = wish.answer;
    return status;
}

banyan_status banyan_cancel(banyan_team *team, banyan_message **message_p, bool *is_cancelled_p)
{
    struct bn_message_wish wish = {.call = "banyan_cancel"};
    bool has_message = message_p && *message_p;
    banyan_status status = carry_on(team, message_p, &wish, do_cancel);
    if (is_cancelled_p)
        *is_cancelled_p = has_message && status == BANYAN_OK && wish.answer;
    return status;
}
