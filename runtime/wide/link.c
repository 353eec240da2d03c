/*
 * link.c: the first of the two members waits until the other has its receives open, then sends a room in messages of
 * one size; the other answers when all have arrived.  Three kinds of rounds separate three costs: o of a message, b of
 * a byte, l of a latency:
 *
 *     one byte         2 l
 *     few messages     2 l + FEW o + room b
 *     many messages    2 l + MANY o + room b
 *
 * Other activity on the machine makes rounds longer, so the shortest rounds determine l and b; o, a small difference of
 * large times, is the median of the differences of adjacent rounds.  On a busy machine it may still be zero or
 * negative, and too short pieces cost more than too long ones, so a message is assumed to take at least a certain share
 * of a latency.
 */
#include "wide/link.h"

#include "platform/clock.h"
#include "sync/wait.h"
#include "wide/helpers.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 4, MANY = 32, STEPS = 8, LATENCY_MESSAGES = 16 };
static const double LEAST_BYTE_NS = 0.01;

static void await(const struct bn_network *network, struct bn_message *message)
{
    while (!message->is_done && !network->is_done(network->context, message))
        bn_wait_yield();
}

static void send(const struct bn_network *network, int to, unsigned char *data, size_t nbytes, int count)
{
    struct bn_message messages[MANY] = {0};
    for (int i = 0; i < count; i++)
        network->send(network->context, to, data + (size_t)i * nbytes, nbytes, &messages[i]);
    for (int i = 0; i < count; i++)
        await(network, &messages[i]);
}

static void receive(const struct bn_network *network, int from, unsigned char *data, size_t nbytes, int count,
                    bool is_asked_for)
{
    unsigned char ready = 0;
    struct bn_message messages[MANY] = {0};
    for (int i = 0; i < count; i++)
        network->receive(network->context, from, data + (size_t)i * nbytes, nbytes, &messages[i]);
    if (is_asked_for)
        send(network, from, &ready, 1, 1);
    for (int i = 0; i < count; i++)
        await(network, &messages[i]);
}

/* The time until the answer arrives, for nbytes sent in count messages */
static double round_ns(const struct bn_network *network, int other, bool is_first, unsigned char *room, size_t nbytes,
                       int count)
{
    unsigned char answer = 0;
    if (!is_first) {
        receive(network, other, room, nbytes / (size_t)count, count, true);
        send(network, other, &answer, 1, 1);
        return 0;
    }
    receive(network, other, &answer, 1, 1, false);
    uint64_t begin_ns = bn_clock_ns();
    send(network, other, room, nbytes / (size_t)count, count);
    receive(network, other, &answer, 1, 1, false);
    return (double)(bn_clock_ns() - begin_ns);
}

static double least_of(const double *values, int count)
{
    double least = values[0];
    for (int i = 1; i < count; i++)
        least = values[i] < least ? values[i] : least;
    return least;
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double at_least(double value, double least)
{
    return value > least ? value : least;
}

struct bn_link bn_link_of(const struct bn_link_rounds *rounds)
{
    double more_ns[BN_LINK_ROUNDS], short_ns = least_of(rounds->short_ns, BN_LINK_SHORT_ROUNDS);
    for (int i = 0; i < BN_LINK_ROUNDS; i++)
        more_ns[i] = (rounds->many_ns[i] - rounds->few_ns[i]) / (MANY - FEW);
    qsort(more_ns, BN_LINK_ROUNDS, sizeof *more_ns, compare);
    struct bn_link link = {.latency_ns = short_ns / 2};
    link.message_ns = at_least(more_ns[BN_LINK_ROUNDS / 2], link.latency_ns / (double)LATENCY_MESSAGES);
    double room_ns = least_of(rounds->few_ns, BN_LINK_ROUNDS) - short_ns;
    link.byte_ns = at_least(room_ns - (double)FEW * link.message_ns, room_ns / 2) / (double)BN_LINK_ROOM_BYTES;
    link.byte_ns = at_least(link.byte_ns, LEAST_BYTE_NS);
    return link;
}

struct bn_link bn_link_measure(const struct bn_network *network, int other, bool is_first, unsigned char *room)
{
    struct bn_link_rounds rounds;
    for (int i = 0; i < BN_LINK_SHORT_ROUNDS; i++)
        rounds.short_ns[i] = round_ns(network, other, is_first, room, 1, 1);
    for (int i = 0; i < BN_LINK_ROUNDS; i++) {
        rounds.few_ns[i] = round_ns(network, other, is_first, room, BN_LINK_ROOM_BYTES, FEW);
        rounds.many_ns[i] = round_ns(network, other, is_first, room, BN_LINK_ROOM_BYTES, MANY);
    }
    return is_first ? bn_link_of(&rounds) : (struct bn_link){0};
}

void bn_link_apply(const struct bn_link *link, struct bn_network *network)
{
    network->latency_bytes = (size_t)(link->latency_ns / link->byte_ns);
    network->message_bytes = (size_t)(link->message_ns / link->byte_ns);
    network->step_bytes = (size_t)(link->step_ns / link->byte_ns);
}

/* Pairs of leaders measure the link between them while the other members wait; then all members measure steps. */
struct bn_link bn_wide_measure(struct bn_wide *wide)
{
    struct bn_link link = {0};
    int other = wide->mine.index ^ 1;
    unsigned char *room = wide->rooms[0].memory;
    if (bn_wide_is_leader(wide) && other < wide->node_count) {
        memset(room, 0, BN_LINK_ROOM_BYTES);
        link = bn_link_measure(wide->network, bn_wide_node(wide, other).leader, other > wide->mine.index, room);
    }
    bn_wide_near(wide, BN_BARRIER, (struct bn_call){0});
    uint64_t begin_ns = bn_clock_ns();
    for (int i = 0; i < STEPS; i++)
        bn_wide_near(wide, BN_BARRIER, (struct bn_call){0});
    link.step_ns = (double)(bn_clock_ns() - begin_ns) / (double)STEPS;
    return link;
}
