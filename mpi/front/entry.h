/* entry.h: defines an entry point of a collective operation under its two names. */
#ifndef BN_MPI_FRONT_ENTRY_H
#define BN_MPI_FRONT_ENTRY_H

#include "front/call.h"
#include "front/tools.h"
#include "host/names.h"

/* Defines MPI_name, which hands its calls to tool if there is one, and PMPI_name, which hands calls that are not ours
 * to function.  COUNT is the type of counts. */
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
