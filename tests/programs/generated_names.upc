// Names that upcc makes of the program's are no other names that it makes, whatever the program's are.
#include <upc.h>

#include "check.h"

// The static objects are counted, and so are the base pointers of the loop, in which each gets a number from 6 on.
static int sum(void)
{
    static shared int one[THREADS], two[THREADS], three[THREADS], four[THREADS], five[THREADS];
    static shared int x[THREADS], y[THREADS], z[THREADS];
    one[MYTHREAD] = two[MYTHREAD] = three[MYTHREAD] = four[MYTHREAD] = five[MYTHREAD] = 1;
    upc_forall (int i = 0; i < THREADS; i++; &x[i]) {
        x[i] = 2;
        y[i] = 2;
        z[i] = 2;
    }
    upc_barrier;
    int result = 0;
    for (int i = 0; i < THREADS; i++)
        result += one[i] + two[i] + three[i] + four[i] + five[i] + x[i] + y[i] + z[i];
    return result;
}

#define N 64

shared [N] double a[N * THREADS][N], c[N * THREADS][N], s_3[N * THREADS][N];

// Eight columns at a time: of s, and of the row of s_3
static void multiply(int i)
{
    for (int j = 0; j < N; j++) {
        double s = 0;
        for (int k = 0; k < N; k++)
            s += a[i][k] * s_3[k][j];
        c[i][j] = s;
    }
}

// Tables of initial values are called images.
static int first(void)
{
    static shared int image[THREADS] = {5}, places[THREADS] = {6}, literal[THREADS] = {7};
    static shared int *images = &image[0], *object = &places[0];
    return image[0] + places[0] + literal[0] + *images + *object;
}

int main(void)
{
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++) {
            a[MYTHREAD][k] = k;
            if (MYTHREAD == 0)
                s_3[k][j] = j;
        }
    upc_barrier;
    multiply(MYTHREAD);
    for (int j = 0; j < N; j++)
        CHECK(c[MYTHREAD][j] == j * (N * (N - 1) / 2.0));
    CHECK(sum() == 11 * THREADS);
    CHECK(first() == 29);
    return finish();
}
