/* port.upc: the harness over UPC. */
#include "harness/port.h"

#include "harness/json.h"
#include "libraries.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>

#if defined(HAS_CASTABLE)
#include <upc_castable.h>
#endif

const char port_system[] = "UPC";

static shared [] char broadcast_room[PORT_LARGEST];
static shared [PORT_LARGEST] char gather_room[THREADS][PORT_LARGEST];

/*
 * A channel for values from one thread to another.  Each word has affinity to the thread that waits for it, so that
 * between machines a value takes as long in both directions, on which the comparison of clocks relies.
 */
struct channel {
    strict shared [] long *sent;  /* how many values were sent; at the receiver */
    /* how many of them were read; at the sender.  A new one may be written when all have been read. */
    strict shared [] long *taken;
    shared [] double *value;      /* at the receiver */
    long count;                   /* as far as the calling thread knows */
};

/* Between thread 0 and each thread: down from thread 0, and up to it */
static strict shared long down_sent[THREADS], up_taken[THREADS];
static shared double down_value[THREADS];
static struct channel *down, *up;

/* Collective.  Zero, or non-zero if there is no memory. */
static int make_channels(void)
{
    strict shared [] long *words = (strict shared [] long *)upc_all_alloc(1, 2 * THREADS * sizeof(long));
    shared [] double *values = (shared [] double *)upc_all_alloc(1, THREADS * sizeof(double));
    down = malloc(THREADS * sizeof *down);
    up = malloc(THREADS * sizeof *up);
    if (words == NULL || values == NULL || down == NULL || up == NULL)
        return 1;
    for (int t = 0; t < THREADS; t++) {
        if (MYTHREAD == 0)
            words[2 * t] = words[2 * t + 1] = 0;
        down[t] = (struct channel){(strict shared [] long *)&down_sent[t], &words[2 * t],
                                   (shared [] double *)&down_value[t], 0};
        up[t] = (struct channel){&words[2 * t + 1], (strict shared [] long *)&up_taken[t], &values[t], 0};
    }
    upc_barrier;
    return 0;
}

int port_start(int *argc_p, char ***argv_p)
{
    (void)argc_p;
    (void)argv_p;
    return make_channels();
}

void port_finish(void)
{
}

int port_thread(void)
{
    return MYTHREAD;
}

int port_threads(void)
{
    return THREADS;
}

int port_threads_on_node(void)
{
#if defined(HAS_CASTABLE)
    int near = 0;
    for (int thread = 0; thread < THREADS; thread++)
        near += upc_thread_info((size_t)thread).guaranteedCastable != 0;
    return near;
#else
    return THREADS;
#endif
}

void port_barrier(void)
{
    upc_barrier;
}

void port_progress(void)
{
}

void port_broadcast(void *data, size_t size_bytes)
{
    if (MYTHREAD == 0)
        memcpy((char *)broadcast_room, data, size_bytes);
    upc_barrier;
    if (MYTHREAD != 0)
        upc_memget(data, broadcast_room, size_bytes);
    upc_barrier;
}

void port_gather(const void *mine, size_t size_bytes, void *all)
{
    for (size_t done = 0; done < size_bytes; done += PORT_LARGEST) {
        size_t piece = size_bytes - done < PORT_LARGEST ? size_bytes - done : PORT_LARGEST;
        memcpy((char *)gather_room[MYTHREAD], (const char *)mine + done, piece);
        upc_barrier;
        for (int t = 0; MYTHREAD == 0 && t < THREADS; t++)
            upc_memget((char *)all + (size_t)t * size_bytes + done, gather_room[t], piece);
        upc_barrier;
    }
}

/* With more threads than cores, the other thread may need this core. */
static void wait_for_count(strict shared [] long *count, long expected)
{
    for (long turn = 1; *count != expected; turn++) {
        if (turn % 1000 == 0)
            sched_yield();
    }
}

static void put_value(struct channel *channel, double value)
{
    wait_for_count(channel->taken, channel->count);
    *channel->value = value;
    *channel->sent = ++channel->count;
}

static double take_value(struct channel *channel)
{
    wait_for_count(channel->sent, ++channel->count);
    double value = *channel->value;
    *channel->taken = channel->count;
    return value;
}

void port_send(int to, double value)
{
    put_value(MYTHREAD == 0 ? &down[to] : &up[MYTHREAD], value);
}

double port_receive(int from)
{
    return take_value(MYTHREAD == 0 ? &up[from] : &down[MYTHREAD]);
}

void port_abort(int status)
{
    upc_global_exit(status);
}

int port_can_allocate(size_t shared_bytes)
{
    shared void *block = upc_all_alloc(THREADS, shared_bytes);
    int can = block != NULL;
    upc_barrier;
    if (MYTHREAD == 0 && can)
        upc_free(block);
    upc_barrier;
    return can;
}

/* -DUOMS_COMPILER="..." is the first line of the compiler's version message. */
#if !defined(UOMS_COMPILER)
#define UOMS_COMPILER "unknown"
#endif

void port_version(char text[PORT_VERSION_BYTES])
{
    snprintf(text, PORT_VERSION_BYTES, "%s", UOMS_COMPILER);
}

void port_describe(struct uoms_json *json)
{
#if defined(__UPC_VERSION__)
    uoms_json_count(json, "upc_version", (size_t)__UPC_VERSION__);
#endif
#if defined(__UPC_STATIC_THREADS__)
    uoms_json_text(json, "threads_environment", "static");
#else
    uoms_json_text(json, "threads_environment", "dynamic");
#endif
}
