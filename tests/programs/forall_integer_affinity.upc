// Clause: upc_forall with an integer affinity of any type, negative and 64-bit ones too (facts 1.12, gotcha 32)
#include <stdbool.h>
#include <upc.h>

#include "check.h"

#define TEST(TYPE, FIRST, LAST)                                                    \
    do {                                                                           \
        long done = 0, expected = 0;                                               \
        upc_forall (TYPE i = (FIRST); i < (LAST); i++; i) {                        \
            EQ(floor_mod((long long)i, THREADS), MYTHREAD);                        \
            done++;                                                                \
        }                                                                          \
        for (TYPE i = (FIRST); i < (LAST); i++)                                    \
            expected += floor_mod((long long)i, THREADS) == MYTHREAD;              \
        EQ(done, expected);                                                        \
    } while (0)

enum colour { RED, GREEN, BLUE };

int main(void)
{
    TEST(int, 0, 100);
    TEST(int, -50, 50);
    TEST(long, -7, 20);
    TEST(long long, 0x7fffffff0LL, 0x800000010LL);
    TEST(long long, -0x800000010LL, -0x7fffffff0LL);
    TEST(unsigned, 0, 100);
    TEST(unsigned long, 0x100000005UL, 0x100000045UL);
    TEST(short, -100, 100);
    TEST(unsigned short, 65000, 65535);
    TEST(signed char, -128, 127);
    TEST(unsigned char, 0, 255);
    TEST(unsigned, 4294967200u, 4294967295u);

    long done = 0;
    for (int b = 0; b < 2; b++)
        upc_forall (int i = 0; i < 3; i++; (bool)b)
            done++;
    EQ(done, 3 * ((0 % THREADS == MYTHREAD) + (1 % THREADS == MYTHREAD)));
    done = 0;
    upc_forall (int i = 0; i < 4; i++; BLUE)
        done++;
    EQ(done, 2 % THREADS == MYTHREAD ? 4 : 0);
    done = 0;
    upc_forall (unsigned long i = 0; i < 10; i++; 0xffffffffffffffffUL - i)
        done += (0xffffffffffffffffUL - i) % (unsigned long)THREADS == (unsigned long)MYTHREAD;
    long expected = 0;
    for (unsigned long i = 0; i < 10; i++)
        expected += (0xffffffffffffffffUL - i) % (unsigned long)THREADS == (unsigned long)MYTHREAD;
    EQ(done, expected);
    done = 0;
    upc_forall (int i = 0; i < 10; i++; MYTHREAD)
        done++;
    EQ(done, 10);
    unsigned __int128 far = (unsigned __int128)1 << 100;
    int owner = (int)(far % (unsigned)THREADS);
    done = 0;
    upc_forall (int i = 0; i < 1; i++; (unsigned __int128)1 << 100)
        done++;
    upc_forall (int i = 0; i < 1; i++; far)
        done++;
    upc_forall (int i = 0; i < THREADS; i++; far + i)
        EQ((owner + i) % THREADS, MYTHREAD);
    upc_forall (int i = 0; i < THREADS; i++; i - (__int128)far)
        EQ((THREADS - owner + i) % THREADS, MYTHREAD);
    EQ(done, owner == MYTHREAD ? 2 : 0);
    return finish();
}
