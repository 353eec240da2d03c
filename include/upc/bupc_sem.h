/*
 * bupc_sem.h: semaphores between threads, and copies that signal their arrival, as in Berkeley UPC.
 *
 * A post, a wait, and a try that succeeds are strict accesses: what a thread did before its post is visible to the
 * thread that takes the units.  Any thread may post, wait and try, no matter which one made the semaphore.  Misuse ends
 * the program with a message.
 */
#pragma upc upc_code
#ifndef BUPC_SEM_H
#define BUPC_SEM_H

#include <stddef.h>
/* What a semaphore is for; 0 is INTEGER | MPRODUCER | MCONSUMER. Only BOOLEAN makes a difference here: its value is 0
 * or 1, and a post changes nothing if it is 1 already. */
#define BUPC_SEM_BOOLEAN 1
#define BUPC_SEM_INTEGER 2
#define BUPC_SEM_SPRODUCER 4
#define BUPC_SEM_MPRODUCER 8
#define BUPC_SEM_SCONSUMER 16
#define BUPC_SEM_MCONSUMER 32

#define BUPC_SEM_MAXVALUE 65535

#pragma banyan offer
typedef shared struct bupc_sem_struct bupc_sem_t;

/* A semaphore of value 0 with affinity to the caller, or null if there is no shared memory left.  Not collective. */
bupc_sem_t *bupc_sem_alloc(int __flags);

/* Frees a semaphore that is no longer in use; called by any one thread.  Null is ignored. */
void bupc_sem_free(bupc_sem_t *__s);

/* Add 1, or n; the value must not exceed BUPC_SEM_MAXVALUE. */
void bupc_sem_post(bupc_sem_t *__s);
void bupc_sem_postN(bupc_sem_t *__s, size_t __n);

/* Wait until the value is at least 1, or n, and subtract that */
void bupc_sem_wait(bupc_sem_t *__s);
void bupc_sem_waitN(bupc_sem_t *__s, size_t __n);

/* Do the same and return 1 if that is possible without waiting; return 0 otherwise */
int bupc_sem_try(bupc_sem_t *__s);
int bupc_sem_tryN(bupc_sem_t *__s, size_t __n);

/* upc_memput, followed by a post of n once the data have arrived. src may be reused when either function returns. */
void bupc_memput_signal(shared void *__restrict__ __dst, const void *__restrict__ __src, size_t __nbytes,
                        bupc_sem_t *__s, size_t __n);
void bupc_memput_signal_async(shared void *__restrict__ __dst, const void *__restrict__ __src, size_t __nbytes,
                              bupc_sem_t *__s, size_t __n);
#pragma banyan end

#endif
