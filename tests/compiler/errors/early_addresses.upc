// Local addresses of shared objects are not known before the program runs
shared int x, a[THREADS];
shared int *q = &x;
int *p = (int *)&x; // error: '\(int \*\)&x' depends on the address of a shared object, which is only known when the program runs; assign it then
static int *const next = (int *)&a[1] + 1; // error: '\(int \*\)&a\[1\] \+ 1' depends on the address of a shared object
long number = (long)&x; // error: '\(long\)&x' depends on the address of a shared object
void *converted = ((void *)(int *)a); // error: depends on the address of a shared object
struct { int n; int *to; } pair = { 1, (int *)&x }; // error: depends on the address of a shared object
long size = (long)sizeof(&x), count = (long)sizeof x;
void f(void)
{
    static int *local = (int *)&x; // error: depends on the address of a shared object
    int *now = (int *)&x;
}
