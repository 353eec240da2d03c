// Facts 3.1: bupc.h: time, casts both ways, pointer arithmetic with run-time blocks, dumps, distances.
#include <upc_relaxed.h>

#include <bupc.h>

#include <errno.h>
#include <upc_tick.h>

#include "check.h"

static shared int one[8 * THREADS];
static shared [3] double three[12 * THREADS];
static shared [] short none[50];

static void clocks(void)
{
    bupc_tick_t first = bupc_ticks_now();
    while (bupc_ticks_to_us(bupc_ticks_now() - first) < 2000)
        bupc_poll();
    bupc_tick_t ticks = bupc_ticks_now() - first;
    CHECK(ticks > BUPC_TICK_MIN && ticks < BUPC_TICK_MAX);
    CHECK(bupc_ticks_to_ns(ticks) >= 2000000 && bupc_ticks_to_ns(ticks) / 1000 == bupc_ticks_to_us(ticks));
    CHECK(bupc_tick_granularityus() > 0 && bupc_ticks_granularityus() < 1e6);
    CHECK(bupc_tick_overheadus() > 0 && bupc_ticks_overheadus() < 1e6);
}

static void casts(void)
{
    static int private_object;
    for (int t = 0; t < THREADS; t++) {
        double *local = (double *)bupc_cast(&three[3 * t + 1]);
        EQ(bupc_thread_castable((unsigned)t), bupc_thread_distance(t, MYTHREAD) <= BUPC_THREADS_NEAR);
        EQ(bupc_castable(&three[3 * t + 1]), bupc_thread_castable((unsigned)t));
        EQ(local != NULL, bupc_thread_castable((unsigned)t));
        if (local == NULL)
            continue; /* on another machine */
        shared void *back = bupc_inverse_cast(local);
        CHECK(back == &three[3 * t + 1]);
        EQ(upc_threadof(back), t);
        EQ(upc_phaseof(back), 0);
        shared [3] double *whole = (shared [3] double *)bupc_local_to_shared(local, t, 1);
        CHECK(whole == &three[3 * t + 1]);
        EQ(upc_phaseof(whole), 1);
        CHECK(whole + 2 == &three[3 * t + 3]);
        if (THREADS > 1)
            CHECK(bupc_local_to_shared(local, (t + 1) % THREADS, 1) == NULL);
    }
    CHECK(bupc_thread_castable((unsigned)MYTHREAD));
    CHECK(!bupc_thread_castable((unsigned)THREADS));
    CHECK(bupc_inverse_cast(&private_object) == NULL);
    CHECK(bupc_inverse_cast(NULL) == NULL);
    CHECK(bupc_local_to_shared(&private_object, MYTHREAD, 0) == NULL);
    shared [] char *heap = (shared [] char *)upc_alloc(100);
    CHECK(bupc_inverse_cast((char *)heap + 99) == heap + 99);
    upc_free(heap);
}

static void arithmetic(void)
{
    for (int i = 0; i < 8 * THREADS; i++) {
        for (int k = 0; k < 8 * THREADS; k++)
            CHECK(bupc_ptradd(&one[i], 1, sizeof(int), k - i) == &one[k]);
    }
    for (int i = 0; i < 12 * THREADS; i++) {
        for (int k = 0; k < 12 * THREADS; k += 5) {
            shared void *p = bupc_ptradd(&three[i], 3, sizeof(double), k - i);
            CHECK(p == &three[k] && upc_phaseof(p) == upc_phaseof(&three[k]));
        }
    }
    CHECK(bupc_ptradd(&none[7], 0, sizeof(short), 30) == &none[37]);
    CHECK(bupc_ptradd(&none[37], 0, sizeof(short), -30) == &none[7]);
}

static void dumps(void)
{
    char text[BUPC_DUMP_MIN_LENGTH], expected[BUPC_DUMP_MIN_LENGTH];
    shared [3] double *p = &three[3 * MYTHREAD + 2];
    EQ(bupc_dump_shared(p, text, sizeof text), 0);
    snprintf(expected, sizeof expected, "<address=0x%lx (addrfield=0x%lx), thread=%d, phase=2>",
             (unsigned long)(uintptr_t)bupc_cast(p), (unsigned long)upc_addrfield(p), MYTHREAD);
    CHECK(strcmp(text, expected) == 0);
    EQ(upc_dump_shared(NULL, text, sizeof text), 0);
    CHECK(strcmp(text, "<NULL>") == 0);
    errno = 0;
    EQ(bupc_dump_shared(p, text, BUPC_DUMP_MIN_LENGTH - 1), -1);
    EQ(errno, EINVAL);
}

static void others(void)
{
    for (int t = 0; t < THREADS; t++) {
        EQ(bupc_thread_distance(t, t), BUPC_THREADS_SAME);
        EQ(bupc_thread_distance(t, MYTHREAD), bupc_thread_distance(MYTHREAD, t));
        if (t != MYTHREAD)
            CHECK(bupc_thread_distance(t, MYTHREAD) > BUPC_THREADS_SAME);
    }
    CHECK(bupc_getenv("PATH") == getenv("PATH"));
    CHECK(bupc_getenv("a variable of this name there is not") == NULL);
    bupc_trace_printf(("never %d\n", MYTHREAD));
    bupc_all_free(upc_all_alloc(THREADS, 8));
    bupc_all_lock_free(upc_all_lock_alloc());
}

int main(void)
{
    clocks();
    casts();
    arithmetic();
    dumps();
    others();
    return finish();
}
