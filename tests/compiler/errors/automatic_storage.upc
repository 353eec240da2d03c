// Shared objects have static storage (facts 1.6, constraint 1)
typedef shared int shared_int;
int f(int n)
{
    shared int x; // error: shared object 'x' cannot have automatic storage; make it 'static', or move it to file scope, or allocate it
    int *shared z; // error: shared object 'z' cannot have automatic storage; make it 'static', or move it to file scope, or allocate it
    shared int a[THREADS]; // error: shared object 'a' cannot have automatic storage; make it 'static', or move it to file scope, or allocate it
    shared [] int b[3]; // error: shared object 'b' cannot have automatic storage; make it 'static', or move it to file scope, or allocate it
    shared_int t; // error: shared object 't' cannot have automatic storage; make it 'static', or move it to file scope, or allocate it
    register shared int r; // error: shared object 'r' cannot have automatic storage; make it 'static', or move it to file scope, or allocate it
    auto shared int s; // error: shared object 's' cannot have automatic storage; make it 'static', or move it to file scope, or allocate it
    for (shared int i = 0;;) // error: shared object 'i' cannot have automatic storage; make it 'static', or move it to file scope, or allocate it
        ;
    static shared int fine;
    extern shared int also_fine;
    extern shared int once = 3; // error: 'once' cannot be 'extern' and initialised in a block; initialise it at file scope, or make it 'static'
    shared int *pointer;
    return n;
}
_Thread_local shared int u; // error: shared object 'u' cannot be thread-local, because all threads share one object; remove one of the two
static shared __thread int v[THREADS]; // error: shared object 'v' cannot be thread-local
_Thread_local shared int *w;
extern shared int at_file_scope = 3;
