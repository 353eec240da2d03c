// The statements of UPC 1.0 are plain identifiers (facts 1.6), and an error that names what to do where nothing else can be meant.
// env: dynamic
int i;
int g(int wait)
{
    int barrier = wait;
    barrier;
    return wait;
}
void f(int n)
{
    barrier; // error: 'barrier' is a statement of UPC 1.0; write 'upc_barrier', or compile with -compat=upc-1.0
    if (n)
        barrier 1; // error: 'barrier' is a statement of UPC 1.0
    else
        fence; // error: 'fence' is a statement of UPC 1.0; write 'upc_fence'
    for (i = 0; i < n; i++) {
        barrier_notify; // error: 'barrier_notify' is a statement of UPC 1.0; write 'upc_notify'
        barrier_wait n; // error: 'barrier_wait' is a statement of UPC 1.0; write 'upc_wait'
    }
    forall(i = 0; i < n; i++; i) // error: 'forall' is a statement of UPC 1.0; write 'upc_forall'
        n--;
    wait; // error: 'wait' is a statement of UPC 1.0
    notify THREADS; // error: 'notify' is a statement of UPC 1.0
}
