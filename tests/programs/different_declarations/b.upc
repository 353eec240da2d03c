int f(void)
{
    extern shared [5] int a[10 * THREADS];
    return a[7];
}
