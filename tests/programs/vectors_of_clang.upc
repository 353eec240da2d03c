// Vectors by ext_vector_type, which only clang has: as large as their elements, of which three take the room of four
#include <upc.h>

#include "check.h"

#ifdef __clang__
typedef float float4 __attribute__((ext_vector_type(4)));
typedef short short3 __attribute__((ext_vector_type(3)));
shared [2] float4 four[2 * THREADS];
shared [2] short3 three[2 * THREADS];

int main(void)
{
    for (int i = 0; i < 2; i++) {
        four[2 * MYTHREAD + i] = (float4){1, 2, 3, 4} + (float)(i * 10 + MYTHREAD);
        three[2 * MYTHREAD + i] = (short3){1, 2, 3} * (short)(i + 2);
    }
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        float4 a = four[2 * t], b = four[2 * t + 1];
        CHECK(a.x == 1 + t && a.w == 4 + t && b.y == 12 + t);
        short3 c = three[2 * t + 1];
        CHECK(c.x == 3 && c.z == 9);
        CHECK(four[2 * t + 1][3] == 14 + t);
    }
    EQ(sizeof four, 2 * THREADS * sizeof(float4));
    EQ(upc_elemsizeof(three), sizeof(short3));
    return finish();
}
#else
int main(void)
{
    return finish();
}
#endif
