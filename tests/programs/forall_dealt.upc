/*
 * upc_forall loops that the compiler deals out: the same iterations on the same threads, the same order, the same
 * values of the loop variable afterwards as when each iteration is tested; also when the limit changes on the way, when
 * the loop is called from within another one, and when pointers do not begin on thread 0.
 */
#include <upc.h>

#include "check.h"

enum { N = 60 };

static shared int cyclic[N * THREADS];
static shared[4] int blocked[N * THREADS];
static shared[3] int rows[N * THREADS][3];
static shared[] int whole[N];
static shared int bound;
static int limit, order[64 * N], order_count;

static void note(int i)
{
    order[order_count++] = i;
}

/* The general form: every thread tests every iteration */
#define EXPECT(head, is_mine, body)                                                                                    \
    do {                                                                                                               \
        int seen = order_count, at = 0, v = -1;                                                                        \
        for (head) {                                                                                                   \
            if (is_mine) {                                                                                             \
                CHECK(at < seen && order[at] == (int)i);                                                               \
                at++;                                                                                                  \
                body                                                                                                   \
            }                                                                                                          \
        }                                                                                                              \
        EQ(at, seen);                                                                                                  \
        (void)v;                                                                                                       \
        order_count = 0;                                                                                               \
    } while (0)

static void shrink(int i)
{
    if (i > 10 && limit > 20)
        limit -= 7;
}

static void grow(int i)
{
    if (i % 5 == 0 && limit < N * THREADS - 3)
        limit += 3;
}

static void limits_that_change(void)
{
    int i, end;
    limit = N * THREADS;
    upc_forall (i = 0; i < limit; i++; i) { note(i); shrink(i); }
    end = i;
    limit = N * THREADS;
    EXPECT(i = 0; i < limit; i++, i % THREADS == MYTHREAD, shrink(i););
    EQ(i, end);

    limit = 7;
    upc_forall (i = 1; i <= limit; i += 2; &blocked[i]) { note(i); grow(i); }
    end = i;
    limit = 7;
    EXPECT(i = 1; i <= limit; i += 2, (int)upc_threadof(&blocked[i]) == MYTHREAD, grow(i););
    EQ(i, end);

    limit = N;
    upc_forall (i = 0; limit > i; ++i; &whole[i]) { note(i); shrink(i); }
    end = i;
    limit = N;
    EXPECT(i = 0; limit > i; ++i, MYTHREAD == 0, shrink(i););
    EQ(i, end);

    upc_forall (i = 0; i < bound; i++; &cyclic[i + 2]) note(i);
    EQ(i, N);
    EXPECT(i = 0; i < N; i++, (i + 2) % THREADS == MYTHREAD, );
}

static void variables_of_all_types(void)
{
    size_t u = 5;
    unsigned few = 9;
    upc_forall (u = 5; u < few; u++; u) note((int)u);
    EQ(u, 9);
    EXPECT(int i = 5; i < 9; i++, i % THREADS == MYTHREAD, );
    upc_forall (long i = -7; i < 8; i++; i) note((int)i);
    EXPECT(int i = -7; i < 8; i++, ((i % THREADS) + THREADS) % THREADS == MYTHREAD, );
    upc_forall (long long i = -7; i < 8; i++; &cyclic[i + 7]) note((int)i);
    EXPECT(int i = -7; i < 8; i++, (i + 7) % THREADS == MYTHREAD, );
    upc_forall (unsigned i = 0; i < 0u; i++; i) note((int)i);
    EQ(order_count, 0);
    unsigned below = 3;
    int i;
    upc_forall (i = 4; i < (int)below; i++; &blocked[i]) note(i);
    EQ(order_count, 0);
    EQ(i, 4);
    upc_forall (i = 0; i < N; i++; i / 5) note(i);
    EXPECT(i = 0; i < N; i++, i / 5 % THREADS == MYTHREAD, );
    for (int k = 0; k < 3; k++) {
        upc_forall (i = 0; i < N - 3; i++; &cyclic[i + k]) note(i + k);
        EXPECT(i = k; i < N - 3 + k; i++, i % THREADS == MYTHREAD, );
    }
}

static int owner(int unit)
{
    return (unit % THREADS + THREADS) % THREADS;
}

static void counting_down(void)
{
    int i, end;
    upc_forall (i = N; i >= 0; i--; i) note(i);
    EQ(i, -1);
    EXPECT(i = N; i >= 0; i--, i % THREADS == MYTHREAD, );
    upc_forall (i = N - 1; i > 3; i -= 3; &cyclic[i]) { cyclic[i] = -i; note(i); }
    end = i;
    EXPECT(i = N - 1; i > 3; i -= 3, i % THREADS == MYTHREAD, EQ(cyclic[i], -i););
    EQ(i, end);
    upc_forall (i = N - 1; i != -1; --i; &blocked[i]) { blocked[i] = i; note(i); }
    EQ(i, -1);
    EXPECT(i = N - 1; i != -1; --i, i / 4 % THREADS == MYTHREAD, EQ(blocked[i], i););
    upc_forall (unsigned u = N; u > 0; u--; &whole[u - 1]) note((int)u);
    EXPECT(i = N; i > 0; i--, MYTHREAD == 0, );
    limit = 5;
    upc_forall (i = N; i > limit; i -= 2; &blocked[i]) { note(i); limit += 3; }
    end = i;
    limit = 5;
    EXPECT(i = N; i > limit; i -= 2, i / 4 % THREADS == MYTHREAD, limit += 3;);
    EQ(i, end);
    upc_forall (i = -3; i > 0; i--; i) note(i);
    EQ(i, -3);
    EQ(order_count, 0);
}

static void units_apart(void)
{
    for (int step = 1; step < 10; step++) {
        upc_forall (int i = -5; i < N; i += step; i) note(i);
        EXPECT(int i = -5; i < N; i += step, owner(i) == MYTHREAD, );
        upc_forall (int i = N / 2 - 1; i > 5; i -= step; &cyclic[2 * i + 1]) { cyclic[2 * i + 1] = i; note(i); }
        EXPECT(int i = N / 2 - 1; i > 5; i -= step, owner(2 * i + 1) == MYTHREAD, EQ(cyclic[2 * i + 1], i););
        upc_forall (int i = 0; i < N / 3; i += step; &blocked[N - 1 - 3 * i]) { blocked[N - 1 - 3 * i] = i; note(i); }
        EXPECT(int i = 0; i < N / 3; i += step, owner((N - 1 - 3 * i) / 4) == MYTHREAD, EQ(blocked[N - 1 - 3 * i], i););
        upc_forall (int i = N; i >= 0; i--; 7 - step * i) note(i);
        EXPECT(int i = N; i >= 0; i--, owner(7 - step * i) == MYTHREAD, );
        upc_barrier;
    }
    for (int k = 0; k > -3; k--) {   // never positive: the loop must be left before it begins
        upc_forall (int i = 3; i < 3; i += k; i) note(i);
        EQ(order_count, 0);
    }
}

static void shares(void)
{
    for (int n = 1; n < 40; n += 3) {
        upc_forall (int i = 0; i < N; i++; i * THREADS / n) note(i);
        EXPECT(int i = 0; i < N; i++, owner(i * THREADS / n) == MYTHREAD, );
        upc_forall (int i = N; i >= 0; i -= 2; i / n) note(i);
        EXPECT(int i = N; i >= 0; i -= 2, owner(i / n) == MYTHREAD, );
        upc_forall (int i = -n; i < n; i++; i / 2) note(i);
        EXPECT(int i = -n; i < n; i++, owner(i / 2) == MYTHREAD, );
        upc_forall (int i = n; i > -9; i--; i / n) note(i);
        EXPECT(int i = n; i > -9; i--, owner(i / n) == MYTHREAD, );
        upc_forall (int i = 0; i < N; i++; n) note(i);
        EXPECT(int i = 0; i < N; i++, owner(n) == MYTHREAD, );
    }
}

static void ends_of_types(void)
{
    short s;
    upc_forall (s = 32760; s < 32767; s++; s) note(s);
    EQ(s, 32767);
    EXPECT(int i = 32760; i < 32767; i++, owner(i) == MYTHREAD, );
    upc_forall (s = -32760; s > -32768; s--; s) note(s);
    EQ(s, -32768);
    EXPECT(int i = -32760; i > -32768; i--, owner(i) == MYTHREAD, );
    unsigned char c, bottom = 1;
    upc_forall (c = 250; c != 3; c++; c) note(c);   // wraps around
    EQ(c, 3);
    EXPECT(unsigned char i = 250; i != 3; i++, owner(i) == MYTHREAD, );
    upc_forall (c = 5; c > bottom; c -= 3; c) note(c);   // 5, 2, 255, 252, ...
    EQ(c, 0);
    EXPECT(unsigned char i = 5; i > bottom; i -= 3, owner(i) == MYTHREAD, );
}

/* All iterations, each with its own element, when called within a loop: upwards, downwards, with steps, from the middle
 * of a block */
static void all_at_their_elements(void)
{
    int step = 5;
    upc_forall (int i = 2; i < N; i++; &blocked[i]) {
        note(i);
        EQ(blocked[i], 1000 + i);
        EQ(rows[i][2], 3 * i + 2);
    }
    EXPECT(int i = 2; i < N; i++, 1, );
    upc_forall (int i = N - 1; i > 3; i -= 2; &blocked[i]) {
        note(i);
        EQ(blocked[i], 1000 + i);
    }
    EXPECT(int i = N - 1; i > 3; i -= 2, 1, );
    upc_forall (int i = 1; i < N; i += step; &blocked[N - i]) {
        note(i);
        EQ(blocked[N - i], 1000 + N - i);
    }
    EXPECT(int i = 1; i < N; i += step, 1, );
    upc_forall (int i = 0; i < N; i++; i / 7)
        note(i);
    EXPECT(int i = 0; i < N; i++, 1, );
    upc_forall (int i = 0; i < N; i++; i * THREADS / N)
        note(i);
    EXPECT(int i = 0; i < N; i++, 1, );
    upc_forall (int i = 1; i < N; i++; &rows[i][0]) {
        note(i);
        EQ(rows[i][0] + rows[i][1], 6 * i + 1);
    }
    EXPECT(int i = 1; i < N; i++, 1, );
    upc_forall (int i = 0; i < N; i++; &whole[i]) {
        note(i);
        EQ(whole[i], 2000 + i);
    }
    EXPECT(int i = 0; i < N; i++, 1, );
    upc_forall (int i = 0; i < 3; i++; &cyclic[THREADS - 1])
        note(i);
    EXPECT(int i = 0; i < 3; i++, 1, );
}

static void each_calls_all_of_them(void)
{
    if (MYTHREAD == 0)
        for (int i = 0; i < N; i++) {
            blocked[i] = 1000 + i;
            whole[i] = 2000 + i;
            for (int j = 0; j < 3; j++)
                rows[i][j] = 3 * i + j;
        }
    upc_barrier;
    upc_forall (int t = 0; t < THREADS; t++; t)
        all_at_their_elements();
    upc_barrier;
}

static int all_of_them(void)
{
    int count = 0;
    upc_forall (int i = 0; i < N; i++; &blocked[i])
        count++;
    return count;
}

static void called_from_a_loop(void)
{
    int count = 0;
    upc_forall (int i = 0; i < THREADS; i++; i)
        count = all_of_them();
    EQ(count, N);
    int outer = 0, inner = 0;
    upc_forall (int i = 0; i < THREADS; i++; i) {
        outer++;
        upc_forall (int j = 0; j < 10; j++; &cyclic[j]) {
            if (j == 4)
                continue;
            inner++;
        }
    }
    EQ(outer, 1);
    EQ(inner, 9);
}

static int calls;
static int affinity_with_effects(int i)
{
    calls++;
    return i;
}

static void effects_of_affinity(void)
{
    upc_forall (int i = 0; i < THREADS; i++; i) {
        upc_forall (int j = 0; j < 3; j++; affinity_with_effects(j))
            ;
    }
    EQ(calls, 3);
    upc_forall (int j = 0; j < 5; j++; affinity_with_effects(j))
        ;
    EQ(calls, 8);
}

static void pointers(void)
{
    for (int first = 0; first < 9; first++) {
        shared int *p = cyclic + first;
        shared[4] int *q = blocked + first;
        upc_forall (int i = 0; i < 20; i++; &p[i]) { p[i] = i; note(i); }
        EXPECT(int i = 0; i < 20; i++, (i + first) % THREADS == MYTHREAD, EQ(cyclic[i + first], i););
        upc_forall (int i = 0; i < 20; i++; q + i) { q[i] = i; note(i); }
        EXPECT(int i = 0; i < 20; i++, (i + first) / 4 % THREADS == MYTHREAD, EQ(blocked[i + first], i););
        upc_barrier;
    }
    shared[] int *w = whole + 3;
    upc_forall (int i = 0; i < 20; i++; &w[i]) { w[i] = i; note(i); }
    EXPECT(int i = 0; i < 20; i++, MYTHREAD == 0, EQ(whole[i + 3], i););
}

static void elements(void)
{
    upc_forall (int i = 0; i < N * THREADS; i++; &rows[i][1])
        for (int j = 0; j < 3; j++)
            rows[i][j] = 10 * i + j;
    upc_forall (int i = 0; i < N * THREADS; i++; &blocked[i])
        blocked[i] = i;
    upc_barrier;
    for (int i = 0; i < N * THREADS; i++) {
        for (int j = 0; j < 3; j++)
            EQ(rows[i][j], 10 * i + j);
        EQ(blocked[i], i);
    }
    for (int i = 0; i < N; i++)
        EQ(upc_threadof(&cyclic[i * THREADS + MYTHREAD]), (size_t)MYTHREAD);
    upc_barrier;
    for (int i = 0; i < N; i++) {
        cyclic[i * THREADS + MYTHREAD] = i;
        rows[MYTHREAD + THREADS * i][2] = -i;
        cyclic[MYTHREAD + (i / 2) * THREADS] += 1;
    }
    upc_barrier;
    for (int i = 0; i < N * THREADS; i++) {
        EQ(cyclic[i], i / THREADS + (i / THREADS < N / 2 ? 2 : 0));
        EQ(rows[i][2], -(i / THREADS));
    }
}

/* Where there is no iteration, the program evaluates neither affinity nor step, which would divide by zero. */
static void nothing(int n, int zero)
{
    int i, k = 3;
    upc_forall (i = 0; i < n; i++; &cyclic[i + 5 / zero])
        note(i);
    EQ(i, 0);
    upc_forall (i = 0; i < n; i += 5 / zero; &blocked[i])
        note(i);
    upc_forall (i = 0; i < n; i++; i / (5 % zero))
        note(i);
    upc_forall (i = 0; i < n; i++; 5 / zero)
        note(i);
    upc_forall (i = 0; i < n; i++, k += 5 / zero; i)
        note(k);
    EQ(k, 3);
    EQ(order_count, 0);
    upc_forall (i = 0; i < N * THREADS; i++; &cyclic[i])
        if (zero != 0)
            cyclic[i] = rows[5 / zero][1];
}

int main(void)
{
    if (MYTHREAD == 0)
        bound = N;
    upc_barrier;
    limits_that_change();
    variables_of_all_types();
    counting_down();
    units_apart();
    shares();
    ends_of_types();
    called_from_a_loop();
    each_calls_all_of_them();
    effects_of_affinity();
    pointers();
    upc_barrier;
    elements();
    nothing(limit - limit, bound - bound);
    return finish();
}
