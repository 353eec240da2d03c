// [*] neither for pointers nor in typedefs nor without a size (facts 1.6, constraints 5 and 6)
shared [*] int *p; // error: '\[\*\]' cannot be the layout of a pointer's target; give the block size as a number
typedef shared [*] int A[4 * THREADS]; // error: '\[\*\]' is not allowed in a typedef; write the layout where A is used, or give a number
typedef shared [*] int I; // error: '\[\*\]' is not allowed in a typedef; write the layout where I is used, or give a number
extern shared [*] int a[][THREADS]; // dynamic error: '\[\*\]' needs the size of the array; 'a\[\]\[THREADS\]' has none // static error: '\[\*\]' needs the size of the array; 'a\[\]\[4\]' has none
shared [*] int *f(void); // error: '\[\*\]' cannot be the layout of a pointer's target; give the block size as a number
void g(shared [*] int *q); // error: '\[\*\]' cannot be the layout of a pointer's target; give the block size as a number
struct s {
    shared [*] int *m; // error: '\[\*\]' cannot be the layout of a pointer's target; give the block size as a number
};
shared [*] int fine[3 * THREADS];
shared [*] double scalar;
void h(shared void *v)
{
    shared int *r = (shared [*] int *)v; // error: '\[\*\]' cannot be the layout of a pointer's target; give the block size as a number
}
void old_style(p) shared [*] int p[]; // error: '\[\*\]' cannot be the layout of a pointer's target; give the block size as a number
{
}
