// Wrong operands and unknown types that upcc leaves to cc, or that follow from other errors, do not confuse it
shared int x;
int *p;
int round_down(shared int *q);
int f(int n)
{
    n = (n & p) % THREADS; // error: invalid operands to binary & \(have 'int' and 'int \*'\)
    n = (1.5 * &n) + x; // error: invalid operands to binary \* \(have 'double' and 'int \*'\)
    n = (n % round_down) - x; // error: invalid operands to binary % \(have 'int' and 'int \(\*\)\(pointer-to-shared\)'\)
    n = sizeof(n->m) + x; // error: invalid type argument of '->' \(have 'int'\)
    return n;
}
