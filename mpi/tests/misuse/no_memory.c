// no_memory.c: a library to preload with which an allocation by libbanyan-mpi fails on the first process: the one whose
// number, from 1, is in NO_MEMORY_AT.  For the GNU C library.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);

static int failing(void)
{
    const char *at = getenv("NO_MEMORY_AT"), *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (!rank)
        rank = getenv("PMI_RANK");
    return at && rank && strcmp(rank, "0") == 0 ? atoi(at) : 0;
}

// dladdr() allocates nothing.
static int fails(void *caller)
{
    static int count, at = -1;
    Dl_info info;
    if (at < 0)
        at = failing();
    return at > 0 && dladdr(caller, &info) && strstr(info.dli_fname, "/libbanyan-mpi-") && ++count == at;
}

void *malloc(size_t bytes)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, bytes);
}
