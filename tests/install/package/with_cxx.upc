#include <stdio.h>

int words(const char *text);
shared int counted[THREADS];

int main(void)
{
    counted[MYTHREAD] = words("three short words");
    upc_barrier;
    if (MYTHREAD == 0)
        printf("%d\n", counted[THREADS - 1]);
}
