/* slice.h: how long a thread may run before another one gets the core. */
#ifndef BN_PLATFORM_SLICE_H
#define BN_PLATFORM_SLICE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Asks the system for short time slices for the calling thread, which then gets the core sooner when it is woken.  The
 * thread's share of the processor stays the same.  Without effect before Linux 6.12, or if the system refuses.  @cost
 * Two system calls. */
void bn_slice_shorten(void);

#ifdef __cplusplus
}
#endif

#endif
