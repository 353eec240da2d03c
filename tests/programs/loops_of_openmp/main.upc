#include <upc_relaxed.h>

#include "../check.h"

#define N 100

#define PRAGMA(text) _Pragma(#text)
#define SHARED_OUT(clauses) PRAGMA(omp parallel for num_threads(2) clauses)
#define LOOP(v, n) for (int v = 0; v < n; v++)

// The sum of elements over loops, which the pragma shares out, and that of their private copies
#define SUM(clauses, loops, element, copy)          \
    do {                                            \
        long sum = 0, expected = 0;                 \
        SHARED_OUT(clauses reduction(+ : sum))      \
        loops sum += element;                       \
        loops expected += copy;                     \
        EQ(sum, expected);                          \
    } while (0)
// The same, with pragmas about the outer loop and about two loops
#define SUMS(loops, element, copy)                  \
    do {                                            \
        SUM(, loops, element, copy);                \
        SUM(collapse(2), loops, element, copy);     \
        SUM(collapse(1 + 1), loops, element, copy); \
    } while (0)

shared [N] double c[N * THREADS];
shared [4] int rows[16 * THREADS][4];
shared int cyclic[64 * THREADS];
shared [8] int eights[64 * THREADS];
shared [32] int blocks[64 * THREADS];
shared [16] double left[16 * THREADS][16], right[16 * THREADS][16], product[16 * THREADS][16];
strict shared int one;
int common_limit;
int row_copy[16][4], cyclic_copy[64], eights_copy[8][8], blocks_copy[64], from[64];

static void fill(void)
{
    for (int i = 0; i < 64; i++) {
        row_copy[i / 4][i % 4] = i;
        cyclic_copy[i] = 3 * i;
        eights_copy[i / 8][i % 8] = 5 * i;
        blocks_copy[i] = 7 * i;
        from[i] = 63 - i;
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        one = 1;
        for (int i = 0; i < 64; i++) {
            rows[i / 4][i % 4] = i;
            cyclic[i] = 3 * i;
            eights[i] = 5 * i;
            blocks[i] = 7 * i;
        }
        for (int i = 0; i < 256; i++) {
            left[i / 16][i % 16] = i / 16 + i % 16;
            right[i / 16][i % 16] = i / 16 - i % 16;
        }
    }
    upc_barrier;
}

// The C compiler takes the loops that a pragma is about as one: nothing else may stand between their heads.
static void nests(void)
{
    SUMS(LOOP(i, 2) LOOP(j, 4), rows[i][j], row_copy[i][j]);
    SUMS(LOOP(i, 2) LOOP(j, 8), eights[i * 8 + j], eights_copy[i][j]);
    SUMS(LOOP(i, 2) for (int j = MYTHREAD; j < 64; j += THREADS), cyclic[j], cyclic_copy[j]);
    SUMS(LOOP(i, 2) LOOP(j, 64), cyclic[from[j]], cyclic_copy[from[j]]);
    SUMS(LOOP(i, 2) LOOP(j, 64), blocks[j], blocks_copy[j]);
    SUMS(LOOP(i, 2) LOOP(j, 64), i * one, i);
    SUMS(LOOP(i, 2) LOOP(j, 4) LOOP(k, 4), rows[j][k] + eights[j * 8 + k] + cyclic[from[k]] + blocks[k],
         row_copy[j][k] + eights_copy[j][k] + cyclic_copy[from[k]] + blocks_copy[k]);
    SUMS(upc_forall (int i = 0; i < 16; i++; continue) LOOP(j, 4), rows[i][j], row_copy[i][j]);
}

static void products(void)
{
    SHARED_OUT()
    LOOP(i, 16) LOOP(j, 16) LOOP(k, 16) product[i][j] += left[i][k] * right[k][j];
    SHARED_OUT(collapse(2))
    LOOP(i, 16) LOOP(j, 16) LOOP(k, 16) product[i][j] += left[i][k] * right[k][j];
    SHARED_OUT()
    LOOP(i, 16) LOOP(j, 16) LOOP(k, 16)
        PRAGMA(omp atomic)
        product[0][j] += left[i][k] * right[k][j];
    SHARED_OUT(ordered(2))
    LOOP(i, 16) LOOP(j, 16) {
        PRAGMA(omp ordered depend(sink : i, j - 1))
        product[i][0] += left[i][j];
        PRAGMA(omp ordered depend(source))
    }
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++) {
            int expected = j == 0 ? 16 * i + 120 : 0;
            for (int k = 0; k < 16; k++)
                expected += (i == 0 ? 120 + 18 * k : 2 * (i + k)) * (k - j);
            EQ(product[i][j], expected);
        }
}

// What a pragma before the body of a loop, or within the body, is about
static void bodies(void)
{
    long sum = 0, added = 0, team = 0, expected = 0, up_to[16];
    for (int i = 0; i < 2; i++)
#pragma omp simd reduction(+ : sum)
        for (int j = 0; j < 4; j++)
            sum += rows[i][j];
    EQ(sum, 28);
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 16; i++)
#pragma omp atomic
        added += rows[i][1];
    EQ(added, 16 + 4 * 120);
    added = 0;
#pragma omp parallel num_threads(2)
#pragma omp atomic
    team++;
    upc_forall (int i = 0; i < 64; i++; &cyclic[i])
#pragma omp parallel num_threads(2)
        {
#pragma omp atomic
            added += cyclic[i];
        }
    for (int i = MYTHREAD; i < 64; i += THREADS)
        expected += team * cyclic_copy[i];
    EQ(added, expected);
    expected = 0;
    sum = 0;
#pragma omp simd reduction(inscan, + : sum)
    for (int i = 0; i < 16; i++) {
        sum += rows[i][1];
#pragma omp scan inclusive(sum)
        up_to[i] = sum;
    }
    for (int i = 0; i < 16; i++) {
        expected += row_copy[i][1];
        EQ(up_to[i], expected);
    }
}

// A loop waits in its eighth iteration until another thread of OpenMP has made that the last one.
#define WAITS(limit)                                                 \
    do {                                                             \
        int arrived = 0, turns = 0, asked = 0, answered = 0;         \
        limit = 20 * THREADS;                                        \
        PRAGMA(omp parallel num_threads(2))                          \
        {                                                            \
            int number, seen = 0;                                    \
            PRAGMA(omp atomic capture)                               \
            number = arrived++;                                      \
            PRAGMA(omp barrier)                                      \
            if (number == 0) {                                       \
                upc_forall (int i = 0; i < limit; i++; &cyclic[i]) { \
                    turns++;                                         \
                    PRAGMA(omp atomic write seq_cst)                 \
                    asked = turns;                                   \
                    while (turns == 8 && arrived == 2 && !seen) {    \
                        PRAGMA(omp atomic read seq_cst)              \
                        seen = answered;                             \
                    }                                                \
                }                                                    \
            } else {                                                 \
                while (seen < 8) {                                   \
                    PRAGMA(omp atomic read seq_cst)                  \
                    seen = asked;                                    \
                }                                                    \
                limit = 8 * THREADS;                                 \
                PRAGMA(omp atomic write seq_cst)                     \
                answered = 1;                                        \
            }                                                        \
        }                                                            \
        EQ(turns, arrived == 2 ? 8 : 20);                            \
    } while (0)

static void waits(void)
{
    int own_limit;
    WAITS(own_limit);
    WAITS(common_limit);
}

int main(void)
{
    fill();
    nests();
    if (MYTHREAD == 0)
        products();
    bodies();
    waits();
    upc_barrier;
#pragma omp parallel for num_threads(2)
    upc_forall (int i = 0; i < N * THREADS; i++; &c[i])
        c[i] += i;
#pragma omp parallel num_threads(2)
#pragma omp for
    upc_forall (int i = 0; i < N * THREADS; i++; i / N)
        c[i] += 1;
#pragma omp parallel num_threads(2)
#pragma omp single
    upc_forall (int i = 0; i < N * THREADS; i++; &c[i])
        c[i] += 1;
    upc_barrier;
    for (int i = 0; i < N * THREADS; i++)
        EQ(c[i], i + 2);
    return finish();
}
