/* GNU C: statement expressions, typeof, labels as values, ranges, nested initialisers, attributes, asm */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
__extension__ typedef struct { int a; union { int b; float c; }; struct { char d[4]; }; } anon;
static int counter __attribute__((unused, aligned(16))) = 3;
extern int aliased __attribute__((alias("counter")));
static inline __attribute__((always_inline, const)) int add(int a, int b) { return a + b; }
static void __attribute__((constructor)) before(void) { counter++; }
int named(void) __asm__("renamed");
int named(void) { return 9; }
static int cleaned;
static void clean(int *p) { cleaned += *p; }
struct empty {}; union u { int i; float f; } __attribute__((transparent_union));
typedef int v4 __attribute__((vector_size(16)));
static int zero_length[0];
static int dispatch(int n)
{
    static void *const jump[] = {&&zero, &&one, [2 ... 4] = &&many};
    goto *jump[n];
zero: return 100;
one: __attribute__((unused)); return 101;
many: return 102;
}
#define MAX(a, b) ({ typeof(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define COUNT(...) (sizeof((int[]){__VA_ARGS__}) / sizeof(int))
#define LOG(format, args...) printf(format, ##args)
int main(int argc, char **argv)
{
    anon x = {.a = 1, .b = 2, .d = "abc"};
    int array[] = {[0 ... 2] = 5, [5] = 6, 7}, n = argc > 0;
    { int guard __attribute__((cleanup(clean))) = 4; (void)guard; }
    v4 v = {1, 2, 3, 4}; v = v * v + 1;
    static struct { int n; char tail[]; } flexible = {3, "xy"};
    LOG("none\n"); LOG("%d %s\n", x.a + x.b, x.d);
    printf("%d %d %d %zu\n", counter, aliased, add(3, 4), COUNT(1, 2, 3));
    printf("%d %d %d %d\n", dispatch(0), dispatch(1), dispatch(3), MAX(n, 7));
    printf("%d %d %d %zu\n", array[2], array[6], v[3], sizeof array + sizeof zero_length + sizeof(struct empty));
    printf("%s %d %d %d\n", flexible.tail, cleaned, n ?: 8, named());
    switch (n + 40) { case 'a' ... 'z': puts("letter"); break; case 0 ... 64: puts("low"); }
    printf("%d %d %zu\n", __builtin_choose_expr(1, 5, "x"), __builtin_types_compatible_p(int, typeof(n)), __builtin_offsetof(anon, d[2]));
    int out; __asm__ ("# %0 %1\n\t" "# twice" : "=r"(out) : "0"(n + 1) : "cc");
    printf("%d %lld %d\n", out, 0b1011LL, (int){0x1p3});
    _Static_assert(sizeof(int) == 4, "int" " is " "four");
    printf("%d %c %s\n", ((union u){.f = 1.0f}).i == 0x3f800000, ((char *)"pq")[1], __func__);
    { __label__ done; goto done; puts("never"); done:; }
    __auto_type copy = x; copy.a = __LINE__ > 1; printf("%d %d\n", copy.a, _Generic(copy, anon: 1, default: 0));
    return argv[argc] != NULL;
}
