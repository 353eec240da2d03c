#include "threads/types.h"

#include "host/predefined.h"
#include "types/contents.h"

#include <stdlib.h>

struct bn_type bn_types[BN_TYPE_SLOTS];

static enum bn_number number_of(unsigned group, uint32_t bytes)
{
    static const enum bn_number wholes[] = {
        [1] = BN_NUMBER_I8, [2] = BN_NUMBER_I16, [4] = BN_NUMBER_I32, [8] = BN_NUMBER_I64};
    static const enum bn_number naturals[] = {
        [1] = BN_NUMBER_U8, [2] = BN_NUMBER_U16, [4] = BN_NUMBER_U32, [8] = BN_NUMBER_U64};
    if (group == BN_FLOATING)
        return bytes == sizeof(float) ? BN_NUMBER_F32 : bytes == sizeof(double) ? BN_NUMBER_F64 : BN_NUMBER_NONE;
    if (bytes > 8)
        return BN_NUMBER_NONE;
    if (group == BN_C_INTEGER || group == BN_FORTRAN_INTEGER)
        return wholes[bytes];
    return group == BN_C_NATURAL || group == BN_BYTES ? naturals[bytes] : BN_NUMBER_NONE;
}

/* False: the library does not know the type, or it is empty. */
static bool ask_about(MPI_Datatype type, struct bn_type *known_p)
{
    int bytes = 0;
    MPI_Aint lower, extent = 0;
    if (bn_below.Type_size(type, &bytes) != MPI_SUCCESS || bytes <= 0 ||
        bn_below.Type_get_extent(type, &lower, &extent) != MPI_SUCCESS)
        return false;
    *known_p = (struct bn_type){bn_type_number(type), (uint32_t)bytes, (uint32_t)extent, 0, BN_NUMBER_NONE};
    return true;
}

/* Some libraries have one handle for several types; the first one added counts. */
static void add(MPI_Datatype type, unsigned group)
{
    struct bn_type known;
    uint64_t handle = bn_type_number(type);
    if (handle == 0 || type == bn_handles.no_type || bn_type_of(type) || !ask_about(type, &known))
        return;
    size_t slot = bn_type_slot(handle);
    while (bn_types[slot].bytes > 0)
        slot = (slot + 1) % BN_TYPE_SLOTS;
    known.groups = group;
    known.number = number_of(group, known.bytes);
    bn_types[slot] = known;
}

void bn_types_begin(void)
{
#define GROUP_OF_TYPE(group, handle) group,
    static const unsigned char groups[] = {BN_PREDEFINED_TYPES(GROUP_OF_TYPE)};
    for (size_t i = 0; i < sizeof groups; i++)
        add(bn_handles.types[i], groups[i]);
    for (size_t i = 0; i < sizeof bn_handles.texts / sizeof *bn_handles.texts; i++)
        add(bn_handles.texts[i], 0);
}

enum bn_op bn_op_of(MPI_Op op)
{
    int i = 0;
    if (op == bn_handles.replace)
        return BN_OP_REPLACE;
    while (i < BN_OP_REPLACE && bn_handles.ops[i] != op)
        i++;
    return i < BN_OP_REPLACE ? (enum bn_op)i : op == bn_handles.no_op ? BN_OP_NONE : BN_OP_COUNT;
}

bool bn_op_suits(enum bn_op op, const struct bn_type *type)
{
#define GROUPS_OF_OP(field, handle, groups) groups,
    static const unsigned groups[] = {BN_PREDEFINED_OPS(GROUPS_OF_OP)};
    return op == BN_OP_REPLACE || op == BN_OP_NONE || (op < BN_OP_REPLACE && (groups[op] & type->groups) != 0);
}

static bool is_predefined(int combiner)
{
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

/* Empty parts, such as bounds and blocks of length 0, are ignored. */
bool bn_type_basic(MPI_Datatype type, MPI_Datatype *basic_p, struct bn_type *known_p)
{
    const struct bn_type *listed = bn_type_of(type);
    struct bn_type_contents contents;
    int bytes;
    bool is_found = listed != NULL;
    *basic_p = type;
    if (is_found) {
        *known_p = *listed;
        return true;
    }
    if (bn_type_contents_get(&contents, type)) {
        for (size_t i = 0; i < contents.type_count && !is_found; i++) {
            bool counts = contents.combiner != MPI_COMBINER_STRUCT || contents.numbers[1 + i] > 0;
            if (counts && bn_below.Type_size(contents.types[i], &bytes) == MPI_SUCCESS && bytes > 0)
                is_found = bn_type_basic(contents.types[i], basic_p, known_p);
        }
    } else if (is_predefined(contents.combiner)) {
        is_found = ask_about(type, known_p);
    }
    bn_type_contents_free(&contents);
    return is_found;
}
