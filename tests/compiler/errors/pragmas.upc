// Malformed and misplaced pragmas (facts 1.15)
#pragma upc // warning: '#pragma upc' must be followed by 'strict' or 'relaxed'; it is ignored \[-Wunknown-pragmas\]
#pragma upc strickt // warning: '#pragma upc' must be followed by 'strict' or 'relaxed'; it is ignored \[-Wunknown-pragmas\]
#pragma upc strict relaxed // warning: '#pragma upc' must be followed by 'strict' or 'relaxed'; it is ignored \[-Wunknown-pragmas\]
#pragma upc relaxed
shared int x;
int f(int n)
{
#pragma upc strict
    n += x;
#pragma upc relaxed // warning: '#pragma upc' belongs outside functions or at the start of a block; it takes effect from here \[-Wpragmas\]
    {
#pragma upc strict
        int m = x;
#pragma upc relaxed // warning: '#pragma upc' belongs outside functions or at the start of a block; it takes effect from here \[-Wpragmas\]
        n += m;
    }
    return n;
}
