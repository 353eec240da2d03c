// Initial values that code computes, far from where they stand
// flags: -pthreads -Wno-error=incompatible-pointer-types
int tab[3];
static long of_long(long x)
{
    return x;
}
static int of_int(int x)
{
    return x;
}
int (*rows)[4] = &tab; // warning: assignment to 'int \(\*\)\[4\]' from incompatible pointer type 'int \(\*\)\[3\]' \[-Wincompatible-pointer-types\]
int *plain =
    &tab; // warning: assignment to 'int \*' from incompatible pointer type 'int \(\*\)\[3\]' \[-Wincompatible-pointer-types\]
shared struct {
    int n;
    int (*f)(int);
} s = {
    1,
    &tab[THREADS], // warning: assignment to 'int \(\*\)\(int\)' from incompatible pointer type 'int \*' \[-Wincompatible-pointer-types\]
};
int in_a_function(void)
{
    static int(*inner)[4] =
        &tab; // warning: assignment to 'int \(\*\)\[4\]' from incompatible pointer type 'int \(\*\)\[3\]' \[-Wincompatible-pointer-types\]
    return (*inner)[0] + of_int(0) + (int)of_long(0);
}
