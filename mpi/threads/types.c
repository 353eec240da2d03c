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

/* Some libraries have one handle for several types; the first one added counts. */
static void add(MPI_Datatype type, unsigned group)
{
    int bytes = 0;
    MPI_Aint lower, extent = 0;
    uint64_t handle = bn_type_number(type);
    if (handle == 0 || type == bn_handles.no_type || bn_type_of(type) ||
        bn_below.Type_size(type, &bytes) != MPI_SUCCESS || bytes <= 0 ||
        bn_below.Type_get_extent(type, &lower, &extent) != MPI_SUCCESS)
        return;
    size_t slot = bn_type_slot(handle);
    while (bn_types[slot].bytes > 0)
        slot = (slot + 1) % BN_TYPE_SLOTS;
    bn_types[slot] = (struct bn_type){handle, (uint32_t)bytes, (uint32_t)extent, group, BN_NUMBER_NONE};
    bn_types[slot].number = number_of(group, (uint32_t)bytes);
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

/* Empty parts, such as bounds and blocks of length 0, are ignored. */
const struct bn_type *bn_type_basic(MPI_Datatype type, MPI_Datatype *basic_p)
{
    const struct bn_type *basic = bn_type_of(type);
    struct bn_type_contents contents;
    int bytes;
    *basic_p = type;
    if (basic)
        return basic;
    if (bn_type_contents_get(&contents, type)) {
        for (size_t i = 0; i < contents.type_count && !basic; i++) {
            bool counts = contents.combiner != MPI_COMBINER_STRUCT || contents.numbers[1 + i] > 0;
            if (counts && bn_below.Type_size(contents.types[i], &bytes) == MPI_SUCCESS && bytes > 0)
                basic = bn_type_basic(contents.types[i], basic_p);
        }
    }
    bn_type_contents_free(&contents);
    return basic;
}
