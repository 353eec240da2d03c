// Type errors that only the compiler can see, because the C that it emits has other types
struct s {
    int x;
};
shared struct s a[THREADS];
shared struct s *p;
shared int *q;
int f(int n)
{
    n = a[0].nothing; // error: .
    n = p->nothing; // error: .
    n = p.x; // error: .
    n = a->x;
    n = a[0]->x; // error: .
    n = *a; // error: .
    q[1.5] = 3; // error: .
    q["x"] = 3; // error: .
    *n = 3; // error: .
    p = &n; // error: .
    a[0] = 3; // error: .
    n = q(); // error: .
    q += 1.5; // error: .
    q += q; // error: .
    a[0]++; // error: .
    n = a[0] + 1; // error: .
    if (a[0]) // error: .
        n = 2;
    n = a[0] ? 1 : 2; // error: .
    n = !a[0]; // error: .
    undeclared[3] = a[0].x; // error: .
    return n;
}
