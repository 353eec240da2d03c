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
    upc_forall (i = 0; i < n; i++; 1.0) // error: the affinity of upc_forall must be an integer, a pointer-to-shared, 'continue' or empty; this has type 'double'
        ;
    upc_forall (i = 0; i < n; i++; (void *)0) // error: the affinity of upc_forall must be an integer, a pointer-to-shared, 'continue' or empty; this has type 'void \*'
        ;
    upc_forall (i = 0; i < n; i++; st) // error: the affinity of upc_forall must be an integer, a pointer-to-shared, 'continue' or empty; this has type 'struct s'
        ;
    upc_forall (i = 0; i < n; i++; p) // error: the affinity of upc_forall must be an integer, a pointer-to-shared, 'continue' or empty; this has type 'int \*'
        ;
    upc_forall (i = 0; i < n; i++; v()) // error: the affinity of upc_forall must be an integer, a pointer-to-shared, 'continue' or empty; this has type 'void'
        ;
    upc_forall (i = 0; i < n; i++; "x") // error: the affinity of upc_forall must be an integer, a pointer-to-shared, 'continue' or empty; this has type 'char \*'
        ;
    upc_forall (i = 0; i < n; i++; 2.0i) // error: the affinity of upc_forall must be an integer, a pointer-to-shared, 'continue' or empty; this has type
        ;
    upc_forall (i = 0; i < n; i++; &a[i])
        ;
    upc_forall (i = 0; i < n; i++; 'x')
        ;
    upc_forall (i = 0; i < n; i++; (shared void *)a)
        ;
}
