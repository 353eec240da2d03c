/* background.h: work that goes on beside the program, in a POSIX thread of the same process. */
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
 * Calls work(argument) in a thread of its own, which has all signals blocked but those of broken programs: the
 * program's handlers run where the program does.  False if the system has no room for a thread; nothing was called
 * then.
 *
 * @cost 20 to 60 us with bn_background_join.
 */
bool bn_background_start(struct bn_background *background, void (*work)(void *), void *argument);

/* Returns when work has.  Called once for each start. */
void bn_background_join(struct bn_background *background);

#ifdef __cplusplus
}
#endif

#endif
