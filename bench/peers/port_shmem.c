/* port_shmem.c: the harness over OpenSHMEM 1.4.  All shared memory is from the symmetric heap: static objects are not
 * symmetric everywhere. */
#include "block.h"
#include "harness/json.h"
#include "harness/no_algorithms.h"
#include "harness/port.h"

#include <sched.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char port_system[] = "OpenSHMEM";

/* One for each process that communicates with process 0, on both sides */
struct mail {
    long count;
    double value;
};

static unsigned char *room; /* PORT_LARGEST bytes for broadcasts, followed by as many for each process */
static struct mail *mail;   /* by the other process's number */
static long *seen, *sent;

int port_start(int *argc_p, char ***argv_p)
{
    (void)argc_p;
    (void)argv_p;
    shmem_init();
    size_t threads = (size_t)shmem_n_pes();
    room = shmem_malloc(PORT_LARGEST * (threads + 1));
    mail = shmem_calloc(threads, sizeof *mail);
    seen = calloc(threads, sizeof *seen);
    sent = calloc(threads, sizeof *sent);
    return room == NULL || mail == NULL || seen == NULL || sent == NULL;
}

void port_finish(void)
{
    shmem_barrier_all();
    shmem_free(mail);
    shmem_free(room);
    free(seen);
    free(sent);
    shmem_finalize();
}

int port_thread(void)
{
    return shmem_my_pe();
}

int port_threads(void)
{
    return shmem_n_pes();
}

int port_threads_on_node(void)
{
    int near = 0;
    for (int pe = 0; pe < shmem_n_pes(); pe++)
        near += shmem_ptr(room, pe) != NULL;
    return near > 0 ? near : 1;
}

void port_barrier(void)
{
    shmem_barrier_all();
}

void port_progress(void)
{
    shmem_quiet();
}

void port_broadcast(void *data, size_t size_bytes)
{
    if (shmem_my_pe() == 0)
        memcpy(room, data, size_bytes);
    shmem_barrier_all();
    if (shmem_my_pe() != 0)
        shmem_getmem(data, room, size_bytes, 0);
    shmem_barrier_all();
}

void port_gather(const void *mine, size_t size_bytes, void *all)
{
    for (size_t done = 0; done < size_bytes; done += PORT_LARGEST) {
        size_t piece = size_bytes - done < PORT_LARGEST ? size_bytes - done : PORT_LARGEST;
        unsigned char *place = room + PORT_LARGEST;
        shmem_putmem(place + PORT_LARGEST * (size_t)shmem_my_pe(), (const char *)mine + done, piece, 0);
        shmem_barrier_all();
        for (int t = 0; shmem_my_pe() == 0 && t < shmem_n_pes(); t++)
            memcpy((char *)all + (size_t)t * size_bytes + done, place + PORT_LARGEST * (size_t)t, piece);
        shmem_barrier_all();
    }
}

/* The receiver resets the count to 0 when it has taken the value, so that no value is overwritten. */
void port_send(int to, double value)
{
    struct mail *there = &mail[shmem_my_pe()];
    while (shmem_long_atomic_fetch(&there->count, to) != 0)
        sched_yield();
    shmem_double_p(&there->value, value, to);
    shmem_fence();
    shmem_long_atomic_set(&there->count, ++sent[to], to);
    shmem_quiet();
}

double port_receive(int from)
{
    seen[from]++;
    shmem_long_wait_until(&mail[from].count, SHMEM_CMP_EQ, seen[from]);
    double value = mail[from].value;
    shmem_long_atomic_set(&mail[from].count, 0, shmem_my_pe());
    shmem_quiet();
    return value;
}

void port_abort(int status)
{
    shmem_global_exit(status);
}

int port_can_allocate(size_t shared_bytes)
{
    void *memory = shmem_malloc(shared_bytes);
    int can = memory != NULL;
    shmem_free(memory);
    return can;
}

void port_version(char text[PORT_VERSION_BYTES])
{
    char name[SHMEM_MAX_NAME_LEN];
    shmem_info_get_name(name);
    snprintf(text, PORT_VERSION_BYTES, "%s", name);
}

void port_describe(struct uoms_json *json)
{
    (void)json;
}

void *block_allocate(size_t size_bytes)
{
    return shmem_align(64, size_bytes);
}

void block_free(void *memory)
{
    shmem_free(memory);
}
