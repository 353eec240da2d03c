// With a fixed number of threads THREADS is a constant everywhere
// env: static
#if THREADS != 4
#error THREADS
#endif
shared int a[10];
shared int b[THREADS][THREADS];
shared [] int c[THREADS];
int d[THREADS];
struct s {
    int m[THREADS];
};
enum { T = THREADS, S = sizeof(a) };
_Static_assert(sizeof(b) == 16 * sizeof(int), "constant");
static int e[] = {[THREADS - 1] = sizeof b};
int f(int n)
{
    switch (n) {
    case THREADS:
        return 1;
    case sizeof(a):
        return 2;
    }
    return e[0];
}
