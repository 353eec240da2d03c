/* copy.upc: block copies between thread 0 and the last thread, or within thread 0, and those of C. */
#include "copy.h"

#include "data.h"
#include "libraries.h"

#include <stdlib.h>
#include <string.h>
#if defined(HAS_CASTABLE)
#include <upc_castable.h>
#endif

unsigned char *copy_private_source;
unsigned char *copy_private_destination;

/* Calls through volatile pointers cannot be merged. */
static void *(*volatile copy_memcpy)(void *, const void *, size_t) = memcpy;
static void *(*volatile copy_memmove)(void *, const void *, size_t) = memmove;

int copy_partner(const struct uoms_run *run)
{
    return run->bench->param & COPY_LOCAL ? 0 : THREADS - 1;
}

/* The thread whose data each thread copies in memcpy_all: the next one, or itself if it cannot access that one's
 * memory */
static const unsigned char *all_source(int *owner_p)
{
#if defined(HAS_CASTABLE)
    const unsigned char *next = upc_cast(data_at(data_source, (MYTHREAD + 1) % THREADS));
    *owner_p = (MYTHREAD + 1) % THREADS;
    if (next != NULL)
        return next;
#endif
    *owner_p = MYTHREAD;
    return data_own(data_source);
}

static int kind_of(const struct uoms_run *run)
{
    return run->bench->param & 7;
}

int copy_setup(struct uoms_run *run)
{
    int failed = data_take(run, run->bytes, run->bytes);
    copy_private_source = malloc(uoms_room(run->bytes));
    copy_private_destination = malloc(uoms_room(run->bytes));
    if (failed || copy_private_source == NULL || copy_private_destination == NULL)
        return 1;
    memset(copy_private_source, 0, uoms_room(run->bytes));
    memset(copy_private_destination, 0, uoms_room(run->bytes));
    run->regions[2].data = copy_private_source;
    run->regions[2].per_byte = 1;
    run->regions[3].data = copy_private_destination;
    run->regions[3].per_byte = 1;
    return 0;
}

/* All threads fill all sources, so that it does not matter which threads are partners. */
void copy_prepare(struct uoms_run *run)
{
    uoms_fill(data_own(data_source), MYTHREAD, 0, run->bytes, run->seed);
    uoms_fill(copy_private_source, MYTHREAD, 0, run->bytes, run->seed);
}

void copy_clear(struct uoms_run *run)
{
    uoms_poison(data_own(data_destination), run->bytes + UOMS_GUARD);
    uoms_poison(copy_private_destination, run->bytes + UOMS_GUARD);
}

static void run_blocking(struct uoms_run *run, long count)
{
    shared void *remote_source = data_at(data_source, copy_partner(run));
    shared void *remote_destination = data_at(data_destination, copy_partner(run));
    size_t bytes = run->bytes;
    int owner;
    const unsigned char *next = all_source(&owner);
    for (long i = 0; i < count; i++) {
        switch (kind_of(run)) {
        case COPY_MEMCPY_ALL: copy_memcpy(data_own(data_destination), next, bytes); break;
        case COPY_GET: upc_memget(copy_private_destination, remote_source, bytes); break;
        case COPY_PUT: upc_memput(remote_destination, copy_private_source, bytes); break;
        case COPY_COPY: upc_memcpy(remote_destination, data_source, bytes); break;
        case COPY_MEMCPY: copy_memcpy(copy_private_destination, copy_private_source, bytes); break;
        default: copy_memmove(copy_private_destination, copy_private_source, bytes);
        }
    }
}

void copy_run(struct uoms_run *run, long count)
{
    if (run->bench->param & (COPY_NB | COPY_NBI))
        copy_run_nb(run, count);
    else if (run->bench->param & (COPY_ASYNC | COPY_ASYNCI))
        copy_run_async(run, count);
    else
        run_blocking(run, count);
}

size_t copy_check(struct uoms_run *run)
{
    int is_all = kind_of(run) == COPY_MEMCPY_ALL;
    int is_shared = kind_of(run) == COPY_PUT || kind_of(run) == COPY_COPY || is_all;
    const unsigned char *destination = is_shared ? data_own(data_destination) : copy_private_destination;
    int checker = is_all ? MYTHREAD : is_shared ? copy_partner(run) : 0;
    int owner = kind_of(run) == COPY_GET ? copy_partner(run) : 0;
    if (is_all)
        all_source(&owner);
    if (MYTHREAD != checker)
        return 0;
    size_t wrong = uoms_compare(run, destination, owner, 0, run->bytes, run->seed, 0);
    return wrong > 0 ? wrong : uoms_compare_guard(run, destination + run->bytes, run->bytes);
}

void copy_teardown(struct uoms_run *run)
{
    free(copy_private_source);
    free(copy_private_destination);
    data_give(run);
}
