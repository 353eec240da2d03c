// Errors of plain C are left to cc, which reports them for the lines of the program
struct s {
    int x;
};
shared struct s a[THREADS];
shared int b[THREADS];
shared int *q;
int f(int n)
{
    n = a[0]->x; // error: invalid type argument of '->' \(have 'struct s'\)
    *n = 3; // error: invalid type argument of unary '\*' \(have 'int'\)
    a[0] = 3; // error: incompatible types when assigning to type 'struct s' from type 'int'
    a[0]++; // error: wrong type argument to increment
    n = a[0] + 1; // error: invalid operands to binary \+ \(have 'struct s' and 'int'\)
    if (a[0]) // error: used struct type value where scalar is required
        n = 2;
    n = a[0] ? 1 : 2; // error: used struct type value where scalar is required
    n = !a[0]; // error: wrong type argument to unary exclamation mark
    undeclared[3] = a[0].x; // error: 'undeclared' undeclared \(first use in this function\)
    n = n->x; // error: invalid type argument of '->' \(have 'int'\)
    f(a[0]); // error: incompatible type for argument 1 of 'f'
    (b[0] + 1) = 3; // error: lvalue required as left operand of assignment
    n = b[0] +
        a[0].x + (n
                  ->x); // error: invalid type argument of '->' \(have 'int'\)
    return a[0]; // error: incompatible types when returning type 'struct s' but 'int' was expected
}
