/* copies.upc: block copies, with and without handles, and strided copies, compared with memcpy. */
#include <upc_relaxed.h>

#include <bupc.h>
#include <upc_nb.h>

#include "bench.h"

enum { LARGE = 1 << 20, COLUMN = 64, ROW_BYTES = 1024 };

static shared [] char *theirs, *mine;
static shared [] char *shared directory[THREADS];
static char *their_bytes, *my_bytes, *private_bytes;

static const size_t strides[1] = {ROW_BYTES}, counts[2] = {sizeof(double), COLUMN};

#define LOOP(NAME, STATEMENT)                   \
    static double NAME(long count)              \
    {                                           \
        double start = bench_cpu_ns();          \
        for (long i = 0; i < count; i++) {      \
            STATEMENT;                          \
            bench_forget_memory();              \
        }                                       \
        return bench_cpu_ns() - start;          \
    }

#define SIZES(BYTES)                                                                            \
    LOOP(get_##BYTES, upc_memget(private_bytes, theirs, BYTES))                                 \
    LOOP(put_##BYTES, upc_memput(theirs, private_bytes, BYTES))                                 \
    LOOP(copy_##BYTES, upc_memcpy(mine, theirs, BYTES))                                         \
    LOOP(set_##BYTES, upc_memset(theirs, 1, BYTES))                                             \
    LOOP(get_nb_##BYTES, upc_sync(upc_memget_nb(private_bytes, theirs, BYTES)))                 \
    LOOP(memcpy_get_##BYTES, memcpy(private_bytes, their_bytes, BYTES))                         \
    LOOP(memcpy_put_##BYTES, memcpy(their_bytes, private_bytes, BYTES))                         \
    LOOP(memcpy_copy_##BYTES, memcpy(my_bytes, their_bytes, BYTES))                             \
    LOOP(memset_##BYTES, memset(their_bytes, 1, BYTES))
SIZES(8)
SIZES(512)
SIZES(16384)
SIZES(1048576)

LOOP(column_put, bupc_memput_strided(theirs, strides, private_bytes, strides, counts, 1))

static double column_by_hand(long count)
{
    double start = bench_cpu_ns();
    for (long i = 0; i < count; i++) {
        for (size_t k = 0; k < COLUMN; k++)
            memcpy(their_bytes + k * ROW_BYTES, private_bytes + k * ROW_BYTES, sizeof(double));
        bench_forget_memory();
    }
    return bench_cpu_ns() - start;
}

static double implicit_puts(long count)
{
    double start = bench_cpu_ns();
    for (long i = 0; i < count; i++) {
        for (size_t k = 0; k < 16; k++)
            upc_memput_nbi(theirs + k * ROW_BYTES, private_bytes + k * ROW_BYTES, 512);
        upc_synci();
    }
    return bench_cpu_ns() - start;
}

#define ROWS(BYTES, NAME)                                                                       \
    {"upc_memget " NAME, "memcpy", get_##BYTES, memcpy_get_##BYTES, 1, 1, 0},                   \
    {"upc_memput " NAME, "memcpy", put_##BYTES, memcpy_put_##BYTES, 1, 1, 0},                   \
    {"upc_memcpy " NAME, "memcpy", copy_##BYTES, memcpy_copy_##BYTES, 1, 1, 0},                 \
    {"upc_memset " NAME, "memset", set_##BYTES, memset_##BYTES, 1, 1, 0},                       \
    {"upc_memget_nb + upc_sync " NAME, "memcpy", get_nb_##BYTES, memcpy_get_##BYTES, 1, 1, 0}

static const struct bench_row rows[] = {
    ROWS(8, "8 B"),
    ROWS(512, "512 B"),
    ROWS(16384, "16 KiB"),
    ROWS(1048576, "1 MiB"),
    {"16 upc_memput_nbi of 512 B + upc_synci", "memcpy", implicit_puts, memcpy_put_512, 16, 1, 0},
    {"bupc_memput_strided, column of 64", "64 memcpy of 8 B", column_put, column_by_hand, 1, 1, 0},
    {NULL, NULL, NULL, NULL, 0, 0, 0},
};

int main(int argc, char **argv)
{
    bench_start(argc, argv);
    directory[MYTHREAD] = (shared [] char *)upc_alloc(2 * LARGE);
    upc_memset(directory[MYTHREAD], 1, 2 * LARGE);
    upc_barrier;
    mine = directory[MYTHREAD];
    theirs = directory[(MYTHREAD + 1) % THREADS] + LARGE;
    my_bytes = (char *)bupc_cast(mine);
    their_bytes = (char *)bupc_cast(theirs);
    private_bytes = malloc(LARGE);
    memset(private_bytes, 1, LARGE);
    for (const struct bench_row *row = rows; row->measured; row++) {
        double measured[bench_options.samples], limit[bench_options.samples];
        bench_run_row(row, measured, limit);
    }
    free(private_bytes);
    return 0;
}
