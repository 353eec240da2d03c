/*
 * messages.c: transport of messages between members; the calls for them are in message_calls.c.
 *
 * The receiver does all the work: whenever it calls or waits, it takes letters out of its inbox, matches them with its
 * receives, and copies the data from the sender's memory (docs/design/021-callers.md).
 */
#include "team/message.h"

#include "platform/atomic_word.h"
#include "platform/copy.h"
#include "platform/pause.h"
#include "team/error.h"
#include "transport/kernel.h"

#include <stdlib.h>
#include <string.h>

enum {
    COPY_BYTES = 8 << 10, /* up to this size, letters contain the data: two copies cost less than waiting for one */
    COPY_MAPPED_BYTES = 1 << 10,  /* the same for shared memory, from which the receiver copies directly */
    COPY_SLOWLY_BYTES = 64 << 10, /* the same if data cannot be moved without the sender's help */
    AWAY_BYTES_MAX = 32 << 20,    /* in letters that others hold; then sends are no longer copied, but wait */
    RETURN_BYTES = 8 << 10,       /* letters are returned to a member when this much has accumulated */
    LETTER_BYTES = 512,           /* minimum size of a letter's memory */
    LOOKS_PER_YIELD = 64,
    YIELDS_PER_LOOK = 256, /* between checks whether a member is alive */
};

/* ---- Memory ---- */

size_t bn_messages_shared_bytes(int size)
{
    return (size_t)size * sizeof(struct bn_inbox);
}

bool bn_messages_begin(banyan_team *team, void *shared)
{
    struct bn_messages *messages = &team->messages;
    messages->inboxes = shared;
    messages->kept_end = &messages->kept;
    messages->owed = calloc((size_t)team->size, sizeof *messages->owed);
    if (!messages->owed)
        return false;
    if (team->world) { /* lets requests for a member's data wake it while it waits for messages */
        bn_kernel_use(bn_world_kernel(team->world));
        *bn_kernel_bed() = (uint64_t)&bn_inbox_of(team, team->rank)->bell.value;
        bn_kernel_use(NULL);
    }
    return true;
}

static size_t bytes_of(const struct bn_letter *letter)
{
    size_t bytes = sizeof *letter + (letter->has_data ? letter->bytes : 0);
    return bytes < LETTER_BYTES ? LETTER_BYTES : bytes;
}

static void give_memory(banyan_team *team, struct bn_letter *letter)
{
    const struct bn_team_host *host = &team->node->team.host;
    if (bytes_of(letter) == LETTER_BYTES) {
        letter->next = team->messages.spare;
        team->messages.spare = letter;
    } else {
        host->release(host->context, (uint64_t)letter);
    }
}

/* Recycles returned letters.  Recently used ones, which are in the cache, are reused first. */
static void collect(banyan_team *team)
{
    for (struct bn_letter *letter = bn_inbox_take_returned(bn_inbox_of(team, team->rank)), *next; letter;
         letter = next) {
        next = letter->next;
        team->messages.away_bytes -= letter->has_data ? bytes_of(letter) : 0;
        give_memory(team, letter);
    }
}

static struct bn_letter *take_memory(banyan_team *team, size_t bytes)
{
    const struct bn_team_host *host = &team->node->team.host;
    struct bn_letter *spare = team->messages.spare;
    if (bytes == LETTER_BYTES && spare) {
        team->messages.spare = spare->next;
        return spare;
    }
    return (struct bn_letter *)(team->world ? bn_world_take(team->world, bytes) : host->alloc(host->context, bytes));
}

/* Returns a letter to its sender; by the receiver. */
static void give_back(banyan_team *team, struct bn_letter *letter)
{
    struct bn_owed *owed = &team->messages.owed[letter->from];
    letter->next = owed->first;
    owed->first = letter;
    if (!letter->next)
        owed->last = letter;
    owed->bytes += bytes_of(letter);
    if (owed->bytes >= RETURN_BYTES) {
        bn_inbox_return(bn_inbox_of(team, letter->from), owed->first, owed->last);
        *owed = (struct bn_owed){NULL, NULL, 0};
    }
}

/* ---- Lists ---- */

static void append(banyan_team *team, banyan_message *message)
{
    struct bn_messages *messages = &team->messages;
    message->before = message->is_asked ? messages->asked_last : NULL;
    message->behind = message->is_asked ? NULL : messages->ended;
    if (message->before)
        message->before->behind = message;
    else if (message->is_asked)
        messages->asked = message;
    if (message->behind)
        message->behind->before = message;
    if (message->is_asked)
        messages->asked_last = message;
    else
        messages->ended = message;
}

void bn_message_take_out(banyan_team *team, banyan_message *message)
{
    struct bn_messages *messages = &team->messages;
    if (message->before)
        message->before->behind = message->behind;
    else if (message->is_asked)
        messages->asked = message->behind;
    else
        messages->ended = message->behind;
    if (message->behind)
        message->behind->before = message->before;
    else if (message->is_asked)
        messages->asked_last = message->before;
}

static void end_receive(banyan_team *team, banyan_message *message, const struct bn_letter *letter,
                        banyan_status status)
{
    if (message->is_asked)
        bn_message_take_out(team, message);
    message->is_asked = false;
    append(team, message);
    message->has_ended = true;
    message->status = status;
    message->received = (banyan_received){letter->from, letter->tag, letter->bytes};
}

static void free_list(banyan_message *message)
{
    while (message) {
        banyan_message *behind = message->behind;
        free(message);
        message = behind;
    }
}

void bn_messages_end(banyan_team *team)
{
    struct bn_messages *messages = &team->messages;
    free_list(messages->asked);
    free_list(messages->ended);
    free(messages->owed);
}

/* ---- Receive ---- */

static bool is_asked_for(const banyan_message *message, const struct bn_letter *letter)
{
    return (message->rank == BANYAN_ANY_RANK || message->rank == letter->from) &&
           (message->tag == BANYAN_ANY_TAG || message->tag == letter->tag);
}

static void take_kept(banyan_team *team, struct bn_letter **link)
{
    struct bn_messages *messages = &team->messages;
    struct bn_letter *letter = *link;
    *link = letter->next;
    if (messages->kept_end == &letter->next)
        messages->kept_end = link;
}

/* Receives the data of a kept letter; false: they do not fit.  May leave the call by longjmp. */
static bool receive(banyan_team *team, struct bn_letter **link, banyan_message *message)
{
    struct bn_letter *letter = *link;
    int from = letter->from;
    if (letter->bytes > message->bytes) {
        end_receive(team, message, letter, BANYAN_ARGUMENT);
        return false;
    }
    if (letter->bytes > 0)
        bn_copy(message->data, (const void *)letter->place, letter->bytes);
    take_kept(team, link);
    end_receive(team, message, letter, BANYAN_OK);
    if (letter->has_data) {
        give_back(team, letter);
    } else {
        bn_word_show(&letter->state, BN_LETTER_READ);
        bn_event_ring(&bn_inbox_of(team, from)->bell);
    }
    return true;
}

/* Whether a kept letter can be received; if it fits, its sender can no longer withdraw it.  A withdrawn letter is
 * returned. */
static bool hold(banyan_team *team, struct bn_letter **link, const banyan_message *message)
{
    struct bn_letter *letter = *link;
    bool fits = letter->bytes <= message->bytes;
    bool is_there = letter->has_data || (fits ? bn_letter_leave_sent(letter, BN_LETTER_TAKEN)
                                              : bn_word_see(&letter->state) != BN_LETTER_WITHDRAWN);
    if (is_there)
        return true;
    take_kept(team, link);
    give_back(team, letter);
    return false;
}

/* Matches a new receive with the oldest kept letter. */
static void look_for_letter(banyan_team *team, banyan_message *message)
{
    struct bn_letter **link = &team->messages.kept;
    while (*link && !message->has_ended) {
        bool is_it = is_asked_for(message, *link);
        if (!is_it)
            link = &(*link)->next;
        else if (hold(team, link, message))
            receive(team, link, message);
    }
}

/* Matches a new letter, which is the last kept one, with the first pending receive. */
static void look_for_message(banyan_team *team, struct bn_letter **link)
{
    struct bn_letter *letter = *link;
    for (banyan_message *message = team->messages.asked, *behind; message; message = behind) {
        behind = message->behind;
        if (is_asked_for(message, letter) && (!hold(team, link, message) || receive(team, link, message)))
            return;
    }
}

void bn_messages_take_letters(banyan_team *team)
{
    struct bn_messages *messages = &team->messages;
    for (struct bn_letter *letter = bn_inbox_take(bn_inbox_of(team, team->rank)), *next; letter; letter = next) {
        struct bn_letter **link = messages->kept_end;
        next = letter->next;
        letter->next = NULL;
        *link = letter;
        messages->kept_end = &letter->next;
        look_for_message(team, link);
    }
}

void bn_messages_progress(banyan_team *team)
{
    if (team->messages.asked)
        bn_messages_take_letters(team);
}

banyan_status bn_message_post_receive(banyan_team *team, struct bn_message_wish *wish)
{
    banyan_message *message = calloc(1, sizeof *message);
    if (!message)
        return bn_error(BANYAN_MEMORY, "%s: no memory", wish->call);
    message->data = wish->recv;
    message->bytes = wish->bytes;
    message->rank = wish->rank;
    message->tag = wish->tag;
    bn_messages_take_letters(team);
    wish->message = message;
    look_for_letter(team, message);
    if (!message->has_ended) {
        message->is_asked = true;
        append(team, message);
    }
    return BANYAN_OK;
}

/* ---- Send ---- */

static bool is_copied(const banyan_team *team, size_t bytes, bool is_mapped)
{
    size_t most_bytes = is_mapped ? COPY_MAPPED_BYTES : team->reach == BN_REACH_STAGES ? COPY_SLOWLY_BYTES : COPY_BYTES;
    return bytes == 0 || (bytes <= most_bytes && team->messages.away_bytes + bytes <= AWAY_BYTES_MAX);
}

static struct bn_letter *write_letter(banyan_team *team, const struct bn_message_wish *wish)
{
    collect(team);
    bool is_mapped = !team->world || bn_world_has(team->world, (uint64_t)wish->send, wish->bytes);
    const struct bn_letter draft = {.place = (uint64_t)wish->send | (is_mapped ? 0 : team->node->team.process),
                                    .bytes = wish->bytes,
                                    .from = team->rank,
                                    .to = wish->rank,
                                    .tag = wish->tag,
                                    .has_data = is_copied(team, wish->bytes, is_mapped)};
    struct bn_letter *letter = take_memory(team, bytes_of(&draft));
    if (!letter)
        return NULL;
    *letter = draft;
    if (letter->has_data) {
        letter->place = (uint64_t)letter->data;
        team->messages.away_bytes += bytes_of(letter);
        if (wish->bytes > 0)
            memcpy(letter->data, wish->send, wish->bytes);
    }
    return letter;
}

banyan_status bn_message_post_send(banyan_team *team, struct bn_message_wish *wish)
{
    struct bn_letter *letter = write_letter(team, wish);
    banyan_message *message = NULL;
    if (letter && (wish->has_message || !letter->has_data))
        message = calloc(1, sizeof *message);
    if (!letter || (!message && (wish->has_message || !letter->has_data))) {
        if (letter) {
            team->messages.away_bytes -= letter->has_data ? bytes_of(letter) : 0;
            give_memory(team, letter);
        }
        return bn_error(BANYAN_MEMORY, "%s: no memory", wish->call);
    }
    wish->message = message;
    if (message) {
        message->rank = wish->rank;
        message->tag = wish->tag;
        message->has_ended = letter->has_data;
        message->received = (banyan_received){wish->rank, wish->tag, wish->bytes};
        append(team, message);
    }
    if (!letter->has_data) {
        message->letter = letter;
        letter->other = team->messages.on_the_way;
        team->messages.on_the_way = letter;
    }
    bn_inbox_put(bn_inbox_of(team, wish->rank), letter);
    return BANYAN_OK;
}

void bn_message_forget_letter(banyan_team *team, const struct bn_letter *letter)
{
    struct bn_letter **link = &team->messages.on_the_way;
    while (*link != letter)
        link = &(*link)->other;
    *link = letter->other;
}

void bn_message_end_send(banyan_team *team, banyan_message *message)
{
    bn_message_forget_letter(team, message->letter);
    give_memory(team, message->letter);
    message->letter = NULL;
    message->has_ended = true;
}

/* Waits until the receiver has copied the data, or is gone. */
static void wait_until_read(banyan_team *team, const struct bn_letter *letter)
{
    for (uint32_t looks = 0; bn_word_see(&letter->state) != BN_LETTER_READ; looks++) {
        bn_kernel_progress();
        if (looks % LOOKS_PER_YIELD == 0)
            bn_cpu_yield();
        if (looks % (LOOKS_PER_YIELD * YIELDS_PER_LOOK) == 0 &&
            (bn_team_has_ended(&team->node->team, letter->to) || !bn_world_is_alive(team->world, letter->to)))
            return;
    }
}

void bn_messages_withdraw(banyan_team *team)
{
    struct bn_letter *letter = team->messages.on_the_way;
    if (team->world)
        bn_kernel_use(bn_world_kernel(team->world));
    for (struct bn_letter *other; letter; letter = other) {
        other = letter->other;
        if (!bn_letter_leave_sent(letter, BN_LETTER_WITHDRAWN))
            wait_until_read(team, letter);
    }
    team->messages.on_the_way = NULL;
    bn_kernel_use(NULL);
}

void bn_messages_wake_others(banyan_team *team)
{
    for (int rank = 0; rank < team->size; rank++)
        if (rank != team->rank)
            bn_event_ring(&bn_inbox_of(team, rank)->bell);
}
