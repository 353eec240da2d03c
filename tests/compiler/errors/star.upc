// [*] neither for pointers nor in typedefs nor without a size (facts 1.6, constraints 5 and 6)
shared [*] int *p; // error: .
typedef shared [*] int A[4 * THREADS]; // error: .
typedef shared [*] int I; // error: .
extern shared [*] int a[][THREADS]; // error: .
shared [*] int *f(void); // error: .
void g(shared [*] int *q); // error: .
struct s {
    shared [*] int *m; // error: .
};
shared [*] int fine[3 * THREADS];
shared [*] double scalar;
void h(void *v)
{
    shared int *r = (shared [*] int *)v; // error: .
}
