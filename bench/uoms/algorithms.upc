/* algorithms.upc: how the harness lists, chooses and queries algorithms of collectives, if the compiler's library
 * supports it. */
#include "data.h"
#include "harness/options.h"
#include "harness/port.h"
#include "libraries.h"

#include <string.h>

#if defined(HAS_BANYAN_COLL)

#include <banyan/coll.h>
#include <upc_collective.h>

/* The family of an operation: broadcast for broadcast, a reduction of one value per thread for reduce_D, and so on */
static const char *family(const char *operation)
{
    if (strncmp(operation, "reduce_all_", 11) == 0)
        return "reduce_all";
    if (strncmp(operation, "reduce_", 7) == 0)
        return "reduce";
    if (strncmp(operation, "prefix_reduce_", 14) == 0)
        return "prefix";
    return operation;
}

/* Reductions fold each thread's values before anything is sent, so the message size is not that of the data. */
static int is_reduction(const char *operation)
{
    return family(operation) != operation;
}

/* Bytes of an element of reduce_D and so on, which is what is sent */
static size_t element_bytes(const char *operation)
{
    static const struct { const char *type; size_t bytes; } types[] = {
        {"_C", sizeof(char)},       {"_UC", sizeof(char)}, {"_S", sizeof(short)}, {"_US", sizeof(short)},
        {"_I", sizeof(int)},        {"_UI", sizeof(int)},  {"_L", sizeof(long)},  {"_UL", sizeof(long)},
        {"_F", sizeof(float)},      {"_D", sizeof(double)}, {"_LD", sizeof(long double)},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(strrchr(operation, '_'), types[i].type) == 0)
            return types[i].bytes;
    }
    return 0;
}

size_t port_algorithms(const char *operation, const char **names, size_t room)
{
    int count = bn_coll_ways(family(operation), names, (int)room);
    return (size_t)count < room ? (size_t)count : room;
}

/* The runtime chooses for powers of two, and refuses a way that cannot carry the next larger one. */
size_t port_algorithm_limit(const char *operation, const char *name)
{
    size_t limit = is_reduction(operation) ? 0 : bn_coll_way_limit(family(operation), name);
    size_t largest = 1;
    if (limit == 0)
        return (size_t)-1;
    while (2 * largest <= limit)
        largest *= 2;
    return largest;
}

int port_use_algorithm(const char *operation, const char *name)
{
    return bn_coll_use_way(family(operation), name);
}

const char *port_algorithm(const char *operation, size_t size_bytes, const struct uoms_options *options)
{
    size_t travels = is_reduction(operation) ? element_bytes(operation) : size_bytes;
    return bn_coll_way(family(operation), travels, data_flags(options));
}

#else

#include "harness/no_algorithms.h"

#endif
