/*
 * shmem_collectives.c: collectives of OpenSHMEM 1.4, over the active set of all PEs.
 *
 * Each call needs symmetric work memory, which must be restored before any PE uses it again; so each turn has a room of
 * its own.
 */
#include "transport/transport.h"

#include <shmem.h>

#define LARGER(a, b) ((a) > (b) ? (a) : (b))
enum {
    SYNC_WORDS = LARGER(LARGER(SHMEM_BCAST_SYNC_SIZE, SHMEM_COLLECT_SYNC_SIZE),
                        LARGER(SHMEM_ALLTOALL_SYNC_SIZE, SHMEM_REDUCE_SYNC_SIZE)),
    WORK_VALUES = LARGER(1, SHMEM_REDUCE_MIN_WRKDATA_SIZE),
};

union value {
    int of_int;
    long of_long;
    float of_float;
    double of_double;
    long double of_longdouble;
};

struct room {
    union value src, dst;
    union value work[WORK_VALUES];
    long sync[SYNC_WORDS];
};

static struct room *rooms;

static bool prepare(void)
{
    rooms = shmem_malloc(BN_TRANSPORT_TURNS * sizeof *rooms);
    for (int turn = 0; rooms && turn < BN_TRANSPORT_TURNS; turn++) {
        for (int i = 0; i < SYNC_WORDS; i++)
            rooms[turn].sync[i] = SHMEM_SYNC_VALUE;
    }
    shmem_barrier_all();
    return rooms != NULL;
}

static size_t words(uint64_t size_bytes)
{
    return (size_t)size_bytes / 4;
}

static void broadcast(void *dst, const void *src, uint64_t size_bytes, int root, unsigned turn)
{
    shmem_broadcast32(dst, src, words(size_bytes), root, 0, 0, shmem_n_pes(), rooms[turn].sync);
}

static void gather_all(void *dst, const void *src, uint64_t size_bytes, unsigned turn)
{
    shmem_fcollect32(dst, src, words(size_bytes), 0, 0, shmem_n_pes(), rooms[turn].sync);
}

static void exchange(void *dst, const void *src, uint64_t size_bytes, unsigned turn)
{
    shmem_alltoall32(dst, src, words(size_bytes), 0, 0, shmem_n_pes(), rooms[turn].sync);
}

#define CALL(NAME, T, FOLD)                                                                                            \
    shmem_##NAME##_##FOLD##_to_all(&room->dst.of_##NAME, &room->src.of_##NAME, 1, 0, 0, shmem_n_pes(),                 \
                                   (T *)(void *)room->work, room->sync)

#define CASES(NAME, T)                                                                                                 \
    case BN_FOLD_SUM: CALL(NAME, T, sum); break;                                                                       \
    case BN_FOLD_PRODUCT: CALL(NAME, T, prod); break;                                                                  \
    case BN_FOLD_LEAST: CALL(NAME, T, min); break;                                                                     \
    case BN_FOLD_MOST: CALL(NAME, T, max); break;

#define BIT_CASES(NAME, T)                                                                                             \
    case BN_FOLD_AND: CALL(NAME, T, and); break;                                                                       \
    case BN_FOLD_OR: CALL(NAME, T, or); break;                                                                         \
    case BN_FOLD_XOR: CALL(NAME, T, xor); break;

#define NO_BIT_CASES(NAME, T)                                                                                          \
    case BN_FOLD_AND:                                                                                                  \
    case BN_FOLD_OR:                                                                                                   \
    case BN_FOLD_XOR: break;

#define DEFINE_FOLD(NAME, T, MORE_CASES)                                                                               \
    static void fold_##NAME(struct room *room, enum bn_transport_fold fold, T *value)                                  \
    {                                                                                                                  \
        room->src.of_##NAME = *value;                                                                                  \
        switch (fold) {                                                                                                \
            CASES(NAME, T)                                                                                             \
            MORE_CASES(NAME, T)                                                                                        \
        }                                                                                                              \
        *value = room->dst.of_##NAME;                                                                                  \
    }

DEFINE_FOLD(int, int, BIT_CASES)
DEFINE_FOLD(long, long, BIT_CASES)
DEFINE_FOLD(float, float, NO_BIT_CASES)
DEFINE_FOLD(double, double, NO_BIT_CASES)
DEFINE_FOLD(longdouble, long double, NO_BIT_CASES)

static void fold_all(enum bn_transport_fold fold, enum bn_transport_type type, void *value, unsigned turn)
{
    switch (type) {
    case BN_TYPE_INT: fold_int(&rooms[turn], fold, value); break;
    case BN_TYPE_LONG: fold_long(&rooms[turn], fold, value); break;
    case BN_TYPE_FLOAT: fold_float(&rooms[turn], fold, value); break;
    case BN_TYPE_DOUBLE: fold_double(&rooms[turn], fold, value); break;
    case BN_TYPE_LONG_DOUBLE: fold_longdouble(&rooms[turn], fold, value); break;
    }
}

const struct bn_transport_collectives bn_transport_shmem_collectives = {
    .prepare = prepare,
    .broadcast = broadcast,
    .gather_all = gather_all,
    .exchange = exchange,
    .fold_all = fold_all,
};
