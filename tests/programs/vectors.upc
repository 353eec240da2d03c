// Clause: elements of vectors (GNU C) in shared memory are objects as members are: shared [], on the vector's thread
// (facts 1.9, address-of)
#include <upc.h>

#include "check.h"

typedef int integers __attribute__((vector_size(16)));
typedef double doubles __attribute__((vector_size(32)));
struct packed {
    char tag;
    integers v;
} __attribute__((packed));
struct box {
    char tag;
    doubles d;
    integers rows[3];
};

shared integers one;
strict shared integers ordered[THREADS];
shared integers all[THREADS];
shared [3] integers blocks[6 * THREADS];
shared struct packed packed[THREADS];
shared [2] struct box boxes[2 * THREADS];
shared int __attribute__((vector_size(8))) written_out[THREADS];
volatile shared integers changing[THREADS];
shared const integers constant;
shared [] int *in_one = &one[2];

static void each_way_to_write(int at)
{
    EQ(all[at][1] = 7, 7);
    EQ(all[at][1] += 5, 12);
    EQ(all[at][1]++, 12);
    EQ(--all[at][1], 12);
    EQ(all[at][1]--, 12);
    EQ(all[at][1], 11);
    EQ(all[at][0] + all[at][2] + all[at][3], 0);
    for (int k = 0; k < 4; k++) {
        EQ(ordered[at][k] = k, k);
        EQ(ordered[at][k] += 5, k + 5);
        EQ(ordered[at][k]++, k + 5);
        EQ(++ordered[at][k], k + 7);
        changing[at][k] = ordered[at][k];
        changing[at][k] ^= 1;
    }
    integers copy = changing[at];
    EQ(copy[3], 11);
    EQ(constant[at % 4], 0);
    written_out[at][1] = -1;
    written_out[at][0] -= written_out[at][1];
    EQ(written_out[at][0] + written_out[at][1], 0);
}

static void parts_of_structs(int at)
{
    packed[at].v[3] = 9;
    packed[at].v[3] *= 3;
    packed[at].v[0] = packed[at].v[3]--;
    EQ(packed[at].v[3], 26);
    EQ(packed[at].v[0], 27);
    EQ(packed[at].tag, 0);
    shared [2] struct box *box = &boxes[2 * at + 1];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            box->rows[i][k] += 10 * i + k;
    for (int k = 0; k < 4; k++)
        (*box).d[k] = box->rows[2][k] / 2.0;
    CHECK(boxes[2 * at + 1].d[3] == 11.5);
    integers row = box->rows[1];
    EQ(row[0] + row[1] + row[2] + row[3], 46);
    EQ(boxes[2 * at].rows[1][1], 0);
}

static void addresses(int at)
{
    shared [] int *element = &all[at][1];
    EQ(upc_threadof(element), at);
    EQ(upc_phaseof(element), 0);
    EQ(upc_addrfield(&all[at][at % 4]) - upc_addrfield(&all[at]), at % 4 * sizeof(int));
    *element = 5;
    element[1] = 6;
    EQ(all[at][1], 5);
    EQ(all[at][2], 6);
    shared [2] struct box *box = &boxes[2 * at];
    EQ(upc_threadof(&box->rows[2][1]), at);
    EQ(&box->rows[2][1] - &box->rows[0][0], 9);
    EQ(upc_addrfield(&box->d[3]) - upc_addrfield(box), offsetof(struct box, d) + 3 * sizeof(double));
    EQ(upc_addrfield(&packed[at].v[at % 2]) - upc_addrfield(&packed[at]), 1 + at % 2 * sizeof(int));
    EQ(upc_blocksizeof(all[at][1]), 0);
    EQ(upc_threadof(in_one), 0);
    EQ(upc_addrfield(in_one) - upc_addrfield(&one), 2 * sizeof(int));
    int *mine = (int *)&all[MYTHREAD][3];
    *mine = MYTHREAD;
    EQ(all[MYTHREAD][3], MYTHREAD);
}

static void pointers_and_loops(void)
{
    shared [3] integers *p = blocks;
    if (MYTHREAD == THREADS - 1)
        for (int i = 0; i < 6 * THREADS; i++, p++)
            (*p)[i % 4] = i;
    upc_barrier;
    upc_forall (int i = 0; i < 6 * THREADS; i++; &blocks[i][1]) {
        EQ(upc_threadof(&blocks[i]), MYTHREAD);
        for (int k = 0; k < 4; k++) {
            EQ(blocks[i][k], k == i % 4 ? i : 0);
            blocks[i][k] += k;
        }
    }
    upc_forall (int i = 0; i < 6 * THREADS; i++; &blocks[i])
        blocks[i][0] = 2 * i;
    upc_barrier;
    int sum = 0;
    for (int i = 0; i < 6 * THREADS; i++)
        sum += blocks[i][0] == 2 * i && blocks[i][3] == 3 + (i % 4 == 3 ? i : 0);
    EQ(sum, 6 * THREADS);
}

int main(void)
{
    each_way_to_write((MYTHREAD + 1) % THREADS);
    parts_of_structs((MYTHREAD + 1) % THREADS);
    upc_barrier;
    addresses((MYTHREAD + 1) % THREADS);
    upc_barrier;
    pointers_and_loops();
    return finish();
}
