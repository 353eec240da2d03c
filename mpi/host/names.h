/* names.h: the two names of a function of MPI. */
#ifndef BN_MPI_HOST_NAMES_H
#define BN_MPI_HOST_NAMES_H

#define BN_EXPORT __attribute__((visibility("default")))

/*
 * Of call_name, whose parameters and arguments are in parentheses: PMPI_name, by which tools hand calls on, and
 * MPI_name.  TOOL is the function of the next tool behind this library, to which what comes by MPI_name goes, or null.
 * front/tools.h says who sees which calls.
 */
#define BN_BOTH_NAMES(...) BN_BOTH_NAMES_OF(__VA_ARGS__)
/* A name that a macro makes is made before it is pasted. */
#define BN_BOTH_NAMES_OF(type, name, tool, parameters, arguments)                                                      \
    BN_EXPORT type PMPI_##name parameters                                                                              \
    {                                                                                                                  \
        return call_##name arguments;                                                                                  \
    }                                                                                                                  \
    BN_EXPORT type MPI_##name parameters                                                                               \
    {                                                                                                                  \
        type(*next) parameters = tool;                                                                                 \
        if (__builtin_expect(next != 0, 0))                                                                            \
            return next arguments;                                                                                     \
        return call_##name arguments;                                                                                  \
    }

#endif
