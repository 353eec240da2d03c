/*
 * far.h: how many messages a thread has exchanged with threads of other nodes, for programs that measure
 * (-network=shmem; all 0 on one machine).  BANYAN_FAR_STATS=1 prints them when the thread ends.
 */
#ifndef BANYAN_FAR_H
#define BANYAN_FAR_H

#ifdef __cplusplus
extern "C" {
#endif

/* Copies of memory, in blocks and element by element, are counted; atomic operations and the messages of barriers and
 * locks are not */
struct bn_far_counts {
    unsigned long long gets;
    unsigned long long get_bytes;
    unsigned long long puts;
    unsigned long long put_bytes;
    unsigned long long waits; /* how often the thread waited for gets; several gets in flight together count as one
                               * wait */
};

/** The counts of this thread since the start.  Writes that are still being collected count when they are sent, for
 * example at a fence. */
struct bn_far_counts bn_far_counts(void);

#ifdef __cplusplus
}
#endif

#endif
