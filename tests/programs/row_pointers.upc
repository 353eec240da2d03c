// Clause: arrays of two dimensions, pointers to rows (facts 1.7, 1.9, gotcha 10)
#include "rows.h"

TEST_ROWS(1, 1)
TEST_ROWS(1, 4)
TEST_ROWS(1, 5)
TEST_ROWS(2, 3)
TEST_ROWS(3, 4)
TEST_ROWS(4, 3)
TEST_ROWS(4, 4)
TEST_ROWS(4, 8)
TEST_ROWS(5, 7)
TEST_ROWS(7, 5)
TEST_ROWS(10, 5)
TEST_ROWS(16, 3)

int main(void)
{
    test_1_1();
    test_1_4();
    test_1_5();
    test_2_3();
    test_3_4();
    test_4_3();
    test_4_4();
    test_4_8();
    test_5_7();
    test_7_5();
    test_10_5();
    test_16_3();
    return finish();
}
