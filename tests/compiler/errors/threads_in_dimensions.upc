// THREADS in the dimensions of shared arrays when the number of threads is chosen at run time (facts 1.8)
shared int a[10]; // dynamic error: shared array 'a\[10\]' must have THREADS in one dimension when the number of threads is chosen at run time; multiply a dimension by THREADS, use 'shared \[\]', or compile with -T N
shared int b[10 + THREADS]; // dynamic error: in 'b\[10 \+ THREADS\]', THREADS may only occur alone or multiplied by a constant when the number of threads is chosen at run time; compile with -T N to allow this
shared int c[THREADS][THREADS]; // dynamic error: THREADS occurs more than once in the dimensions of 'c\[THREADS\]\[THREADS\]'; compile with -T N to allow this
shared int d[THREADS * THREADS]; // dynamic error: THREADS occurs more than once in the dimensions of 'd\[THREADS \* THREADS\]'; compile with -T N to allow this
shared [*] int e[10]; // dynamic error: shared array 'e\[10\]' must have THREADS in one dimension when the number of threads is chosen at run time; multiply a dimension by THREADS, use 'shared \[\]', or compile with -T N
shared [] int f[THREADS]; // dynamic error: 'f\[THREADS\]' has indefinite layout and lies on one thread, so THREADS cannot be in its dimensions when the number of threads is chosen at run time; compile with -T N to allow this
typedef shared int (*p)[THREADS][13][THREADS]; // dynamic error: THREADS occurs more than once in the dimensions of '\(\*p\)\[THREADS\]\[13\]\[THREADS\]'; compile with -T N to allow this
int g[THREADS]; // dynamic error: the size of 'g' depends on THREADS, which is not a constant here; allocate it at run time, or compile with -T N
shared int h[(int)THREADS]; // dynamic error: in 'h\[\(int\)THREADS\]', THREADS may only occur alone or multiplied by a constant when the number of threads is chosen at run time; compile with -T N to allow this
shared int i[THREADS / 2 + 1]; // dynamic error: in 'i\[THREADS / 2 \+ 1\]', THREADS may only occur alone or multiplied by a constant when the number of threads is chosen at run time; compile with -T N to allow this
shared int j[-THREADS + 1000]; // dynamic error: in 'j\[-THREADS \+ 1000\]', THREADS may only occur alone or multiplied by a constant when the number of threads is chosen at run time; compile with -T N to allow this
typedef shared int row[THREADS];
row k[THREADS]; // dynamic error: THREADS occurs more than once in the dimensions of 'k\[THREADS\]'; compile with -T N to allow this
row l[3];
shared [5] int m[3][4]; // dynamic error: shared array 'm\[3\]\[4\]' must have THREADS in one dimension when the number of threads is chosen at run time; multiply a dimension by THREADS, use 'shared \[\]', or compile with -T N
static int n[2][THREADS]; // dynamic error: the size of 'n' depends on THREADS, which is not a constant here; allocate it at run time, or compile with -T N
shared [0] int o[2 * THREADS]; // dynamic error: 'o\[2 \* THREADS\]' has indefinite layout and lies on one thread, so THREADS cannot be in its dimensions when the number of threads is chosen at run time; compile with -T N to allow this
shared int (*returns(void))[THREADS*THREADS]; // dynamic error: THREADS occurs more than once in the dimensions of '\(\*returns\(void\)\)\[THREADS\*THREADS\]'; compile with -T N to allow this
shared int (*(*returned)(void))[THREADS][THREADS]; // dynamic error: THREADS occurs more than once in the dimensions of '\(\*\(\*returned\)\(void\)\)\[THREADS\]\[THREADS\]'; compile with -T N to allow this
typedef shared [] int (*returning(void))[THREADS]; // dynamic error: '\(\*returning\(void\)\)\[THREADS\]' has indefinite layout and lies on one thread, so THREADS cannot be in its dimensions when the number of threads is chosen at run time; compile with -T N to allow this
shared int (*may_return(void))[3][2 * THREADS];
void old_style(left, right) shared int (*left)[THREADS][THREADS]; shared [2] int *right; // dynamic error: THREADS occurs more than once in the dimensions of '\(\*left\)\[THREADS\]\[THREADS\]'; compile with -T N to allow this
{
}
int f_local(void *v)
{
    static shared int q[10]; // dynamic error: shared array 'q\[10\]' must have THREADS in one dimension when the number of threads is chosen at run time; multiply a dimension by THREADS, use 'shared \[\]', or compile with -T N
    int fine[THREADS];
    shared int(*t)[10] = v ? (shared int(*)[10])0 : 0;
    return (int)(sizeof(shared int[THREADS][THREADS]) + sizeof(shared int[10])); // dynamic error: THREADS occurs more than once in the dimensions of '\[THREADS\]\[THREADS\]'; compile with -T N to allow this
}
typedef int private_row[THREADS];
typedef private_row private_grid[4];
typedef int two_rows[2 * THREADS];
shared private_row r[3];
shared [2] private_row s;
shared [*] two_rows t[5];
shared private_grid u;
shared private_row v[THREADS]; // dynamic error: THREADS occurs more than once in the dimensions of 'v\[THREADS\]'; compile with -T N to allow this
shared [] private_row w[2]; // dynamic error: 'w\[2\]' has indefinite layout and lies on one thread, so THREADS cannot be in its dimensions when the number of threads is chosen at run time; compile with -T N to allow this
shared private_row *x = &r[1];
private_row y; // dynamic error: the size of 'private_row' depends on THREADS, which is not a constant here; allocate it at run time, or compile with -T N
typedef private_row *z; // dynamic error: the size of 'private_row' depends on THREADS, which is not a constant here; allocate it at run time, or compile with -T N
typedef int bad_row[THREADS + 1];
shared bad_row bad[2]; // dynamic error: the dimensions of shared array 'bad\[2\]' must be constants, one of them times THREADS
shared int *shared behind[4]; // dynamic error: shared array 'behind' must have THREADS in one dimension when the number of threads is chosen at run time; multiply a dimension by THREADS, use 'shared \[\]' behind the '\*', or compile with -T N
int (*shared callbacks[2][3])(int); // dynamic error: shared array 'callbacks' must have THREADS in one dimension when the number of threads is chosen at run time; multiply a dimension by THREADS, use 'shared \[\]' behind the '\*', or compile with -T N
shared int *shared [] within[4];
int uses(private_row *rows) // dynamic error: the size of 'private_row' depends on THREADS, which is not a constant here; allocate it at run time, or compile with -T N
{
    typedef int inner[THREADS];
    inner fine_array;
    (void)rows;
    static shared inner shared_inner[2];
    private_row own; // dynamic error: the size of 'private_row' depends on THREADS, which is not a constant here; allocate it at run time, or compile with -T N
    return fine_array[0] + sizeof(inner) + sizeof(private_grid) + sizeof(shared private_grid) + shared_inner[1][0]; // dynamic error: the size of 'private_grid' depends on THREADS, which is not a constant here; allocate it at run time, or compile with -T N
}
