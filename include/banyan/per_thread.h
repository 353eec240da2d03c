/*
 * per_thread.h: BN_PER_THREAD, the storage class of variables of which each UPC thread has its own copy.
 *
 * In libbanyan.a a thread is a process, which has its own copy of every variable, so the macro is empty.  In
 * libbanyan-pthreads.a threads share a process; it is compiled from the same files with BN_PTHREADS defined, as are the
 * programs linked with it (docs/design/014-pthreads.md lists which variables belong to the thread).
 */
#ifndef BN_PER_THREAD_H
#define BN_PER_THREAD_H

#ifdef BN_PTHREADS
#define BN_PER_THREAD __thread
#else
#define BN_PER_THREAD
#endif

#endif
