/*
 * orphans.h: processes that threads have started, for example by system(), and that outlive them.
 *
 * A job that ends normally leaves them alone, as a shell does.  A job that ends abnormally kills them, too, since
 * nobody would wait for them any more.  A process that is to survive makes a session of its own (setsid), as a daemon
 * does.
 */
#ifndef BN_BOOT_ORPHANS_H
#define BN_BOOT_ORPHANS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** From now on descendants of the caller whose parent ends become its children.  Returns false if the system does not
 * allow it. */
bool bn_orphans_adopt(void);

/**
 * Kills all children of the caller that belong to its session, and the orphans that they leave; returns when they are
 * gone, or after a second.  Needs /proc. @cost A system call if there are no children, otherwise some microseconds for
 * each process of the machine.
 */
void bn_orphans_kill(void);

#ifdef __cplusplus
}
#endif

#endif
