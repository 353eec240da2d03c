// Where a row begins is not known before the program runs, so each has braces of its own; too many values are ignored
shared int a[2][THREADS] = {1, 2}; // dynamic error: '1' initialises a row of a shared array whose length depends on THREADS; put each row in braces // dynamic error: '2' initialises
shared int b[2][THREADS] = {[0][1] = 3}; // dynamic error: '3' initialises a row
shared int c[2][3 * THREADS] = {{1}, {2}, {3}}; // warning: excess elements in the initialiser of a shared array of 2; they are ignored
shared [] int d[2] = {1, 2, 3}; // warning: excess elements in the initialiser of a shared array of 2; they are ignored
shared [] int e[3] = {[3] = 3}; // error: the index is outside 'shared \[\] int\[3\]'
shared [] int g[2][3] = {[1][0 ... 3] = 3}; // error: the index is outside 'shared \[\] int\[3\]'
shared [] int k[3] = {[2] = 3, 4}; // warning: excess elements in the initialiser of a shared array of 3; they are ignored
struct bits {
    int n, b : 5;
};
struct constant {
    const int b : 5;
};
shared struct constant p = {THREADS}; // dynamic error: bit-field 'b' can only be initialised with a constant here; 'THREADS' is not known before the program runs, so assign it then, or declare the object at file scope, without const
void bits_in_function(void)
{
    static shared [] struct bits q[2] = {[1].b = 3, [0] = {.b = THREADS}}; // dynamic error: bit-field 'b' can only be initialised
}
shared [] int o[] = {[3] = 3};
