// Clause: upc_forall over elements of pointers-to-shared in private structs (facts 1.12)
#include <upc.h>

#include "check.h"

#define N (6 * THREADS)

struct vector {
    int length;
    struct {
        shared int *data;
    } part;
};

shared int a[N], b[2 * N];
shared [2] int rows[N][2];
shared struct vector kept[THREADS];
static struct vector global;
static int done;

static void change(void)
{
    global.part.data = b + 1;
}

// The loop, and the same without upc_forall, from the state that `start` sets, execute the same iterations.
#define SAME(start, limit, element, body)                                                                              \
    do {                                                                                                               \
        long order[2] = {0, 0};                                                                                        \
        start;                                                                                                         \
        upc_forall (int i = 0; i < (limit); i++; &element[i]) {                                                        \
            order[0] = order[0] * 7 + i + 1;                                                                           \
            body;                                                                                                      \
        }                                                                                                              \
        start;                                                                                                         \
        for (int i = 0; i < (limit); i++)                                                                              \
            if ((int)upc_threadof(&element[i]) == MYTHREAD) {                                                          \
                order[1] = order[1] * 7 + i + 1;                                                                       \
                body;                                                                                                  \
            }                                                                                                          \
        EQ(order[0], order[1]);                                                                                        \
    } while (0)

static void own(struct vector *p, struct vector *none)
{
    struct vector v = {N, {a}};
    SAME(, v.length, v.part.data, v.part.data[i] = i);
    SAME(, p->length, p->part.data, p->part.data[i] += 2);
    SAME(p->part.data = b + 1, p->length, p->part.data, (void)0);
    p->part.data = a;
    SAME(, none == NULL ? 0 : none->length, none->part.data, (void)0);
    SAME(, N, v.part.data, if (none != NULL) none->part.data[i] = 1);
}

static void changed(void)
{
    struct vector v = {N, {a}}, *p = &v, *at = (struct vector *)&kept[MYTHREAD];
    shared int **member = &v.part.data;
    SAME(v.part.data = a, N, v.part.data, if (i > THREADS) v.part.data = b + 1);
    SAME(v.part.data = a, N, v.part.data, if (i > THREADS) *member = b + 1);
    SAME(v.part.data = a, N, p->part.data, if (i > THREADS) v.part.data = b + 1);
    SAME(at->part.data = a, N, at->part.data, if (i > THREADS) kept[MYTHREAD].part.data = b + 1);
    SAME(global.part.data = a, N, global.part.data, if (i > THREADS) change());
}

static void limits(void)
{
    struct vector v = {N, {a}}, *p = &v, *at = (struct vector *)&kept[MYTHREAD];
    int *length = &v.length;
    static int count;
    SAME(count = v.length = N, p->length, a, count++);
    SAME(v.length = N, p->length, a, if (i > THREADS) v.length = 3 * THREADS);
    SAME(v.length = N, *length, a, if (i > THREADS) p->length = 3 * THREADS);
    SAME(at->length = N, at->length, a, if (i > THREADS) kept[MYTHREAD].length = 3 * THREADS);
    SAME(count = N, *(i < N ? &count : length), a, if (i > THREADS) count = 3 * THREADS);
    SAME(global.length = N, global.length, a, if (i > THREADS) global.length = 3 * THREADS);
}

static void read_by_affinity(struct vector *none)
{
    upc_forall (int i = 0; i < N; i++; &rows[i][none != NULL ? none->part.data[0] : 0])
        done++;
}

int main(void)
{
    struct vector v = {N, {a}};
    own(&v, NULL);
    upc_barrier;
    for (int i = 0; i < N; i++)
        EQ(a[i], i + 4); // each of the two loops that add 2 ran twice over the elements of a
    upc_barrier;
    changed();
    limits();
    read_by_affinity(NULL);
    EQ(done, 6);
    return finish();
}
