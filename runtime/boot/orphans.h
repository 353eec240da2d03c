/*
 * orphans.h: processes that threads have started, such as those of system(), and that outlive them.
 *
 * A job that ends well leaves them alone, as a shell does.  One that ends otherwise ends them, too: nobody would wait
 * for them any more.  Whoever is to survive that makes a session of its own (setsid), as a daemon does.
 */
#ifndef BN_BOOT_ORPHANS_H
#define BN_BOOT_ORPHANS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** From now on processes whose parent ends, and that descend from the caller, become its children.  False: the system
 * does not let it. */
bool bn_orphans_adopt(void);

/**
 * Kills all children of the caller that belong to its session, and what they leave; returns when they are gone, or
 * after a second.  Needs /proc.
 * @cost A system call if there are no children, else some microseconds for each process of the machine.
 */
void bn_orphans_kill(void);

#ifdef __cplusplus
}
#endif

#endif
