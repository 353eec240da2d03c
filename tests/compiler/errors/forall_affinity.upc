// An affinity is an integer or a pointer-to-shared (facts 1.6, constraint 15)
struct s {
    int x;
} st;
int *p;
shared int a[THREADS];
void v(void);
void f(int n)
{
    int i;
    upc_forall (i = 0; i < n; i++; 1.0) // error: .
        ;
    upc_forall (i = 0; i < n; i++; (void *)0) // error: .
        ;
    upc_forall (i = 0; i < n; i++; st) // error: .
        ;
    upc_forall (i = 0; i < n; i++; p) // error: .
        ;
    upc_forall (i = 0; i < n; i++; v()) // error: .
        ;
    upc_forall (i = 0; i < n; i++; "x") // error: .
        ;
    upc_forall (i = 0; i < n; i++; &a[i])
        ;
    upc_forall (i = 0; i < n; i++; 'x')
        ;
    upc_forall (i = 0; i < n; i++; (shared void *)a)
        ;
}
