// THREADS in the dimensions of shared arrays when the number of threads is chosen at run time (facts 1.8)
shared int a[10]; // dynamic error: .
shared int b[10 + THREADS]; // dynamic error: .
shared int c[THREADS][THREADS]; // dynamic error: .
shared int d[THREADS * THREADS]; // dynamic error: .
shared [*] int e[10]; // dynamic error: .
shared [] int f[THREADS]; // dynamic error: .
typedef shared int (*p)[THREADS][13][THREADS]; // dynamic error: .
int g[THREADS]; // dynamic error: .
shared int h[(int)THREADS]; // dynamic error: .
shared int i[THREADS / 2 + 1]; // dynamic error: .
shared int j[-THREADS + 1000]; // dynamic error: .
typedef shared int row[THREADS];
row k[THREADS]; // dynamic error: .
row l[3];
shared [5] int m[3][4]; // dynamic error: .
struct s {
    int member[THREADS]; // dynamic error: .
};
static int n[2][THREADS]; // dynamic error: .
shared [0] int o[2 * THREADS]; // dynamic error: .
int f_local(void *v)
{
    static shared int q[10]; // dynamic error: .
    static int r[THREADS]; // dynamic error: .
    int fine[THREADS];
    shared int(*t)[10] = v ? (shared int(*)[10])0 : 0;
    return (int)(sizeof(shared int[THREADS][THREADS]) + sizeof(shared int[10])); // dynamic error: .
}
