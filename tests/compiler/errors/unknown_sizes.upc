// Types that upcc does not know cannot be shared
typedef float half __attribute__((mode(HF)));
shared half a; // error: upcc does not know how large 'shared half' is, so that it cannot be shared; name another type
shared __attribute__((mode(HF))) float b; // error: upcc does not know how large 'shared __attribute__\(\(mode\(HF\)\)\) float' is
shared float c __attribute__((mode(HF))); // error: upcc does not know how large 'mode\(HF\)' is
shared half *p; // error: upcc does not know how large 'shared half' is
struct s {
    int n;
    half h;
};
shared struct s x;
int f(void)
{
    x.n = 1;
    return x.h > 0; // error: upcc does not know how large 'h' is
}
