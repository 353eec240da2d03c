// sizeof of a shared array is no constant when the number of threads is chosen at run time (facts 1.10)
shared int a[THREADS];
enum { E = sizeof a }; // dynamic error: .
int b[sizeof a]; // dynamic error: .
static unsigned long c = sizeof(a); // dynamic error: .
_Static_assert(sizeof a > 0, "x"); // dynamic error: .
int f(int n)
{
    switch (n) {
    case sizeof(a): // dynamic error: .
        return 1;
    case THREADS + 100: // dynamic error: .
        return 2;
    case upc_localsizeof(a):
        return 3;
    }
    return 0;
}
struct s {
    int bits : THREADS; // dynamic error: .
};
