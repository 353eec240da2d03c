// Clause: upc_forall over arrays of several dimensions, of which one in front goes round all threads (facts 1.12)
// races: no, the last loop writes each element on each thread
#include <upc.h>

#include "check.h"

#define ROWS 5

shared int wide[6][8 * THREADS];
shared [4] int blocks[6][8 * THREADS];
shared [3] int odd[6][4 * THREADS];
shared [3] int steps[2][ROWS * THREADS][3];
shared [12] int planes[2][2 * ROWS * THREADS][2][3];

static int expected(int i, int j)
{
    return i * 1000 + j;
}

static void fill(void)
{
    upc_forall (int j = 0; j < 8 * THREADS; j++; &wide[0][j])
        for (int i = 0; i < 6; i++) {
            EQ(upc_threadof(&wide[i][j]), MYTHREAD);
            wide[i][j] = expected(i, j);
        }
    for (int i = 0; i < 6; i++)
        upc_forall (int j = 8 * THREADS - 1; j >= 0; j--; &blocks[i][j]) {
            EQ(upc_threadof(&blocks[i][j]), MYTHREAD);
            blocks[i][j] = expected(i, j);
        }
    for (int i = 0; i < 6; i++)
        upc_forall (int j = 0; j < 4 * THREADS; j++; &odd[i][j]) {
            EQ(upc_threadof(&odd[i][j]), MYTHREAD);
            odd[i][j] = expected(i, j);
        }
}

static void check_fill(void)
{
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 8 * THREADS; j++) {
            EQ(wide[i][j], expected(i, j));
            EQ(blocks[i][j], expected(i, j));
            if (j < 4 * THREADS)
                EQ(odd[i][j], expected(i, j));
        }
}

// Each step adds up what its neighbours had in the step before.
static void step(int now)
{
    upc_forall (int i = 1; i < ROWS * THREADS - 1; i++; &steps[1 - now][i][0])
        for (int j = 0; j < 3; j++)
            steps[1 - now][i][j] = steps[now][i - 1][j] + steps[now][i + 1][j] + steps[now][i][j];
    upc_forall (int i = 0; i < 2 * ROWS * THREADS; i++; planes[now][i])
        for (int j = 0; j < 2; j++)
            planes[now][i][j][now] = planes[1 - now][i][1 - j][now] + i + j;
    upc_barrier;
}

static void check_steps(void)
{
    static int mirror[2][ROWS * 64], plane[2][2 * ROWS * 64][2][3];
    upc_forall (int i = 0; i < ROWS * THREADS; i++; &steps[0][i][2])
        for (int j = 0; j < 3; j++)
            steps[0][i][j] = i + 7;
    for (int i = 0; i < ROWS * THREADS; i++)
        mirror[0][i] = i + 7;
    upc_barrier;
    for (int now = 0, t = 0; t < 4; t++, now = 1 - now) {
        step(now);
        for (int i = 1; i < ROWS * THREADS - 1; i++)
            mirror[1 - now][i] = mirror[now][i - 1] + mirror[now][i + 1] + mirror[now][i];
        for (int i = 0; i < 2 * ROWS * THREADS; i++)
            for (int j = 0; j < 2; j++)
                plane[now][i][j][now] = plane[1 - now][i][1 - j][now] + i + j;
        for (int i = 0; i < ROWS * THREADS; i++)
            EQ(steps[1 - now][i][t % 3], mirror[1 - now][i]);
        for (int i = 0; i < 2 * ROWS * THREADS; i++)
            EQ(planes[now][i][t % 2][now], plane[now][i][t % 2][now]);
        upc_barrier;
    }
}

int main(void)
{
    fill();
    upc_barrier;
    check_fill();
    check_steps();
    upc_forall (int t = 0; t < THREADS; t++; t) // within which each call does everything
        for (int now = 0; now < 2; now++)
            upc_forall (int i = 0; i < ROWS * THREADS; i++; &steps[now][i][0])
                steps[now][i][0] = t;
    return finish();
}
