// What is called must be a function; cc would tell of the C that stands for a shared object
shared int x, a[THREADS];
shared struct S {
    int n;
} s;
shared int *p;
int (*shared f)(void);
int g(void)
{
    x(); // error: 'x' has type 'shared int'; only a function can be called
    p(1); // error: 'p' has type 'shared int \*'; only a function can be called
    (*p)(); // error: '\(\*p\)' has type 'shared int'
    s(); // error: 's' has type 'shared struct S'
    s.n(); // error: 's\.n' has type 'shared \[\] int'
    a[0](); // error: 'a\[0\]' has type 'shared int'
    return f() + (*f)();
}
