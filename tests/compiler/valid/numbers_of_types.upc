// Block sizes and dimensions that types and characters make: the C compiler confirms each of them
#include <stddef.h>
#pragma pack(push, 2)
struct two {
    char c;
    double d;
    char b1 : 3;
    int b2 : 30;
    short s;
};
#pragma pack(push, outer, 4)
struct four {
    char c;
    double d;
    int x __attribute__((aligned(16)));
};
#pragma pack(1)
struct one {
    char c;
    long double d;
    int : 0;
    int f : 20, g : 20;
};
#pragma pack(pop, outer)
struct two_again {
    char c;
    double d;
};
#pragma pack(pop)
struct plain {
    char c;
    _Atomic _Complex double z;
    int b : 5 __attribute__((aligned(8)));
    int q : 30, r : 30 __attribute__((packed));
    struct {
        char x, y[3];
    } tail[2];
};
shared [sizeof(struct two)] char of_two[_Alignof(struct two) * THREADS];
shared [sizeof(struct four)] char of_four[_Alignof(struct four) * THREADS];
shared [sizeof(struct one)] char of_one[_Alignof(struct one) * THREADS];
shared [sizeof(struct two_again)] char of_two_again[offsetof(struct two_again, d) * THREADS];
typedef shared [sizeof(struct plain)] char of_plain[offsetof(struct plain, tail[1].y[2]) * THREADS];
enum { LOG = __builtin_ctz(1024), BITS = __builtin_popcount(127), SWAPPED = __builtin_bswap16(0x0300) };
shared [LOG] char with_builtins[BITS * THREADS];
shared ['\e'] char with_characters[L'\x41' * (THREADS * SWAPPED)];

int f(void)
{
    enum { PER = 36 / sizeof(struct two) };
    static shared [PER] struct two inside[PER * THREADS];
    return inside[0].b2;
}
