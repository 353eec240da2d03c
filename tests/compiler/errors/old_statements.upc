// The statements of UPC 1.0 are plain identifiers (facts 1.6)
void f(int n)
{
    barrier; // error: .
    barrier_notify; // error: .
    barrier_wait; // error: .
    forall(i = 0; i < n; i++; i) // error: .
        n--;
}
