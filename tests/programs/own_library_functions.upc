// Facts 2: a program may define functions of the libraries, as reference implementations of them do.  Its own are
// called where it calls them, and nowhere else: the library goes on with those that it has.
#include <upc.h>

#include <upc_collective.h>
#include <upc_nb.h>

#include "check.h"

static int calls;

void upc_all_broadcast(shared void *dst, shared const void *src, size_t nbytes, upc_flag_t flags)
{
    calls++;
    upc_barrier;
    for (size_t i = 0; i < nbytes; i++) {
        shared [] char *to = (shared [] char *)((shared [1] char (*)[1])dst + MYTHREAD);
        to[i] = ((shared [] const char *)src)[i];
    }
    upc_barrier;
    (void)flags;
}

shared void *upc_alloc(size_t nbytes)
{
    calls++;
    (void)nbytes;
    return NULL;
}

void upc_free(shared void *ptr)
{
    calls++;
    (void)ptr;
}

void upc_memcpy(shared void *dst, shared const void *src, size_t n)
{
    calls++;
    (void)dst, (void)src, (void)n;
}

upc_handle_t upc_memget_nb(void *dst, shared const void *src, size_t n)
{
    calls++;
    (void)dst, (void)src, (void)n;
    return UPC_COMPLETE_HANDLE;
}

void upc_sync(upc_handle_t handle)
{
    calls++;
    (void)handle;
}

void upc_synci(void)
{
    calls++;
}

void upc_poll(void)
{
    calls++;
}

void bupc_init(int *argc, char ***argv)
{
    calls++;
    (void)argc, (void)argv;
}

static int compare(shared void *a, shared void *b)
{
    return *(shared [] int *)a - *(shared [] int *)b;
}

shared int numbers[8 * THREADS], copies[8 * THREADS], gathered[THREADS];
shared char letter[THREADS], source;

int main(void)
{
    CHECK(calls == 0);
    if (MYTHREAD == 0)
        source = 'u';
    upc_all_broadcast(letter, &source, 1, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    CHECK(letter[MYTHREAD] == 'u' && calls == 1);

    /* Library calls whose implementation uses functions that this program defines, too */
    for (int i = 0; i < 8; i++)
        numbers[MYTHREAD + i * THREADS] = 8 * THREADS - (MYTHREAD + i * THREADS);
    upc_barrier;
    upc_all_sort(numbers, sizeof(int), 8 * THREADS, 1, compare, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    for (int i = 0; i < 8; i++)
        CHECK(numbers[MYTHREAD + i * THREADS] == MYTHREAD + i * THREADS + 1);
    upc_barrier;
    upc_handle_t handle = upc_memcpy_nb(&copies[MYTHREAD], &numbers[MYTHREAD], 2 * sizeof(int));
    CHECK(upc_sync_attempt(handle));
    CHECK(copies[MYTHREAD] == numbers[MYTHREAD]);
    int got = 0;
    bupc_handle_t other = bupc_memget_async(&got, &numbers[MYTHREAD], sizeof got);
    bupc_waitsync_all(&other, 1);
    CHECK(got == MYTHREAD + 1);
    bupc_memget_asynci(&got, &numbers[MYTHREAD], sizeof got);
    bupc_waitsynci();
    bupc_poll();
    shared [] int *block = upc_local_alloc(4, sizeof(int));
    CHECK(block != NULL);
    block[3] = 5;
    CHECK(calls == 1);

    upc_free(block);
    upc_poll();
    CHECK(calls == 3);
    return finish();
}
