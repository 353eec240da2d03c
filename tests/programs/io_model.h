/*
 * io_model.h: the contents of memory and of a file as every thread of io_random.upc expects them.
 */
#ifndef IO_MODEL_H
#define IO_MODEL_H

#include "check.h"

#include <stdbool.h>

enum { PART = 3000, THREADS_MAX = 8, AREAS = 2 * THREADS_MAX, FILE_BYTES = 40000, PIECES_MAX = 4 };

/* Area a < THREADS_MAX is thread a's part of arena, a >= THREADS_MAX private memory of thread a - THREADS_MAX. */
static shared [PART] unsigned char arena[PART * THREADS];
static unsigned char own_memory[PART];
static unsigned char memory[AREAS][PART];
static bool memory_is_taken[AREAS][PART];

static unsigned char file_bytes[FILE_BYTES];
static bool file_is_taken[FILE_BYTES];
static long file_size;

/* `bytes` bytes in blocks of `block` (0: indefinite), dealt out from area on */
struct region {
    int area;
    long offset;
    long block;
    long bytes;
};

struct range {
    long offset;
    long bytes;
};

/* The arguments of one thread in one call */
struct transfer {
    struct region regions[PIECES_MAX];
    int region_count;
    struct range ranges[2 * PIECES_MAX];
    int range_count;
};

static unsigned long random_state;

/* 0 .. n - 1 */
static long choose(long n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (long)(random_state % (unsigned long)n);
}

/* The place of byte k of a region */
static void locate(const struct region *region, long k, int *area, long *offset)
{
    *area = region->area;
    *offset = region->offset + k;
    if (region->block == 0 || region->area >= THREADS_MAX)
        return;
    long nth = region->area + k / region->block;
    *area = (int)(nth % THREADS);
    *offset = region->offset + nth / THREADS * region->block + k % region->block;
}

static bool is_free(const struct region *region)
{
    for (long k = 0; k < region->bytes; k++) {
        int area;
        long offset;
        locate(region, k, &area, &offset);
        if (offset >= PART || memory_is_taken[area][offset])
            return false;
    }
    return true;
}

static void take(const struct region *region)
{
    for (long k = 0; k < region->bytes; k++) {
        int area;
        long offset;
        locate(region, k, &area, &offset);
        memory_is_taken[area][offset] = true;
    }
}

/* A region of elements of size bytes that overlaps no other region of this step; possibly empty */
static struct region choose_region(bool is_shared, int thread, long size, long elements_max)
{
    static const long blocks[] = {0, 1, 1, 2, 3, 7, 16, 100, 1000};
    struct region region = {0};
    for (int attempt = 0; attempt < 8; attempt++) {
        region.area = is_shared ? (int)choose(THREADS) : THREADS_MAX + thread;
        region.offset = choose(PART / 2);
        region.block = is_shared ? blocks[choose(9)] * size : 0;
        region.bytes = choose(elements_max + 1) / (attempt + 1) * size;
        if (is_free(&region)) {
            take(&region);
            return region;
        }
    }
    region.bytes = 0;
    return region;
}

/* New contents everywhere; the same in the model and in this thread's memory */
static void refill(long step)
{
    memset(memory_is_taken, 0, sizeof memory_is_taken);
    memset(file_is_taken, 0, sizeof file_is_taken);
    for (int area = 0; area < AREAS; area++) {
        unsigned value = (unsigned)step * 2654435761u + (unsigned)area * 40503u;
        for (int k = 0; k < PART; k++) {
            value = value * 1664525u + 1013904223u;
            memory[area][k] = (unsigned char)(value >> 24);
        }
    }
    memcpy((unsigned char *)&arena[MYTHREAD * PART], memory[MYTHREAD], PART);
    memcpy(own_memory, memory[THREADS_MAX + MYTHREAD], PART);
}

/* This thread's memory must equal the model's */
static bool memory_is_right(void)
{
    return memcmp((unsigned char *)&arena[MYTHREAD * PART], memory[MYTHREAD], PART) == 0 &&
           memcmp(own_memory, memory[THREADS_MAX + MYTHREAD], PART) == 0;
}

static bool file_is_free(long offset, long bytes)
{
    for (long k = offset; k < offset + bytes; k++) {
        if (k >= FILE_BYTES || file_is_taken[k])
            return false;
    }
    return true;
}

static void set_model_size(long size)
{
    if (size > file_size)
        memset(file_bytes + file_size, 0, (size_t)(size - file_size));
    file_size = size;
}

/* Carries out a transfer in the model; returns the bytes. */
static long transfer_in_model(bool is_write, const struct transfer *transfer)
{
    long moved = 0;
    int nth = 0;
    long within = 0;
    for (int r = 0; r < transfer->range_count; r++) {
        for (long k = 0; k < transfer->ranges[r].bytes; k++) {
            long at = transfer->ranges[r].offset + k;
            int area;
            long offset;
            while (within == transfer->regions[nth].bytes) {
                nth++;
                within = 0;
            }
            locate(&transfer->regions[nth], within++, &area, &offset);
            if (is_write) {
                if (at >= file_size)
                    set_model_size(at + 1);
                file_bytes[at] = memory[area][offset];
            } else if (at < file_size) {
                memory[area][offset] = file_bytes[at];
            } else {
                return moved;
            }
            moved++;
        }
    }
    return moved;
}

#endif
