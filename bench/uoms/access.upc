/* access.upc: single elements of the last thread, or of thread 0 itself, read and written by thread 0; and the
 * clock. */
#include "data.h"
#include "families.h"

#if defined(__UPC_TICK__)
#include <upc_tick.h>
#endif

enum { ELEMENTS = 1024 }; /* of type long, small enough for the first-level cache */

static long access_sum;

int access_setup(struct uoms_run *run)
{
    return data_take(run, ELEMENTS * sizeof(long), 0);
}

void access_prepare(struct uoms_run *run)
{
    long *mine = (long *)data_own(data_source);
    for (long i = 0; i < ELEMENTS; i++)
        mine[i] = i + (long)run->seed;
}

static void run_ticks(long count)
{
#if defined(__UPC_TICK__)
    upc_tick_t sum = 0;
    for (long i = 0; i < count; i++)
        sum += upc_ticks_now();
    data_sink = (long)sum;
#else
    data_sink = count;
#endif
}

static void run_relaxed(shared [] long *elements, int kind, long count, long seed)
{
    long sum = 0;
    if (kind == ACCESS_READ) {
        for (long i = 0; i < count; i++)
            sum += elements[i % ELEMENTS];
    } else {
        for (long i = 0; i < count; i++)
            elements[i % ELEMENTS] = seed;
    }
    access_sum = sum;
    data_sink = sum;
}

static void run_strict(strict shared [] long *elements, int kind, long count, long seed)
{
    long sum = 0;
    if (kind == ACCESS_STRICT_READ) {
        for (long i = 0; i < count; i++)
            sum += elements[i % ELEMENTS];
    } else {
        for (long i = 0; i < count; i++)
            elements[i % ELEMENTS] = seed;
    }
    access_sum = sum;
    data_sink = sum;
}

void access_run(struct uoms_run *run, long count)
{
    int kind = run->bench->param & 7;
    shared void *block = data_at(data_source, run->bench->param & ACCESS_LOCAL ? 0 : THREADS - 1);
    if (run->bench->param == ACCESS_TICKS)
        run_ticks(count);
    else if (kind == ACCESS_READ || kind == ACCESS_WRITE)
        run_relaxed((shared [] long *)block, kind, count, -(long)run->seed);
    else
        run_strict((strict shared [] long *)block, kind, count, -(long)run->seed);
}

/* One access was made, to element 0. */
size_t access_check(struct uoms_run *run)
{
    int kind = run->bench->param & 7;
    int is_read = kind == ACCESS_READ || kind == ACCESS_STRICT_READ;
    int owner = run->bench->param & ACCESS_LOCAL ? 0 : THREADS - 1;
    long found = is_read ? access_sum : *(long *)data_own(data_source);
    long good = is_read ? (long)run->seed : -(long)run->seed;
    if (MYTHREAD != (is_read ? 0 : owner) || found == good)
        return 0;
    run->bad_place = 0;
    run->bad_value = (unsigned)found;
    run->good_value = (unsigned)good;
    return sizeof(long);
}
