/* io.upc: upc_io.h compared with plain system calls on the same bytes of an in-memory file. */
#include <upc.h>
#include <upc_io.h>

#include <fcntl.h>
#include <unistd.h>

#include "bench.h"

enum { WHOLE = 8 << 20, SMALL = 4096, PIECES = 1000, PIECE = 64, DISTANCE = 256 };
enum { NONE = UPC_IN_NOSYNC | UPC_OUT_NOSYNC };

static const char *const name = "io.dat";
static upc_file_t *individual, *common;
static int plain;
static char *own; /* WHOLE bytes of private memory */
static shared void *memory;     /* WHOLE bytes and more, on each thread */
static upc_off_t own_place;     /* this thread's offset in the file */
static size_t part;             /* each thread's part of WHOLE */
static char *my_part;
static struct upc_local_memvec memory_list[1];
static struct upc_filevec file_list[PIECES];

/* Loops without waiting are timed in processor time. */
#define LOOP(NAME, CLOCK, STATEMENT)            \
    static double NAME(long count)              \
    {                                           \
        double start = CLOCK();                 \
        for (long i = 0; i < count; i++) {      \
            STATEMENT;                          \
            bench_forget_memory();              \
        }                                       \
        return CLOCK() - start;                 \
    }

static void check(upc_off_t got, upc_off_t expected)
{
    if (got != expected)
        bench_expect("transfer", (long)got, (long)expected);
}

static void at_individual(upc_off_t (*transfer)(upc_file_t *, void *, size_t, size_t, upc_flag_t), size_t bytes)
{
    upc_all_fseek(individual, own_place, UPC_SEEK_SET);
    check(transfer(individual, own, 1, bytes, NONE), (upc_off_t)bytes);
}

LOOP(read_small, bench_cpu_ns, at_individual(upc_all_fread_local, SMALL))
LOOP(write_small, bench_cpu_ns, at_individual(upc_all_fwrite_local, SMALL))
LOOP(read_whole, bench_cpu_ns, at_individual(upc_all_fread_local, WHOLE))
LOOP(write_whole, bench_cpu_ns, at_individual(upc_all_fwrite_local, WHOLE))
LOOP(pread_small, bench_cpu_ns, check(pread(plain, own, SMALL, own_place), SMALL))
LOOP(pwrite_small, bench_cpu_ns, check(pwrite(plain, own, SMALL, own_place), SMALL))
LOOP(pread_whole, bench_cpu_ns, check(pread(plain, own, WHOLE, own_place), WHOLE))
LOOP(pwrite_whole, bench_cpu_ns, check(pwrite(plain, own, WHOLE, own_place), WHOLE))

static void at_common(upc_off_t (*transfer)(upc_file_t *, shared void *, size_t, size_t, size_t, upc_flag_t),
                      size_t block, size_t size)
{
    upc_all_fseek(common, 0, UPC_SEEK_SET);
    check(transfer(common, memory, block, size, WHOLE / size, UPC_IN_NOSYNC | UPC_OUT_ALLSYNC), WHOLE);
}

LOOP(read_parts, bench_now_ns, at_common(upc_all_fread_shared, part, 1))
LOOP(write_parts, bench_now_ns, at_common(upc_all_fwrite_shared, part, 1))
LOOP(read_64k, bench_now_ns, at_common(upc_all_fread_shared, 65536, 1))
LOOP(write_64k, bench_now_ns, at_common(upc_all_fwrite_shared, 65536, 1))
LOOP(read_4k, bench_now_ns, at_common(upc_all_fread_shared, 4096, 1))
LOOP(write_4k, bench_now_ns, at_common(upc_all_fwrite_shared, 4096, 1))
LOOP(read_1k, bench_now_ns, at_common(upc_all_fread_shared, 1024, 1))
LOOP(write_1k, bench_now_ns, at_common(upc_all_fwrite_shared, 1024, 1))
LOOP(read_cyclic, bench_now_ns, at_common(upc_all_fread_shared, 1, 8))
LOOP(write_cyclic, bench_now_ns, at_common(upc_all_fwrite_shared, 1, 8))

/* The same bytes, each thread accessing its part of the file, and a barrier */
LOOP(pread_parts, bench_now_ns,
     check(pread(plain, my_part, part, (off_t)part * MYTHREAD), (upc_off_t)part); upc_barrier)
LOOP(pwrite_parts, bench_now_ns,
     check(pwrite(plain, my_part, part, (off_t)part * MYTHREAD), (upc_off_t)part); upc_barrier)

LOOP(read_list, bench_cpu_ns,
     check(upc_all_fread_list_local(individual, 1, memory_list, PIECES, file_list, NONE), PIECES * PIECE))
LOOP(write_list, bench_cpu_ns,
     check(upc_all_fwrite_list_local(individual, 1, memory_list, PIECES, file_list, NONE), PIECES * PIECE))

static double pread_list(long count)
{
    double start = bench_cpu_ns();
    for (long i = 0; i < count; i++) {
        for (int k = 0; k < PIECES; k++)
            check(pread(plain, own + k * PIECE, PIECE, file_list[k].offset), PIECE);
    }
    return bench_cpu_ns() - start;
}

static double pwrite_list(long count)
{
    double start = bench_cpu_ns();
    for (long i = 0; i < count; i++) {
        for (int k = 0; k < PIECES; k++)
            check(pwrite(plain, own + k * PIECE, PIECE, file_list[k].offset), PIECE);
    }
    return bench_cpu_ns() - start;
}

static void read_beside(size_t bytes)
{
    upc_all_fseek(individual, own_place, UPC_SEEK_SET);
    upc_all_fread_local_async(individual, own, 1, bytes, NONE);
    check(upc_all_fwait_async(individual), (upc_off_t)bytes);
}

LOOP(read_small_beside, bench_now_ns, read_beside(SMALL))
LOOP(read_whole_beside, bench_now_ns, read_beside(WHOLE))
LOOP(pread_small_now, bench_now_ns, check(pread(plain, own, SMALL, own_place), SMALL))
LOOP(pread_whole_now, bench_now_ns, check(pread(plain, own, WHOLE, own_place), WHOLE))

static const struct bench_row rows[] = {
    {"fread_local 4 KiB", "pread", read_small, pread_small, 1, 1, 0},
    {"fwrite_local 4 KiB", "pwrite", write_small, pwrite_small, 1, 1, 0},
    {"fread_local 8 MiB", "pread", read_whole, pread_whole, 1, 1, 0},
    {"fwrite_local 8 MiB", "pwrite", write_whole, pwrite_whole, 1, 1, 0},
    {"fread_shared 8 MiB, one block each", "pread of parts", read_parts, pread_parts, 1, 1, 0},
    {"fwrite_shared 8 MiB, one block each", "pwrite of parts", write_parts, pwrite_parts, 1, 1, 0},
    {"fread_shared 8 MiB, 64 KiB blocks", "pread of parts", read_64k, pread_parts, 1, 1, 0},
    {"fwrite_shared 8 MiB, 64 KiB blocks", "pwrite of parts", write_64k, pwrite_parts, 1, 1, 0},
    {"fread_shared 8 MiB, 4 KiB blocks", "pread of parts", read_4k, pread_parts, 1, 1, 0},
    {"fwrite_shared 8 MiB, 4 KiB blocks", "pwrite of parts", write_4k, pwrite_parts, 1, 1, 0},
    {"fread_shared 8 MiB, 1 KiB blocks", "pread of parts", read_1k, pread_parts, 1, 1, 0},
    {"fwrite_shared 8 MiB, 1 KiB blocks", "pwrite of parts", write_1k, pwrite_parts, 1, 1, 0},
    {"fread_shared 8 MiB, doubles in turn", "pread of parts", read_cyclic, pread_parts, 1, 1, 0},
    {"fwrite_shared 8 MiB, doubles in turn", "pwrite of parts", write_cyclic, pwrite_parts, 1, 1, 0},
    {"fread_list_local, 64 of each 256 B", "1,000 pread", read_list, pread_list, 1, 1, 0},
    {"fwrite_list_local, 64 of each 256 B", "1,000 pwrite", write_list, pwrite_list, 1, 1, 0},
    {"fread_local_async 4 KiB + fwait_async", "pread", read_small_beside, pread_small_now, 1, 1, 0},
    {"fread_local_async 8 MiB + fwait_async", "pread", read_whole_beside, pread_whole_now, 1, 1, 0},
    {NULL, NULL, NULL, NULL, 0, 0, 0},
};

int main(int argc, char **argv)
{
    bench_start(argc, argv);
    own_place = (upc_off_t)WHOLE * MYTHREAD;
    part = WHOLE / THREADS;
    own = malloc(WHOLE);
    memset(own, 1, WHOLE);
    memory = upc_all_alloc(THREADS, WHOLE);
    my_part = (char *)&((shared [WHOLE] char *)memory)[(size_t)MYTHREAD * WHOLE];
    memset(my_part, 1, WHOLE);
    memory_list[0] = (struct upc_local_memvec){own, PIECES * PIECE};
    for (int i = 0; i < PIECES; i++)
        file_list[i] = (struct upc_filevec){own_place + i * DISTANCE, PIECE};
    individual = upc_all_fopen(name, UPC_RDWR | UPC_INDIVIDUAL_FP | UPC_CREATE, 0, NULL);
    common = upc_all_fopen(name, UPC_RDWR | UPC_COMMON_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
    plain = open(name, O_RDWR);
    if (individual == NULL || common == NULL || plain < 0) {
        perror(name);
        return 1;
    }
    write_whole(1);
    for (const struct bench_row *row = rows; row->measured != NULL; row++) {
        double measured[bench_options.samples], limit[bench_options.samples];
        bench_run_row(row, measured, limit);
    }
    return 0;
}
