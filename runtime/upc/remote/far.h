/* far.h: BANYAN_FAR_STATS. */
#ifndef BN_UPC_REMOTE_FAR_H
#define BN_UPC_REMOTE_FAR_H

/** Prints what this thread has exchanged with other nodes, if requested.  Called after its last barrier. */
void bn_far_report(void);

#endif
