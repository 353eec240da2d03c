// flags: -O1
/* Random calls of upc_io.h on one file, each with arguments of its own on each thread where that is allowed, against a
   model; at the end the file is compared with plain C.

   usage: io_random [SEED [STEPS]] */
#include <upc.h>
#include <upc_io.h>

#include "io_model.h"

static upc_file_t *file;
static const char *const file_name = "random.dat";
static bool is_common;
/* Writes that may not be visible yet: with the common pointer to others; by one thread to the other threads */
static bool has_common_writes;
static bool has_own_writes;
static long position[THREADS_MAX];

static const upc_flag_t all_flags[] = {
    0, UPC_IN_ALLSYNC, UPC_OUT_ALLSYNC, UPC_IN_NOSYNC | UPC_OUT_NOSYNC, UPC_IN_MYSYNC | UPC_OUT_MYSYNC,
    UPC_IN_ALLSYNC | UPC_OUT_NOSYNC, UPC_IN_NOSYNC | UPC_OUT_ALLSYNC, UPC_IN_MYSYNC | UPC_OUT_NOSYNC,
};

/* ---- Calls ---- */

static long complete(long begun, bool is_async)
{
    if (!is_async)
        return begun;
    EQ(upc_all_fcntl(file, UPC_ASYNC_OUTSTANDING, NULL), 1);
    long result = 0;
    if (choose(2)) {
        result = upc_all_fwait_async(file);
    } else {
        int flag = 0;
        while (!flag)
            result = upc_all_ftest_async(file, &flag);
    }
    EQ(upc_all_fcntl(file, UPC_ASYNC_OUTSTANDING, NULL), 0);
    return result;
}

static shared void *shared_start(const struct region *region)
{
    return (shared void *)&arena[region->area * PART + region->offset];
}

static long call_at_pointer(bool is_write, bool is_shared, bool is_async, const struct region *region, size_t size,
                            upc_flag_t flags)
{
    size_t n = (size_t)region->bytes / size;
    long result = 0;
    if (is_shared) {
        shared void *start = shared_start(region);
        size_t block = (size_t)region->block / size;
        if (is_async && is_write)
            upc_all_fwrite_shared_async(file, start, block, size, n, flags);
        else if (is_async)
            upc_all_fread_shared_async(file, start, block, size, n, flags);
        else if (is_write)
            result = upc_all_fwrite_shared(file, start, block, size, n, flags);
        else
            result = upc_all_fread_shared(file, start, block, size, n, flags);
    } else {
        void *start = own_memory + region->offset;
        if (is_async && is_write)
            upc_all_fwrite_local_async(file, start, size, n, flags);
        else if (is_async)
            upc_all_fread_local_async(file, start, size, n, flags);
        else if (is_write)
            result = upc_all_fwrite_local(file, start, size, n, flags);
        else
            result = upc_all_fread_local(file, start, size, n, flags);
    }
    return complete(result, is_async);
}

static long call_by_lists(bool is_write, bool is_shared, bool is_async, const struct transfer *own, upc_flag_t flags)
{
    struct upc_shared_memvec s[PIECES_MAX];
    struct upc_local_memvec l[PIECES_MAX];
    struct upc_filevec f[2 * PIECES_MAX];
    size_t m = (size_t)own->region_count;
    size_t n = (size_t)own->range_count;
    long result = 0;
    for (size_t i = 0; i < m; i++) {
        const struct region *region = &own->regions[i];
        s[i] = (struct upc_shared_memvec){shared_start(region), (size_t)region->block, (size_t)region->bytes};
        l[i] = (struct upc_local_memvec){own_memory + region->offset, (size_t)region->bytes};
    }
    for (size_t i = 0; i < n; i++)
        f[i] = (struct upc_filevec){own->ranges[i].offset, (size_t)own->ranges[i].bytes};
    if (is_shared) {
        if (is_async && is_write)
            upc_all_fwrite_list_shared_async(file, m, s, n, f, flags);
        else if (is_async)
            upc_all_fread_list_shared_async(file, m, s, n, f, flags);
        else if (is_write)
            result = upc_all_fwrite_list_shared(file, m, s, n, f, flags);
        else
            result = upc_all_fread_list_shared(file, m, s, n, f, flags);
    } else {
        if (is_async && is_write)
            upc_all_fwrite_list_local_async(file, m, l, n, f, flags);
        else if (is_async)
            upc_all_fread_list_local_async(file, m, l, n, f, flags);
        else if (is_write)
            result = upc_all_fwrite_list_local(file, m, l, n, f, flags);
        else
            result = upc_all_fread_list_local(file, m, l, n, f, flags);
    }
    memset(s, 0, sizeof s); /* lists may be changed immediately */
    memset(l, 0, sizeof l);
    memset(f, 0, sizeof f);
    return complete(result, is_async);
}

/* ---- Steps ---- */

/* Everything written is visible to all from now on. */
static void settle(bool for_common)
{
    if (!has_own_writes && (for_common || !has_common_writes))
        return;
    switch (choose(3)) {
    case 0: EQ(upc_all_fsync(file), 0); break;
    case 1: EQ(upc_all_fcntl(file, UPC_SET_WEAK_CA_SEMANTICS, NULL), 0); break;
    default: EQ(upc_all_fcntl(file, UPC_SET_STRONG_CA_SEMANTICS, NULL), 0);
    }
    has_own_writes = has_common_writes = false;
}

static void transfer_at_pointer(void)
{
    static const long sizes[] = {1, 2, 4, 8, 12, 100};
    bool is_write = choose(2);
    bool is_async = choose(3) == 0;
    bool is_shared = is_common || choose(2);
    long size = sizes[choose(6)];
    upc_flag_t flags = all_flags[choose(8)];
    struct transfer own = {0};
    long expected = 0;
    settle(is_common);
    for (int t = 0; t < (is_common ? 1 : THREADS); t++) {
        struct transfer transfer = {.region_count = 1, .range_count = 1};
        struct region *region = &transfer.regions[0];
        *region = choose_region(is_shared, t, size, 2000 / size);
        if (is_write && !file_is_free(position[t], region->bytes))
            region->bytes = 0;
        transfer.ranges[0] = (struct range){position[t], region->bytes};
        if (is_write)
            memset(file_is_taken + position[t], true, (size_t)region->bytes);
        long moved = transfer_in_model(is_write, &transfer);
        position[t] += moved;
        if (is_common || t == MYTHREAD) {
            own = transfer;
            expected = moved;
        }
    }
    upc_barrier;
    EQ(call_at_pointer(is_write, is_shared, is_async, &own.regions[0], (size_t)size, flags), expected);
    has_common_writes |= is_write && is_common;
    has_own_writes |= is_write && !is_common;
}

static struct transfer choose_lists(bool is_write, bool is_shared, int thread)
{
    struct transfer transfer = {.region_count = (int)choose(PIECES_MAX + 1)};
    long bytes = 0;
    for (int i = 0; i < transfer.region_count; i++) {
        transfer.regions[i] = choose_region(is_shared, thread, 1, choose(4) ? 300 : 0);
        bytes += transfer.regions[i].bytes;
    }
    long offset = choose(FILE_BYTES / 2);
    while (bytes > 0 && transfer.range_count < 2 * PIECES_MAX) {
        struct range *range = &transfer.ranges[transfer.range_count++];
        bool is_last = transfer.range_count == 2 * PIECES_MAX;
        range->offset = offset;
        range->bytes = is_last ? bytes : choose(bytes + 1);
        while (is_write && !file_is_free(range->offset, range->bytes))
            range->offset++;
        if (is_write)
            memset(file_is_taken + range->offset, true, (size_t)range->bytes);
        offset = range->offset + range->bytes + (choose(2) ? choose(60) : choose(20) ? 0 : 5000);
        bytes -= range->bytes;
    }
    return transfer;
}

static void transfer_by_lists(void)
{
    bool is_write = choose(2);
    bool is_async = choose(3) == 0;
    bool is_shared = choose(2);
    upc_flag_t flags = all_flags[choose(8)];
    struct transfer own;
    long expected = 0;
    settle(false);
    for (int t = 0; t < THREADS; t++) {
        struct transfer transfer = choose_lists(is_write, is_shared, t);
        long moved = transfer_in_model(is_write, &transfer);
        if (t == MYTHREAD) {
            own = transfer;
            expected = moved;
        }
    }
    upc_barrier;
    EQ(call_by_lists(is_write, is_shared, is_async, &own, flags), expected);
    has_own_writes |= is_write;
}

static void seek(void)
{
    int origin = (int)choose(3);
    settle(is_common);
    for (int t = 0; t < (is_common ? 1 : THREADS); t++) {
        long to = choose(FILE_BYTES / 2);
        long offset = origin == 0 ? to : origin == 1 ? to - position[t] : to - file_size;
        position[t] = to;
        if (!is_common && t != MYTHREAD)
            continue;
        EQ(upc_all_fseek(file, offset, origin == 0 ? UPC_SEEK_SET : origin == 1 ? UPC_SEEK_CUR : UPC_SEEK_END), to);
    }
}

static void change_size(void)
{
    long size = choose(FILE_BYTES / 2);
    switch (choose(3)) {
    case 0:
        EQ(upc_all_fset_size(file, size), 0);
        set_model_size(size);
        has_own_writes = has_common_writes = false;
        break;
    case 1:
        EQ(upc_all_fpreallocate(file, size), 0);
        if (size > file_size)
            set_model_size(size);
        break;
    default: EQ(upc_all_fget_size(file), file_size);
    }
}

static void change_pointer(void)
{
    is_common = choose(2);
    EQ(upc_all_fcntl(file, is_common ? UPC_SET_COMMON_FP : UPC_SET_INDIVIDUAL_FP, NULL), 0);
    EQ(upc_all_fcntl(file, UPC_GET_FP, NULL), is_common ? UPC_COMMON_FP : UPC_INDIVIDUAL_FP);
    has_own_writes = has_common_writes = false;
    memset(position, 0, sizeof position);
}

static void check_file_with_c(void)
{
    static unsigned char content[FILE_BYTES + 1];
    FILE *stream = fopen(file_name, "rb");
    CHECK(stream != NULL);
    if (stream == NULL)
        return;
    EQ(fread(content, 1, sizeof content, stream), file_size);
    CHECK(memcmp(content, file_bytes, (size_t)file_size) == 0);
    fclose(stream);
}

int main(int argc, char **argv)
{
    long steps = argc > 2 ? atol(argv[2]) : 140;
    random_state = 0x9e3779b97f4a7c15ul + (unsigned long)THREADS + (argc > 1 ? strtoul(argv[1], NULL, 0) << 20 : 0);
    is_common = choose(2);
    file = upc_all_fopen(file_name, UPC_RDWR | UPC_CREATE | UPC_TRUNC | (is_common ? UPC_COMMON_FP : UPC_INDIVIDUAL_FP),
                         0, NULL);
    CHECK(file != NULL);
    for (long step = 0; step < steps && check_failures == 0; step++) {
        upc_barrier;
        refill(step);
        upc_barrier;
        long kind = choose(16);
        if (kind < 8)
            transfer_at_pointer();
        else if (kind < 11)
            transfer_by_lists();
        else if (kind < 14)
            seek();
        else if (kind < 15)
            change_size();
        else
            change_pointer();
        upc_barrier;
        CHECK(memory_is_right());
        if (check_failures)
            printf("thread %d: step %ld, kind %ld\n", MYTHREAD, step, kind);
    }
    EQ(upc_all_fclose(file), 0);
    check_file_with_c();
    upc_barrier;
    if (MYTHREAD == 0)
        remove(file_name);
    return finish();
}
