// Initialisers of shared arrays with THREADS in an inner dimension, and of as many elements as there are (facts 1.8,
// 1.11)
#include <upc.h>

#include "check.h"

shared int x;
shared int a[2][THREADS] = {{1}, {2}};
shared [2] int b[3][2][4 * THREADS] = {{{1, 2, 3}, {4}}, [2] = {[1] = {5, 6, 7, 8}}};
shared [*] char names[3][8 * THREADS] = {"zero", "one", [2] = {"second"}};
shared [] int *shared c[2][THREADS] = {[0 ... 1] = {(shared [] int *)&x}};
shared int d[][2 * THREADS] = {{1}, {2, 3}};
shared int threads = THREADS;
shared double half = THREADS / 2.0;
shared [1] char exact[3 * THREADS] = "abc";

int main(void)
{
    static shared [3] struct pair {
        int n;
        shared int *p;
    } pairs[2][2 * THREADS] = {{{1, &x}, {2, NULL}}, {{3, NULL}, {4, &x}}};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < THREADS; j++) {
            EQ(a[i][j], j == 0 ? i + 1 : 0);
            CHECK(c[i][j] == (j == 0 ? (shared [] int *)&x : NULL));
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 4 * THREADS; k++)
                EQ(b[i][j][k], i == 0 && j == 0 && k < 3    ? k + 1
                               : i == 0 && j == 1 && k == 0 ? 4
                               : i == 2 && j == 1 && k < 4  ? 5 + k
                                                            : 0);
    for (int k = 0; k < 8 * THREADS; k++) {
        EQ(names[0][k], k < 4 ? "zero"[k] : 0);
        EQ(names[1][k], k < 3 ? "one"[k] : 0);
        EQ(names[2][k], k < 6 ? "second"[k] : 0);
        EQ(pairs[0][k % (2 * THREADS)].n, k % (2 * THREADS) < 2 ? k % (2 * THREADS) + 1 : 0);
    }
    CHECK(pairs[0][0].p == &x && pairs[0][1].p == NULL && pairs[1][1].p == &x && pairs[1][1].n == 4);
    EQ(sizeof d, 4 * THREADS * sizeof(int));
    EQ(d[0][0] + 10 * d[1][0] + 100 * d[1][1] + d[0][1], 321);
    EQ(threads, THREADS);
    CHECK(half == THREADS / 2.0);
    for (int k = 0; k < 3 * THREADS; k++)
        EQ(exact[k], k < 3 ? "abc"[k] : 0);
    return finish();
}
