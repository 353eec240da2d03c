// shared on a function, arrays without a size
typedef int function(void);
shared function f; // error: .
shared int a[]; // error: .
extern shared int fine[];
shared int b[0 * THREADS]; // error: .
shared int c[-1 * THREADS]; // error: .
shared [] int d[0]; // error: .
int n;
shared int e[n]; // error: .
void g(void)
{
    shared int *vla = (shared int *)0;
    static shared int h[n]; // error: .
}
