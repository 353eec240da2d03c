/*
 * Types are taken apart as they were made (MPI_Type_get_contents).  What cannot be taken apart, predefined types and
 * those of MPI_Type_create_darray among it, is packed from memory in which each byte says where it lies.
 */
#include "threads/runs.h"

#include "threads/copies.h"
#include "threads/types.h"

#include <stdlib.h>

static void add(struct bn_runs *runs, MPI_Aint offset, size_t bytes)
{
    struct bn_run *last = runs->count > 0 ? &runs->list[runs->count - 1] : NULL;
    if (bytes == 0 || runs->has_failed)
        return;
    if (last && last->offset + (MPI_Aint)last->bytes == offset) {
        last->bytes += bytes;
        return;
    }
    if (runs->count == runs->room) {
        size_t room = 2 * runs->room + 4;
        struct bn_run *list = realloc(runs->list, room * sizeof *list);
        if (!list) {
            runs->has_failed = true;
            return;
        }
        runs->list = list;
        runs->room = room;
    }
    runs->list[runs->count++] = (struct bn_run){offset, bytes};
}

/* ---- What cannot be taken apart ---- */

enum { DIGIT_BITS = 8 };

/* Each byte of memory says a digit of its offset, the least one first, and the packed ones collect them. */
static bool find_offsets(MPI_Datatype type, MPI_Aint first, size_t span_bytes, size_t bytes, uint64_t *offsets)
{
    unsigned char *memory = malloc(span_bytes + bytes);
    bool is_right = memory != NULL;
    for (int shift = 0; is_right && (shift == 0 || (span_bytes - 1) >> shift > 0); shift += DIGIT_BITS) {
        for (size_t i = 0; i < span_bytes; i++)
            memory[i] = (unsigned char)(i >> shift);
        unsigned char *packed = memory + span_bytes;
        is_right =
            bn_copy((void *)((uintptr_t)memory - (uintptr_t)first), 1, type, packed, (MPI_Count)bytes, bn_handles.byte);
        for (size_t i = 0; i < bytes; i++)
            offsets[i] |= (uint64_t)packed[i] << shift;
    }
    free(memory);
    return is_right;
}

static void add_packed(struct bn_runs *runs, MPI_Datatype type)
{
    MPI_Aint first, span_bytes;
    MPI_Count bytes;
    MPI_Datatype committed;
    if (bn_real.Type_size_x(type, &bytes) != MPI_SUCCESS || bytes < 0 ||
        bn_real.Type_get_true_extent(type, &first, &span_bytes) != MPI_SUCCESS) {
        runs->has_failed = true;
        return;
    }
    if (bytes == 0)
        return;
    uint64_t *offsets = calloc((size_t)bytes, sizeof *offsets);
    bn_real.Type_dup(type, &committed);
    bn_real.Type_commit(&committed);
    bool is_right = offsets && find_offsets(committed, first, (size_t)span_bytes, (size_t)bytes, offsets);
    bn_real.Type_free(&committed);
    runs->has_failed = runs->has_failed || !is_right;
    for (MPI_Count i = 0; i < bytes && is_right; i++)
        add(runs, first + (MPI_Aint)offsets[i], 1);
    free(offsets);
}

/* ---- What can ---- */

static MPI_Aint extent_of(MPI_Datatype type)
{
    MPI_Aint lower, extent = 0;
    bn_real.Type_get_extent(type, &lower, &extent);
    return extent;
}

static void add_one(struct bn_runs *runs, MPI_Datatype type);

/* Elements of a type, one extent behind the other */
static void add_elements(struct bn_runs *runs, MPI_Datatype type, MPI_Count count, MPI_Aint offset)
{
    const struct bn_type *known = bn_type_of(type);
    if (known && known->bytes == known->extent) {
        add(runs, offset, (size_t)count * known->bytes);
        return;
    }
    struct bn_runs one = {0};
    MPI_Aint extent = extent_of(type);
    add_one(&one, type);
    runs->has_failed = runs->has_failed || one.has_failed;
    bool has_gaps = one.count > 1 || (one.count == 1 && (MPI_Aint)one.list[0].bytes != extent);
    if (one.count == 1 && !has_gaps)
        add(runs, offset + one.list[0].offset, (size_t)count * one.list[0].bytes);
    for (MPI_Count i = 0; has_gaps && i < count; i++)
        for (size_t j = 0; j < one.count; j++)
            add(runs, offset + (MPI_Aint)i * extent + one.list[j].offset, one.list[j].bytes);
    bn_runs_free(&one);
}

/* integers: the dimensions, and for each of them the size, the size of the part and where it begins; then the order.
 * The rows of the part along the dimension whose elements lie together, which is the last one in C */
static void add_subarray(struct bn_runs *runs, const int *integers, MPI_Datatype element)
{
    int dimensions = integers[0];
    const int *sizes = integers + 1, *parts = sizes + dimensions, *starts = parts + dimensions;
    bool is_c = starts[dimensions] == MPI_ORDER_C;
    MPI_Aint extent = extent_of(element);
    int dense = is_c ? dimensions - 1 : 0;
    MPI_Count rows = 1;
    for (int i = 0; i < dimensions; i++)
        rows *= i == dense ? 1 : parts[i];
    for (MPI_Count row = 0; row < rows; row++) {
        MPI_Count left = row, stride = 1, place = 0;
        for (int i = 0; i < dimensions; i++) {
            int dimension = is_c ? dimensions - 1 - i : i; /* the one whose elements lie nearer together first */
            MPI_Count index = starts[dimension];
            if (dimension != dense) {
                index += left % parts[dimension];
                left /= parts[dimension];
            }
            place += index * stride;
            stride *= sizes[dimension];
        }
        add_elements(runs, element, parts[dense], (MPI_Aint)place * extent);
    }
}

/* Blocks of one type; lengths and places are one for each, and the latter in bytes or in extents. */
static void add_contents(struct bn_runs *runs, const struct bn_type_contents *contents, int combiner)
{
    const int *integers = contents->integers;
    const MPI_Aint *addresses = contents->addresses;
    MPI_Datatype first = contents->types[0];
    MPI_Aint extent = extent_of(first);
    int count = contents->integer_count > 0 ? integers[0] : 1;
    switch (combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED: add_elements(runs, first, 1, 0); break;
    case MPI_COMBINER_CONTIGUOUS: add_elements(runs, first, count, 0); break;
    case MPI_COMBINER_VECTOR:
        for (int i = 0; i < count; i++)
            add_elements(runs, first, integers[1], (MPI_Aint)i * integers[2] * extent);
        break;
    case MPI_COMBINER_HVECTOR:
        for (int i = 0; i < count; i++)
            add_elements(runs, first, integers[1], i * addresses[0]);
        break;
    case MPI_COMBINER_INDEXED:
        for (int i = 0; i < count; i++)
            add_elements(runs, first, integers[1 + i], integers[1 + count + i] * extent);
        break;
    case MPI_COMBINER_HINDEXED:
        for (int i = 0; i < count; i++)
            add_elements(runs, first, integers[1 + i], addresses[i]);
        break;
    case MPI_COMBINER_INDEXED_BLOCK:
        for (int i = 0; i < count; i++)
            add_elements(runs, first, integers[1], integers[2 + i] * extent);
        break;
    case MPI_COMBINER_HINDEXED_BLOCK:
        for (int i = 0; i < count; i++)
            add_elements(runs, first, integers[1], addresses[i]);
        break;
    case MPI_COMBINER_STRUCT:
        for (int i = 0; i < count; i++)
            add_elements(runs, contents->types[i], integers[1 + i], addresses[i]);
        break;
    default: add_subarray(runs, integers, first);
    }
}

static bool can_take_apart(int combiner)
{
    switch (combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
    case MPI_COMBINER_CONTIGUOUS:
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR:
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:
    case MPI_COMBINER_STRUCT:
    case MPI_COMBINER_SUBARRAY: return true;
    default: return false;
    }
}

/* Parts without data, such as blocks of none, add nothing; a type of none has no first part. */
static void add_one(struct bn_runs *runs, MPI_Datatype type)
{
    struct bn_type_contents contents;
    int combiner;
    bool has_contents = bn_type_contents_get(&contents, type, &combiner);
    if (has_contents && can_take_apart(combiner))
        add_contents(runs, &contents, combiner);
    else
        add_packed(runs, type);
    bn_type_contents_free(&contents);
}

bool bn_runs_find(struct bn_runs *runs, MPI_Datatype type, MPI_Count count)
{
    *runs = (struct bn_runs){0};
    add_elements(runs, type, count, 0);
    return !runs->has_failed;
}

void bn_runs_free(struct bn_runs *runs)
{
    free(runs->list);
}
