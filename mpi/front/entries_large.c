/* The entry points of the collective operations with large counts, where mpi.h has them. */
#include "front/entry.h"

#define COUNT MPI_Count
#define OFFSET MPI_Aint
#define COLLECTIVE_WITHOUT_COUNTS(...)

#define FUNCTION(name, ...) __typeof__(PMPI_##name##_c) *name;
#define COLLECTIVE FUNCTION
static struct {
#include "front/collectives.def"
} large;
#undef COLLECTIVE

#define FIND(name, ...) large.name = (__typeof__(large.name))bn_below_symbol("PMPI_" #name "_c");
#define COLLECTIVE FIND
void bn_below_find_large(void)
{
#include "front/collectives.def"
}
#undef COLLECTIVE

#define ENTRY(name, ...) BN_ENTRY(MPI_##name##_c, large.name, __VA_ARGS__)
#define COLLECTIVE ENTRY
#include "front/collectives.def"
