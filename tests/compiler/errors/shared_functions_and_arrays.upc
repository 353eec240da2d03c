// shared on a function, arrays without a size
typedef int function(void);
shared function f; // error: the function type 'function' cannot be shared; only objects are
shared int a[]; // dynamic error: shared array 'a\[\]' needs a dimension with THREADS when the number of threads is chosen at run time; write it // static warning: shared array 'a' has no size; it is assumed to have one element
extern shared int fine[];
shared int b[0 * THREADS]; // dynamic error: the array size '0 \* THREADS' is negative or zero
shared int c[-1 * THREADS]; // dynamic error: the array size '-1 \* THREADS' is negative or zero // static error: the array size '-1 \* 4' is negative or zero
int n;
shared int e[n]; // error: the dimensions of shared array 'e\[n\]' must be constants, one of them times THREADS
void g(void)
{
    shared int *vla = (shared int *)0;
    static shared int h[n]; // error: the dimensions of shared array 'h\[n\]' must be constants, one of them times THREADS
}
typedef shared function *pointer_to_function; // error: the function type 'function' cannot be shared; only objects are
typedef shared function shared_function; // error: the function type 'function' cannot be shared; only objects are
shared __typeof__(g) *another; // error: the function type 'void\(\)' cannot be shared; only objects are
void takes(shared function *x); // error: the function type 'function' cannot be shared; only objects are
void *cast(void *x)
{
    return (shared function *)x; // error: the function type 'function' cannot be shared; only objects are
}
void rows(shared void *x)
{
    shared [] double (*indefinite)[n] = x; // error: the dimensions of 'shared \[\]' array '\(\*indefinite\)\[n\]' must be constants
    shared [2] double (*blocks)[n] = x; // error: the dimensions of shared array '\(\*blocks\)\[n\]' must be constants, one of them times THREADS
}
