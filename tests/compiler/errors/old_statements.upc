// The statements of UPC 1.0 are plain identifiers (facts 1.6)
void f(int n)
{
    barrier; // error: 'barrier' undeclared \(first use in this function\)
    barrier_notify; // error: 'barrier_notify' undeclared \(first use in this function\)
    barrier_wait; // error: 'barrier_wait' undeclared \(first use in this function\)
    forall(i = 0; i < n; i++; i) // error: 'i' undeclared \(first use in this function\) // error: expected ';' before 'n' // error: expected '\)' before ';' token // warning: implicit declaration of function 'forall' \[-Wimplicit-function-declaration\]
        n--;
}
