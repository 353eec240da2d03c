// _Generic: one association for a type, and one for the type that there is (C11 6.5.1.1), which C cannot see for
// pointers-to-shared
shared int *p;
strict shared int *q;
int f(void)
{
    int n = _Generic(p, shared [3] int *: 1, int: 2); // error: no association of this _Generic has type 'shared int \*'; add it, or 'default'
    n += _Generic(p, shared void *: 1, shared [] int *: 2); // error: no association of this _Generic has type 'shared int \*'
    n += _Generic(p, shared int *: 1, shared [1] int *: 2); // error: two associations of this _Generic have type 'shared \[1\] int \*'; keep one of them
    n += _Generic(0, shared int *: 1, shared int *: 2, default: 3); // error: two associations of this _Generic have type 'shared int \*'
    n += _Generic(p, shared [3] int *: 1, default: 2);
    n += _Generic(q, strict shared int *: 1, relaxed shared int *: 2, shared int *: 3, const shared int *: 4);
    n += _Generic(p, shared int *: 1, shared int *const: 2, shared int **: 3);
    return n;
}
