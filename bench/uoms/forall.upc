/* forall.upc: loops over a shared array of int with block size 1: by all threads with upc_forall, and by thread 0
 * alone. */
#include "data.h"
#include "families.h"

static size_t loop_sum; /* result of the last read loop */

static int loop_value(size_t i, unsigned seed)
{
    return (int)((i * 2654435761u + seed * 40503u) >> 7 & 0xFFFF);
}

int loop_setup(struct uoms_run *run)
{
    return data_take(run, run->bytes, 0);
}

void loop_prepare(struct uoms_run *run)
{
    int *mine = (int *)data_own(data_source);
    for (size_t i = 0; i < run->bytes / sizeof(int); i++)
        mine[i] = loop_value(i * (size_t)THREADS + (size_t)MYTHREAD, run->seed);
}

static void run_forall(shared int *array, size_t total, int kind, unsigned seed)
{
    size_t i;
    size_t sum = 0;
    switch (kind) {
    case LOOP_READ:
        upc_forall (i = 0; i < total; i++; &array[i])
            sum += (size_t)array[i];
        break;
    case LOOP_WRITE:
        upc_forall (i = 0; i < total; i++; &array[i])
            array[i] = (int)(i & 0xFFFF) + (int)(seed & 0xFF);
        break;
    default:
        upc_forall (i = 0; i < total; i++; &array[i])
            array[i] = (array[i] + 1) & 0xFFFFF;
    }
    loop_sum = sum;
    data_sink = (long)sum;
}

static void run_for(shared int *array, size_t total, int kind, unsigned seed)
{
    size_t sum = 0;
    switch (kind) {
    case LOOP_READ:
        for (size_t i = 0; i < total; i++)
            sum += (size_t)array[i];
        break;
    case LOOP_WRITE:
        for (size_t i = 0; i < total; i++)
            array[i] = (int)(i & 0xFFFF) + (int)(seed & 0xFF);
        break;
    default:
        for (size_t i = 0; i < total; i++)
            array[i] = (array[i] + 1) & 0xFFFFF;
    }
    loop_sum = sum;
    data_sink = (long)sum;
}

void loop_run(struct uoms_run *run, long count)
{
    shared int *array = (shared int *)data_source;
    size_t total = run->bytes / sizeof(int) * (size_t)THREADS;
    int kind = run->bench->param;
    for (long c = 0; c < count; c++) {
        if (kind & LOOP_ALONE)
            run_for(array, total, kind & ~LOOP_ALONE, run->seed);
        else
            run_forall(array, total, kind, run->seed);
    }
}

/* The expected sum over the elements that the caller reads */
static size_t expected_sum(const struct uoms_run *run)
{
    int is_alone = (run->bench->param & LOOP_ALONE) != 0;
    size_t total = run->bytes / sizeof(int) * (size_t)THREADS;
    size_t step = is_alone ? 1 : (size_t)THREADS;
    size_t sum = 0;
    if (is_alone && MYTHREAD != 0)
        return loop_sum;
    for (size_t i = is_alone ? 0 : (size_t)MYTHREAD; i < total; i += step)
        sum += (size_t)loop_value(i, run->seed);
    return sum;
}

size_t loop_check(struct uoms_run *run)
{
    int kind = run->bench->param & ~LOOP_ALONE;
    const int *mine = (const int *)data_own(data_source);
    size_t wrong = 0;
    if (kind == LOOP_READ)
        return loop_sum == expected_sum(run) ? 0 : run->bytes;
    for (size_t i = 0; i < run->bytes / sizeof(int); i++) {
        size_t place = i * (size_t)THREADS + (size_t)MYTHREAD;
        int good = kind == LOOP_WRITE ? (int)(place & 0xFFFF) + (int)(run->seed & 0xFF)
                                      : (loop_value(place, run->seed) + 1) & 0xFFFFF;
        if (mine[i] != good && wrong == 0) {
            run->bad_place = i * sizeof(int);
            run->bad_value = (unsigned)mine[i];
            run->good_value = (unsigned)good;
        }
        wrong += mine[i] != good ? sizeof(int) : 0;
    }
    return wrong;
}
