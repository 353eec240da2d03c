// Declarations of one object agree
extern shared [2] int a[THREADS];
shared [3] int a[THREADS]; // dynamic error: 'a' is declared with type 'shared \[3\] int\[THREADS\]' here and with type 'shared \[2\] int\[THREADS\]' before // static error: 'a' is declared with type 'shared \[3\] int\[4\]' here and with type 'shared \[2\] int\[4\]' before
extern shared int b;
int b; // error: 'b' is declared with type 'int' here and with type 'shared int' before
shared int *f(void);
shared [2] int *f(void); // error: 'f' is declared with type 'shared \[2\] int \*\(\)' here and with type 'shared int \*\(\)' before
shared int c; // note: 'c' was declared with type 'shared int' here
shared double c; // error: 'c' is declared with type 'shared double' here and with type 'shared int' before
shared [1] int d[THREADS];
extern shared int d[];
void g(shared int *p);
void g(shared [4] int *p) // error: 'g' is declared with type 'void\(shared \[4\] int \*\)' here and with type 'void\(shared int \*\)' before
{
}
