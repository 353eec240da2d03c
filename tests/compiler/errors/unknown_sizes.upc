// Types that upcc does not know cannot be shared
typedef float half __attribute__((mode(HF)));
shared half a; // error: upcc does not know the size of 'shared half', so it cannot be shared; use another type
shared __attribute__((mode(HF))) float b; // error: upcc does not know the size of 'shared __attribute__\(\(mode\(HF\)\)\) float'
shared float c __attribute__((mode(HF))); // error: upcc does not know the size of 'mode\(HF\)'
shared half *p; // error: upcc does not know the size of 'shared half'
struct s {
    int n;
    half h;
};
shared struct s x;
int f(void)
{
    x.n = 1;
    return x.h > 0; // error: upcc does not know the size of 'h'
}
