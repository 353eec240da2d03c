/* MPI_Type_get_contents refuses types that were made with large counts; MPI_Type_get_contents_c accepts all types. */
#include "types/contents.h"

#include <stdlib.h>

/* Puts the numbers in the order of MPI_Type_get_contents: in a subarray the storage order comes last, and it is not a
 * large count. */
static void order(struct bn_type_contents *contents, const int *integers, size_t integer_count,
                  const MPI_Aint *addresses, size_t address_count, const MPI_Count *large, size_t large_count)
{
    bool is_large_part = contents->combiner == MPI_COMBINER_SUBARRAY && large_count > 0;
    size_t ahead = is_large_part ? integer_count - 1 : integer_count;
    MPI_Count *next = contents->numbers;
    for (size_t i = 0; i < ahead; i++)
        *next++ = integers[i];
    for (size_t i = 0; i < address_count; i++)
        *next++ = addresses[i];
    for (size_t i = 0; i < large_count; i++)
        *next++ = large[i];
    if (is_large_part)
        *next = integers[ahead];
}

static int get_envelope(MPI_Datatype type, MPI_Count *integers, MPI_Count *addresses, MPI_Count *counts,
                        MPI_Count *types, int *combiner)
{
    return ((__typeof__(PMPI_Type_get_envelope_c) *)bn_type_calls.Type_get_envelope_c)(type, integers, addresses,
                                                                                       counts, types, combiner);
}

bool bn_type_is_made_large(MPI_Datatype type)
{
    MPI_Count integers, addresses, counts, types;
    int combiner;
    return get_envelope(type, &integers, &addresses, &counts, &types, &combiner) == MPI_SUCCESS && types > 0;
}

bool bn_type_contents_get_large(struct bn_type_contents *contents, MPI_Datatype type)
{
    __typeof__(PMPI_Type_get_contents_c) *get_contents =
        (__typeof__(PMPI_Type_get_contents_c) *)bn_type_calls.Type_get_contents_c;
    MPI_Count integers, addresses, counts, types;
    if (get_envelope(type, &integers, &addresses, &counts, &types, &contents->combiner) != MPI_SUCCESS || types == 0)
        return false;
    int *small = calloc((size_t)integers + 1, sizeof *small);
    MPI_Aint *places = calloc((size_t)addresses + 1, sizeof *places);
    MPI_Count *large = calloc((size_t)counts + 1, sizeof *large);
    size_t numbers = (size_t)(integers + addresses + counts);
    bool is_right =
        small && places && large && bn_type_contents_make(contents, numbers, (size_t)types) &&
        get_contents(type, integers, addresses, counts, types, small, places, large, contents->types) == MPI_SUCCESS;
    if (is_right) {
        order(contents, small, (size_t)integers, places, (size_t)addresses, large, (size_t)counts);
        contents->number_count = numbers;
        contents->type_count = (size_t)types;
    }
    free(small);
    free(places);
    free(large);
    return is_right;
}
