// Barriers where not all threads come by, and barriers written as calls (facts 1.12, 1.13)
shared int a[THREADS];
void f(int n)
{
    upc_forall (int i = 0; i < n; i++; i)
        upc_barrier; // warning: 'upc_barrier' in a upc_forall loop: each thread executes it for its own iterations only, so threads may wait for each other forever; use an affinity of 'continue', or a 'for' loop \[-Wupc-forall\]
    upc_forall (int i = 0; i < n; i++; &a[i]) {
        for (int j = 0; j < n; j++) {
            upc_notify; // warning: 'upc_notify' in a upc_forall loop: each thread executes it for its own iterations only, so threads may wait for each other forever; use an affinity of 'continue', or a 'for' loop \[-Wupc-forall\]
            upc_wait; // warning: 'upc_wait' in a upc_forall loop: each thread executes it for its own iterations only, so threads may wait for each other forever; use an affinity of 'continue', or a 'for' loop \[-Wupc-forall\]
        }
        upc_fence;
    }
    upc_forall (int i = 0; i < n; i++; continue)
        upc_barrier;
    upc_forall (int i = 0; i < n; i++;)
        upc_barrier;
    upc_forall (int i = 0; i < n; i++; (MYTHREAD))
        upc_barrier;
    for (int i = 0; i < n; i++)
        upc_barrier i;
    upc_barrier (n);
}
void g(void) { upc_barrier(); } // error: 'upc_barrier' is a statement, not a function; write 'upc_barrier;'
void h(void) { upc_notify(); } // error: 'upc_notify' is a statement, not a function; write 'upc_notify;'
void i(void) { upc_wait ( ); } // error: 'upc_wait' is a statement, not a function; write 'upc_wait;'
void j(void) { upc_fence(); } // error: 'upc_fence' is a statement, not a function; write 'upc_fence;'
