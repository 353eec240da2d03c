// Far accesses in order share messages; others bring no byte in vain.
// fcheck: no
#include <banyan/far.h>
#include <upc_castable.h>
#include <upc_relaxed.h>
#include "check.h"

enum { N = 10000, APART = 7919 };

shared [] double *shared parts[THREADS];
shared double dealt[N * THREADS];
static struct bn_far_counts before;

static void begin(void)
{
    upc_barrier;
    before = bn_far_counts();
}

// Checks that there were `least` to `most` messages in one direction, none in the other, and so many bytes moved per
// requested byte
static void messages(const char *what, unsigned long long count, unsigned long long bytes, unsigned least,
                     unsigned most, double waste)
{
    if (count < least || count > most || (double)bytes > waste * 8 * N) {
        printf("%s: %llu messages of %llu bytes\n", what, count, bytes);
        check_failures++;
    }
}

static void gets(const char *what, unsigned least, unsigned most, double waste)
{
    struct bn_far_counts now = bn_far_counts();
    messages(what, now.gets - before.gets, now.get_bytes - before.get_bytes, least, most, waste);
    EQ(now.puts, before.puts);
}

static void puts_only(const char *what, unsigned least, unsigned most)
{
    upc_fence;
    struct bn_far_counts now = bn_far_counts();
    messages(what, now.puts - before.puts, now.put_bytes - before.put_bytes, least, most, 1);
    EQ(now.gets, before.gets);
}

static void in_order(shared [] double *p, int far)
{
    double sum = 0;
    begin();
    for (int i = 0; i < N; i++)
        p[i] = i;
    puts_only("writes in order", 15 * far, 25 * far);
    begin();
    for (int i = 0; i < N; i++)
        sum += p[i];
    gets("reads in order", 8 * far, 25 * far, 1.2);
    CHECK(sum == (double)N * (N - 1) / 2);
    begin();
    for (int i = N - 1; i >= 0; i--)
        sum -= p[i];
    gets("reads downwards", 8 * far, 25 * far, 1.2);
    CHECK(sum == 0);
    begin();
    for (int i = 1; i < N - 1; i++)
        sum += p[i - 1] - 2 * p[i] + p[i + 1];
    gets("neighbours", 8 * far, 75 * far, 2);
    CHECK(sum == 0);
}

static void apart(shared [] double *p, int far)
{
    double sum = 0;
    begin();
    for (int i = 0; i < N; i++)
        sum += p[(long)i * APART % N];
    gets("reads apart", N * far, N * far, 1);
    CHECK(sum == (double)N * (N - 1) / 2);
    begin();
    for (int i = 0; i < N / 2; i++)
        p[0] = i;
    puts_only("writes to one place", far, far);
}

// A table that almost fits into the windows: reads are close to each other by chance, which must not make them fetch
// more
static void at_random(shared [] double *p, int far)
{
    enum { TABLE = 4096 };
    unsigned long state = 1;
    double sum = 0, expected = 0;
    begin();
    for (int i = 0; i < N; i++) {
        state = state * 6364136223846793005ul + 1442695040888963407ul;
        sum += p[(state >> 33) % TABLE];
        expected += (state >> 33) % TABLE;
    }
    gets("reads at random", N / 2 * far, N * far, 1.3);
    CHECK(sum == expected);
}

static void to_all(void)
{
    int far = 0;
    for (int thread = 0; thread < THREADS; thread++)
        far |= upc_cast((shared void *)&dealt[thread]) == NULL;
    double sum = 0;
    begin();
    for (int i = 0; i < N; i++)
        dealt[MYTHREAD * N + i] = i;
    puts_only("writes dealt out", far, (N * 8 / 4096 + 2 * THREADS) * far);
    begin();
    for (int i = 0; i < N; i++)
        sum += dealt[MYTHREAD * N + i];
    gets("reads dealt out", far, (N * 8 / 4096 + 16 * THREADS) * far, 3);
    CHECK(sum == (double)N * (N - 1) / 2);
}

int main(void)
{
    int other = (MYTHREAD + 1) % THREADS;
    parts[MYTHREAD] = upc_alloc(N * sizeof(double));
    upc_barrier;
    shared [] double *p = parts[other];
    int far = upc_cast((shared void *)p) == NULL;   // if all threads are near there are no messages
    in_order(p, far);
    upc_barrier;
    at_random(p, far);
    upc_barrier;
    apart(p, far);
    to_all();
    return finish();
}
