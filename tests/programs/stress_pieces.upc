// Facts 3.1: random lists, pieces of one length, pieces at one distance and boxes, in all directions, blocking and not,
// of any shape, against copies of single bytes; no byte beside the pieces changes.
#include <upc_relaxed.h>

#include <bupc_copy.h>

#include "check.h"

enum { BYTES = 8192, PIECES = 40, ROUNDS = 1500, LEVELS = 3 };

/* The places of the copied bytes, in order, in the destination and in the source */
static size_t from_place[BYTES], to_place[BYTES];
static size_t count;

static shared [] unsigned char *shared sources[THREADS], *shared targets[THREADS];
static unsigned char from[BYTES], to[BYTES], expected[BYTES];

static unsigned long seed;

static size_t random_below(size_t n)
{
    seed = seed * 6364136223846793005UL + 1442695040888963407UL;
    return (size_t)(seed >> 33) % n;
}

enum direction { COPY, PUT, GET };

/* The addresses of a place in the form that each direction needs; the shared ones are on other threads. */
static shared [] unsigned char *shared_source(size_t place)
{
    return sources[(MYTHREAD + 1) % THREADS] + place;
}

static shared [] unsigned char *shared_target(size_t place)
{
    return targets[(MYTHREAD + THREADS - 1) % THREADS] + place;
}

/* ---- Pieces of any length ---- */

/* Divides `total` bytes into pieces; their places increase, with gaps, or jump. */
static size_t cut(size_t total, size_t place[], size_t len[], int may_overlap)
{
    size_t n = 0, at = random_below(50);
    while (total > 0 || (n < PIECES && random_below(3) == 0)) {
        len[n] = n == PIECES - 1 ? total : random_below(total / 2 + 2);
        if (len[n] > total)
            len[n] = total;
        place[n] = may_overlap ? random_below(BYTES - len[n]) : at;
        at += len[n] + random_below(20);
        total -= len[n++];
    }
    return n;
}

static void note_places(size_t n, const size_t place[], const size_t len[], size_t result[])
{
    count = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < len[i]; k++)
            result[count++] = place[i] + k;
}

static bupc_handle_t lists(enum direction direction, int is_async)
{
    bupc_smemvec_t shared_dst[PIECES], shared_src[PIECES];
    bupc_pmemvec_t dst[PIECES], src[PIECES];
    size_t place[PIECES], len[PIECES], total = random_below(2000);
    size_t n = cut(total, place, len, 0);
    note_places(n, place, len, to_place);
    for (size_t i = 0; i < n; i++) {
        shared_dst[i] = (bupc_smemvec_t){shared_target(place[i]), len[i]};
        dst[i] = (bupc_pmemvec_t){to + place[i], len[i]};
    }
    size_t m = cut(total, place, len, 1);
    note_places(m, place, len, from_place);
    for (size_t i = 0; i < m; i++) {
        shared_src[i] = (bupc_smemvec_t){shared_source(place[i]), len[i]};
        src[i] = (bupc_pmemvec_t){from + place[i], len[i]};
    }
    switch (direction + 3 * is_async) {
    case COPY: bupc_memcpy_vlist(n, shared_dst, m, shared_src); break;
    case PUT: bupc_memput_vlist(n, shared_dst, m, src); break;
    case GET: bupc_memget_vlist(n, dst, m, shared_src); break;
    case 3 + COPY: return bupc_memcpy_vlist_async(n, shared_dst, m, shared_src);
    case 3 + PUT: return bupc_memput_vlist_async(n, shared_dst, m, src);
    case 3 + GET: return bupc_memget_vlist_async(n, dst, m, shared_src);
    }
    return BUPC_COMPLETE_HANDLE;
}

/* ---- Pieces of one length ---- */

/* The same total on both sides: a * b bytes c times, and b * c bytes a times */
static void choose_sizes(size_t *dst_len, size_t *dst_count, size_t *src_len, size_t *src_count)
{
    size_t a = random_below(12) + 1, b = random_below(9) + 1, c = random_below(12) + 1;
    *dst_len = a * b;
    *dst_count = c;
    *src_len = b * c;
    *src_count = a;
}

static bupc_handle_t equal_pieces(enum direction direction, int is_async)
{
    shared void *shared_dst[PIECES];
    shared const void *shared_src[PIECES];
    void *dst[PIECES];
    const void *src[PIECES];
    size_t place[PIECES], len[PIECES], dl, n, sl, m, at = random_below(100);
    choose_sizes(&dl, &n, &sl, &m);
    for (size_t i = 0; i < n; i++) {
        shared_dst[i] = shared_target(at);
        dst[i] = to + at;
        place[i] = at;
        len[i] = dl;
        at += dl + random_below(30);
    }
    note_places(n, place, len, to_place);
    for (size_t i = 0; i < m; i++) {
        place[i] = random_below(BYTES - sl);
        len[i] = sl;
        shared_src[i] = shared_source(place[i]);
        src[i] = from + place[i];
    }
    note_places(m, place, len, from_place);
    switch (direction + 3 * is_async) {
    case COPY: bupc_memcpy_ilist(n, shared_dst, dl, m, shared_src, sl); break;
    case PUT: bupc_memput_ilist(n, shared_dst, dl, m, src, sl); break;
    case GET: bupc_memget_ilist(n, dst, dl, m, shared_src, sl); break;
    case 3 + COPY: return bupc_memcpy_ilist_async(n, shared_dst, dl, m, shared_src, sl);
    case 3 + PUT: return bupc_memput_ilist_async(n, shared_dst, dl, m, src, sl);
    case 3 + GET: return bupc_memget_ilist_async(n, dst, dl, m, shared_src, sl);
    }
    return BUPC_COMPLETE_HANDLE;
}

/* ---- Pieces at one distance ---- */

static void note_row(size_t first, size_t len, size_t stride, size_t n, size_t result[])
{
    count = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < len; k++)
            result[count++] = first + i * stride + k;
}

static bupc_handle_t rows(enum direction direction, int is_async)
{
    size_t dl, n, sl, m, t = random_below(100), s = random_below(100);
    choose_sizes(&dl, &n, &sl, &m);
    size_t ds = dl + random_below(100), ss = sl + random_below(100);
    note_row(t, dl, ds, n, to_place);
    note_row(s, sl, ss, m, from_place);
    switch (direction + 3 * is_async) {
    case COPY: bupc_memcpy_fstrided(shared_target(t), dl, ds, n, shared_source(s), sl, ss, m); break;
    case PUT: bupc_memput_fstrided(shared_target(t), dl, ds, n, from + s, sl, ss, m); break;
    case GET: bupc_memget_fstrided(to + t, dl, ds, n, shared_source(s), sl, ss, m); break;
    case 3 + COPY: return bupc_memcpy_fstrided_async(shared_target(t), dl, ds, n, shared_source(s), sl, ss, m);
    case 3 + PUT: return bupc_memput_fstrided_async(shared_target(t), dl, ds, n, from + s, sl, ss, m);
    case 3 + GET: return bupc_memget_fstrided_async(to + t, dl, ds, n, shared_source(s), sl, ss, m);
    }
    return BUPC_COMPLETE_HANDLE;
}

/* ---- Boxes ---- */

static void choose_strides(const size_t counts[], size_t strides[], size_t levels)
{
    size_t extent = counts[0];
    for (size_t i = 0; i < levels; i++) {
        strides[i] = extent + random_below(10);
        extent = strides[i] * counts[i + 1];
    }
}

static void note_box(size_t first, const size_t counts[], const size_t strides[], size_t levels, size_t result[])
{
    size_t total = 1;
    for (size_t i = 0; i <= levels; i++)
        total *= counts[i];
    for (count = 0; count < total; count++) {
        size_t rest = count / counts[0], place = first + count % counts[0];
        for (size_t i = 0; i < levels; i++) {
            place += rest % counts[i + 1] * strides[i];
            rest /= counts[i + 1];
        }
        result[count] = place;
    }
}

static bupc_handle_t boxes(enum direction direction, int is_async)
{
    size_t levels = random_below(LEVELS + 1), counts[LEVELS + 1], d[LEVELS], s[LEVELS];
    size_t t = random_below(50), f = random_below(50);
    for (size_t i = 0; i <= levels; i++)
        counts[i] = random_below(i == 0 ? 10 : 5) + (random_below(20) != 0);
    choose_strides(counts, d, levels);
    choose_strides(counts, s, levels);
    note_box(t, counts, d, levels, to_place);
    note_box(f, counts, s, levels, from_place);
    switch (direction + 3 * is_async) {
    case COPY: bupc_memcpy_strided(shared_target(t), d, shared_source(f), s, counts, levels); break;
    case PUT: bupc_memput_strided(shared_target(t), d, from + f, s, counts, levels); break;
    case GET: bupc_memget_strided(to + t, d, shared_source(f), s, counts, levels); break;
    case 3 + COPY: return bupc_memcpy_strided_async(shared_target(t), d, shared_source(f), s, counts, levels);
    case 3 + PUT: return bupc_memput_strided_async(shared_target(t), d, from + f, s, counts, levels);
    case 3 + GET: return bupc_memget_strided_async(to + t, d, shared_source(f), s, counts, levels);
    }
    return BUPC_COMPLETE_HANDLE;
}

int main(void)
{
    bupc_handle_t (*const kinds[])(enum direction, int) = {lists, equal_pieces, rows, boxes};
    seed = (unsigned long)MYTHREAD * 31 + 5;
    for (int i = 0; i < BYTES; i++)
        from[i] = (unsigned char)(i * 11 + i / 256 + 1); /* the same on all threads */
    sources[MYTHREAD] = (shared [] unsigned char *)upc_alloc(BYTES);
    targets[MYTHREAD] = (shared [] unsigned char *)upc_alloc(BYTES);
    upc_memput(sources[MYTHREAD], from, BYTES);
    upc_barrier;
    for (int round = 0; round < ROUNDS; round++) {
        enum direction direction = (enum direction)random_below(3);
        unsigned char got[BYTES];
        int background = (int)random_below(256);
        memset(to, background, BYTES);
        memset(expected, background, BYTES);
        upc_memset(shared_target(0), background, BYTES);
        bupc_waitsync(kinds[random_below(4)](direction, (int)random_below(2)));
        for (size_t i = 0; i < count; i++)
            expected[to_place[i]] = from[from_place[i]];
        memcpy(got, to, BYTES);
        if (direction != GET)
            upc_memget(got, shared_target(0), BYTES);
        CHECK(memcmp(got, expected, BYTES) == 0);
    }
    upc_barrier;
    upc_free(sources[MYTHREAD]);
    upc_free(targets[MYTHREAD]);
    return finish();
}
