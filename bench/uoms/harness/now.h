/*
 * now.h: the time.  The same clock for every measured system, so that no comparison depends on a library's clock.
 */
#ifndef UOMS_NOW_H
#define UOMS_NOW_H

/*
 * Nanoseconds of CLOCK_MONOTONIC since the second of the calling thread's first call: small enough for a double to be
 * exact, however long the machine has been up.  The values of two threads need not agree; clock.h compares them.
 */
double uoms_now_ns(void);

#endif
