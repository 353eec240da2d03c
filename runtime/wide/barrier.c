/*
 * barrier.c: the members of a node meet at their leader; leaders notify each other directly if they are few, in rounds
 * if not, or use a barrier of leaders (circle.h).
 */
#include "wide/helpers.h"

enum { DIRECT_NODES = 8 };

/* words: the first is received from the leader `distance` nodes before this one, the second sent to the leader as many
 * nodes after it. */
static bool tell(struct bn_wide *wide, int distance, unsigned char words[2])
{
    struct bn_node to = bn_wide_node_behind(wide, distance);
    struct bn_node from = bn_wide_node_behind(wide, wide->node_count - distance);
    return bn_wide_receive(wide, from.leader, words, 1) && bn_wide_send(wide, to.leader, words + 1, 1);
}

static bn_status_t meet(struct bn_wide *wide)
{
    unsigned char words[DIRECT_NODES][2] = {{0}};
    bool is_direct = wide->node_count <= DIRECT_NODES;
    for (int distance = 1; distance < wide->node_count; distance = is_direct ? distance + 1 : 2 * distance) {
        if (!tell(wide, distance, words[is_direct ? distance : 0]))
            return BN_ERR_MEMORY;
        if (!is_direct)
            bn_wide_await_all(wide);
    }
    bn_wide_await_all(wide);
    return BN_OK;
}

/* Each member sends a word to its leader and gets one back, so that members wait once, and a leader that has released
 * its node does not wait at all: a root that leaves a barrier late would delay all members. */
bn_status_t bn_wide_barrier(struct bn_wide *wide)
{
    int leader = bn_wide_near_leader(wide);
    unsigned char word = 0, *words = (unsigned char *)wide->near_tables; /* unused otherwise in a barrier */
    bn_status_t status = bn_wide_near(
        wide, BN_GATHER, (struct bn_call){.src = (uint64_t)&word, .dst = (uint64_t)words, .nbytes = 1, .root = leader});
    if (status == BN_OK && bn_wide_is_leader(wide))
        status = wide->circle ? bn_circle_meet(wide) : meet(wide);
    if (status != BN_OK)
        return status;
    return bn_wide_near(wide, BN_BROADCAST,
                        (struct bn_call){.src = (uint64_t)&word, .dst = (uint64_t)&word, .nbytes = 1, .root = leader});
}
