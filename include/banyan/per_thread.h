/*
 * per_thread.h: BN_PER_THREAD, the storage of variables of which each UPC thread has its own.
 *
 * In libbanyan.a a thread is a process, which has its own copy of every variable, so it is nothing.  In
 * libbanyan-pthreads.a, compiled from the same files with BN_PTHREADS, as are the programs linked with it, threads
 * share a process (docs/design/014-pthreads.md, which lists what is whose).
 */
#ifndef BN_PER_THREAD_H
#define BN_PER_THREAD_H

#ifdef BN_PTHREADS
#define BN_PER_THREAD __thread
#else
#define BN_PER_THREAD
#endif

#endif
