// Clause: elements by indices that come from memory, in loops, in layouts of many kinds (facts 1.7)
#include <upc_relaxed.h>

#include "check.h"

enum { N = 37, THREADS_MOST = 16 };

struct three {
    char c[3];
};

shared long cyclic[N * THREADS], sums[N * THREADS];
shared short narrow[N * THREADS];
shared char chars[N * THREADS];
shared struct three threes[N * THREADS];
shared double rows[N][THREADS];
shared [5] int fives[5 * N * THREADS];
shared [8] short eights[8 * N * THREADS];
shared [3] char few_bytes[3 * N * THREADS];
shared [7] struct three wide[7 * N * THREADS];
shared int once[THREADS];
/* a block per thread: 185 elements, 64, and one that is not full */
shared [*] int fives_whole[5 * N * THREADS];
shared [*] double powers_whole[64 * THREADS];
shared [41] long part_whole[N * THREADS];

static long list[N * THREADS_MOST];    /* 0 .. N * THREADS - 1, in another order */
static int five_times[N * THREADS_MOST];
static unsigned char small[N * THREADS_MOST];

static void set_up(long n)
{
    for (long i = 0; i < n; i++) {
        list[i] = (i * 1009 + 3) % n;
        five_times[i] = (int)((i * 2017 + 5) % (5 * n));
        small[i] = (unsigned char)(list[i] % 30);
    }
    upc_forall (long i = 0; i < n; i++; i) {
        cyclic[i] = i;
        narrow[i] = (short)i;
        chars[i] = (char)i;
        threes[i].c[1] = (char)(i + 1);
        rows[i / THREADS][i % THREADS] = (double)i;
    }
    upc_forall (long i = 0; i < 8 * n; i++; &eights[i])
        eights[i] = (short)i;
    upc_forall (long i = 0; i < 7 * n; i++; &wide[i])
        wide[i].c[2] = (char)i;
    upc_forall (long i = 0; i < 5 * n; i++; &fives[i])
        fives[i] = (int)i;
    upc_forall (long i = 0; i < 3 * n; i++; &few_bytes[i])
        few_bytes[i] = (char)i;
    once[MYTHREAD] = MYTHREAD;
    upc_forall (long i = 0; i < 5 * n; i++; &fives_whole[i])
        fives_whole[i] = (int)i;
    upc_forall (long i = 0; i < 64 * THREADS; i++; &powers_whole[i])
        powers_whole[i] = (double)i;
    upc_forall (long i = 0; i < n; i++; &part_whole[i])
        part_whole[i] = i;
}

/* Short loops: long code occurs only once in the C, and is correct there as well. */
static void read_all(long n)
{
    long wrong = 0;
    for (long k = 0; k < n; k++) {
        wrong += cyclic[list[k]] != list[k];
        wrong += narrow[list[k]] != (short)list[k];
        wrong += chars[list[k]] != (char)list[k];
        wrong += threes[list[k]].c[1] != (char)(list[k] + 1);
    }
    EQ(wrong, 0);
    for (long k = 0; k < n; k++) {
        wrong += fives[five_times[k]] != five_times[k];
        wrong += eights[five_times[k]] != (short)five_times[k];
        wrong += few_bytes[3 * list[k] + 1] != (char)(3 * list[k] + 1);
        wrong += wide[five_times[k]].c[2] != (char)five_times[k];
    }
    EQ(wrong, 0);
    for (long k = 0; k < n; k++) {
        wrong += rows[list[k] / THREADS][list[k] % THREADS] != (double)list[k];
        wrong += *(cyclic + small[k]) != small[k];
        wrong += once[list[k] % THREADS] != list[k] % THREADS;
    }
    EQ(wrong, 0);
    for (long k = 0; k < n; k++) {   /* through variables, and the array itself as a list */
        long at = list[k], next = at + 1;
        wrong += next < n && cyclic[next] != next;
        wrong += cyclic[cyclic[at]] != at;
    }
    EQ(wrong, 0);
}

/* Arrays with one block per thread, with indices of several types */
static void read_whole(long n)
{
    long wrong = 0;
    for (long k = 0; k < n; k++)
        wrong += fives_whole[five_times[k]] != five_times[k];
    for (long k = 0; k < n; k++)
        wrong += part_whole[list[k]] != list[k];
    for (unsigned k = 0; k < n; k++)
        wrong += powers_whole[small[k]] != small[k];
    for (long k = 0; k < n; k++)
        wrong += *(part_whole + small[k] % n) != small[k] % n;
    for (long k = 0; k < n; k++)
        wrong += fives_whole[(unsigned)five_times[k]] != fives_whole[(short)five_times[k]];
    EQ(wrong, 0);
}

/* Rows of 0 to 9 elements, contiguous and in arrays of 4: the remainder when several elements are processed at a
 * time */
static void rows_of_all_lengths(long n)
{
    struct row {
        int count, at[4];
    } row = {0};
    for (long length = 0; length < 10; length++)
        for (long first = 0; first + length <= n; first += 7) {
            long sum = 0, expected = 0;
            for (long k = first; k < first + length; k++)
                sum += cyclic[list[k]];
            for (long k = first; k < first + length; k++)
                sum += fives_whole[five_times[k]];
            row.count = (int)(length % 5);
            for (int k = 0; k < row.count; k++)
                row.at[k] = five_times[first + k];
            for (int k = 0; k < row.count; k++)
                sum += fives_whole[row.at[k]];
            for (long k = first; k < first + length; k++)
                expected += list[k] + five_times[k];
            for (int k = 0; k < row.count; k++)
                expected += row.at[k];
            EQ(sum, expected);
        }
}

/* A body that ends in an if without else, loops inside the loop, and jumps out of it */
static void leave(long n)
{
    long sum = 0, left = 0;
    if (n > 0)
        for (long k = 0; k < n; k++)
            if (cyclic[list[k]] % 2 == 0)
                sum += cyclic[list[k]];
    for (long k = 0; k < n; k++) {
        if (cyclic[list[k]] == 3)
            continue;
        for (int i = 0; i < 4; i++) {
            if (chars[list[k]] == (char)(5 + i))
                break;
            left += narrow[list[k]] == list[k];
        }
    }
    for (long k = 0; k < n; k++)
        sum -= k % 2 == 0 ? k : 0;
    EQ(sum, 0);
    CHECK(left > 0 && left <= 4 * n);
}

/* In a loop over a thread's own elements; the limit is read from memory, too. */
static void own(long n)
{
    long wrong = 0;
    upc_forall (long i = 0; i < cyclic[list[0]] + n - 3; i++; &cyclic[i]) {
        long sum = 0;
        for (int k = 0; k < 3; k++)
            sum += narrow[list[(i + k) % n]];
        wrong += sum != (list[i] + list[(i + 1) % n] + list[(i + 2) % n]);
    }
    upc_forall (long i = 0; i < 5 * n; i++; &fives[i])
        wrong += fives[i] + eights[five_times[i / 5]] != i + five_times[i / 5];
    EQ(wrong, 0);
}

static void write_all(long n)
{
    for (long k = 0; k < n; k++)
        if (list[k] % THREADS == MYTHREAD) {
            cyclic[list[k]] += 5;
            fives[list[k]] = -1;
            threes[list[k]].c[0] = 9;
            narrow[list[k]]++;
        }
    upc_barrier;
    for (long i = 0; i < n; i++) {
        EQ(cyclic[i], i + 5);
        EQ(fives[i], -1);
        EQ(fives[n + i], n + i);
        EQ(threes[i].c[0], 9);
        EQ(threes[i].c[1], (char)(i + 1));
        EQ(narrow[i], i + 1);
    }
}

static long at, calls;

static void look(void)
{
    calls++;
}

/* The inner loop tests each iteration, as look() might change its variable; the outer one stands once, for any number
 * of threads, as it has a static object. */
static void in_tested_loops(long n)
{
    for (int round = 0; round < 3; round++) {
        static long rounds;
        rounds++;
        upc_forall (at = 0; at < n; at++; &sums[at]) {
            sums[at] += cyclic[list[at]];
            look();
        }
    }
    upc_barrier;
    for (long i = 0; i < n; i++)
        EQ(sums[i], 3 * cyclic[list[i]]);
    upc_barrier;
}

int main(void)
{
    long n = (long)N * THREADS;
    CHECK(THREADS <= THREADS_MOST);
    set_up(n);
    upc_barrier;
    read_all(n);
    read_whole(n);
    upc_barrier;
    rows_of_all_lengths(n);
    leave(n);
    own(n);
    in_tested_loops(n);
    write_all(n);
    return finish();
}
