// The value of a barrier converts to int (facts 1.6, constraint 14)
struct s {
    int x;
} st;
int *p;
shared int *q;
void v(void);
void f(void)
{
    upc_barrier st; // error: the value of a barrier must be convertible to int; this has type 'struct s'
    upc_notify st; // error: the value of a barrier must be convertible to int; this has type 'struct s'
    upc_wait st; // error: the value of a barrier must be convertible to int; this has type 'struct s'
    upc_barrier v(); // error: the value of a barrier must be convertible to int; this has type 'void'
    upc_barrier q; // error: the value of a barrier must be convertible to int; this has type 'shared int \*'
    upc_barrier "x"; // error: the value of a barrier must be convertible to int; this has type 'char \*'
    upc_barrier (short)2;
    upc_barrier 3.14;
    upc_barrier 'x';
    upc_barrier st.x;
    upc_fence 1; // error: expected ';' before '1'
    upc_barrier // error: expected ';' before '\}'
}
