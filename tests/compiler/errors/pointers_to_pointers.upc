// Pointers to pointers-to-shared: emitted C has one type for all of these, so cc cannot say that two of them differ (C11 6.5.9, 6.5.16.1)
#include <stddef.h>
#include <upc.h>
shared int **p1;
shared [2] int **p4;
shared double **pd;
int **local;
const shared int **pc;
shared int *const *cp;
shared int *volatile *vp;
shared int *restrict *rp;
shared int ***deep;
shared [2] int ***deep4;
shared int *rows[3], *(*pr)[3];
shared [2] int *rows4[3], *(*pr4)[3];
shared int *(*other)[4];
int *shared *sl;
const int *shared *slc;
void (*take)(shared int *);
void (*take4)(shared [2] int *);
shared int *(*give)(void);
shared double *(*give_d)(void);
void takes(shared int **p, int n);
void takes_many(int n, ...);
void takes4(shared [2] int *p);
struct s {
    shared int **m;
} record;
void *v;
void **vv;
shared void **gv;
shared int **from4 = &rows4[0]; // warning: initialisation converts 'shared \[2\] int \*\*' to the incompatible type 'shared int \*\*' \[-Wincompatible-pointer-types\]
shared [2] int **list[2] = {&rows[0], 0}; // warning: initialisation converts 'shared int \*\*' to the incompatible type 'shared \[2\] int \*\*' \[-Wincompatible-pointer-types\]
struct s initial = {.m = &rows4[1]}; // warning: initialisation converts 'shared \[2\] int \*\*' to the incompatible type 'shared int \*\*' \[-Wincompatible-pointer-types\]
shared int **g(int n)
{
    p1 = p4; // warning: assignment converts 'shared \[2\] int \*\*' to the incompatible type 'shared int \*\*' \[-Wincompatible-pointer-types\]
    p1 = pd; // warning: assignment converts 'shared double \*\*' to the incompatible type 'shared int \*\*' \[-Wincompatible-pointer-types\]
    p1 = local; // warning: assignment converts 'int \*\*' to the incompatible type 'shared int \*\*' \[-Wincompatible-pointer-types\]
    local = p1; // warning: assignment converts 'shared int \*\*' to the incompatible type 'int \*\*' \[-Wincompatible-pointer-types\]
    p1 = pc; // warning: assignment converts 'shared const int \*\*' to the incompatible type 'shared int \*\*' \[-Wincompatible-pointer-types\]
    pc = p1; // warning: assignment converts 'shared int \*\*' to the incompatible type 'shared const int \*\*' \[-Wincompatible-pointer-types\]
    p1 = cp; // warning: assignment discards 'const': 'shared int \*const \*' to 'shared int \*\*' \[-Wdiscarded-qualifiers\]
    p1 = vp; // warning: assignment discards 'volatile': 'shared int \*volatile \*' to 'shared int \*\*' \[-Wdiscarded-qualifiers\]
    p1 = rp; // warning: assignment discards 'restrict': 'shared int \*restrict \*' to 'shared int \*\*' \[-Wdiscarded-qualifiers\]
    v = cp; // warning: assignment discards 'const': 'shared int \*const \*' to 'void \*' \[-Wdiscarded-qualifiers\]
    deep = deep4; // warning: assignment converts 'shared \[2\] int \*\*\*' to the incompatible type 'shared int \*\*\*' \[-Wincompatible-pointer-types\]
    p1 = rows4; // warning: assignment converts 'shared \[2\] int \*\*' to the incompatible type 'shared int \*\*' \[-Wincompatible-pointer-types\]
    pr = pr4; // warning: assignment converts 'shared \[2\] int \*\(\*\)\[3\]' to the incompatible type 'shared int \*\(\*\)\[3\]' \[-Wincompatible-pointer-types\]
    pr = &rows4; // warning: assignment converts 'shared \[2\] int \*\(\*\)\[3\]' to the incompatible type 'shared int \*\(\*\)\[3\]' \[-Wincompatible-pointer-types\]
    pr = other; // warning: assignment converts 'shared int \*\(\*\)\[4\]' to the incompatible type 'shared int \*\(\*\)\[3\]' \[-Wincompatible-pointer-types\]
    sl = slc; // warning: assignment converts 'const int \*shared \*' to the incompatible type 'int \*shared \*' \[-Wincompatible-pointer-types\]
    slc = sl; // warning: assignment converts 'int \*shared \*' to the incompatible type 'const int \*shared \*' \[-Wincompatible-pointer-types\]
    take = take4; // warning: assignment converts 'void \(\*\)\(shared \[2\] int \*\)' to the incompatible type 'void \(\*\)\(shared int \*\)' \[-Wincompatible-pointer-types\]
    take = takes4; // warning: assignment converts 'void \(\*\)\(shared \[2\] int \*\)' to the incompatible type 'void \(\*\)\(shared int \*\)' \[-Wincompatible-pointer-types\]
    give = give_d; // warning: assignment converts 'shared double \*\(\*\)\(\)' to the incompatible type 'shared int \*\(\*\)\(\)' \[-Wincompatible-pointer-types\]
    vv = p1; // warning: assignment converts 'shared int \*\*' to the incompatible type 'void \*\*' \[-Wincompatible-pointer-types\]
    gv = p1; // warning: assignment converts 'shared int \*\*' to the incompatible type 'shared void \*\*' \[-Wincompatible-pointer-types\]
    record.m = p4; // warning: assignment converts 'shared \[2\] int \*\*' to the incompatible type 'shared int \*\*' \[-Wincompatible-pointer-types\]
    deep[0] = p4; // warning: assignment converts 'shared \[2\] int \*\*' to the incompatible type 'shared int \*\*' \[-Wincompatible-pointer-types\]
    takes(p4, n); // warning: passing an argument converts 'shared \[2\] int \*\*' to the incompatible type 'shared int \*\*' \[-Wincompatible-pointer-types\]
    takes(rows4, n); // warning: passing an argument converts 'shared \[2\] int \*\*' to the incompatible type 'shared int \*\*' \[-Wincompatible-pointer-types\]
    n = p1 == p4; // warning: '==' has operands of distinct types 'shared int \*\*' and 'shared \[2\] int \*\*' \[-Wcompare-distinct-pointer-types\]
    n = p1 != pd; // warning: '!=' has operands of distinct types 'shared int \*\*' and 'shared double \*\*' \[-Wcompare-distinct-pointer-types\]
    n = p1 < p4; // warning: '<' has operands of distinct types 'shared int \*\*' and 'shared \[2\] int \*\*' \[-Wcompare-distinct-pointer-types\]
    n = p1 >= pd; // warning: '>=' has operands of distinct types 'shared int \*\*' and 'shared double \*\*' \[-Wcompare-distinct-pointer-types\]
    n = take == take4; // warning: '==' has operands of distinct types 'void \(\*\)\(shared int \*\)' and 'void \(\*\)\(shared \[2\] int \*\)' \[-Wcompare-distinct-pointer-types\]
    n = p1 == local; // warning: '==' has operands of distinct types 'shared int \*\*' and 'int \*\*' \[-Wcompare-distinct-pointer-types\]
    p1 = n ? p1 : p4; // warning: '\?:' has operands of distinct types 'shared int \*\*' and 'shared \[2\] int \*\*' \[-Wcompare-distinct-pointer-types\]
    p1 = n ? p1 : cp; // warning: assignment discards 'const': 'shared int \*const \*' to 'shared int \*\*' \[-Wdiscarded-qualifiers\]
    n = (n ? take : take4) != 0; // warning: '\?:' has operands of distinct types 'void \(\*\)\(shared int \*\)' and 'void \(\*\)\(shared \[2\] int \*\)' \[-Wcompare-distinct-pointer-types\]
    shared int **in = p4, **of[1] = {pd}; // warning: initialisation converts 'shared \[2\] int \*\*' to the incompatible type 'shared int \*\*' \[-Wincompatible-pointer-types\] // warning: initialisation converts 'shared double \*\*' to the incompatible type 'shared int \*\*' \[-Wincompatible-pointer-types\]
    p1 = n ? pd : 0; // warning: assignment converts 'shared double \*\*' to the incompatible type 'shared int \*\*' \[-Wincompatible-pointer-types\]
    if (n)
        return p4; // warning: return converts 'shared \[2\] int \*\*' to the incompatible type 'shared int \*\*' \[-Wincompatible-pointer-types\]
    return &rows4[n]; // warning: return converts 'shared \[2\] int \*\*' to the incompatible type 'shared int \*\*' \[-Wincompatible-pointer-types\]
}
static shared int *chosen(shared int *a, int n)
{
    return (n ? a : (const shared int *)a); // warning: return discards 'const': 'shared const int \*' to 'shared int \*' \[-Wdiscarded-qualifiers\]
}
// What goes together
typedef shared int *pointer;
typedef shared [1] int *pointer1;
typedef strict shared int *strict_pointer;
shared [] int **indefinite;
shared [0] int **indefinite0;
shared [1] int **one;
enum e { A } __attribute__((packed));
shared enum e **enums;
void f(int n)
{
    pointer *a = p1;
    pointer1 *b = a;
    strict_pointer *c = b;
    one = p1;
    indefinite = indefinite0;
    p1 = rows;
    p1 = &rows[0];
    p1 = *deep;
    pr = &rows;
    cp = p1;
    vp = p1;
    rp = p1;
    v = p1;
    p1 = v;
    p1 = 0;
    p1 = NULL;
    p1 = n ? p1 : NULL;
    cp = n ? p1 : cp;
    v = n ? v : p1;
    p1 = (shared int **)p4;
    p1 = (shared int **)local;
    n = p1 == (void *)0 || p1 == v || p1 == cp || p1 == one || p1 - cp || cp < p1;
    takes(rows, n);
    takes(*deep, n);
    takes(v, n);
    takes_many(n, p4, pd);
    take = 0;
    record.m = one;
    *p1 = *cp;
    record = (struct s){p1};
    record = (struct s){.m = rows};
    (void)c;
    size_t (*query)(shared void *) = upc_threadof;
    (void)query;
    (void)chosen;
    (void)enums;
}
