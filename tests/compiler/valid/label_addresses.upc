// GNU label addresses beside shared objects
shared int x;
int f(int n)
{
    void *p = n ? &&one : &&two;
    if (p == &&one)
        n = x + (&&one != &&two);
    goto *p;
one:
    return n + (&&two == 0);
two:
    return -n;
}
shared int a[64 * THREADS];
shared [8] int rows[THREADS][8];
int g(int i)
{
    upc_forall (i = 0; i < 4; i++; (long)&&here)
        rows[i][(long)&&here & 3] = a[i];
    for (i = 0; i < 4; i++)
        a[i + ((long)&&here & 3)] = 1;
here:
    return a[(long)&&here & 3];
}
