// Facts 2.8: non-blocking copies, with and without handles: data are there after the synchronisation, bytes beside them
// stay, and barriers do not count.
#include <upc_relaxed.h>

#include <upc_nb.h>

#include "check.h"

enum { BYTES = 5000, HANDLES = 40 };

static shared [BYTES] unsigned char from[BYTES * THREADS];
static shared [BYTES] unsigned char to[BYTES * THREADS];

static unsigned char pattern(int thread, int i)
{
    return (unsigned char)(thread * 31 + i * 7 + i / 256);
}

/* Bytes first .. first + count - 1 of this thread's part of `to` must be as expected, the others 0xee. */
static void check_part(int first, int count, int thread, int constant)
{
    for (int i = 0; i < BYTES; i++) {
        unsigned char inside = constant >= 0 ? (unsigned char)constant : pattern(thread, i);
        EQ(to[MYTHREAD * BYTES + i], i >= first && i < first + count ? inside : 0xee);
    }
}

static void clear(void)
{
    upc_barrier;
    upc_memset(&to[MYTHREAD * BYTES], 0xee, BYTES);
    upc_barrier;
}

static void with_handles(int first, int count)
{
    static unsigned char buffer[BYTES];
    int left = (MYTHREAD + THREADS - 1) % THREADS, right = (MYTHREAD + 1) % THREADS;

    clear();
    upc_handle_t h = upc_memcpy_nb(&to[right * BYTES + first], &from[MYTHREAD * BYTES + first], (size_t)count);
    upc_barrier;
    upc_sync(h);
    upc_barrier;
    check_part(first, count, left, -1);

    clear();
    memset(buffer, 1, sizeof buffer);
    h = upc_memget_nb(buffer, &from[left * BYTES], BYTES);
    while (!upc_sync_attempt(h))
        ;
    h = upc_memput_nb(&to[MYTHREAD * BYTES + first], buffer + first, (size_t)count);
    upc_sync(h);
    check_part(first, count, left, -1);

    clear();
    h = upc_memset_nb(&to[right * BYTES + first], 0x1a7, (size_t)count);
    upc_sync(h);
    upc_barrier;
    check_part(first, count, 0, 0xa7);
}

static void without_handles(int first, int count)
{
    static unsigned char buffer[BYTES];
    int left = (MYTHREAD + THREADS - 1) % THREADS, right = (MYTHREAD + 1) % THREADS;

    clear();
    upc_memcpy_nbi(&to[right * BYTES + first], &from[MYTHREAD * BYTES + first], (size_t)count);
    upc_synci();
    upc_barrier;
    check_part(first, count, left, -1);

    clear();
    upc_memget_nbi(buffer, &from[right * BYTES], BYTES);
    while (!upc_synci_attempt())
        ;
    upc_memput_nbi(&to[MYTHREAD * BYTES + first], buffer + first, (size_t)count);
    upc_synci();
    check_part(first, count, right, -1);

    clear();
    upc_memset_nbi(&to[right * BYTES + first], -1, (size_t)count);
    upc_synci();
    upc_barrier;
    check_part(first, count, 0, 0xff);
}

/* Many at once, synchronised in another order than that of their start */
static void many(void)
{
    upc_handle_t handles[HANDLES];
    int piece = BYTES / HANDLES, right = (MYTHREAD + 1) % THREADS;
    clear();
    for (int i = 0; i < HANDLES; i++)
        handles[i] = upc_memcpy_nb(&to[MYTHREAD * BYTES + i * piece], &from[right * BYTES + i * piece], (size_t)piece);
    for (int i = 0; i < HANDLES; i++)
        upc_sync(handles[i * 7 % HANDLES]);
    check_part(0, HANDLES * piece, right, -1);
}

int main(void)
{
    for (int i = 0; i < BYTES; i++)
        from[MYTHREAD * BYTES + i] = pattern(MYTHREAD, i);

    const int counts[] = {0, 1, 7, 8, 63, 64, 65, 4096, BYTES - 1};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        with_handles((int)i % 2, counts[i]);
        without_handles((int)i % 2, counts[i]);
    }
    many();

    upc_handle_t zero;
    memset(&zero, 0, sizeof zero);
    CHECK(zero == UPC_COMPLETE_HANDLE); /* all bits zero */
    upc_sync(UPC_COMPLETE_HANDLE);
    CHECK(upc_sync_attempt(UPC_COMPLETE_HANDLE));
    CHECK(upc_synci_attempt()); /* nothing is pending */
    upc_synci();
#if !__UPC_NB__
    CHECK(!"__UPC_NB__");
#endif
    return finish();
}
