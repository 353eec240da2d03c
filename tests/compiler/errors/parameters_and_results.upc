// Parameters and results are not shared; array parameters are pointers (facts 1.6)
void f(shared int v); // error: a parameter cannot have the shared type 'shared int'; pass its value or a pointer to it
shared int g(void); // error: a function cannot return the shared type 'shared int'; return its value or a pointer to it
typedef shared struct s {
    int x;
} shared_struct;
void h(shared_struct s); // error: a parameter cannot have the shared type 'shared_struct'; pass its value or a pointer to it
shared_struct i(void); // error: a function cannot return the shared type 'shared_struct'; return its value or a pointer to it
void j(int *shared p); // error: a parameter cannot have the shared type 'int \*shared'; pass its value or a pointer to it
int *shared k(void); // error: a function cannot return the shared type 'int \*shared'; return its value or a pointer to it
void l(shared int a[], shared [2] int b[10], shared int c[THREADS]);
void m(shared int *p)
{
}
void n(shared int v) // error: a parameter cannot have the shared type 'shared int'; pass its value or a pointer to it
{
}
shared int o(void) // error: a function cannot return the shared type 'shared int'; return its value or a pointer to it
{
    return 1;
}
typedef int three[3];
void q(int *x, shared int *p[shared 3]); // error: a parameter cannot have the shared type 'shared int \*\*shared'; pass its value or a pointer to it
void r(shared int *p[strict 3]); // error: 'strict' qualifies a type that is not shared; write 'strict shared'
void s(three p[shared const 2]); // error: a parameter cannot have the shared type 'three \*shared const'; pass its value or a pointer to it
void t(int p[2][relaxed 3]); // error: 'relaxed' is not allowed in the brackets of an array; write it before the type of the elements
void u(p)
    int p[shared 3]; // error: a parameter cannot have the shared type 'int \*shared'; pass its value or a pointer to it
{
}
void v(shared int *p[const 3], shared int x[const restrict static 3]);
