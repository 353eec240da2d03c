/* names.h: the two names of a function of MPI. */
#ifndef BN_MPI_HOST_NAMES_H
#define BN_MPI_HOST_NAMES_H

#define BN_EXPORT __attribute__((visibility("default")))

/*
 * Defines PMPI_name, by which tools hand calls on, and MPI_name.  Both call call_name; parameters and arguments are in
 * parentheses.  TOOL is the function of the next tool behind this library, which gets the calls of MPI_name, or null.
 * front/tools.h says which calls a tool sees.
 */
#define BN_BOTH_NAMES(...) BN_BOTH_NAMES_OF(__VA_ARGS__)
/* One more level of macros, so that a name that is itself a macro is expanded before it is pasted.  The parentheses
 * keep MPICH's macros, such as MPI_Comm_c2f(comm), from replacing the name in a declaration. */
#define BN_BOTH_NAMES_OF(type, name, tool, parameters, arguments)                                                      \
    BN_EXPORT type(PMPI_##name) parameters                                                                             \
    {                                                                                                                  \
        return call_##name arguments;                                                                                  \
    }                                                                                                                  \
    BN_EXPORT type(MPI_##name) parameters                                                                              \
    {                                                                                                                  \
        type(*next) parameters = tool;                                                                                 \
        if (__builtin_expect(next != 0, 0))                                                                            \
            return next arguments;                                                                                     \
        return call_##name arguments;                                                                                  \
    }

#endif
