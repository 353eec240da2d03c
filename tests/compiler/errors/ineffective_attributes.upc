// What is said about the symbol of a shared object has no effect
shared int a __attribute__((section(".mine"))); // warning: 'section' has no effect on shared object 'a', which is not a linker symbol of its own; it is ignored
shared int b __asm__("other"); // warning: '__asm__' has no effect on shared object 'b'
__attribute__((__weak__)) shared int c[THREADS]; // warning: '__weak__' has no effect on shared object 'c'
[[gnu::section(".mine")]] shared int i; // warning: 'section' has no effect on shared object 'i'
extern shared int d __attribute__((alias("a"))); // error: 'alias' cannot be used with shared object 'd', which is not a linker symbol of its own; use a macro
extern int j __attribute__((alias("a"))); // error: 'alias' cannot be used with shared object 'a', which is not a linker symbol of its own; use a macro
extern int k[] __attribute__((__alias__("later"))); // error: '__alias__' cannot be used with shared object 'later'
static int l __attribute__((weakref("elsewhere"))); // error: 'weakref' cannot be used with shared object 'elsewhere'
void m(void) __attribute__((alias("a"))); // error: 'alias' cannot be used with shared object 'a'
[[gnu::alias("a")]] extern int n; // error: 'alias' cannot be used with shared object 'a'
extern int r __asm__("a"); // error: '__asm__' cannot be used with shared object 'a', which is not a linker symbol of its own; use a macro
int s(void) asm("later"); // error: 'asm' cannot be used with shared object 'later'
extern int t __asm__("g"), u __asm__("unknown");
int private;
extern int o __attribute__((alias("private")));
extern int p __attribute__((weak, alias("g"))), q __attribute__((alias("e")));
shared int later[THREADS];
extern shared int elsewhere;
shared int *e __attribute__((section(".mine")));
static shared int f __attribute__((unused, aligned(64)));
shared int ebx;
int g(void)
{
    register int in __asm__("ebx") = 3;
    static shared int h __attribute__((section(".mine"))); // warning: 'section' has no effect on shared object 'h'
    return h + *e + in + ebx;
}
