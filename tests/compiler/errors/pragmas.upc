// Malformed and misplaced pragmas (facts 1.15)
#pragma upc // warning: .
#pragma upc strickt // warning: .
#pragma upc strict relaxed // warning: .
#pragma upc relaxed
shared int x;
int f(int n)
{
#pragma upc strict
    n += x;
#pragma upc relaxed // warning: .
    {
#pragma upc strict
        int m = x;
#pragma upc relaxed // warning: .
        n += m;
    }
    return n;
}
