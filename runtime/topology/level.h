/*
 * level.h: the parts of a machine that threads can share, from a core to a cluster.
 *
 * A level is also a distance: two threads are at distance L if L is the innermost level that they share.  Each level
 * divides the threads into groups, and each group of a level lies within one group of the next level.
 */
#ifndef BN_TOPOLOGY_LEVEL_H
#define BN_TOPOLOGY_LEVEL_H

#ifdef __cplusplus
extern "C" {
#endif

enum bn_level {
    BN_LEVEL_CORE,   /* 0: hardware threads of one core */
    BN_LEVEL_CACHE,  /* 1: the largest cache that lies in one memory region */
    BN_LEVEL_DIE,    /* 2: the same socket and the same memory controller */
    BN_LEVEL_NUMA,   /* 3: the same memory controller (memory region), maybe another socket */
    BN_LEVEL_SOCKET, /* 4: the same socket, maybe another controller */
    BN_LEVEL_BOARD,  /* 5: the same board, another socket and another controller */
    BN_LEVEL_NODE,   /* 6: the same machine, another board */
    BN_LEVEL_SWITCH, /* 7: another machine at the same switch; all machines if no switches are known */
    BN_LEVEL_COUNT,
    BN_LEVEL_CLUSTER = BN_LEVEL_COUNT, /* 8: another switch.  Has a single group of all members, and no tables */
};

/* "core", "cache", ... "switch", "cluster" */
const char *bn_level_name(enum bn_level level);

#ifdef __cplusplus
}
#endif

#endif
