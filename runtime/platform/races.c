/* races.c: what banyan/races.h asks of the runtime, in programs under ThreadSanitizer. */
#include "banyan/races.h"

#ifdef BN_SEES_RACES

char bn_strict_order;

void bn_unseen_fence(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

#endif
