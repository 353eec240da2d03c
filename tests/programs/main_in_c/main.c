#include <bupc_extern.h>
#include <bupc_extern.h> /* twice does no harm */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sum_of_threads(int value);
int read_first(int thread);
int is_own_memory(void *memory);
int library_rank(void);

static int failures;

static void check(int condition, const char *what)
{
    if (!condition) {
        printf("thread %d: %s\n", bupc_extern_mythread(), what);
        failures++;
    }
}

static void memory(int me, int threads)
{
    char *mine = bupc_extern_alloc(100);
    check(mine && is_own_memory(mine), "bupc_extern_alloc gives memory of this thread");
    memset(mine, me, 100);
    bupc_extern_free(mine, me);
    bupc_extern_free(NULL, me);
    check(!bupc_extern_alloc(0), "no bytes are a null pointer");
    check(!bupc_extern_all_alloc(0, 8), "no blocks are a null pointer");
    check(!bupc_extern_all_alloc((size_t)threads << 40, 1 << 20), "too much is a null pointer");

    int *part = bupc_extern_all_alloc((size_t)threads, sizeof(int));
    check(part && is_own_memory(part), "bupc_extern_all_alloc gives the part of this thread");
    *part = me * me;
    bupc_extern_barrier(7);
    check(read_first(0) == 0, "a plain object of UPC");
    bupc_extern_notify(8);
    bupc_extern_wait(8);
    bupc_extern_all_free(part, me);

    part = bupc_extern_all_alloc((size_t)threads, sizeof(int)); /* one thread frees by the address of its own part */
    bupc_extern_barrier(9);
    if (me == threads - 1)
        bupc_extern_free(part, me);
}

int main(int argc, char **argv)
{
    bupc_init(&argc, &argv);
    bupc_init(&argc, &argv);
    int me = bupc_extern_mythread(), threads = bupc_extern_threads();
    check(argc == 3 && strcmp(argv[1], "one") == 0 && strcmp(argv[2], "two") == 0, "arguments");
    check(me >= 0 && me < threads, "the number of the thread");
    check(sum_of_threads(me + 1) == threads * (threads + 1) / 2, "a collective in UPC");
    check(bupc_extern_getenv("PATH") && !bupc_extern_getenv("a variable that there is not"), "bupc_extern_getenv");
    check(library_rank() == me, "bupc_tentative.h");
    memory(me, threads);
    if (failures == 0)
        printf("ok\n");
    bupc_exit(failures != 0);
}
