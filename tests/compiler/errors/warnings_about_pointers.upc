// Doubtful conversions of pointers-to-shared
shared int *i;
shared double *d;
const shared int *c;
volatile shared int *v;
strict shared int *s;
shared struct a *sa;
shared struct b *sb;
void f(int n)
{
    i = d; // warning: .
    i = c; // warning: .
    i = v; // warning: .
    sa = sb; // warning: .
    n = i == d; // warning: .
    i = s;
    s = i;
    c = i;
    n = c == i;
    shared unsigned *u = i; // warning: .
}
