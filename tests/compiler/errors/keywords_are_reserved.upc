// Keywords are no identifiers (facts 1.2)
// env: dynamic
int shared = 3; // error: expected an identifier or '\(' before '='
int upc_barrier; // error: expected an identifier or '\(' before 'upc_barrier'
int f(void)
{
    int MYTHREAD = 3; // error: expected an identifier or '\(' before 'MYTHREAD'
    int upc_fence = 1; // error: expected an identifier or '\(' before 'upc_fence'
    return 0;
}
int THREADS; // error: expected an identifier or '\(' before 'THREADS'
