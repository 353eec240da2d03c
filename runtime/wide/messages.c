#include "wide/helpers.h"

#include "sync/wait.h"

#include <stdlib.h>

struct bn_message *bn_wide_next_message(struct bn_wide *wide)
{
    struct bn_messages *messages = &wide->messages;
    if (messages->count == messages->room) {
        size_t room = messages->room ? 2 * messages->room : 16;
        struct bn_message *list = realloc(messages->list, room * sizeof *list);
        if (!list)
            return NULL;
        messages->list = list;
        messages->room = room;
    }
    struct bn_message *message = &messages->list[messages->count++];
    *message = (struct bn_message){0};
    return message;
}

bool bn_wide_send(struct bn_wide *wide, int to, const void *data, size_t nbytes)
{
    const unsigned char *from = data;
    for (size_t done = 0, piece; done < nbytes; done += piece) {
        struct bn_message *message = bn_wide_next_message(wide);
        if (!message)
            return false;
        piece = nbytes - done < BN_MESSAGE_BYTES ? nbytes - done : BN_MESSAGE_BYTES;
        message->entry = bn_record_begin(
            wide->record, (struct bn_record_entry){.kind = BN_RECORD_SEND, .other = to, .nbytes = piece});
        wide->network->send(wide->network->context, to, from + done, piece, message);
    }
    return true;
}

bool bn_wide_receive(struct bn_wide *wide, int from, void *data, size_t nbytes)
{
    unsigned char *to = data;
    for (size_t done = 0, piece; done < nbytes; done += piece) {
        struct bn_message *message = bn_wide_next_message(wide);
        if (!message)
            return false;
        piece = nbytes - done < BN_MESSAGE_BYTES ? nbytes - done : BN_MESSAGE_BYTES;
        message->entry = bn_record_begin(
            wide->record, (struct bn_record_entry){.kind = BN_RECORD_RECEIVE, .other = from, .nbytes = piece});
        wide->network->receive(wide->network->context, from, to + done, piece, message);
    }
    return true;
}

/* If the library yields inside is_done while nothing has arrived, a poll takes longer than this when other threads ran
 * meanwhile; then no further yield is needed before the next poll. */
enum { LOOK_NS = 3000 };

static void await(struct bn_wide *wide, struct bn_message *message)
{
    uint32_t look = 0;
    for (;;) {
        uint64_t begin_ns = bn_clock_ns();
        if (wide->network->is_done(wide->network->context, message))
            break;
        if (look < wide->near->policy.spin_count)
            bn_wait_spin(look++);
        else if (bn_clock_ns() - begin_ns < LOOK_NS)
            bn_wait_yield();
    }
    bn_record_end(wide->record, message->entry);
}

void bn_wide_await(struct bn_wide *wide, size_t begin, size_t end)
{
    uint32_t entry = bn_record_begin(wide->record, (struct bn_record_entry){.kind = BN_RECORD_AWAIT});
    for (size_t i = begin; i < end; i++)
        if (!wide->messages.list[i].is_done)
            await(wide, &wide->messages.list[i]);
    bn_record_end(wide->record, entry);
}

void bn_wide_await_all(struct bn_wide *wide)
{
    bn_wide_await(wide, 0, wide->messages.count);
    wide->messages.count = 0;
}
