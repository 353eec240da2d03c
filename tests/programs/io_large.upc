/* Transfers with the common pointer whose work the threads share, compared with plain C; blocks of all sizes. */
#include <upc.h>
#include <upc_io.h>

#include "check.h"

enum { BYTES = 3 << 20, MARGIN = 1 << 18 };

static const char *const name = "large.dat";
static shared [] unsigned char *memory[8]; /* per thread */
static shared [] unsigned char *shared places[THREADS];
static unsigned char content[BYTES];

/* Byte k of the file */
static unsigned char byte_of(long k, int salt)
{
    return (unsigned char)((unsigned long)(k * 2654435761 + salt * 977) >> 13);
}

/* This thread's part of bytes dealt out in blocks from thread `start` on: block n of it, and its length; 0 after the
 * last */
static long own_block(long bytes, int start, long block, long n, long *first, unsigned char **place)
{
    if (block == 0)
        block = MYTHREAD == start ? bytes : 0;
    if (block == 0 || (n > 0 && block == bytes))
        return 0;
    long nth = (MYTHREAD - start + THREADS) % THREADS + n * THREADS;
    *first = nth * block;
    *place = (unsigned char *)memory[MYTHREAD] + (start + nth) / THREADS * block;
    return *first >= bytes ? 0 : bytes - *first < block ? bytes - *first : block;
}

static void fill(long bytes, int start, long block, int salt)
{
    long first;
    unsigned char *place;
    for (long n = 0, length; (length = own_block(bytes, start, block, n, &first, &place)) > 0; n++) {
        for (long k = 0; k < length; k++)
            place[k] = salt < 0 ? 0 : byte_of(first + k, salt);
    }
}

static long wrong_in_memory(long bytes, int start, long block, int salt)
{
    long wrong = 0;
    long first;
    unsigned char *place;
    for (long n = 0, length; (length = own_block(bytes, start, block, n, &first, &place)) > 0; n++) {
        for (long k = 0; k < length; k++)
            wrong += place[k] != byte_of(first + k, salt);
    }
    return wrong;
}

/* Each thread checks a part. */
static long wrong_in_file(long offset, long bytes, int salt)
{
    long begin = bytes * MYTHREAD / THREADS;
    size_t length = (size_t)(bytes * (MYTHREAD + 1) / THREADS - begin);
    long wrong = 0;
    FILE *stream = fopen(name, "rb");
    if (stream == NULL || fseek(stream, offset + begin, SEEK_SET) != 0 || fread(content, 1, length, stream) != length)
        return -1;
    for (size_t k = 0; k < length; k++)
        wrong += content[k] != byte_of(begin + (long)k, salt);
    fclose(stream);
    return wrong;
}

static void write_and_read(upc_file_t *f, long offset, long bytes, int start, long block, int salt)
{
    shared void *buffer = (shared void *)memory[start];
    size_t size = block == 0 || block % 8 || bytes % 8 ? 1 : 8;
    fill(bytes, start, block, salt);
    EQ(upc_all_fseek(f, offset, UPC_SEEK_SET), offset);
    EQ(upc_all_fwrite_shared(f, buffer, (size_t)block / size, size, (size_t)bytes / size,
                             UPC_IN_ALLSYNC | UPC_OUT_NOSYNC),
       bytes);
    upc_barrier;
    EQ(wrong_in_file(offset, bytes, salt), 0);
    fill(bytes, start, block, -1);
    EQ(upc_all_fseek(f, offset, UPC_SEEK_SET), offset);
    /* Past the end, if this is the end: the rest is not read */
    EQ(upc_all_fread_shared(f, buffer, (size_t)block / size, size, (size_t)bytes / size, 0), bytes);
    EQ(wrong_in_memory(bytes, start, block, salt), 0);
    upc_barrier;
    fill(bytes, start, block, -1);
    upc_all_fseek(f, offset, UPC_SEEK_SET);
    upc_all_fread_shared_async(f, buffer, (size_t)block / size, size, (size_t)bytes / size, 0);
    EQ(upc_all_fwait_async(f), bytes);
    EQ(wrong_in_memory(bytes, start, block, salt), 0);
    upc_barrier;
}

/* A file that ends within the transfer: each thread notices it, and the sum is right. */
static void short_file(upc_file_t *f, long size, long block)
{
    EQ(upc_all_fset_size(f, size), 0);
    for (long offset = 0; offset < size + 70000; offset += 123456) {
        EQ(upc_all_fseek(f, offset, UPC_SEEK_SET), offset);
        long expected = offset < size ? size - offset : 0;
        EQ(upc_all_fread_shared(f, (shared void *)memory[0], (size_t)block, 1, BYTES / 2, 0), expected);
        EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), offset + expected);
    }
}

int main(void)
{
    static const long blocks[] = {0, 1, 3, 8, 100, 4096, 5000, 65535, 65536, 100000, (1 << 20) - 8, 1 << 20};
    places[MYTHREAD] = upc_alloc(BYTES + MARGIN + (1 << 20));
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        memory[t] = places[t];
    upc_file_t *f = upc_all_fopen(name, UPC_RDWR | UPC_COMMON_FP | UPC_CREATE | UPC_TRUNC, 0, NULL);
    CHECK(f != NULL);
    for (int i = 0; i < (int)(sizeof blocks / sizeof blocks[0]); i++) {
        static const long sizes[] = {1 << 20, 1234567, 65536, 200001};
        long bytes = blocks[i] > 1000000 ? 2500000 + i : sizes[i % 4] * (blocks[i] > 60000 ? 2 : 1);
        write_and_read(f, i * 1001, bytes, i % THREADS, blocks[i], i);
    }
    short_file(f, 400000, 10);
    short_file(f, 300001, 65536);
    short_file(f, 300001, 0);
    short_file(f, 1300001, 1 << 20);
    EQ(upc_all_fclose(f), 0);
    if (MYTHREAD == 0)
        remove(name);
    return finish();
}
