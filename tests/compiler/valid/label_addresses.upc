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
