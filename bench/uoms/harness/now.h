/*
 * now.h: the time.  The same clock for every system that is measured, so that no comparison rests on how a library
 * reads its own.
 */
#ifndef UOMS_NOW_H
#define UOMS_NOW_H

/*
 * Nanoseconds of CLOCK_MONOTONIC since the second of the calling thread's first call: small enough that a double holds
 * each of them, however long the machine has been up.  Those of two threads need not agree; clock.h compares them.
 */
double uoms_now_ns(void);

#endif
