#include "../check.h"

extern shared [2] int in_library[4 * THREADS];
shared int in_program[THREADS];
int count(void);
int total(void);

int main(void)
{
    EQ(in_library[0] + in_library[1] + in_library[2], 18);
    EQ(in_library[3], 0);
    count();
    EQ(count(), 2);
    in_program[MYTHREAD] = MYTHREAD + 1;
    upc_barrier;
    EQ(total(), 2 * THREADS);
    EQ(in_program[THREADS - 1], THREADS);
    return finish();
}
