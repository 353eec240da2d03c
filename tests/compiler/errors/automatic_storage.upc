// Shared objects have static storage (facts 1.6, constraint 1)
typedef shared int shared_int;
int f(int n)
{
    shared int x; // error: .
    int *shared z; // error: .
    shared int a[THREADS]; // error: .
    shared [] int b[3]; // error: .
    shared_int t; // error: .
    register shared int r; // error: .
    auto shared int s; // error: .
    for (shared int i = 0;;) // error: .
        ;
    static shared int fine;
    extern shared int also_fine;
    shared int *pointer;
    return n;
}
