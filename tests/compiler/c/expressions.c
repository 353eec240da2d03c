/* Operators and conversions, line splices, digraphs, trigraph-like text, odd numbers */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <wchar.h>
struct bits { signed a : 3; unsigned b : 3; _Bool c : 1; unsigned : 0; long long d : 40; };
static int calls;
static int next(void) { return ++calls; }
int main(void) <%
    struct bits s = {3, 7, 1, -1};
    int a<:3:> = {1, 2, 3}, *p = a, i = 1;
    s.a++; s.b++; s.c += 2; s.d <<= 3;
    printf("%d %u %d %lld\n", s.a, s.b, s.c, (long long)s.d);
    int first = *p++, third = *++p;
    printf("%d %d %d %d\n", first, third, p[-1], 2[a]);
    printf("%d %d\n", i+++i, - - -i);
    i = i ++ + 1 \
        + 2;
    printf("%d %d %d\n", i, next() + next() * 10 > 0, calls < 100);
    printf("%u %lu %llx %o %d\n", 4294967295u, 0xffffffffffffffffUL, 1ULL << 40, 0777, '\377' < 0);
    printf("%.3f %a %.2Lf %g\n", 1e3, 0x1.8p1, 2.5L, .5e-1f);
    printf("%d %d %zu %zu\n", L'x', u8"ab"[1], sizeof L"abc" / sizeof(wchar_t), sizeof u"ab");
    printf("%d %d\n", -7 / 2, -7 % 2);
    printf("%d %d %d\n", (uint8_t)300 == 44, (int8_t)200, (bool)0.1);
    printf("%s%s" "%s\n", "a" "b", "\x41\101", "\u00e9" "??");
    printf("%d %d\n", sizeof(int[3]) == 12 ? 1, 2 : 3, (i, 7));
    unsigned short h = 65535; h++; printf("%d %d\n", h, (short)40000 < 0);
    int64_t wide = INT64_C(1) << 40; printf("%d %d\n", (int)(wide >> 38), wide > 1u);
    for (int k = 0, *q = &k; *q < 3; ++*q) printf("%d;", k << 1 | 1);
    printf("%d %d\n", !!i && !0 || next(), calls);
    do if (i) ; else i = 3; while (0);
    return i > 100 ? 1 : 0;
%>
