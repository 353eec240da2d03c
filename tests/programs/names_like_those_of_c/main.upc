#include <upc.h>

#include "../check.h"

extern int *limit;
int absl(int x);
long labsf(long x);

/* The iterations of this thread, as a sum, of loops whose calls change the limit */
#define TEST(CALL)                                                         \
    do {                                                                   \
        int n = 10;                                                        \
        long done = 0, expected = 0;                                       \
        limit = &n;                                                        \
        upc_forall (int i = 0; i < n; i++; i)                              \
            done += CALL + 1;                                              \
        n = 10;                                                            \
        for (int i = 0; i < n; i++)                                        \
            if (i % THREADS == MYTHREAD)                                   \
                expected += CALL + 1;                                      \
        EQ(done, expected);                                                \
    } while (0)

static double cut(double x)
{
    return absl((int)x);
}

static void through_pointers(double (*exp)(double), double (*sqrtf)(double))
{
    TEST((long)exp(i));
    TEST((long)sqrtf(i));
}

int main(void)
{
    TEST(absl(i));
    TEST(labsf(i));
    through_pointers(cut, cut);
    return finish();
}
