// A program with a branch for each compiler, as those for Cray have it: atomic adds by the intrinsics of Cray, by
// bupc_atomic, by a domain, or under a lock; non-blocking copies by whatever there is; here the branches of UPC 1.3
// hold.
// expect-stdout: ^histogram by upc_atomic: ok; shift by upc_nb: ok; clock by upc_tick
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>
#include <upc_collective.h>

#if defined(_CRAYC)
#include <upc_cray.h>
#include <intrinsics.h>
#define ATOMIC_NAME "intrinsics"
#define atomic_add(p, v) _amo_aadd_upc((p), (v))
#elif defined(__BERKELEY_UPC_RUNTIME__)
#define ATOMIC_NAME "bupc_atomic"
#define atomic_add(p, v) bupc_atomicI64_fetchadd_relaxed((p), (v))
#elif __UPC_ATOMIC__ == 1
#include <upc_atomic.h>
#define ATOMIC_NAME "upc_atomic"
static upc_atomicdomain_t *add_domain;
static void atomic_add(shared int64_t *p, int64_t v)
{
    upc_atomic_relaxed(add_domain, NULL, UPC_ADD, p, &v, NULL);
}
#else
#error "no atomic add"
#endif

#if __UPC_NB__
#include <upc_nb.h>
#define NB_NAME "upc_nb"
#elif defined(__BERKELEY_UPC_RUNTIME__)
#define NB_NAME "bupc"
typedef bupc_handle_t upc_handle_t;
#define upc_memput_nb bupc_memput_async
#define upc_sync bupc_waitsync
#endif

#if __UPC_TICK__
#include <upc_tick.h>
#define CLOCK_NAME "upc_tick"
#define seconds() (upc_ticks_to_ns(upc_ticks_now()) * 1e-9)
#endif

#if __UPC_CASTABLE__
#include <upc_castable.h>
#endif

#define BINS 16
shared int64_t histogram[BINS * THREADS];
shared [8] int ring[8 * THREADS];

int main()
{
    int64_t i, wrong = 0, total = 0;
    int words[8], shifted = 0;
    upc_handle_t pending;
    double begin = seconds();
#if __UPC_ATOMIC__ == 1 && !defined(__BERKELEY_UPC_RUNTIME__)
    add_domain = upc_all_atomicdomain_alloc(UPC_INT64, UPC_ADD | UPC_GET, UPC_ATOMIC_HINT_THROUGHPUT);
#endif
    for (i = 0; i < 100 * BINS * THREADS; i++)
        atomic_add(&histogram[(i + 3 * MYTHREAD) % (BINS * THREADS)], 1);
    for (i = 0; i < 8; i++)
        words[i] = MYTHREAD * 8 + i;
    pending = upc_memput_nb(&ring[(MYTHREAD + 1) % THREADS * 8], words, sizeof words);
    upc_sync(pending);
    upc_barrier;
    upc_forall (i = 0; i < BINS * THREADS; i++; &histogram[i])
        wrong += histogram[i] != 100 * THREADS;
    for (i = 0; i < 8; i++)
        shifted += ring[MYTHREAD * 8 + i] == (MYTHREAD + THREADS - 1) % THREADS * 8 + i;
#if __UPC_CASTABLE__
    for (i = 0; i < THREADS; i++) {
        int64_t *direct = (int64_t *)upc_cast(&histogram[i]);
        if (upc_thread_info(i).guaranteedCastable & UPC_CASTABLE_STATIC)
            total += direct[0] != 100 * THREADS;
    }
#endif
    static shared int64_t bad[THREADS], all_bad;
    bad[MYTHREAD] = wrong + total + (shifted != 8);
    upc_all_reduceL(&all_bad, bad, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    if (MYTHREAD == 0)
        printf("histogram by %s: %s; shift by %s: %s; clock by %s, %s\n", ATOMIC_NAME, all_bad ? "bad" : "ok", NB_NAME,
               all_bad ? "bad" : "ok", CLOCK_NAME, seconds() >= begin ? "forward" : "backward");
    return 0;
}
