// Conversions that nothing allows
struct s {
    int x;
};
shared int x;
shared struct s y;
shared int *p;
union u {
    int a;
} un;
void take(shared int *q);
void f(void)
{
    p = y; // error: assignment cannot convert 'struct s' to 'shared int \*'
    p = un; // error: assignment cannot convert 'union u' to 'shared int \*'
    take(y); // error: passing an argument cannot convert 'struct s' to 'shared int \*'
    p = 1.5; // error: assignment cannot convert 'double' to 'shared int \*'
    p = f(); // error: assignment cannot convert 'void' to 'shared int \*'
    double d = (double)p; // error: cast cannot convert 'shared int \*' to 'double'
    long n = (long)p;
    un = (union u)p; // error: cast cannot convert 'shared int \*' to 'union u'
    union pointers {
        shared [2] int *q;
        void *r;
    } pointers = (union pointers)p; // error: cast cannot convert 'shared int \*' to 'union pointers'
}
