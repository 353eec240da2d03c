#include "../check.h"

extern shared int exported1[THREADS];
extern shared int exported2[THREADS];
void set1(int value), set2(int value);
int get1(int thread), get2(int thread);

int main(void)
{
    set1(10 + MYTHREAD);
    set2(20 + MYTHREAD);
    upc_barrier;
    int next = (MYTHREAD + 1) % THREADS;
    EQ(get1(next), 10 + next);
    EQ(get2(next), 20 + next);
    EQ(exported1[next], 1);
    EQ(exported2[next], 2);
    return finish();
}
