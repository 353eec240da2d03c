// Clause: layout of shared arrays, pointer arithmetic, subtraction and comparison, for elements of one byte (facts 1.7,
// 1.9)
// quick: -O0
#define ELEM char
#define COUNT 13
#include "layout.h"

TEST_LAYOUT(default, , , 1, COUNT * THREADS)
TEST_LAYOUT(1, [1], [1], 1, COUNT * THREADS)
TEST_LAYOUT(2, [2], [2], 2, COUNT * THREADS)
TEST_LAYOUT(3, [3], [3], 3, COUNT * THREADS)
TEST_LAYOUT(4, [4], [4], 4, COUNT * THREADS)
TEST_LAYOUT(7, [7], [7], 7, COUNT * THREADS)
TEST_LAYOUT(8, [8], [8], 8, COUNT * THREADS)
TEST_LAYOUT(100, [100], [100], 100, COUNT * THREADS)
TEST_LAYOUT(all, [*], [COUNT], COUNT, COUNT * THREADS)
TEST_LAYOUT(indefinite, [], [], 0, COUNT)
TEST_LAYOUT(zero, [0], [0], 0, COUNT)

int main(void)
{
    test_default();
    test_1();
    test_2();
    test_3();
    test_4();
    test_7();
    test_8();
    test_100();
    test_all();
    test_indefinite();
    test_zero();
    return finish();
}
