/*
 * rounds.h: how all members of a job come to know a word of each in log2(n) rounds.
 *
 * Each member has a list, its own word first and then those of the members behind it, the last one being followed by
 * the first.  In round k a member sends what it has, 2^k words or as many as are still missing, to the one that is 2^k
 * before it, in whose list they come next.  A place of a list has one writer, and is written once.
 *
 * Only arithmetic: tools/sim times the same rounds.
 */
#ifndef BN_PGAS_REMOTE_ROUNDS_H
#define BN_PGAS_REMOTE_ROUNDS_H

#ifdef __cplusplus
extern "C" {
#endif

struct bn_round {
    int to;    /* gets the first `count` words of this member's list */
    int from;  /* whose words come to this member */
    int place; /* in the list of `to`, and in this member's for those of `from` */
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
