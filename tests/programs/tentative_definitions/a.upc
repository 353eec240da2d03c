#include "../check.h"

shared int common_scalar;
shared [2] int common_array[4 * THREADS];
shared double initialised_there;
int private_common;

void set(void);
shared [2] int *start_of_array(void);

int main(void)
{
    EQ(initialised_there == 2.5, 1);
    upc_barrier;
    set();
    EQ(common_scalar, 5);
    EQ(private_common, MYTHREAD);
    CHECK(start_of_array() == common_array);
    for (int i = 0; i < 4 * THREADS; i++)
        EQ(common_array[i], i);
    return finish();
}
