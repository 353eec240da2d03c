/*
 * Types are taken apart the way they were made (MPI_Type_get_contents).  For types that cannot be taken apart, such as
 * predefined types with gaps and those of MPI_Type_create_darray, the runs are found by packing memory whose bytes
 * encode their own offsets.
 */
#include "types/runs.h"

#include "types/contents.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool continues(const struct bn_run *last, const struct bn_run *run)
{
    MPI_Aint distance = run->offset - last->offset;
    if (run->bytes != last->bytes)
        return false;
    if (last->number == 1)
        return run->number == 1 || run->stride == distance;
    return distance == (MPI_Aint)last->number * last->stride && (run->number == 1 || run->stride == last->stride);
}

static void push(struct bn_runs *runs, struct bn_run run)
{
    if (runs->count == runs->most) {
        runs->has_failed = true;
        return;
    }
    if (runs->count == runs->room) {
        size_t room = 2 * runs->room + 1;
        struct bn_run *list = realloc(runs->list, room * sizeof *list);
        if (!list) {
            runs->has_failed = true;
            return;
        }
        runs->list = list;
        runs->room = room;
    }
    runs->list[runs->count++] = run;
}

static void add(struct bn_runs *runs, struct bn_run run)
{
    struct bn_run *last = runs->count > 0 ? &runs->list[runs->count - 1] : NULL;
    if (run.number > 1 && run.stride == (MPI_Aint)run.bytes) {
        run.bytes *= run.number;
        run.number = 1;
    }
    if (run.bytes == 0 || run.number == 0 || runs->has_failed)
        return;
    if (last && last->number == 1 && run.number == 1 && last->offset + (MPI_Aint)last->bytes == run.offset) {
        last->bytes += run.bytes;
    } else if (last && continues(last, &run)) {
        last->stride = last->number == 1 ? run.offset - last->offset : last->stride;
        last->number += run.number;
    } else {
        push(runs, run);
    }
}

static void add_bytes(struct bn_runs *runs, MPI_Aint offset, size_t bytes)
{
    add(runs, (struct bn_run){.offset = offset, .bytes = bytes, .number = 1});
}

/* Adds `count` copies of the runs of `one`, a stride apart. */
static void add_copies(struct bn_runs *runs, const struct bn_runs *one, MPI_Count count, MPI_Aint offset,
                       MPI_Aint stride)
{
    runs->has_failed = runs->has_failed || one->has_failed;
    if (one->count == 1 && count > 0) {
        struct bn_run run = one->list[0];
        run.offset += offset;
        if (count == 1 || run.number == 1 || stride == (MPI_Aint)run.number * run.stride) {
            run.stride = run.number == 1 ? stride : run.stride;
            run.number *= (size_t)count;
            add(runs, run);
            return;
        }
    }
    for (MPI_Count i = 0; one->count > 0 && i < count && !runs->has_failed; i++) {
        for (size_t j = 0; j < one->count; j++) {
            struct bn_run run = one->list[j];
            run.offset += offset + (MPI_Aint)i * stride;
            add(runs, run);
        }
    }
}

/* ---- Types that cannot be taken apart ---- */

enum { DIGIT_BITS = 8, PACKED_MOST_BYTES = 1 << 24 /* with gaps */ };

/* Each round fills every byte of memory with one digit of its offset, the lowest first, and collects packed digits. */
static bool find_offsets(MPI_Datatype type, MPI_Aint first, size_t span_bytes, size_t bytes, uint64_t *offsets)
{
    unsigned char *memory = malloc(span_bytes + bytes);
    bool is_right = memory != NULL;
    for (int shift = 0; is_right && (shift == 0 || (span_bytes - 1) >> shift > 0); shift += DIGIT_BITS) {
        for (size_t i = 0; i < span_bytes; i++)
            memory[i] = (unsigned char)(i >> shift);
        unsigned char *packed = memory + span_bytes;
        is_right = bn_type_calls.pack((void *)((uintptr_t)memory - (uintptr_t)first), type, packed, bytes);
        for (size_t i = 0; i < bytes; i++)
            offsets[i] |= (uint64_t)packed[i] << shift;
    }
    free(memory);
    return is_right;
}

static void add_packed(struct bn_runs *runs, MPI_Datatype type, MPI_Aint first, size_t span_bytes, size_t bytes)
{
    MPI_Datatype committed;
    uint64_t *offsets = calloc(bytes, sizeof *offsets);
    bn_type_calls.Type_dup(type, &committed);
    bn_type_calls.Type_commit(&committed);
    bool is_right = offsets && find_offsets(committed, first, span_bytes, bytes, offsets);
    bn_type_calls.Type_free(&committed);
    runs->has_failed = runs->has_failed || !is_right;
    for (size_t i = 0; i < bytes && is_right; i++)
        add_bytes(runs, first + (MPI_Aint)offsets[i], 1);
    free(offsets);
}

static void add_whole(struct bn_runs *runs, MPI_Datatype type, bool is_predefined)
{
    MPI_Aint first, span_bytes;
    MPI_Count bytes;
    if (bn_type_calls.Type_size_x(type, &bytes) != MPI_SUCCESS || bytes < 0 ||
        bn_type_calls.Type_get_true_extent(type, &first, &span_bytes) != MPI_SUCCESS)
        runs->has_failed = true;
    else if (is_predefined && bytes == span_bytes)
        add_bytes(runs, first, (size_t)bytes);
    else if (span_bytes > PACKED_MOST_BYTES)
        runs->has_failed = true;
    else if (bytes > 0)
        add_packed(runs, type, first, (size_t)span_bytes, (size_t)bytes);
}

/* ---- Types that can be taken apart ---- */

static MPI_Aint extent_of(MPI_Datatype type)
{
    MPI_Aint lower, extent = 0;
    bn_type_calls.Type_get_extent(type, &lower, &extent);
    return extent;
}

/* One of the types that another was made from */
struct part {
    struct bn_runs runs;
    MPI_Aint extent;
};

/* Adds elements of a part, an extent apart. */
static void add_elements(struct bn_runs *runs, const struct part *part, MPI_Count count, MPI_Aint offset)
{
    add_copies(runs, &part->runs, count, offset, part->extent);
}

/* numbers: the number of dimensions; for each of them the size, then the subsizes, then the starts; then the order.
 * Adds the rows of the subarray along the contiguous dimension, which is the last one in C order. */
static void add_subarray(struct bn_runs *runs, const MPI_Count *numbers, const struct part *element)
{
    MPI_Count dimensions = numbers[0];
    const MPI_Count *sizes = numbers + 1, *parts = sizes + dimensions, *starts = parts + dimensions;
    bool is_c = starts[dimensions] == MPI_ORDER_C;
    MPI_Count dense = is_c ? dimensions - 1 : 0;
    MPI_Count rows = 1;
    for (MPI_Count i = 0; i < dimensions; i++)
        rows *= i == dense ? 1 : parts[i];
    for (MPI_Count row = 0; row < rows && !runs->has_failed; row++) {
        MPI_Count left = row, stride = 1, place = 0;
        for (MPI_Count i = 0; i < dimensions; i++) {
            MPI_Count dimension = is_c ? dimensions - 1 - i : i; /* from the contiguous dimension outwards */
            MPI_Count index = starts[dimension];
            if (dimension != dense) {
                index += left % parts[dimension];
                left /= parts[dimension];
            }
            place += index * stride;
            stride *= sizes[dimension];
        }
        add_elements(runs, element, parts[dense], (MPI_Aint)place * element->extent);
    }
}

/* Adds blocks of one type with the given lengths (or all as long as the first), at places counted in units of bytes. */
static void add_blocks(struct bn_runs *runs, const struct part *part, MPI_Count count, const MPI_Count *lengths,
                       bool are_alike, const MPI_Count *places, MPI_Aint unit)
{
    for (MPI_Count i = 0; i < count && !runs->has_failed; i++)
        add_elements(runs, part, lengths[are_alike ? 0 : i], (MPI_Aint)places[i] * unit);
}

/* Adds blocks of equal length, a stride apart. */
static void add_vector(struct bn_runs *runs, const struct part *part, MPI_Count count, MPI_Count length,
                       MPI_Aint stride)
{
    struct bn_runs block = {.most = runs->most};
    add_elements(&block, part, length, 0);
    add_copies(runs, &block, count, 0, stride);
    bn_runs_free(&block);
}

static void find_part(struct part *part, MPI_Datatype type, size_t most);

/* Adds blocks that each have their own type. */
static void add_struct(struct bn_runs *runs, const struct bn_type_contents *contents)
{
    MPI_Count count = contents->numbers[0];
    const MPI_Count *lengths = contents->numbers + 1, *places = lengths + count;
    for (MPI_Count i = 0; i < count && !runs->has_failed; i++) {
        struct part part;
        if (lengths[i] == 0)
            continue;
        find_part(&part, contents->types[i], runs->most);
        add_elements(runs, &part, lengths[i], (MPI_Aint)places[i]);
        bn_runs_free(&part.runs);
    }
}

static void add_contents(struct bn_runs *runs, const struct bn_type_contents *contents)
{
    const MPI_Count *numbers = contents->numbers, count = contents->number_count > 0 ? numbers[0] : 1;
    struct part part;
    if (contents->combiner == MPI_COMBINER_STRUCT) {
        add_struct(runs, contents);
        return;
    }
    find_part(&part, contents->types[0], runs->most);
    switch (contents->combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED: add_elements(runs, &part, 1, 0); break;
    case MPI_COMBINER_CONTIGUOUS: add_elements(runs, &part, count, 0); break;
    case MPI_COMBINER_VECTOR: add_vector(runs, &part, count, numbers[1], (MPI_Aint)numbers[2] * part.extent); break;
    case MPI_COMBINER_HVECTOR: add_vector(runs, &part, count, numbers[1], (MPI_Aint)numbers[2]); break;
    case MPI_COMBINER_INDEXED:
        add_blocks(runs, &part, count, numbers + 1, false, numbers + 1 + count, part.extent);
        break;
    case MPI_COMBINER_HINDEXED: add_blocks(runs, &part, count, numbers + 1, false, numbers + 1 + count, 1); break;
    case MPI_COMBINER_INDEXED_BLOCK: add_blocks(runs, &part, count, numbers + 1, true, numbers + 2, part.extent); break;
    case MPI_COMBINER_HINDEXED_BLOCK: add_blocks(runs, &part, count, numbers + 1, true, numbers + 2, 1); break;
    default: add_subarray(runs, numbers, &part);
    }
    bn_runs_free(&part.runs);
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

/* Adds one element of a type.  Empty parts, such as blocks of length 0, add nothing; empty types have no first part. */
static void add_one(struct bn_runs *runs, MPI_Datatype type)
{
    struct bn_type_contents contents;
    bool has_contents = bn_type_contents_get(&contents, type);
    if (has_contents && can_take_apart(contents.combiner))
        add_contents(runs, &contents);
    else
        add_whole(runs, type, !has_contents);
    bn_type_contents_free(&contents);
}

static void find_part(struct part *part, MPI_Datatype type, size_t most)
{
    *part = (struct part){.runs = {.most = most}, .extent = extent_of(type)};
    add_one(&part->runs, type);
}

bool bn_runs_find(struct bn_runs *runs, MPI_Datatype type, MPI_Count count, size_t most)
{
    struct part part;
    find_part(&part, type, most);
    *runs = (struct bn_runs){.most = most};
    add_elements(runs, &part, count, 0);
    bn_runs_free(&part.runs);
    return !runs->has_failed;
}

void bn_runs_free(struct bn_runs *runs)
{
    free(runs->list);
}

/* ---- Copies ---- */

static inline __attribute__((always_inline)) void copy_blocks(unsigned char *to, MPI_Aint to_stride,
                                                              const unsigned char *from, MPI_Aint from_stride,
                                                              size_t bytes, size_t number)
{
    for (size_t i = 0; i < number; i++) {
        memcpy(to, from, bytes);
        to += to_stride;
        from += from_stride;
    }
}

/* With a constant length, the compiler copies a block with one load and one store. */
static void copy_run(unsigned char *to, MPI_Aint to_stride, const unsigned char *from, MPI_Aint from_stride,
                     size_t bytes, size_t number)
{
    switch (bytes) {
    case 4: copy_blocks(to, to_stride, from, from_stride, 4, number); break;
    case 8: copy_blocks(to, to_stride, from, from_stride, 8, number); break;
    case 16: copy_blocks(to, to_stride, from, from_stride, 16, number); break;
    default: copy_blocks(to, to_stride, from, from_stride, bytes, number);
    }
}

void bn_runs_copy(const struct bn_runs *runs, MPI_Aint extent, void *data, MPI_Count count, void *packed, bool unpacks)
{
    struct bn_run whole;
    const struct bn_run *list = runs->list;
    uintptr_t address = (uintptr_t)data;
    unsigned char *next = packed;
    if (runs->count == 1 && list[0].number == 1) { /* all elements as one run */
        whole = (struct bn_run){list[0].offset, extent, list[0].bytes, (size_t)count};
        list = &whole;
        count = 1;
    }
    for (MPI_Count i = 0; i < count; i++, address += (uintptr_t)extent) {
        for (size_t j = 0; j < runs->count; j++) {
            const struct bn_run *run = &list[j];
            unsigned char *there = (unsigned char *)(address + (uintptr_t)run->offset);
            MPI_Aint bytes = (MPI_Aint)run->bytes;
            if (unpacks)
                copy_run(there, run->stride, next, bytes, run->bytes, run->number);
            else
                copy_run(next, bytes, there, run->stride, run->bytes, run->number);
            next += run->bytes * run->number;
        }
    }
}
