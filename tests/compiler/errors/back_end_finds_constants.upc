// THREADS and sizes that depend on it where C wants constants: the number of threads is chosen at run time
// env: dynamic
shared int a[THREADS];
enum { E = sizeof a }; // error: enumerator value for 'E' is not an integer constant
int b[sizeof a]; // error: variably modified 'b' at file scope
static unsigned long c = sizeof(a); // error: initializer element is not constant
_Static_assert(sizeof a > 0, "x"); // error: expression in static assertion is not constant
struct s {
    int bits : THREADS; // error: bit-field 'bits' width not an integer constant
    int member[THREADS]; // error: variably modified 'member' at file scope
};
int f(int n)
{
    static int r[THREADS]; // error: storage size of 'r' isn't constant
    static int t = THREADS; // error: initializer element is not constant
    switch (n) {
    case THREADS + 100: // error: case label does not reduce to an integer constant
        return 2;
    }
    return r[0] + t;
}
