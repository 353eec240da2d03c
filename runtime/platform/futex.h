/* futex.h: sleeping until another thread, perhaps in another process, changes a word in shared memory. */
#ifndef BN_PLATFORM_FUTEX_H
#define BN_PLATFORM_FUTEX_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_FUTEX_FOREVER = -1 };

/*
 * Sleeps while *word == expected, until woken, for at most timeout_ns nanoseconds (BN_FUTEX_FOREVER: no limit). May
 * return early without reason, so callers must check the word again.  With respect to bn_futex_wake, the test and
 * falling asleep are one atomic step. errno is preserved.
 */
void bn_futex_wait(uint32_t *word, uint32_t expected, int64_t timeout_ns);

/* Wakes up to count threads that sleep on word.  errno is preserved. */
void bn_futex_wake(uint32_t *word, int count);

#ifdef __cplusplus
}
#endif

#endif
