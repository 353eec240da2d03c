/* Declarators, typedef names as other things, scopes, old style */
#include <stdio.h>
typedef int T, *PT, AT[3], (*FT)(int);
typedef struct S S;
struct S { T T; S *next; PT (*f)(AT, FT); };
static T twice(T x) { return 2 * x; }
static PT pick(AT a, FT f) { return &a[f(1)]; }
static T (*(*choose(int n))(void))(T);
static FT get(void) { return twice; }
static T (*(*choose(int n))(void))(T) { return n ? get : 0; }
static int (*table[2][2])(int) = {{twice, twice}, {twice, 0}};
static int old(a, b, c) char a; float b; int *c; { return a + (int)b + *c; }
static int scope(int T) { { typedef long T; T x = 5; return sizeof(T) == sizeof(long) && x; } return T; }
int f(), g(int (*)(void)), h(int [*]), (*(*fp[3])(void))[5];
int h(int a[static 1]) { return a[0]; }
static const volatile int *const *volatile deep;
int main(void)
{
    AT a = {1, 2, 3};
    S s = {7, &s, pick}, *p = &s;
    T T = 5;
    FT ft = twice;
    printf("%d %d %d %d\n", T * 2, (T) * 2, p->next->T, *p->f(a, ft));
    printf("%d %d %d %d\n", choose(1)()(21), table[1][0](3), old(1, 2.5f, &T), scope(3));
    for (int T = 0, i = 3; i--; T++) printf("%d", T + (int)sizeof T);
    int x = sizeof(int) * T - (int)sizeof a, y = (x) - 1, z = -(y) + +(x);
    printf(" %d %d %d %d\n", x, y, z, h(&x) + (deep == 0));
    if (T) { T: if (T++ < 7) goto T; }
    printf("%d\n", T);
    return 0;
}
