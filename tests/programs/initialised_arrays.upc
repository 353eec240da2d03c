// Initialisers of shared arrays are accepted (facts 1.11)
#include <upc.h>

#include "check.h"

shared [2] int a[5 * THREADS] = {1, 2, 3, 4, 5};
shared [] int b[] = {10, 20, 30};
shared [] char text[] = "hello";
shared [] int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
shared [] int designated[6] = {[4] = 4, [1] = 1, 2};
shared [3] struct {
    int x;
    double y;
} s[4 * THREADS] = {{1, 1.5}, {2, 2.5}, {.y = 3.5}, {4, 4.5}};
shared [] int *shared [] p[2] = {b, b + 1};

int main(void)
{
    for (int i = 0; i < 5 * THREADS; i++)
        EQ(a[i], i < 5 ? i + 1 : 0);
    EQ(sizeof b, 3 * sizeof(int));
    for (int i = 0; i < 3; i++)
        EQ(b[i], 10 * (i + 1));
    EQ(sizeof text, 6);
    for (int i = 0; i < 6; i++)
        EQ(text[i], "hello"[i]);
    for (int i = 0; i < 6; i++)
        EQ(m[i / 3][i % 3], i + 1);
    EQ(designated[1] * 100 + designated[2] * 10 + designated[4], 124);
    EQ(designated[0] + designated[3] + designated[5], 0);
    EQ(s[0].x + s[1].x + s[2].x + s[3].x, 7);
    CHECK(s[2].y == 3.5 && s[3].y == 4.5);
    EQ(*p[0], 10);
    EQ(p[1][1], 30);
    return finish();
}
