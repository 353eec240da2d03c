// Local addresses of shared objects are not known before the program runs
shared int x, a[THREADS];
shared int *q = &x;
int *p = (int *)&x; // error: '\(int \*\)&x' depends on the address of a shared object, which is only known when the program runs; assign it then
static int *const next = (int *)&a[1] + 1; // error: '\(int \*\)&a\[1\] \+ 1' depends on the address of a shared object
long number = (long)&x; // error: '\(long\)&x' depends on the address of a shared object
void *converted = ((void *)(int *)a); // error: depends on the address of a shared object
struct { int n; int *to; } pair = { 1, (int *)&x }; // error: depends on the address of a shared object
shared struct s {
    int m, k[3];
} y, many[THREADS];
int *of_member = &((struct s *)&y)->m; // error: '&\(\(struct s \*\)&y\)->m' depends on the address of a shared object
int *of_array = ((struct s *)&y)->k; // error: '\(\(struct s \*\)&y\)->k' depends on the address of a shared object
int *of_element = &((struct s *)many)[2].k[1]; // error: depends on the address of a shared object
int *of_target = &*(int *)&x; // error: depends on the address of a shared object
int *chosen = 1 ? (int *)&x : 0; // error: depends on the address of a shared object
long negative = -(long)&x; // error: depends on the address of a shared object
int read = *(int *)&x; // error: depends on the address of a shared object
int **in_literal = (int *[]){0, (int *)&x}; // error: '\(int \*\)&x' depends on the address of a shared object
struct s *in_list[] = {0, [2] = (struct s *)&y}; // error: depends on the address of a shared object
long size = (long)sizeof(&x), count = (long)sizeof x, local = sizeof(*(int *)&x), type = sizeof(__typeof__((int *)&x));
void f(void)
{
    static int *local = (int *)&x; // error: depends on the address of a shared object
    int *now = (int *)&x;
}
