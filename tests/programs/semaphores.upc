// Facts 3.1: bupc_sem: values, waiting, many producers and consumers, copies that signal.
#include <upc_relaxed.h>

#include <bupc_sem.h>

#include "check.h"

enum { ROUNDS = FAR_TIMES(2000, 200), BYTES = 3000 };

static bupc_sem_t *shared sems[THREADS];

static void values(void)
{
    bupc_sem_t *s = bupc_sem_alloc(0);
    EQ(upc_threadof(s), MYTHREAD);
    EQ(bupc_sem_try(s), 0);
    bupc_sem_post(s);
    EQ(bupc_sem_try(s), 1);
    EQ(bupc_sem_try(s), 0);
    bupc_sem_postN(s, 5);
    EQ(bupc_sem_tryN(s, 6), 0);
    EQ(bupc_sem_tryN(s, 3), 1);
    bupc_sem_wait(s);
    bupc_sem_waitN(s, 1);
    EQ(bupc_sem_try(s), 0);
    EQ(bupc_sem_tryN(s, 0), 1);
    bupc_sem_waitN(s, 0);
    bupc_sem_postN(s, BUPC_SEM_MAXVALUE);
    bupc_sem_waitN(s, BUPC_SEM_MAXVALUE);
    EQ(bupc_sem_try(s), 0);
    bupc_sem_free(s);

    s = bupc_sem_alloc(BUPC_SEM_BOOLEAN | BUPC_SEM_SPRODUCER | BUPC_SEM_SCONSUMER);
    bupc_sem_post(s);
    bupc_sem_post(s);
    EQ(bupc_sem_try(s), 1);
    EQ(bupc_sem_try(s), 0);
    bupc_sem_free(s);
    bupc_sem_free(NULL);
}

/* Round and round: each thread waits for its left neighbour. */
static void ring(void)
{
    static shared int token;
    sems[MYTHREAD] = bupc_sem_alloc(BUPC_SEM_INTEGER | BUPC_SEM_SPRODUCER | BUPC_SEM_SCONSUMER);
    upc_barrier;
    if (MYTHREAD == 0)
        bupc_sem_post(sems[0]);
    for (int i = 0; i < ROUNDS; i++) {
        bupc_sem_wait(sems[MYTHREAD]);
        EQ(token, i * THREADS + MYTHREAD); /* everything done before the post is visible */
        token = token + 1;
        bupc_sem_post(sems[(MYTHREAD + 1) % THREADS]);
    }
    upc_barrier;
    EQ(token, ROUNDS * THREADS);
    bupc_sem_free(sems[MYTHREAD]);
    upc_barrier;
}

/* All threads post to one semaphore and take from it, single units and three at a time; no unit is lost or created. */
static void all_to_one(void)
{
    if (MYTHREAD == 0)
        sems[0] = bupc_sem_alloc(0);
    upc_barrier;
    bupc_sem_t *s = sems[0];
    for (int i = 0; i < ROUNDS; i++) {
        bupc_sem_postN(s, 4);
        bupc_sem_wait(s);
        bupc_sem_waitN(s, 3);
    }
    upc_barrier;
    EQ(bupc_sem_try(s), 0);
    upc_barrier;
    if (MYTHREAD == 0)
        bupc_sem_free(s);
}

/* Data arrive before their signal. */
static void signals(void)
{
    static shared [BYTES] unsigned char box[BYTES * THREADS];
    static unsigned char message[BYTES];
    int right = (MYTHREAD + 1) % THREADS, left = (MYTHREAD + THREADS - 1) % THREADS;
    sems[MYTHREAD] = bupc_sem_alloc(BUPC_SEM_SPRODUCER | BUPC_SEM_SCONSUMER);
    upc_barrier;
    for (int i = 0; i < 50; i++) {
        memset(message, MYTHREAD + i, BYTES);
        (i % 2 ? bupc_memput_signal : bupc_memput_signal_async)(&box[right * BYTES], message, BYTES, sems[right], 2);
        memset(message, 255, i % 2 ? BYTES : 0);
        bupc_sem_waitN(sems[MYTHREAD], 2);
        for (int k = 0; k < BYTES; k++)
            EQ(box[MYTHREAD * BYTES + k], (unsigned char)(left + i));
        upc_barrier;
    }
    bupc_sem_free(sems[MYTHREAD]);
}

int main(void)
{
    values();
    ring();
    all_to_one();
    signals();
    return finish();
}
