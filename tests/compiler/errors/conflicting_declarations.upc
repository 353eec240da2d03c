// Declarations of one object agree
extern shared [2] int a[THREADS];
shared [3] int a[THREADS]; // error: .
extern shared int b;
int b; // error: .
shared int *f(void);
shared [2] int *f(void); // error: .
shared int c;
shared double c; // error: .
shared [1] int d[THREADS];
extern shared int d[];
void g(shared int *p);
void g(shared [4] int *p) // error: .
{
}
