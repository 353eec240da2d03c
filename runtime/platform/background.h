/* background.h: work that runs concurrently with the program, in a POSIX thread of the same process. */
#ifndef BN_PLATFORM_BACKGROUND_H
#define BN_PLATFORM_BACKGROUND_H

#include <pthread.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bn_background {
    pthread_t thread;
};

/*
 * Calls work(argument) in a new thread, which blocks all signals except those that report program faults, so that the
 * program's handlers run in the program's thread.  Returns false, without calling anything, if the system cannot create
 * a thread.
 *
 * @cost 20 to 60 us with bn_background_join.
 */
bool bn_background_start(struct bn_background *background, void (*work)(void *), void *argument);

/* Returns when work has returned.  Called once for each start. */
void bn_background_join(struct bn_background *background);

#ifdef __cplusplus
}
#endif

#endif
