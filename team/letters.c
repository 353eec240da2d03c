#include "team/letters.h"

#include "platform/atomic_word.h"

/* Two stacks, in the payload of the bell */
enum { NEWEST, RETURNED };

static void push(uint64_t *stack, struct bn_letter *first, struct bn_letter *last)
{
    uint64_t seen = bn_word64_get(stack);
    do {
        last->next = (struct bn_letter *)seen;
    } while (!bn_word64_change(stack, &seen, (uint64_t)first));
}

static struct bn_letter *take_all(uint64_t *stack)
{
    return bn_word64_get(stack) == 0 ? NULL : (struct bn_letter *)bn_word64_swap(stack, 0);
}

void bn_inbox_put(struct bn_inbox *inbox, struct bn_letter *letter)
{
    push(&inbox->bell.payload[NEWEST], letter, letter);
    bn_event_ring(&inbox->bell);
}

struct bn_letter *bn_inbox_take(struct bn_inbox *inbox)
{
    struct bn_letter *oldest = NULL;
    for (struct bn_letter *letter = take_all(&inbox->bell.payload[NEWEST]), *older; letter; letter = older) {
        older = letter->next;
        letter->next = oldest;
        oldest = letter;
    }
    return oldest;
}

void bn_inbox_return(struct bn_inbox *inbox, struct bn_letter *first, struct bn_letter *last)
{
    push(&inbox->bell.payload[RETURNED], first, last);
}

struct bn_letter *bn_inbox_take_returned(struct bn_inbox *inbox)
{
    return take_all(&inbox->bell.payload[RETURNED]);
}

bool bn_letter_leave_sent(struct bn_letter *letter, enum bn_letter_state state)
{
    uint32_t sent = BN_LETTER_SENT;
    return bn_word_change(&letter->state, &sent, (uint32_t)state);
}
