/* entry.h: an entry point of a collective operation. */
#ifndef BN_MPI_FRONT_ENTRY_H
#define BN_MPI_FRONT_ENTRY_H

#include "front/call.h"

/* The function MPI_name, whose calls go to function where they are not ours.  COUNT is the type of counts. */
#define BN_ENTRY(name, function, operation_, parameters, arguments, ...)                                               \
    __attribute__((visibility("default"))) int name parameters                                                         \
    {                                                                                                                  \
        struct bn_args args = {.operation = operation_, .is_large = sizeof(COUNT) > sizeof(int), __VA_ARGS__};         \
        bool is_ours = bn_call_begin(&args);                                                                           \
        int result = is_ours ? bn_call_carry(&args) : function arguments;                                              \
        if (args.is_watched)                                                                                           \
            bn_call_end(&args);                                                                                        \
        return result;                                                                                                 \
    }

#endif
