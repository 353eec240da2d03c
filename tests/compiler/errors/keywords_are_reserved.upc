// Keywords are no identifiers (facts 1.2)
int shared; // error: .
int upc_barrier; // error: .
int f(void)
{
    int MYTHREAD = 3; // error: .
    int upc_fence = 1; // error: .
    return 0;
}
int THREADS; // error: .
