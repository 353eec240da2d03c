// Parameters and results are not shared; array parameters are pointers (facts 1.6)
void f(shared int v); // error: .
shared int g(void); // error: .
typedef shared struct s {
    int x;
} shared_struct;
void h(shared_struct s); // error: .
shared_struct i(void); // error: .
void j(int *shared p); // error: .
int *shared k(void); // error: .
void l(shared int a[], shared [2] int b[10], shared int c[THREADS]);
void m(shared int *p)
{
}
void n(shared int v) // error: .
{
}
shared int o(void) // error: .
{
    return 1;
}
