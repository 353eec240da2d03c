#include "types/contents.h"

#include <stdlib.h>

bool bn_type_contents_make(struct bn_type_contents *contents, size_t numbers, size_t types)
{
    contents->numbers = calloc(numbers + 1, sizeof *contents->numbers);
    contents->types = calloc(types + 1, sizeof *contents->types);
    return contents->numbers && contents->types;
}

static bool get_small(struct bn_type_contents *contents, MPI_Datatype type)
{
    int integers, addresses, types;
    if (bn_type_calls.Type_get_envelope(type, &integers, &addresses, &types, &contents->combiner) != MPI_SUCCESS ||
        types == 0) /* predefined, or a Fortran type defined by its precision */
        return false;
    int *small = calloc((size_t)integers + 1, sizeof *small);
    MPI_Aint *places = calloc((size_t)addresses + 1, sizeof *places);
    bool is_right = small && places &&
                    bn_type_contents_make(contents, (size_t)integers + (size_t)addresses, (size_t)types) &&
                    bn_type_calls.Type_get_contents(type, integers, addresses, types, small, places, contents->types) ==
                        MPI_SUCCESS;
    for (int i = 0; i < integers && is_right; i++)
        contents->numbers[i] = small[i];
    for (int i = 0; i < addresses && is_right; i++)
        contents->numbers[integers + i] = places[i];
    contents->number_count = is_right ? (size_t)integers + (size_t)addresses : 0;
    contents->type_count = is_right ? (size_t)types : 0;
    free(small);
    free(places);
    return is_right;
}

static bool has_large(void)
{
    return bn_type_contents_get_large && bn_type_calls.Type_get_contents_c;
}

bool bn_type_contents_get(struct bn_type_contents *contents, MPI_Datatype type)
{
    *contents = (struct bn_type_contents){0};
    return has_large() ? bn_type_contents_get_large(contents, type) : get_small(contents, type);
}

/* Whether the caller must free a handle: not if it is predefined, as are Fortran types defined by their precision. */
static bool is_made(MPI_Datatype type)
{
    int integers, addresses, types, combiner;
    if (has_large())
        return bn_type_is_made_large(type);
    return bn_type_calls.Type_get_envelope(type, &integers, &addresses, &types, &combiner) == MPI_SUCCESS && types > 0;
}

void bn_type_contents_free(struct bn_type_contents *contents)
{
    for (size_t i = 0; i < contents->type_count; i++)
        if (is_made(contents->types[i]))
            bn_type_calls.Type_free(&contents->types[i]);
    free(contents->numbers);
    free(contents->types);
}
