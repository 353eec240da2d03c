#if !__UPC_DYNAMIC_THREADS__
#error dynamic environment
#endif
shared [2] int values[4 * THREADS];
shared int per_thread[THREADS];

shared [2] int *value_at(int i)
{
    return &values[i];
}

int threads_here(void)
{
    return THREADS;
}
