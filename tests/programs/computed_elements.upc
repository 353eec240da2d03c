// Clause: elements by indices that loops compute, in layouts of many kinds and index types of many widths (facts 1.7)
#include <upc_relaxed.h>

#include "check.h"

enum { N = 64, THREADS_MOST = 16, PRIME = 61 };

shared long table[N * THREADS];
shared int next[N * THREADS];
shared short narrow[N * THREADS];
shared char chars[N * THREADS];
shared struct three {
    char c[3];
} threes[N * THREADS];
shared double rows[N][THREADS];
shared [4] int fours[4 * N * THREADS];

static long mirror[N * THREADS_MOST]; /* the expected contents of the table */
static int calls;

static unsigned long next_random(unsigned long state)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^ state << 17;
}

static unsigned scale(unsigned random, unsigned long words)
{
    calls++;
    return (unsigned)((unsigned long)random * words >> 32);
}

static void set_up(long n)
{
    for (long i = 0; i < n; i++)
        mirror[i] = i;
    upc_forall (long i = 0; i < n; i++; i) {
        table[i] = i;
        next[i] = (int)((i + 5) % n);
        narrow[i] = (short)i;
        chars[i] = (char)i;
        threes[i].c[1] = (char)(i + 1);
        rows[i / THREADS][i % THREADS] = (double)i;
    }
    upc_forall (long i = 0; i < 4 * n; i++; &fours[i])
        fours[i] = (int)i;
}

/* Operators and type conversions: the values must be those of plain arrays. */
static void read_all(long n)
{
    long wrong = 0;
    unsigned long random = 88172645463325252UL;
    for (long k = 0; k < 4 * n; k++) {
        random = next_random(random);
        wrong += table[random % (unsigned long)n] != (long)(random % (unsigned long)n);
        wrong += table[scale((unsigned)random, (unsigned long)n)] !=
                 (long)((random & 0xffffffff) * (unsigned long)n >> 32);
        wrong += narrow[random & 63] != (short)(random & 63);
    }
    EQ(wrong, 0);
    EQ(calls, 4 * n);
    for (int k = 1 - N; k < N; k++) { /* signed and narrow types, negative intermediate values */
        signed char small = (signed char)(k ^ 5);
        unsigned char byte = (unsigned char)(k * k);
        wrong += table[(k * 7 % PRIME + PRIME) % N] != (k * 7 % PRIME + PRIME) % N;
        wrong += chars[N / 2 + small / 4] != (char)(N / 2 + small / 4);
        wrong += threes[byte % N].c[1] != (char)(byte % N + 1);
        wrong += table[N - 1 + (k >> 31 & k)] != N - 1 + (k < 0 ? k : 0);
    }
    EQ(wrong, 0);
    for (int k = 0; k < N; k++) {
        unsigned short wraps = (unsigned short)(k * 40503);
        __extension__ unsigned __int128 wide = (__extension__(unsigned __int128)1 << 100) / (unsigned)(k + 1);
        wrong += table[wraps >> 10] != wraps >> 10;
        wrong += table[wide % 64] != (long)(wide % 64);
        wrong += rows[(k | 1) % N][k % THREADS] != (double)((k | 1) % N * THREADS + k % THREADS);
        wrong += fours[(k * 7919) & (4 * N - 1)] != ((k * 7919) & (4 * N - 1));
    }
    EQ(wrong, 0);
}

/* Side effects in an index happen once. */
static void effects(long n)
{
    unsigned h = 7;
    long at = 0, count = 0;
    upc_barrier;
    if (MYTHREAD == 0)
        for (long k = 0; k < 3 * n; k++) {
            long old = mirror[h % (unsigned long)n];
            mirror[h % (unsigned long)n] = old + k;
            table[(count++, h % (unsigned long)n)] += k;
            old = table[at = (long)(h % (unsigned long)n)];
            CHECK(old == mirror[at]);
            h = h * 31 + 5;
        }
    EQ(count, MYTHREAD == 0 ? 3 * n : 0);
    upc_barrier;
    if (MYTHREAD == 0)
        for (long i = 0; i < n; i++)
            EQ(table[i], mirror[i]);
    upc_barrier;
}

/* Each address depends on the previous element: in for, while and do, in the head and in the body. */
static void chains(long n)
{
    int at = 0, steps = 0;
    long sum = 0;
    do {
        at = next[at];
        steps++;
    } while (at != 0 && steps < 2 * n);
    long expected = n % 5 == 0 ? n / 5 : n;
    EQ(steps, expected);
    for (at = next[0]; at != 0; at = next[at])
        sum += narrow[at];
    while (steps-- > 0)
        sum -= narrow[at = next[at]];
    EQ(sum, 0);
}

/* The same with blocks */
static void block_chains(long n)
{
    long at = 1, sum = 0;
    for (long k = 0; k < n; k++) { /* every fourth element, and back to the first ones */
        at = fours[(at + 4) % (4 * n)];
        sum += at % 4;
    }
    EQ(at, 1);
    EQ(sum, n);
    for (at = fours[4 * n - 1]; at > 2; at = fours[at - 3])
        sum++;
    EQ(sum, n + (4 * n - 1) / 3);
}

/* An open-addressing table: the index is computed from itself, and the head reads the table. */
static void probe(long n)
{
    long wrong = 0;
    for (long key = 0; key < 20; key++) {
        long h = key * 17 % n, turns = 0;
        while (mirror[h] >= 0 && next[h] != key && turns++ < n)
            h = (h + 1) % n;
        wrong += next[h] != key;
    }
    EQ(wrong, 0);
}

/* In a loop over a thread's own elements, and in one that is too long to be duplicated */
static void long_loops(long n)
{
    long wrong = 0, a = 1, b = 1;
    upc_forall (long i = 0; i < n; i++; &narrow[i])
        wrong += narrow[i] != next[(i * 3) % n] - (long)((i * 3 + 5) % n) + i;
    for (long k = 0; k < n; k++) {
        a = a * 3 + 1; b = b * 5 + a; a ^= b >> 3; b += a >> 5; a = a * 7 + 2; b = b * 9 + a; a ^= b >> 7; b += a >> 9;
        a = a * 3 + 1; b = b * 5 + a; a ^= b >> 3; b += a >> 5; a = a * 7 + 2; b = b * 9 + a; a ^= b >> 7; b += a >> 9;
        a &= 0xffffff; b &= 0xffffff;
        wrong += narrow[(a ^ b) % n] != (short)((a ^ b) % n);
        wrong += next[a % n] != (a % n + 5) % n;
        a += next[b % n];
    }
    EQ(wrong, 0);
}

static shared long *somewhere;

/* Through pointers to any element, backwards and forwards; structs whose members are not at the offsets that their size
 * suggests */
static void pointers(long n)
{
    long wrong = 0;
    unsigned long random = 88172645463325252UL;
    shared struct three *odd = &threes[n / 2];
    shared short *shorts = narrow + n / 3;
    shared char *bytes = &chars[n - 1];
    shared long *late = upc_all_alloc((size_t)n, sizeof(long));
    somewhere = &table[n - 7];
    upc_forall (long i = 0; i < n; i++; i)
        late[i] = 3 * i;
    upc_barrier;
    for (long k = 0; k < 4 * n; k++) {
        random = next_random(random);
        long at = (long)(random % (unsigned long)n);
        wrong += odd[at - n / 2].c[1] != (char)(at + 1);
        wrong += shorts[at - n / 3] != (short)at;
        wrong += bytes[at + 1 - n] != (char)at;
    }
    EQ(wrong, 0);
    for (long k = 0; k < 4 * n; k++) {
        random = next_random(random);
        long at = (long)(random % (unsigned long)n);
        wrong += somewhere[at - (n - 7)] != table[at];
        wrong += late[at] != 3 * at;
        wrong += *(late + (at ^ 1) % n) != 3 * ((at ^ 1) % n);
    }
    EQ(wrong, 0);
    upc_barrier;
    for (long k = 0; k < n; k++) { /* each element by its owner, in another order */
        long at = k * PRIME % n;
        if (at % THREADS == MYTHREAD)
            late[at] += k;
    }
    upc_barrier;
    for (long k = 0; k < n; k++)
        wrong += late[k * PRIME % n] != 3 * (k * PRIME % n) + k;
    EQ(wrong, 0);
}

int main(void)
{
    long n = (long)N * THREADS;
    set_up(n);
    upc_barrier;
    read_all(n);
    effects(n);
    chains(n);
    block_chains(n);
    probe(n);
    long_loops(n);
    pointers(n);
    return finish();
}
