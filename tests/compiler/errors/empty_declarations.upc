// In UPC these words are no names of variables
shared int a[THREADS];
int shared; // warning: 'shared' qualifies nothing here; it is a UPC keyword, so choose another name if it was meant as a name
struct point {
    int x;
} shared; // warning: 'shared' qualifies nothing here
shared struct other { int y; }; // warning: 'shared' qualifies nothing here
shared struct other b;
struct flags {
    int shared; // error: 'shared' qualifies an unnamed member, but members cannot be shared; it is a UPC keyword
    struct { int x; } shared; // error: 'shared' qualifies an unnamed member
};
struct point c;
int f(void)
{
    return b.y + c.x + a[MYTHREAD];
}
