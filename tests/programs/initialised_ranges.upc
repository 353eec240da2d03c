// Initial values of ranges of elements that are computed at the start, some of them replaced by later values
// flags: -w
#include <upc.h>

#include "check.h"

shared int x, y, a[8 * THREADS];
struct cell {
    int n;
    shared int *p[4];
    struct {
        shared int *q;
    } in[3];
};
struct pair {
    int first : 8, second : 8;
};

shared int *many[100000] = {[0 ... 99999] = &x, [5] = &y, [7 ... 9] = NULL, [20 ... 29] = &a[3]};
struct cell cells[10] = {[0 ... 9] = {.n = 1, .p = {[1 ... 2] = &y}, .in = {[0 ... 2] = {&a[2]}}},
                         [3].p[2] = &x,
                         [4 ... 5].in[1].q = NULL};
shared int *grid[4][5] = {[0 ... 3] = {[0 ... 4] = &x}, [1 ... 2][1 ... 3] = NULL, [2][2] = &y};
shared [] int counts[50] = {[0 ... 49] = THREADS, [10] = 3, [11 ... 12] = 2 * THREADS};
shared [] struct pair pairs[20] = {[0 ... 19] = {1, THREADS}, [4].second = 2};

static void check_locals(void)
{
    static shared int *row[50] = {[1 ... 48] = &a[1], [2] = NULL};
    static shared int *square[5][5] = {[1 ... 3][1 ... 3] = &a[4]};
    for (int i = 0; i < 50; i++)
        CHECK(row[i] == (i == 0 || i == 2 || i == 49 ? NULL : &a[1]));
    for (int i = 0; i < 25; i++)
        CHECK(square[i / 5][i % 5] == (i / 5 % 4 > 0 && i % 5 % 4 > 0 ? &a[4] : NULL));
}

int main(void)
{
    for (int i = 0; i < 100000; i++)
        CHECK(many[i] == (i == 5 ? &y : i >= 7 && i <= 9 ? NULL : i >= 20 && i <= 29 ? &a[3] : &x));
    for (int i = 0; i < 10; i++) {
        EQ(cells[i].n, 1);
        for (int j = 0; j < 4; j++)
            CHECK(cells[i].p[j] == (i == 3 && j == 2 ? &x : j == 1 || j == 2 ? &y : NULL));
        for (int j = 0; j < 3; j++)
            CHECK(cells[i].in[j].q == ((i == 4 || i == 5) && j == 1 ? NULL : &a[2]));
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++) {
            int is_null = i >= 1 && i <= 2 && j >= 1 && j <= 3;
            CHECK(grid[i][j] == (i == 2 && j == 2 ? &y : is_null ? NULL : &x));
        }
    for (int i = 0; i < 50; i++)
        EQ(counts[i], i == 10 ? 3 : i == 11 || i == 12 ? 2 * THREADS : THREADS);
    for (int i = 0; i < 20; i++) {
        EQ(pairs[i].first, 1);
        EQ(pairs[i].second, i == 4 ? 2 : THREADS);
    }
    check_locals();
    return finish();
}
