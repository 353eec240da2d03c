// Shared unions, enumerations, anonymous members
#include <upc.h>

#include "check.h"

enum { IS_LITTLE = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ };
enum colour { RED, GREEN = 5, BLUE };
enum flags { NONE, SIGN = 1 << 31 };   /* the least int */
union word {
    unsigned u;
    float f;
    unsigned char bytes[4];
    struct {
        unsigned short first, second;
    } half;
};
struct variant {
    enum colour colour;
    union {
        int i;
        double d;
        shared int *p;
    };
    struct {
        int x, y;
    };
};
shared union word w[THREADS];
shared struct variant v[THREADS];
shared enum colour c = BLUE;
shared int target = 9;
shared enum flags flags[THREADS];
shared long least = SIGN, least_of_shift = 1 << 31, least_of_cast = (long)(1 << 31);

static void signs(void)
{
    flags[MYTHREAD] = SIGN;
    CHECK(flags[MYTHREAD] < 0 && flags[MYTHREAD] < NONE);
    CHECK(_Generic(flags[MYTHREAD], int: 1, default: 0));
    CHECK(least == INT32_MIN && least_of_shift == INT32_MIN && least_of_cast == INT32_MIN);
    long own = 0, expected = 0;
    upc_forall (long i = 0; i < 40; i++; i + SIGN)
        own += i * i;
    for (long i = 0; i < 40; i++)
        expected += floor_mod(i + SIGN, THREADS) == MYTHREAD ? i * i : 0;
    EQ(own, expected);
}

int main(void)
{
    w[MYTHREAD].f = 1.0f;
    v[MYTHREAD].colour = GREEN;
    v[MYTHREAD].p = &target;
    v[MYTHREAD].x = MYTHREAD;
    v[MYTHREAD].y = v[MYTHREAD].x + 1;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        EQ(w[t].u, 0x3f800000);
        EQ(w[t].bytes[IS_LITTLE ? 3 : 0], 0x3f);
        EQ(IS_LITTLE ? w[t].half.second : w[t].half.first, 0x3f80);
        EQ(*v[t].p, 9);
        EQ(v[t].x + v[t].y, 2 * t + 1);
        switch (v[t].colour) {
        case RED:
        case BLUE:
            CHECK(0);
            break;
        case GREEN:
            break;
        }
    }
    EQ(c, 6);
    union word copy = w[0];
    EQ(IS_LITTLE ? copy.half.first : copy.half.second, 0);
    upc_barrier;
    if (MYTHREAD == 0) {
        v[THREADS - 1].d = 2.5;
        w[0] = (union word){.u = 7};
    }
    upc_barrier;
    CHECK(v[THREADS - 1].d == 2.5);
    EQ(w[0].u, 7);
    signs();
    return finish();
}
