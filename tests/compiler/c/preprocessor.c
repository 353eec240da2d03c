/* Directives: #line, #pragma, _Pragma, includes by macro, GNU variadic macros, unusual layout */
#define HEADER <stdio.h>
#include HEADER
#define EMPTY
#define CALL(f, ...) f(__VA_ARGS__)
#define NEST(x) CALL(printf, "%d\n", x)
#define DO(x) do { x; } while (0)
#pragma pack(push, 1)
struct p { char c; int i; };
#pragma pack(pop)
_Pragma("GCC diagnostic ignored \"-Wall\"")
#
# /* a null directive */ define A 1
#if A /* x */ && defined(EMPTY) && !(0 > 1)
static
#line 100 "other.c"
int
f
(
void
)
{ return __LINE__; }
#else
#error not here
#endif
#pragma omp parallel for
int main ( void ) { NEST(f()); DO(NEST((int)sizeof(struct p))) ; EMPTY; NEST(__LINE__) ; printf ( "%s\n" , __FILE__ ) ; _Pragma("message_is_unknown") return 0 ; }
