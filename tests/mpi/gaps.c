/*
 * gaps.c: types of every constructor, gathered as bytes and scattered from bytes, beside their typemaps written out.
 *
 * Types of pairs of numbers at a distance of one and a half are among them, which Open MPI 5.0 sends rightly and packs
 * wrongly, types of functions with large counts, whose contents MPI_Type_get_contents refuses, and one with more bytes
 * than MPI_Pack can count.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { MOST = 4096, COUNT = 3, WIDTH = 8 };

static int me, n;

/* Where the bytes of one element lie, in order */
struct map {
    int bytes, extent;
    int offsets[MOST];
};

static void put(struct map *map, int offset, int bytes)
{
    for (int i = 0; i < bytes; i++)
        map->offsets[map->bytes++] = offset + i;
}

static void fail(const char *name, const char *what)
{
    printf("%s: process %d: %s is wrong\n", name, me, what);
    fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static unsigned char value_of(int process, int i)
{
    return (unsigned char)(process * 31 + i * 7 + i / 256 * 5);
}

/* Process 0 has bytes, all others the type. */
static void check(const char *name, MPI_Datatype type, const struct map *map)
{
    static unsigned char data[MOST], want[MOST], bytes[64 * MOST];
    const int size = map->bytes * COUNT;
    int type_bytes;
    MPI_Aint lb, extent;
    MPI_Type_size(type, &type_bytes);
    MPI_Type_get_extent(type, &lb, &extent);
    if (type_bytes != map->bytes || extent != map->extent)
        fail(name, "its size");
    MPI_Type_commit(&type);
    for (int i = 0; i < MOST; i++)
        data[i] = value_of(me, i);
    if (me == 0) {
        MPI_Gather(MPI_IN_PLACE, 0, MPI_BYTE, bytes, size, MPI_BYTE, 0, MPI_COMM_WORLD);
        for (int process = 1; process < n; process++)
            for (int i = 0; i < size; i++)
                if (bytes[process * size + i] !=
                    value_of(process, map->offsets[i % map->bytes] + i / map->bytes * map->extent))
                    fail(name, "a gather");
        for (int i = 0; i < size * n; i++)
            bytes[i] = value_of(77, i);
        MPI_Scatter(bytes, size, MPI_BYTE, MPI_IN_PLACE, 0, MPI_BYTE, 0, MPI_COMM_WORLD);
    } else {
        MPI_Gather(data, COUNT, type, NULL, 0, MPI_BYTE, 0, MPI_COMM_WORLD);
        memcpy(want, data, MOST);
        for (int i = 0; i < size; i++)
            want[map->offsets[i % map->bytes] + i / map->bytes * map->extent] = value_of(77, me * size + i);
        MPI_Scatter(NULL, 0, MPI_BYTE, data, COUNT, type, 0, MPI_COMM_WORLD);
        if (memcmp(data, want, MOST) != 0)
            fail(name, "a scatter");
    }
    MPI_Type_free(&type);
}

/* Blocks of one length, an element apart each */
static void strided(const char *name, MPI_Datatype element, int element_bytes, int stride_bytes)
{
    MPI_Datatype type;
    struct map map = {.extent = 3 * stride_bytes + element_bytes};
    for (int i = 0; i < 4; i++)
        put(&map, i * stride_bytes, element_bytes);
    MPI_Type_create_hvector(4, 1, stride_bytes, element, &type);
    check(name, type, &map);
}

static void structs(void)
{
    MPI_Datatype type, part, types[] = {MPI_LONG, MPI_C_DOUBLE_COMPLEX, MPI_C_DOUBLE_COMPLEX};
    int lengths[] = {1, 1, 1};
    MPI_Aint places[] = {0, 16, 40};
    struct map map = {.extent = 56}, resized = {.extent = 64};
    for (int i = 0; i < 3; i++)
        put(&map, (int)places[i], i == 0 ? 8 : 16);
    MPI_Type_create_struct(3, lengths, places, types, &type);
    check("struct", type, &map);
    MPI_Type_create_struct(3, lengths, places, types, &part);
    MPI_Type_create_resized(part, 0, 64, &type);
    MPI_Type_free(&part);
    put(&resized, 0, 0);
    memcpy(resized.offsets, map.offsets, sizeof map.offsets);
    resized.bytes = map.bytes;
    check("resized", type, &resized);
}

static void parts_of_arrays(void)
{
    MPI_Datatype type;
    int sizes[] = {6, WIDTH}, subsizes[] = {2, 3}, starts[] = {1, 4};
    struct map rows = {.extent = 6 * WIDTH * 4}, columns = {.extent = 6 * WIDTH * 4};
    for (int i = 0; i < 2; i++)
        put(&rows, ((1 + i) * WIDTH + 4) * 4, 3 * 4);
    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &type);
    check("subarray in C", type, &rows);
    for (int j = 0; j < 3; j++)
        put(&columns, ((4 + j) * 6 + 1) * 4, 2 * 4);
    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_FORTRAN, MPI_INT, &type);
    check("subarray in Fortran", type, &columns);
    int whole = 9, how = MPI_DISTRIBUTE_CYCLIC, argument = 2, processes = 2;
    struct map dealt = {.extent = 36};
    for (int i = 0; i < 9; i++)
        if (i / 2 % 2 == 0)
            put(&dealt, 4 * i, 4);
    MPI_Type_create_darray(2, 0, 1, &whole, &how, &argument, &processes, MPI_ORDER_C, MPI_INT, &type);
    check("darray", type, &dealt);
}

static void blocks(void)
{
    MPI_Datatype type;
    int lengths[] = {2, 0, 1}, places[] = {1, 9, 5};
    MPI_Aint addresses[] = {4, 100, 24};
    struct map indexed = {.extent = 20}, hindexed = {.extent = 24}, alike = {.extent = 24}, pairs = {.extent = 32};
    put(&indexed, 4, 8), put(&indexed, 20, 4);
    MPI_Type_indexed(3, lengths, places, MPI_INT, &type);
    check("indexed", type, &indexed);
    put(&hindexed, 4, 8), put(&hindexed, 24, 4);
    MPI_Type_create_hindexed(3, lengths, addresses, MPI_INT, &type);
    check("hindexed", type, &hindexed);
    int firsts[] = {5, 0};
    put(&alike, 20, 8), put(&alike, 0, 8);
    alike.extent = 28;
    MPI_Type_create_indexed_block(2, 2, firsts, MPI_INT, &type);
    check("indexed_block", type, &alike);
    MPI_Type_contiguous(2, MPI_DOUBLE_INT, &type);
    put(&pairs, 0, 12), put(&pairs, 16, 12);
    check("double and int", type, &pairs);
}

#if MPI_VERSION >= 4
static void large(void)
{
    MPI_Datatype type;
    MPI_Count lengths[] = {2, 1}, places[] = {1, 5}, sizes[] = {6, WIDTH}, subsizes[] = {2, 3}, starts[] = {1, 4};
    struct map vector = {.extent = 4 * 8 + 4}, indexed = {.extent = 20}, rows = {.extent = 6 * WIDTH * 4};
    for (int i = 0; i < 5; i++)
        put(&vector, 8 * i, 4);
    MPI_Type_vector_c(5, 1, 2, MPI_INT, &type);
    check("vector_c", type, &vector);
    put(&indexed, 4, 8), put(&indexed, 20, 4);
    MPI_Type_indexed_c(2, lengths, places, MPI_INT, &type);
    check("indexed_c", type, &indexed);
    for (int i = 0; i < 2; i++)
        put(&rows, ((1 + i) * WIDTH + 4) * 4, 3 * 4);
    MPI_Type_create_subarray_c(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &type);
    check("subarray_c", type, &rows);
}
#endif

/* Many pieces, all at one place, so that 2 GiB need no memory; for the same reason one byte is sent. */
static void beyond_2_gib(void)
{
    enum { PIECES = 70000, PIECE_BYTES = 32000 };
    MPI_Datatype type;
    MPI_Aint *places = malloc(PIECES * sizeof *places);
    int *lengths = malloc(PIECES * sizeof *lengths), counts[] = {0, me == 0}, offsets[] = {0, 0};
    char *data = calloc(2, PIECE_BYTES);
    for (int i = 0; i < PIECES; i++) {
        lengths[i] = PIECE_BYTES - i % 2;
        places[i] = i * 7 % 100;
    }
    MPI_Type_create_hindexed(PIECES, lengths, places, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    data[PIECE_BYTES + 100] = 17;
    MPI_Gatherv(data, me, MPI_BYTE, data, counts, offsets, type, 0, MPI_COMM_WORLD);
    if (data[PIECE_BYTES + 100] != 17)
        fail("more than 2 GiB", "what is behind it");
    MPI_Type_free(&type);
    free(data);
    free(lengths);
    free(places);
}

static long megabytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss >> 10;
}

/* 55 million pieces in 2.2 GB, which no call moves, take no memory. */
static void small_pieces_beyond_2_gib(void)
{
    enum { PIECES = 64, NUMBER = 860000 };
    int lengths[PIECES], places[PIECES];
    MPI_Datatype pieces, apart, type;
    for (int i = 0, at = 0; i < PIECES; at += lengths[i] + 1 + i % 2, i++) {
        lengths[i] = 4 + i % 3;
        places[i] = at;
    }
    MPI_Type_indexed(PIECES, lengths, places, MPI_DOUBLE, &pieces);
    MPI_Type_create_resized(pieces, 0, 8 * 500, &apart);
    MPI_Type_contiguous(NUMBER, apart, &type);
    MPI_Type_commit(&type);
    long before = megabytes();
    MPI_Bcast(&before, 0, type, 0, MPI_COMM_WORLD);
    if (megabytes() - before > 500)
        fail("more than 2 GiB in small pieces", "the memory it took");
    MPI_Type_free(&type);
    MPI_Type_free(&apart);
    MPI_Type_free(&pieces);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    strided("double complex, every 24 bytes", MPI_C_DOUBLE_COMPLEX, 16, 24);
    strided("float complex, every 12 bytes", MPI_C_FLOAT_COMPLEX, 8, 12);
    strided("int, every 8 bytes", MPI_INT, 4, 8);
    strided("short, every 6 bytes", MPI_SHORT, 2, 6);
    structs();
    parts_of_arrays();
    blocks();
#if MPI_VERSION >= 4
    large();
#endif
    if (n == 2)
        beyond_2_gib();
    small_pieces_beyond_2_gib();
    MPI_Finalize();
    if (me == 0)
        puts("ok");
    return 0;
}
