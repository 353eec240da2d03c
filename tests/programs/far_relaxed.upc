// Relaxed accesses to other threads' memory: a thread sees its own writes, whatever way they went, and after each
// synchronisation those of others.
// races: no, threads wait for relaxed flags
#include <upc_relaxed.h>
#include <upc_atomic.h>
#include <upc_nb.h>
#include "check.h"

enum { BYTES = 40000, STEPS = 6000, LONGEST = 5000, ROUNDS = 6, WORDS = 600 };

struct odd {
    char bytes[37];
};
struct bits {
    unsigned low : 5, middle : 17, high : 10;
};

shared [] char *shared regions[THREADS];
shared [WORDS] long words[WORDS * THREADS];
shared long relaxed_flags[THREADS];
strict shared long flags[THREADS];
shared long totals[THREADS];

static unsigned char mirror[BYTES];
static unsigned char block[LONGEST];
static unsigned long state;

static unsigned pick(unsigned below)
{
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(state >> 33) % below;
}

static void fill(unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)pick(256);
}

// Writes an object of type T, or reads and compares it.
#define ACCESS(T)                                                              \
    do {                                                                       \
        T value;                                                               \
        shared [] T *place = (shared [] T *)(region + at);                     \
        if (pick(2)) {                                                         \
            fill((unsigned char *)&value, sizeof value);                       \
            *place = value;                                                    \
            memcpy(mirror + at, &value, sizeof value);                         \
        } else {                                                               \
            value = *place;                                                    \
            EQ(memcmp(mirror + at, &value, sizeof value), 0);                  \
        }                                                                      \
    } while (0)

static void access_object(shared [] char *region, unsigned at)
{
    switch (pick(8)) {
    case 0: ACCESS(char); break;
    case 1: at &= ~1u; ACCESS(short); break;
    case 2: at &= ~3u; ACCESS(int); break;
    case 3: case 4: at &= ~7u; ACCESS(long); break;
    case 5: ACCESS(struct odd); break;
    case 6: {
        at &= ~3u;
        shared [] struct bits *place = (shared [] struct bits *)(region + at);
        struct bits own;
        memcpy(&own, mirror + at, sizeof own);
        EQ(place->middle, own.middle);
        place->middle = own.middle = own.middle + 77;
        memcpy(mirror + at, &own, sizeof own);
        break;
    }
    default: {
        at &= ~7u;
        shared [] long *place = (shared [] long *)(region + at);
        long own;
        memcpy(&own, mirror + at, sizeof own);
        EQ(++*place, ++own);
        memcpy(mirror + at, &own, sizeof own);
    }
    }
}

static void copy_block(shared [] char *region, unsigned at, unsigned bytes)
{
    switch (pick(6)) {
    case 0:
        fill(mirror + at, bytes);
        upc_memput(region + at, mirror + at, bytes);
        break;
    case 1:
        upc_memset(region + at, (int)bytes % 100, bytes);
        memset(mirror + at, (int)bytes % 100, bytes);
        break;
    case 2: {
        fill(mirror + at, bytes);
        memcpy(block, mirror + at, bytes);
        upc_handle_t handle = upc_memput_nb(region + at, block, bytes);
        EQ(region[at + bytes / 2], (char)mirror[at + bytes / 2]);
        upc_sync(handle);
        break;
    }
    case 3: {
        upc_handle_t handle = upc_memget_nb(block, region + at, bytes);
        upc_sync(handle);
        EQ(memcmp(block, mirror + at, bytes), 0);
        break;
    }
    default:
        upc_memget(block, region + at, bytes);
        EQ(memcmp(block, mirror + at, bytes), 0);
    }
}

static void synchronise(upc_atomicdomain_t *domain, upc_lock_t *lock, shared [] char *region, unsigned at)
{
    switch (pick(5)) {
    case 0: upc_fence; break;
    case 1: flags[MYTHREAD] = 1; break;
    case 2: upc_poll(); break;
    case 3:
        upc_lock(lock);
        upc_unlock(lock);
        break;
    default: {
        long own, old, more = 12345;
        at &= ~7u;
        memcpy(&own, mirror + at, sizeof own);
        upc_atomic_relaxed(domain, &old, UPC_ADD, region + at, &more, NULL);
        EQ(old, own);
        own += more;
        memcpy(mirror + at, &own, sizeof own);
    }
    }
}

// Only one thread uses the memory, and keeps the expected contents in `mirror`.
static void as_in_private_memory(upc_atomicdomain_t *domain)
{
    upc_lock_t *lock = upc_global_lock_alloc();
    shared [] char *region = regions[(MYTHREAD + 1) % THREADS];
    unsigned at = 0;
    state = 2026 + MYTHREAD;
    upc_memset(region, 0, BYTES);
    for (int step = 0; step < STEPS; step++) {
        unsigned what = pick(100);
        if (pick(12) == 0)
            at = pick(BYTES - 64);
        else
            at = (at + (pick(5) == 0 ? pick(200) + BYTES - 100 : 8)) % (BYTES - 64);
        if (what < 93) {
            access_object(region, at);
        } else if (what < 98) {
            unsigned from = pick(BYTES - 1);
            unsigned room = BYTES - from;
            copy_block(region, from, 1 + pick(room < LONGEST ? room : LONGEST));
        } else {
            synchronise(domain, lock, region, at);
        }
    }
    upc_lock_free(lock);
    // After a hand-over, the owner must find the values written last.
    shared [] unsigned char *sums = (shared [] unsigned char *)region;
    for (unsigned i = 0; i < 1000; i++)
        sums[i] = mirror[i];
    upc_barrier;
    long sum = 0, own_sum = 0;
    const unsigned char *own = (const unsigned char *)regions[MYTHREAD];
    for (unsigned i = 0; i < BYTES; i++) {
        sum += mirror[i] * (long)(i % 1000 + 1);
        own_sum += own[i] * (long)(i % 1000 + 1);
    }
    totals[(MYTHREAD + 1) % THREADS] = sum;
    upc_barrier;
    EQ(totals[MYTHREAD], own_sum);
}

static long value_of(int thread, int round, int i)
{
    return thread * 1000000L + round * 1000 + i;
}

static void write_words(int round)
{
    for (int i = 0; i < WORDS; i++)
        words[MYTHREAD * WORDS + i] = value_of(MYTHREAD, round, i);
}

static void expect_words(int thread, int round)
{
    int i = 0;
    while (i < WORDS && words[thread * WORDS + i] == value_of(thread, round, i))
        i++;
    EQ(i, WORDS);
}

static long touch_words(int thread)   // so that old values are cached
{
    long sum = 0;
    for (int i = 0; i < WORDS; i++)
        sum += words[thread * WORDS + i];
    return sum;
}

// Values written by others are seen after each kind of synchronisation.
static void see_others(upc_lock_t *lock)
{
    int other = (MYTHREAD + THREADS - 1) % THREADS;
    long sum = 0;
    for (int round = 1; round <= ROUNDS; round++) {
        write_words(round);
        upc_barrier;
        expect_words(other, round);
        upc_barrier;

        write_words(round + 100);
        upc_notify;
        sum += words[other * WORDS] == 0;   // may be old or new, and must not remain old
        upc_wait;
        expect_words(other, round + 100);
        upc_barrier;

        sum += touch_words(other);
        write_words(round + 200);
        flags[MYTHREAD] = round;
        while (flags[other] < round)
            upc_poll();
        expect_words(other, round + 200);
        upc_barrier;

        sum += touch_words(other);
        upc_lock(lock);
        write_words(round + 300);
        relaxed_flags[MYTHREAD] = round;
        upc_unlock(lock);
        for (long seen = 0; seen < round;) {
            upc_lock(lock);
            seen = relaxed_flags[other];
            if (seen == round)
                expect_words(other, round + 300);
            upc_unlock(lock);
        }
        upc_barrier;

        sum += touch_words(other);
        write_words(round + 400);
        upc_fence;
        relaxed_flags[MYTHREAD] = -round;
        upc_fence;
        while (relaxed_flags[other] != -round)   // relaxed: upc_poll makes it visible
            upc_poll();
        upc_fence;
        expect_words(other, round + 400);
        upc_barrier;
    }
    CHECK(sum != 1);
}

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD, 0);
    regions[MYTHREAD] = upc_alloc(BYTES);
    flags[MYTHREAD] = 0;
    upc_barrier;
    as_in_private_memory(domain);
    flags[MYTHREAD] = 0;
    upc_barrier;
    see_others(lock);
    upc_all_atomicdomain_free(domain);
    upc_all_lock_free(lock);
    return finish();
}
