/*
 * native.c: maps calls of collectives to the transport's collectives: addresses become places in its symmetric memory,
 * which contains all shared memory of a program, and types and operations become the transport's.
 */
#include "upc/remote/native.h"

#include "coll/operation.h"
#include "pgas/remote/remote.h"
#include "upc/collective/reduce_op.h"

#include <limits.h>
#include <math.h>

_Static_assert((int)BN_TRANSPORT_TURNS >= (int)BN_TEAM_WINDOW, "each operation of the window has a turn");

static const struct bn_transport_collectives *library;

/* The corresponding place in this process's allocation */
static void *place_of(uint64_t address)
{
    int thread;
    uint64_t offset = 0;
    bn_remote_find(address, &thread, &offset);
    return (unsigned char *)bn_remote.control + offset;
}

static void broadcast(struct bn_team *team, const struct bn_call *call, unsigned turn)
{
    (void)team;
    library->broadcast(place_of(call->dst), place_of(call->src), call->nbytes, call->root, turn);
}

static void gather_all(struct bn_team *team, const struct bn_call *call, unsigned turn)
{
    (void)team;
    library->gather_all(place_of(call->dst), place_of(call->src), call->nbytes, turn);
}

static void exchange(struct bn_team *team, const struct bn_call *call, unsigned turn)
{
    (void)team;
    library->exchange(place_of(call->dst), place_of(call->src), call->nbytes, turn);
}

/* Sums, products and bitwise operations are the same for unsigned and signed values. */
static bool find_type(enum bn_value_type type, enum bn_transport_type *type_p)
{
    switch (type) {
    case BN_VALUE_INT:
    case BN_VALUE_UINT: *type_p = BN_TYPE_INT; return true;
    case BN_VALUE_LONG:
    case BN_VALUE_ULONG: *type_p = BN_TYPE_LONG; return true;
    case BN_VALUE_FLOAT: *type_p = BN_TYPE_FLOAT; return true;
    case BN_VALUE_DOUBLE: *type_p = BN_TYPE_DOUBLE; return true;
    case BN_VALUE_LONG_DOUBLE: *type_p = BN_TYPE_LONG_DOUBLE; return true;
    case BN_VALUE_OTHER: return false;
    }
    return false;
}

static bool find_fold(const struct bn_fold *fold, enum bn_transport_fold *fold_p)
{
    bool is_unsigned = fold->type == BN_VALUE_UINT || fold->type == BN_VALUE_ULONG;
    switch (fold->op) {
    case OP_ADD: *fold_p = BN_FOLD_SUM; return true;
    case OP_MULT: *fold_p = BN_FOLD_PRODUCT; return true;
    case OP_AND: *fold_p = BN_FOLD_AND; return true;
    case OP_OR: *fold_p = BN_FOLD_OR; return true;
    case OP_XOR: *fold_p = BN_FOLD_XOR; return true;
    case OP_MIN: *fold_p = BN_FOLD_LEAST; return !is_unsigned;
    case OP_MAX: *fold_p = BN_FOLD_MOST; return !is_unsigned;
    default: return false;
    }
}

static bool can_fold(const struct bn_fold *fold)
{
    enum bn_transport_type type;
    enum bn_transport_fold kind;
    return find_type(fold->type, &type) && find_fold(fold, &kind);
}

#define SET_NEUTRAL(T, LEAST, MOST, ALL_BITS)                                                                          \
    do {                                                                                                               \
        T *place = value;                                                                                              \
        *place = fold == BN_FOLD_PRODUCT ? 1 : fold == BN_FOLD_LEAST ? (MOST) : fold == BN_FOLD_MOST ? (LEAST) : 0;    \
        if (fold == BN_FOLD_AND)                                                                                       \
            *place = (ALL_BITS);                                                                                       \
    } while (0)

/* Sets the neutral value of an operation, for a thread without a value. */
static void set_neutral(void *value, enum bn_transport_type type, enum bn_transport_fold fold)
{
    switch (type) {
    case BN_TYPE_INT: SET_NEUTRAL(int, INT_MIN, INT_MAX, -1); break;
    case BN_TYPE_LONG: SET_NEUTRAL(long, LONG_MIN, LONG_MAX, -1); break;
    case BN_TYPE_FLOAT: SET_NEUTRAL(float, -INFINITY, INFINITY, 0); break;
    case BN_TYPE_DOUBLE: SET_NEUTRAL(double, -(double)INFINITY, (double)INFINITY, 0); break;
    case BN_TYPE_LONG_DOUBLE: SET_NEUTRAL(long double, -(long double)INFINITY, (long double)INFINITY, 0); break;
    }
}

static void fold_all(struct bn_team *team, const struct bn_call *call, unsigned turn)
{
    struct bn_fold *fold = call->fold;
    enum bn_transport_type type;
    enum bn_transport_fold kind;
    (void)team;
    if (!find_type(fold->type, &type) || !find_fold(fold, &kind))
        return; /* cannot happen: can_fold has refused these */
    if (!fold->is_given)
        set_neutral(fold->value, type, kind);
    library->fold_all(kind, type, fold->value, turn);
    fold->is_given = true;
}

const struct bn_team_native *bn_native_prepare(void)
{
    static const struct bn_team_native native = {
        .broadcast = broadcast,
        .gather_all = gather_all,
        .exchange = exchange,
        .can_fold = can_fold,
        .fold = fold_all,
    };
    library = bn_remote.transport->collectives;
    return library && library->prepare() ? &native : NULL;
}
