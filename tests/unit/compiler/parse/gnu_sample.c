// GNU C in as many forms as fit; it need not compile, but gcc agrees with the shape of each line.
typedef __builtin_va_list va_list;
/* attributes everywhere */
__attribute__((constructor)) static void init(void);
static void __attribute__((noinline, noclone)) init(void) {}
int __attribute__((aligned(16))) a1, *__attribute__((unused)) b1, __attribute__((unused)) c1[3];
extern int printf2(const char *fmt, ...) __asm__("printf") __attribute__((format(printf, 1, 2)));
struct __attribute__((packed)) P { char c; int i __attribute__((aligned(4)));
    unsigned f : 3 __attribute__((unused)), : 0, g : 2; } __attribute__((aligned(8))) pp;
union __attribute__((transparent_union)) U { int i; float *f; };
enum __attribute__((packed)) E { E0 __attribute__((deprecated)) = 1, E1, };
typedef int v4si __attribute__((vector_size(16)));
typedef struct S S; struct S { S *next; struct { int x, y; }; union { int u; float v; }; int flex[]; };
struct empty {}; int zero[0];
void (*fp)(int, void (*)(void)) __attribute__((noreturn));
void (__attribute__((noreturn)) *fp2)(void);
int (*(*fpp)(int))[3];
asm(".globl foo");
__extension__ typedef long long ll;
__extension__ int ext;
static_fn() { return 1; }
kr(a, b, c) int a; char *b, c; { return a + b[0] + c; }
main2() { auto x = 3; register y; const z = 4; return x + z; }
static implicit_static;
typedef int T;
int shadow(int T) { T = T * 2; { int T; T = 1; } return T; }
int shadow2(void) { T T = 1; T * T; return sizeof(T) + sizeof T; }
int shadow3(void) { enum { T } e = T; return e * T; }
int shadow4(void) { for (int T = 0; T < 3; T++) ; T x; T: x = 1; goto T; return x; }
int proto(int (T), int (*f)(T), int (x)(T), T, unsigned T2, int T3(T), int [sizeof(T)], int [static 3],
    int [const *], int q[const static 2], T T);
T (fnparen)(T);
struct TT { T T; unsigned T2 : 3; T : 4; const T; };
int gnu(int n, ...) {
    __label__ out, l2;
    int nested(int k) { if (k) goto out; return k + n; }
    int v = ({ int t = n; t + 1; });
    void *tab[] = { &&out, &&l2, [4] = &&out };
    int arr[] = { [0 ... 3] = 1, [5] = 2, [6] 3 };
    S s = { next: 0, u: 3, .x = 4 };
    struct { struct { int a[3]; } b; } d = { .b.a[1] = 2, .b = { .a = { 1, 2 } } };
    goto *tab[n];
    switch (n) { case 1 ... 3: v = 2; __attribute__((fallthrough)); case 4: default: break; case 7: ; }
    out: __attribute__((unused)); l2: ;
    lab3: __attribute__((unused)) int decl_after = 1;
    typeof(n) t1 = n; __typeof__(int *) t2; __auto_type t3 = n; typeof(t1 + 1) t4;
    int c = n ?: 3; c = n ? : 3;
    va_list ap; __builtin_va_start(ap, n); c = __builtin_va_arg(ap, int);
    c = _Generic(n, int: 1, default: 2, float *: 3);
    _Static_assert(sizeof(int) == 4, "x" "y"); _Static_assert(1);
    c += __builtin_offsetof(S, flex[2]) + __builtin_offsetof(struct P, i) + __builtin_types_compatible_p(int,
    T) + __builtin_choose_expr(1, 2, "a");
    c += sizeof(int[]) { 1, 2 }[0] + sizeof (int){1} + ((struct P){ .i = 1 }).i + (int){2}++;
    asm volatile ("nop"); asm ("" : "=r"(c), [x] "+m"(v) : "r"(n), "0"(1) : "memory", "cc");
    asm goto ("" : : : : l2); __asm__ __volatile__ ("" ::: "memory");
    asm inline volatile ("" : : "i" (sizeof(int)));
    register int r asm("eax") = 1; 
    _Complex double z = 1.0i + 2.0j; double re = __real__ z + __imag z; 
    __int128 i128 = 1; unsigned __int128 u128; _Float128 f128 = 1.0f128; __float128 q = 1.0q; _Decimal64 dd = 1.0dd;
    _Alignas(16) char buf[3]; _Alignas(double) int al; _Atomic(int) at; _Atomic int at2; int *_Atomic ap2;
    _Thread_local static int tl; static __thread int tl2;
    char *str = u8"a" "b" L"c"; int ch = L'a' + u'\'' + '\\' + '"';
    int x = 0x1.8p3 + 0b101 + 1e-3 + .5f + 077ul;
    return __extension__ ({ (void)0; 1; }) + -~!+x + - -x + (T)-1 + (T)(n) + (n)(1) + (T)+1 & (T)n
        && (T)n || &&out == 0;
}
int dig <: 3 :> = <% 1, 2, 3 %>; int a$b = 1; int \u00e9 = 2; int été = 3;
_Noreturn inline static void nr(void) { for (;;) ; }
int vla(int n, int a[n], int b[*], int c[restrict static n]); void fwd(int n; int a[n], int n);
[[nodiscard]] int c23(void); int c23b [[maybe_unused]]; struct [[deprecated]] C23 { int x; };
const char *raw = R"x(a "b" \ )" 
)x";
int f_(void) { if (1) if (2) ; else ; else if (3) { } else ; do ; while (0); while (0) ; return 0; };
typedef int fn_t(int), *fnp_t; fn_t decl1; fn_t *decl2; int (T3); 
foo_t unknown_fn(bar_t *x) { return x; }
__attribute__((x)) ; 
int x __attribute__((mode(DI))), (*y)[3] __attribute__((unused)) = 0, z;
inline __attribute__((always_inline)) const struct S *volatile restrict ret_s(void);
long unsigned int long lui; int typedef weird; 
