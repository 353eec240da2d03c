/* Strong consistency: concurrent writes to one place have the effect of one after another, and are visible to all. */
#include <upc.h>
#include <upc_io.h>

#include "check.h"

enum { BYTES = 300000, PIECES = 3000, PIECE = 16, DISTANCE = 90, ROUNDS = 6 };

static unsigned char own[BYTES];

/* All bytes must come from one thread. */
static int is_of_one(const unsigned char *bytes, long count)
{
    for (long k = 1; k < count; k++) {
        if (bytes[k] != bytes[0])
            return 0;
    }
    return bytes[0] >= 1 && bytes[0] <= THREADS;
}

static void by_pointer(upc_file_t *f)
{
    memset(own, MYTHREAD + 1, BYTES);
    EQ(upc_all_fseek(f, 0, UPC_SEEK_SET), 0);
    EQ(upc_all_fwrite_local(f, own, 1, BYTES, UPC_IN_NOSYNC | UPC_OUT_NOSYNC), BYTES);
    EQ(upc_all_fseek(f, 0, UPC_SEEK_SET), 0);
    EQ(upc_all_fread_local(f, own, 1, BYTES, UPC_IN_NOSYNC | UPC_OUT_NOSYNC), BYTES);
    CHECK(is_of_one(own, BYTES));
    EQ(upc_all_fget_size(f), BYTES);
}

static void by_lists(upc_file_t *f, int is_async)
{
    struct upc_local_memvec memory = {own, PIECES * PIECE};
    struct upc_filevec ranges[PIECES];
    for (int i = 0; i < PIECES; i++)
        ranges[i] = (struct upc_filevec){i * DISTANCE, PIECE};
    memset(own, MYTHREAD + 1, BYTES);
    if (is_async) {
        upc_all_fwrite_list_local_async(f, 1, &memory, PIECES, ranges, 0);
        EQ(upc_all_fwait_async(f), PIECES * PIECE);
    } else {
        EQ(upc_all_fwrite_list_local(f, 1, &memory, PIECES, ranges, 0), PIECES * PIECE);
    }
    EQ(upc_all_fread_list_local(f, 1, &memory, PIECES, ranges, 0), PIECES * PIECE);
    CHECK(is_of_one(own, PIECES * PIECE));
}

/* Where threads do not overlap, each thread's bytes remain. */
static void apart(upc_file_t *f)
{
    memset(own, MYTHREAD + 1, 1000);
    EQ(upc_all_fseek(f, MYTHREAD * 1000, UPC_SEEK_SET), MYTHREAD * 1000);
    EQ(upc_all_fwrite_local(f, own, 1, 1000, 0), 1000);
    int other = (MYTHREAD + 1) % THREADS;
    EQ(upc_all_fseek(f, other * 1000, UPC_SEEK_SET), other * 1000);
    EQ(upc_all_fread_local(f, own, 1, 1000, 0), 1000);
    CHECK(is_of_one(own, 1000));
    EQ(own[0], other + 1);
}

int main(void)
{
    upc_file_t *f = upc_all_fopen("strong.dat", UPC_RDWR | UPC_INDIVIDUAL_FP | UPC_CREATE | UPC_TRUNC | UPC_STRONG_CA,
                                  0, NULL);
    CHECK(f != NULL);
    for (int round = 0; round < ROUNDS; round++) {
        by_pointer(f);
        by_lists(f, 0);
        by_lists(f, 1);
        apart(f);
    }
    EQ(upc_all_fclose(f), 0);
    if (MYTHREAD == 0)
        remove("strong.dat");
    return finish();
}
