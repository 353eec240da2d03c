/*
 * hosted.c: a program that loads the runtime while it runs, such as Python (lib/banyan/libbanyan.so; not in the
 * archives).
 *
 * Its threads start where it calls bupc_init.  Until then shared objects have no places, so the first access to one
 * faults.
 */
#include "boot/crash.h"

__attribute__((constructor)) static void expect_start(void)
{
    bn_crash_expect_start();
}
