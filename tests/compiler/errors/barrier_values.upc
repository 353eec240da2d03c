// The value of a barrier converts to int (facts 1.6, constraint 14)
struct s {
    int x;
} st;
int *p;
shared int *q;
void v(void);
void f(void)
{
    upc_barrier st; // error: .
    upc_notify st; // error: .
    upc_wait st; // error: .
    upc_barrier v(); // error: .
    upc_barrier q; // error: .
    upc_barrier "x"; // error: .
    upc_barrier (short)2;
    upc_barrier 3.14;
    upc_barrier 'x';
    upc_barrier st.x;
    upc_fence 1; // error: .
    upc_barrier // error: .
}
