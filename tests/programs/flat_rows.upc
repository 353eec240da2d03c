/*
 * Rows of arrays that are indexed as flat ones, a[i * M + j], in loops along the rows: rows that are blocks, several
 * rows in a block, rows across blocks and loops that leave their row; through pointers that begin anywhere.
 */
#include <upc_relaxed.h>

#include "check.h"

#define B 12
#define ROWS (7 * THREADS)
#define N (B * ROWS)

struct item { char name[20]; int v; };

shared [B] long a[N], b[N];
shared [4 * B] long quarters[N];
shared [B] struct item items[N];
shared [B] unsigned char text[N];
shared [B] long planes[2][N];

static long value(long i)
{
    return i * i % 1009 + 3 * i;
}

static void set(void)
{
    upc_barrier;
    upc_forall (int i = 0; i < N; i++; &a[i]) {
        a[i] = value(i);
        b[i] = 0;
        items[i].v = (int)value(i);
        text[i] = (unsigned char)i;
    }
    upc_forall (int i = 0; i < N; i++; &quarters[i])
        quarters[i] = value(i);
    upc_barrier;
}

/* Called from within another upc_forall, too, where it goes over all elements. */
void smooth(shared [B] long *to, shared [B] long *from, int rows, int columns)
{
    upc_forall (int i = 1; i < rows - 1; i++; &to[i * B])
        for (int j = 1; j < columns - 1; j++)
            to[i * B + j] = from[(i - 1) * B + j] + 10 * from[(i + 1) * B + j] + 100 * from[i * B + j - 1] +
                            1000 * from[i * B + j + 1];
}

static void check_smooth(int first, int shift, int from_shift)
{
    upc_barrier;
    for (long i = first; i < ROWS - 2; i++)
        for (long j = 1; j < B - 1; j++) {
            long k = i * B + j + from_shift;
            EQ(b[i * B + j + shift], value(k - B) + 10 * value(k + B) + 100 * value(k - 1) + 1000 * value(k + 1));
        }
}

static void stencils(void)
{
    set();
    upc_forall (int i = 1; i < ROWS - 1; i++; &b[i * B])
        for (int j = 1; j < B - 1; j++)
            b[i * B + j] = a[(i - 1) * B + j] + 10 * a[(i + 1) * B + j] + 100 * a[i * B + j - 1] +
                           1000 * a[i * B + j + 1];
    check_smooth(1, 0, 0);
    set();
    smooth(b, a, ROWS, B);
    check_smooth(1, 0, 0);
    set();   /* the pointers do not begin with a block */
    smooth(b + 5, a + 7, ROWS - 1, B);
    check_smooth(1, 5, 7);
    set();
    upc_forall (int t = 0; t < THREADS; t++; t)
        if (t == 0)
            smooth(b, a, ROWS, B);
    check_smooth(1, 0, 0);
}

/* Columns beyond the row are elements of the next ones. */
static long sum(shared [B] long *p, long row, int from, int to)
{
    long total = 0;
    for (int j = from; j < to; j++)
        total = total * 3 + p[row * B + j];
    return total;
}

static long sum_down(shared [B] long *p, long row, int from, int to)
{
    long total = 0;
    for (int j = to - 1; j >= from; j--)
        total = total * 3 + p[row * B + j];
    return total;
}

static long sum_steps(shared [B] long *p, long row, size_t from, int to)
{
    long total = 0;
    for (size_t j = from; j < (size_t)to; j += 2)
        total = total * 3 + p[(long)(row * B + j + 1)];
    return total;
}

static void rows(void)
{
    set();
    for (int start = 0; start < 2 * B; start += 5)
        for (int row = 1; row < 3; row++)
            for (int from = -B; from < B; from += 7)
                for (int to = from - 1; to < from + 2 * B; to += 3) {
                    long up = 0, down = 0, steps = 0;
                    for (int j = from; j < to; j++)
                        up = up * 3 + value(start + row * B + j);
                    for (int j = to - 1; j >= from; j--)
                        down = down * 3 + value(start + row * B + j);
                    for (int j = from; j < to && from >= 0; j += 2)
                        steps = steps * 3 + value(start + row * B + j + 1);
                    EQ(sum(a + start, row, from, to), up);
                    EQ(sum_down(a + start, row, from, to), down);
                    if (from >= 0)
                        EQ(sum_steps(a + start, row, (size_t)from, to), steps);
                }
}

static void layouts(void)
{
    set();
    long total = 0, expected = 0;
    for (int i = 1; i < ROWS - 1; i++)
        for (int j = 0; j < B; j++) {
            total += quarters[(i - 1) * B + j] ^ quarters[(i + 1) * B + j] ^ items[i * B + j].v ^ text[i * B + j];
            expected += value((i - 1) * B + j) ^ value((i + 1) * B + j) ^ (int)value(i * B + j) ^
                        (unsigned char)(i * B + j);
        }
    EQ(total, expected);
    upc_barrier;
    upc_forall (int i = 0; i < ROWS; i++; &text[i * B])
        for (int j = 0; j < B; j++) {
            items[i * B + j].name[3] = (char)j;
            items[i * B + B - 1 - j].v += j;
            text[i * B + j]++;
            planes[1][i * B + j] = a[i * B + j];
        }
    upc_barrier;
    for (int k = 0; k < N; k++) {
        EQ(items[k].name[3], k % B);
        EQ(items[k].v, (int)value(k) + (B - 1 - k % B));
        EQ(text[k], (unsigned char)(k + 1));
        EQ(planes[1][k], value(k));
    }
}

/* What the row depends on changes in the loop, or the loop ends early. */
static void changes(void)
{
    set();
    shared [B] long *p = a;
    long total = 0, expected = 0;
    int row = 0, zero = 0;
    for (int j = 0; j < B; j++) {
        total += p[row * B + j];
        expected += value(j / 2 * B + j);
        row += j & 1;
    }
    for (int j = 0; j < 6; j++, p++)
        total += p[1 * B + row * 0 + j], expected += value(B + 2 * j);
    for (int j = 0; j < 1000000; j++) {
        if (j == B + 3)
            break;
        total += a[row % 2 * B + j];
        expected += value(row % 2 * B + j);
    }
    for (int j = 0; j < zero; j++)
        total += a[row / zero * B + j];
    for (int j = 0; j < B; j++)
        if (zero != 0)
            total += a[row * B + 5 / zero + j];
    EQ(total, expected);
}

/* The variable of the loop begins with the number of a row. */
static void starts(void)
{
    static shared [*] long halves[2 * B * THREADS];
    set();
    for (int i = MYTHREAD * 2 * B; i < (MYTHREAD + 1) * 2 * B; i++)
        halves[i] = value(i);
    for (long i = MYTHREAD * (7 * B) + 7 * B - 1; i >= MYTHREAD * 7 * B; i--)
        b[i] = a[i] + 1;
    upc_barrier;
    long total = 0, expected = 0;
    for (int i = 0; i < N; i++)
        EQ(b[i], value(i) + 1);
    for (int i = 0; i < 2 * B * THREADS; i++)
        EQ(halves[i], value(i));
    for (int i = 0; i < 2 * B; i++)
        EQ(halves[MYTHREAD * 2 * B + i], value(MYTHREAD * 2 * B + i));
    for (int first = 0; first < N - B; first++)
        for (int i = first; i < first + B; i++) {
            total += a[i] + 3 * a[N - 1 - i];
            expected += value(i) + 3 * value(N - 1 - i);
        }
    for (int first = 0, i, k; first < N - B; first++)
        for (k = first % 3, i = first + k; i < first + B; i++) {
            total += (k + 1) * a[i];
            expected += (first % 3 + 1) * value(i);
        }
    EQ(total, expected);
}

int main(void)
{
    starts();
    stencils();
    rows();
    layouts();
    changes();
    return finish();
}
