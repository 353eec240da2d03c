/* one_thread.c: a parallel system with one thread, a clock that tests control, and a table. */
#include "one_thread.h"
#include "bench.h"
#include "now.h"
#include "port.h"

#include <stdlib.h>
#include <string.h>

const char port_system[] = "one thread";
const char uoms_command[] = "test";
const char uoms_title[] = "Test";

size_t one_thread_limit = (size_t)-1;
double one_thread_now_ns, one_thread_look_ns, one_thread_first_look_ns, one_thread_barrier_ns;

int port_thread(void)
{
    return 0;
}
int port_threads(void)
{
    return 1;
}
int port_threads_on_node(void)
{
    return 1;
}
void port_barrier(void)
{
    one_thread_now_ns += one_thread_barrier_ns;
}
void port_progress(void) {}
void port_abort(int status)
{
    exit(status);
}
void port_broadcast(void* data, size_t size_bytes)
{
    (void)data;
    (void)size_bytes;
}
void port_gather(const void* mine, size_t size_bytes, void* all)
{
    memcpy(all, mine, size_bytes);
}
void port_send(int to, double value)
{
    (void)to;
    (void)value;
}
double port_receive(int from)
{
    (void)from;
    return 0;
}
double uoms_now_ns(void)
{
    double now_ns = one_thread_now_ns += one_thread_look_ns;
    one_thread_now_ns += one_thread_first_look_ns;
    one_thread_first_look_ns = 0;
    return now_ns;
}
int port_can_allocate(size_t shared_bytes)
{
    return shared_bytes <= one_thread_limit;
}

static size_t twice(size_t bytes, int threads)
{
    return uoms_times(2 * bytes, (size_t)threads);
}
static size_t once(size_t bytes, int threads)
{
    (void)threads;
    return bytes;
}

const struct uoms_bench uoms_benches[] = {
    {"upc_barrier", "barrier", "g", 0, UOMS_NO_BANDWIDTH, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0},
    {"upc_all_broadcast", "broadcast", "g", UOMS_SIZED, UOMS_TIMES_THREADS, 1, NULL, once, NULL, NULL, NULL, NULL, NULL,
     NULL, 0},
    {"upc_all_exchange", "exchange", "g", UOMS_SIZED, UOMS_TIMES_SQUARE, 1, NULL, twice, NULL, NULL, NULL, NULL, NULL,
     NULL, 0},
    {"upc_all_reduceD", "reduce_D", "g", UOMS_SIZED | UOMS_REDUCES, UOMS_NO_BANDWIDTH, 8, NULL, once, NULL, NULL, NULL,
     NULL, NULL, NULL, 0},
    {"upc_all_reduceI", "reduce_I", "g", UOMS_SIZED | UOMS_REDUCES | UOMS_INTEGERS, UOMS_NO_BANDWIDTH, 4, NULL, once,
     NULL, NULL, NULL, NULL, NULL, NULL, 0},
    {"upc_memget_nb", "get_nb", "g", UOMS_SIZED, UOMS_TIMES_ONE, 1, "this compiler has no upc_nb.h", NULL, NULL, NULL,
     NULL, NULL, NULL, NULL, 0},
    {NULL, NULL, NULL, 0, UOMS_NO_BANDWIDTH, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0},
};
