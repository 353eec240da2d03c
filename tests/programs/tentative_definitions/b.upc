shared int common_scalar;
shared [2] int common_array[4 * THREADS];
shared double initialised_there = 2.5;
extern int private_common;

void set(void)
{
    if (MYTHREAD == 0) {
        common_scalar = 5;
        for (int i = 0; i < 4 * THREADS; i++)
            common_array[i] = i;
    }
    private_common = MYTHREAD;
    upc_barrier;
}

shared [2] int *start_of_array(void)
{
    return common_array;
}
