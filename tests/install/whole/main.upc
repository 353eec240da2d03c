#include <stdio.h>

int one(void);
int two(void);

int main(void)
{
    int sum = one() + two();
    if (MYTHREAD == 0)
        printf("%d threads, sum %d\n", THREADS, sum);
    return 0;
}
