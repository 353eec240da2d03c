// sizeof of a shared array is no constant when the number of threads is chosen at run time (facts 1.10)
shared int a[THREADS];
int f(int n)
{
    switch (n) {
    case sizeof(a): // dynamic error: 'sizeof\(a\)' is not a constant, because the number of threads is chosen at run time; compile with -T N to allow this
        return 1;
    case upc_localsizeof(a):
        return 3;
    }
    return 0;
}
