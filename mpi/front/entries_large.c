/* The entry points of the collective operations with large counts, where mpi.h has them. */
#include "front/entry.h"

#define COUNT MPI_Count
#define OFFSET MPI_Aint
#define COLLECTIVE_WITHOUT_COUNTS(...)

#define FUNCTION(name, ...) __typeof__(PMPI_##name##_c) *name;
#define COLLECTIVE FUNCTION
static struct large {
#include "front/collectives.def"
} large, large_tools;
#undef COLLECTIVE

#define FIND(name, ...)                                                                                                \
    large.name = (__typeof__(large.name))bn_below_symbol("PMPI_" #name "_c");                                          \
    large_tools.name = (__typeof__(large.name))bn_tools_symbol("MPI_" #name "_c");
#define COLLECTIVE FIND
void bn_below_find_large(void)
{
#include "front/collectives.def"
}
#undef COLLECTIVE

#define ENTRY(name, ...) BN_ENTRY(name##_c, large.name, large_tools.name, __VA_ARGS__)
#define COLLECTIVE ENTRY
#include "front/collectives.def"
