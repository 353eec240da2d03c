/*
 * rounds.h: how every member of a job learns one word from each other member in log2(n) rounds.
 *
 * Each member has a list: its own word, then those of the members after it, cyclically.  In round k a member sends what
 * it has, 2^k words or as many as are still missing, to the member 2^k before it, which appends them to its list.  Each
 * place of a list has one writer and is written once.
 *
 * This header has only arithmetic, because tools/sim simulates the same rounds.
 */
#ifndef BN_PGAS_REMOTE_ROUNDS_H
#define BN_PGAS_REMOTE_ROUNDS_H

#ifdef __cplusplus
extern "C" {
#endif

struct bn_round {
    int to;    /* gets the first `count` words of this member's list */
    int from;  /* the member whose words this one gets */
    int place; /* where they go: in the list of `to`, and for those of `from` in this member's */
    int count;
};

static inline int bn_round_count(int members)
{
    int count = 0;
    while (1 << count < members)
        count++;
    return count;
}

static inline struct bn_round bn_round_of(int member, int members, int round)
{
    int distance = 1 << round;
    struct bn_round part = {
        .to = (member + members - distance) % members,
        .from = (member + distance) % members,
        .place = distance,
        .count = distance < members - distance ? distance : members - distance,
    };
    return part;
}

#ifdef __cplusplus
}
#endif

#endif
