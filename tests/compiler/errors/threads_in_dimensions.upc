// THREADS in the dimensions of shared arrays when the number of threads is chosen at run time (facts 1.8)
shared int a[10]; // dynamic error: shared array 'a\[10\]' must have THREADS in one dimension when the number of threads is chosen at run time; multiply a dimension by THREADS, use 'shared \[\]', or compile with -T N
shared int b[10 + THREADS]; // dynamic error: in 'b\[10 \+ THREADS\]', THREADS may only stand alone or times a constant when the number of threads is chosen at run time; compile with -T N to allow this
shared int c[THREADS][THREADS]; // dynamic error: THREADS occurs more than once in the dimensions of 'c\[THREADS\]\[THREADS\]'; compile with -T N to allow this
shared int d[THREADS * THREADS]; // dynamic error: THREADS occurs more than once in the dimensions of 'd\[THREADS \* THREADS\]'; compile with -T N to allow this
shared [*] int e[10]; // dynamic error: shared array 'e\[10\]' must have THREADS in one dimension when the number of threads is chosen at run time; multiply a dimension by THREADS, use 'shared \[\]', or compile with -T N
shared [] int f[THREADS]; // dynamic error: 'f\[THREADS\]' has indefinite layout and lies on one thread, so THREADS cannot be in its dimensions when the number of threads is chosen at run time; compile with -T N to allow this
typedef shared int (*p)[THREADS][13][THREADS]; // dynamic error: THREADS occurs more than once in the dimensions of '\(\*p\)\[THREADS\]\[13\]\[THREADS\]'; compile with -T N to allow this
int g[THREADS]; // dynamic error: the size of 'g' depends on THREADS, which is no constant here; allocate it at run time, or compile with -T N
shared int h[(int)THREADS]; // dynamic error: in 'h\[\(int\)THREADS\]', THREADS may only stand alone or times a constant when the number of threads is chosen at run time; compile with -T N to allow this
shared int i[THREADS / 2 + 1]; // dynamic error: in 'i\[THREADS / 2 \+ 1\]', THREADS may only stand alone or times a constant when the number of threads is chosen at run time; compile with -T N to allow this
shared int j[-THREADS + 1000]; // dynamic error: in 'j\[-THREADS \+ 1000\]', THREADS may only stand alone or times a constant when the number of threads is chosen at run time; compile with -T N to allow this
typedef shared int row[THREADS];
row k[THREADS]; // dynamic error: THREADS occurs more than once in the dimensions of 'k\[THREADS\]'; compile with -T N to allow this
row l[3];
shared [5] int m[3][4]; // dynamic error: shared array 'm\[3\]\[4\]' must have THREADS in one dimension when the number of threads is chosen at run time; multiply a dimension by THREADS, use 'shared \[\]', or compile with -T N
static int n[2][THREADS]; // dynamic error: the size of 'n' depends on THREADS, which is no constant here; allocate it at run time, or compile with -T N
shared [0] int o[2 * THREADS]; // dynamic error: 'o\[2 \* THREADS\]' has indefinite layout and lies on one thread, so THREADS cannot be in its dimensions when the number of threads is chosen at run time; compile with -T N to allow this
int f_local(void *v)
{
    static shared int q[10]; // dynamic error: shared array 'q\[10\]' must have THREADS in one dimension when the number of threads is chosen at run time; multiply a dimension by THREADS, use 'shared \[\]', or compile with -T N
    int fine[THREADS];
    shared int(*t)[10] = v ? (shared int(*)[10])0 : 0;
    return (int)(sizeof(shared int[THREADS][THREADS]) + sizeof(shared int[10])); // dynamic error: THREADS occurs more than once in the dimensions of '\[THREADS\]\[THREADS\]'; compile with -T N to allow this
}
