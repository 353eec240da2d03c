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
    i = d; // warning: assignment converts 'shared double \*' to the incompatible type 'shared int \*' \[-Wincompatible-pointer-types\]
    i = c; // warning: assignment discards 'const': 'shared const int \*' to 'shared int \*' \[-Wdiscarded-qualifiers\]
    i = v; // warning: assignment discards 'volatile': 'shared volatile int \*' to 'shared int \*' \[-Wdiscarded-qualifiers\]
    sa = sb; // warning: assignment converts 'shared struct b \*' to the incompatible type 'shared struct a \*' \[-Wincompatible-pointer-types\]
    n = i == d; // warning: '==' has operands of distinct types 'shared int \*' and 'shared double \*' \[-Wcompare-distinct-pointer-types\]
    i = s;
    s = i;
    c = i;
    n = c == i;
}
shared int of_five[5 * THREADS];
shared int (*of_four)[4 * THREADS] = &of_five; // dynamic warning: initialisation converts 'shared int \(\*\)\[5\*THREADS\]' to the incompatible type 'shared int \(\*\)\[4\*THREADS\]' // static warning: initialisation converts 'shared int \(\*\)\[20\]' to the incompatible type
shared unsigned int (*of_unsigned)[5 * THREADS] = (shared unsigned int (*)[5 * THREADS])&of_five;
