/* The entry points of the collective operations. */
#include "front/call.h"

#define EXPORT __attribute__((visibility("default")))

#define ENTRY(name, operation_, parameters, arguments, ...)                                                            \
    EXPORT int MPI_##name parameters                                                                                   \
    {                                                                                                                  \
        struct bn_args args = {.operation = operation_, .is_large = sizeof(COUNT) > sizeof(int), __VA_ARGS__};         \
        bool is_ours = bn_call_begin(&args);                                                                           \
        int result = is_ours ? bn_call_carry(&args) : below.name arguments;                                            \
        if (args.is_watched)                                                                                           \
            bn_call_end(&args);                                                                                        \
        return result;                                                                                                 \
    }

#define COUNT int
#define OFFSET int
#define COLLECTIVE ENTRY
#include "front/collectives.def"
