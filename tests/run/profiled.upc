/*
 * Does each operation a number of times that profile_test.py knows.  The test finds its lines by their text.
 *
 *     profiled FILE        writes FILE
 *     profiled FILE end T  thread T, or with T = -1 each, ends the job by upc_global_exit
 */
#include <banyan_aggregate.h>
#include <bupc_atomic.h>
#include <bupc_copy.h>
#include <locale.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <upc_atomic.h>
#include <upc_collective.h>
#include <upc_io.h>
#include <upc_nb.h>
#include <upc_relaxed.h>

#define BLOCK 1024
#define EACH (MYTHREAD * BLOCK)
#define NEXT ((MYTHREAD + 1) % THREADS * BLOCK)

shared [BLOCK] char data[BLOCK * THREADS];
shared [BLOCK] char more[BLOCK * THREADS];
shared long counter;
shared [1] int whom[THREADS];
static strict shared int has_left[THREADS];
static char mine[BLOCK];
static long taken;

static void copies(void)
{
    for (int i = 0; i < 10; i++)
        upc_memput(&data[NEXT], mine, 64); /* the puts */
    for (int i = 0; i < 20; i++)
        upc_memget(mine, &data[NEXT], 32);
    for (int i = 0; i < 3; i++)
        upc_memcpy(&more[EACH], &data[NEXT], 100);
    upc_memset(&more[EACH], 0, 50);
    upc_handle_t handle = upc_memget_nb(mine, &data[NEXT], 16);
    upc_sync(handle);
    upc_memput_nbi(&more[EACH], mine, 8);
    upc_synci();
    bupc_memput_fstrided(&more[EACH], 4, 8, 6, mine, 4, 4, 6);
}

static void locks(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    for (int i = 0; i < 5; i++) {
        upc_lock(lock);
        upc_unlock(lock);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        upc_lock_free(lock);
}

static void barriers(void)
{
    for (int i = 0; i < 7; i++)
        upc_barrier; /* the barriers */
    upc_notify;
    upc_wait;
}

static void collectives(void)
{
    whom[MYTHREAD] = (MYTHREAD + 1) % THREADS;
    for (int i = 0; i < 4; i++)
        upc_all_broadcast(more, &data[0], 128, 0);
    upc_all_gather_all(more, data, 4, 0);
    upc_all_exchange(more, data, 2, 0);
    upc_all_permute(more, data, whom, 10, 0);
    upc_all_reduceL(&counter, &counter, UPC_ADD, 1, 1, NULL, 0);
}

static void atomics(void)
{
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD, 0);
    long one = 1;
    for (int i = 0; i < 9; i++)
        upc_atomic_relaxed(domain, NULL, UPC_ADD, &counter, &one, NULL);
    upc_barrier;
    upc_all_atomicdomain_free(domain);
}

static void take(void *context, int from, const void *items, size_t count)
{
    (void)context, (void)from, (void)items;
    taken += (long)count;
}

/* Blocks of 8 items; 20 items make two blocks and a rest */
static void aggregate(void)
{
    banyan_aggregate_t *items = banyan_aggregate_all_make(sizeof(long), 64, take, NULL);
    for (long i = 0; i < 20; i++)
        banyan_aggregate_push(items, NEXT / BLOCK, &i);
    banyan_aggregate_end(items);
    banyan_aggregate_all_free(items);
}

static void files(const char *name)
{
    upc_file_t *file = upc_all_fopen(name, UPC_CREATE | UPC_WRONLY | UPC_INDIVIDUAL_FP, 0, NULL);
    upc_all_fseek(file, MYTHREAD * 256, UPC_SEEK_SET);
    upc_all_fwrite_local(file, mine, 1, 256, 0);
    upc_all_fclose(file);
}

int main(int argc, char **argv)
{
    setlocale(LC_ALL, "");
    shared void *memory = upc_alloc(100);
    shared void *all = upc_all_alloc(THREADS, 8);
    upc_free(memory);
    copies();
    locks();
    barriers();
    collectives();
    atomics();
    aggregate();
    files(argv[1]);
    upc_all_free(all);
    for (int i = 0; i < 11; i++) /* reads and writes in place */
        data[EACH + i] = data[NEXT + i];
    upc_barrier;
    if (argc > 3) { /* A barrier is counted when it is left. */
        has_left[MYTHREAD] = 1;
        for (int i = 0; i < THREADS; i++)
            while (!has_left[i])
                sched_yield();
    }
    if (argc > 3 && (atoi(argv[3]) < 0 || MYTHREAD == atoi(argv[3])))
        upc_global_exit(3);
    if (argc > 3)
        upc_barrier;
    return taken != 20;
}
