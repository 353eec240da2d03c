/*
 * select.h: rules that choose the best way for a call.  The rules are data, each with the measurement that it rests on.
 */
#ifndef BN_COLL_SELECT_H
#define BN_COLL_SELECT_H

#include "coll/operation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Tunable sizes, which do not take part in the choice of a way */
struct bn_tuning {
    size_t halves_from_bytes; /* messages of this size or more go in two halves, if the entry uses halves */
    size_t chunk_bytes;       /* size of fragments, if the entry uses chunks */
    /* prefix reduce proceeds block by block from this block size on (upc/prefix_blocks.h) */
    size_t prefix_block_bytes;
    size_t piece_bytes; /* bytes of a vector that are combined at a time; two pieces stay in a core's own cache */
    int tree_max;       /* teams up to this size have a tree for each root */
    int token_count;    /* members that may copy at a time in a ring */
};

/* What the choice of a way depends on */
struct bn_conditions {
    size_t nbytes; /* of a block */
    enum bn_sync in, out;
    int member_count;
    int core_count;   /* shared by the members */
    int region_count; /* memory regions that the members are in */
    int node_count;   /* machines that the members are on */
    int largest_node; /* number of members on the machine that has the most */
    enum bn_reach reach;
};

enum { BN_ANY_BYTES = 0, BN_ANY_COUNT = 0 };

/* Sets of pairs (in, out) */
enum { BN_SYNC_SET_ALL = 0x1ff };
#define BN_SYNC_BIT(in, out) (1U << ((in) * BN_SYNC_COUNT + (out)))

/* Sets of reaches */
#define BN_REACH_BIT(reach) (1U << (reach))

/* The first rule whose conditions hold and whose way the team can use (bn_entry_is_there) is followed. */
struct bn_rule {
    size_t max_bytes;       /* a power of two; 0: any */
    size_t max_total_bytes; /* of a block for each member; 0: any */
    size_t max_pairs_bytes; /* of a block for each pair of a member and one of the largest node; 0: any */
    int min_members, max_members;
    int min_regions;
    int min_nodes, max_nodes;
    int crowded;        /* more members than cores: 1 yes, -1 no, 0 either */
    unsigned sync_set;  /* BN_SYNC_BIT of the pairs that the rule is for; 0: all */
    unsigned reach_set; /* BN_REACH_BIT of the reaches that the rule is for; 0: all */
    const char *entry;
    const char *evidence; /* where the measurement is documented */
};

struct bn_rules {
    const char *origin; /* "built in", or a file */
    int count;
    const struct bn_rule *rules;
};

/** The rules that come with Banyan. */
const struct bn_rules *bn_rules_default(enum bn_operation operation);

/** The first rule that holds; null if none does, which cannot happen with the built-in rules. */
const struct bn_rule *bn_rules_find(const struct bn_rules *rules, const struct bn_conditions *conditions);

/** The next rule that holds, after one that cannot be followed. */
const struct bn_rule *bn_rules_find_after(const struct bn_rules *rules, const struct bn_rule *rule,
                                          const struct bn_conditions *conditions);

/** Whether any of the rules depends on the number of memory regions, so that the machine must be read. */
bool bn_rules_need_regions(const struct bn_rules *rules, int member_count);

#ifdef __cplusplus
}
#endif

#endif
