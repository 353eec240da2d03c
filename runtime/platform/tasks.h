/*
 * tasks.h: which POSIX threads the calling process has, whoever has created them.
 */
#ifndef BN_PLATFORM_TASKS_H
#define BN_PLATFORM_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bn_tasks {
    pid_t *ids; /* allocated by malloc; null: not known */
    size_t count;
};

/* The present ones, the caller included; not known without /proc or memory */
struct bn_tasks bn_tasks_now(void);

/* Whether there are others now besides those that were there before.  False if either is not known.  A system call for
 * each few hundred. */
bool bn_tasks_are_more(const struct bn_tasks *before);

#ifdef __cplusplus
}
#endif

#endif
