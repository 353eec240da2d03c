/* entry.h: an entry point of a collective operation, by its two names. */
#ifndef BN_MPI_FRONT_ENTRY_H
#define BN_MPI_FRONT_ENTRY_H

#include "front/call.h"
#include "front/tools.h"
#include "host/names.h"

/* The functions MPI_name, whose calls go to tool if there is one, and PMPI_name, whose calls go to function where they
 * are not ours.  COUNT is the type of counts. */
#define BN_ENTRY(name, function, tool, operation_, parameters, arguments, ...)                                         \
    static int call_##name parameters                                                                                  \
    {                                                                                                                  \
        struct bn_args args = {.operation = operation_, .is_large = sizeof(COUNT) > sizeof(int), __VA_ARGS__};         \
        bool is_ours = bn_call_begin(&args);                                                                           \
        int result = is_ours ? bn_call_carry(&args) : function arguments;                                              \
        if (args.is_watched)                                                                                           \
            bn_call_end(&args);                                                                                        \
        return result;                                                                                                 \
    }                                                                                                                  \
    BN_BOTH_NAMES(int, name, tool, parameters, arguments)

#endif
