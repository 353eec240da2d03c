// Every form of access to objects of all other threads, near and far: members, bit-fields, structs, packed structs,
// complex numbers.
#include <complex.h>
#include <upc_relaxed.h>
#include "check.h"

struct cell {
    char before;
    unsigned low : 3;
    int middle : 13;
    _Bool flag : 1;
    const int fixed : 4;
    unsigned long long high : 40;
    short row[3];
    union {
        int number;
        float real;
    };
};

struct packed {
    char before;
    double value;
    short odd;
} __attribute__((packed));

shared struct cell cells[THREADS];
shared struct packed packs[THREADS];
shared [4] long blocks[4 * THREADS];
shared double complex z[THREADS];
shared _Bool flags[THREADS];
shared float reals[THREADS];
shared int *shared pointers[THREADS];
shared int targets[2 * THREADS];
int (*shared functions[THREADS])(int);
strict shared int signals[THREADS];

static int next(int i)
{
    return i + 1;
}

static void members(int other)
{
    struct cell copy = {0};
    unsigned long long beyond = 1ull << 40; /* more than fits into the bit-field */
    cells[other].before = 'b';
    cells[other].low = 6;
    cells[other].middle = -77;
    cells[other].flag = 4;
    cells[other].high = 0x1234567890ull;
    for (int i = 0; i < 3; i++)
        cells[other].row[i] = (short)(i * i);
    cells[other].real = 1.0f;
    CHECK(cells[other].before == 'b' && cells[other].low == 6 && cells[other].middle == -77);
    CHECK(cells[other].flag == 1 && cells[other].fixed == 0 && cells[other].high == 0x1234567890ull);
    CHECK(cells[other].row[0] == 0 && cells[other].row[1] == 1 && cells[other].row[2] == 4 &&
          cells[other].number == 0x3f800000);
    CHECK((cells[other].low += 3) == 1 && cells[other].low++ == 1 && --cells[other].low == 1);
    CHECK((cells[other].middle -= 1) == -78 && cells[other].middle++ == -78 && cells[other].middle == -77);
    CHECK((cells[other].high = beyond | 3) == 3);
    cells[other].flag ^= 1;
    CHECK(cells[other].flag == 0 && cells[other].before == 'b' && cells[other].row[0] == 0);
    upc_memget(&copy, &cells[other], sizeof copy);
    CHECK(copy.low == 1 && copy.middle == -77 && copy.high == 3 && copy.row[2] == 4);
    struct cell whole = cells[other];
    CHECK(whole.low == 1 && whole.row[2] == 4);
}

static void packed_members(int other)
{
    struct packed all = {'x', 2.5, 7};
    packs[other] = all;
    packs[other].value *= 2;
    CHECK(packs[other].before == 'x' && packs[other].value == 5 && packs[other].odd++ == 7 && packs[other].odd == 8);
    all = packs[other];
    CHECK(all.value == 5 && all.odd == 8);
}

static void scalars(int other)
{
    int i = 4 * other;
    shared [4] long *walk = &blocks[i];
    blocks[i++] = 3;
    CHECK(i == 4 * other + 1 && (blocks[i] = 4) == 4 && (blocks[i] <<= 2) == 16 && blocks[i]-- == 16 &&
          *(walk + 1) == 15);
    *walk++ += 10;
    CHECK(blocks[4 * other] == 13 && (walk[0] %= 4) == 3);
    z[other] = 1.0 + 2.0 * I;
    __real__ z[other] = 5;
    CHECK(creal(z[other]) == 5 && __imag__ z[other] == 2 && z[other] * z[other] == 21.0 + 20.0 * I);
    flags[other] = 2;
    CHECK(flags[other] == 1 && (flags[other] &= 0) == 0);
    reals[other] = 0.5f;
    CHECK(++reals[other] == 1.5f && reals[other]-- == 1.5f);
    functions[other] = next;
    CHECK(functions[other](3) == 4);
}

static void pointers_to_shared(int other)
{
    targets[other] = 100 + other;
    targets[other + THREADS] = 200 + other;
    pointers[other] = &targets[other];
    CHECK(*pointers[other] == 100 + other && pointers[other][THREADS] == 200 + other);
    pointers[other] += THREADS;
    CHECK(*pointers[other] == 200 + other && upc_threadof(pointers[other]) == (size_t)other);
    CHECK(pointers[other]-- == &targets[other + THREADS]);
    CHECK(pointers[other] == &targets[other + THREADS] - 1 && pointers[other] != NULL);
    pointers[other] = NULL;
    CHECK(!pointers[other]);
}

int main(void)
{
    int partner = (MYTHREAD + THREADS / 2) % THREADS;
    for (int turn = 0; turn < THREADS; turn++) {
        int other = (MYTHREAD + turn) % THREADS;
        members(other);
        packed_members(other);
        scalars(other);
        pointers_to_shared(other);
        upc_barrier;
    }
    signals[partner] = MYTHREAD + 1;
    while (signals[MYTHREAD] == 0)
        ;
    CHECK(signals[partner] == MYTHREAD + 1);
    return finish();
}
