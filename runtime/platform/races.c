/* races.c: the runtime's part of banyan/races.h, for programs under ThreadSanitizer. */
#include "banyan/races.h"

#ifdef BN_SEES_RACES

char bn_strict_order;

void bn_unseen_fence(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

#endif
