// In UPC these words are no names of variables
shared int a[THREADS];
int shared; // warning: 'shared' qualifies nothing here; it is a keyword of UPC, so choose another name if it was meant as one
struct point {
    int x;
} shared; // warning: 'shared' qualifies nothing here
shared struct other { int y; }; // warning: 'shared' qualifies nothing here
shared struct other b;
struct flags {
    int shared; // error: 'shared' qualifies a member without a name, and no member can be shared; it is a keyword of UPC
    struct { int x; } shared; // error: 'shared' qualifies a member without a name
};
struct point c;
int f(void)
{
    return b.y + c.x + a[MYTHREAD];
}
