/* The entry points of the collective operations. */
#include "front/call.h"

#define EXPORT __attribute__((visibility("default")))

#define ENTRY(name, operation_, parameters, arguments, ...)                                                            \
    EXPORT int MPI_##name parameters                                                                                   \
    {                                                                                                                  \
        struct bn_args args = {.operation = operation_, .is_large = sizeof(COUNT) > sizeof(int), __VA_ARGS__};         \
        if (bn_call_is_ours(&args))                                                                                    \
            return bn_call_carry(&args);                                                                               \
        return below.name arguments;                                                                                   \
    }

#define COUNT int
#define OFFSET int
#define COLLECTIVE ENTRY
#include "front/collectives.def"
