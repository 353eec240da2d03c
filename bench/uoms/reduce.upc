/*
 * reduce.upc: reductions and prefix reductions of all types.  Elements are small numbers, chosen so that every order of
 * evaluation gives the same result, floating types included.
 */
#include "data.h"
#include "families.h"
#include "libraries.h"
#include "harness/options.h"

#include <upc_collective.h>

#if defined(NEEDS_BUPC_REDUCE_H)
#include <bupc_reduce.h>
#endif

static const upc_op_t operators[] = {
    [UOMS_ADD] = UPC_ADD,       [UOMS_MULT] = UPC_MULT,   [UOMS_AND] = UPC_AND, [UOMS_OR] = UPC_OR,
    [UOMS_XOR] = UPC_XOR,
    [UOMS_LOGAND] = UPC_LOGAND, [UOMS_LOGOR] = UPC_LOGOR, [UOMS_MIN] = UPC_MIN, [UOMS_MAX] = UPC_MAX,
};

/* Element i of total.  Sums stay near zero, products small; logical and bitwise results depend on few elements. */
static int element(enum uoms_operator op, size_t i, size_t total, unsigned seed)
{
    unsigned mixed = ((unsigned)i * 2654435761u) ^ ((unsigned)(i >> 16) * 40503u) ^ (seed * 97u);
    size_t sparse = total / 5 + 1;
    int is_rare = (i + seed) % sparse == sparse / 2;
    mixed ^= mixed >> 15;
    switch (op) {
    case UOMS_ADD: return (int)(mixed % 7u) - 3;
    case UOMS_MULT: return is_rare ? 2 : 1;
    case UOMS_AND: return is_rare ? 0x7F & ~(1 << (i / sparse % 6)) : 0x7F;
    case UOMS_OR: return is_rare ? 1 << (i / sparse % 6) : 0;
    case UOMS_XOR: return (int)(mixed & 0x7F);
    case UOMS_LOGAND: return !(is_rare && seed % 2);
    case UOMS_LOGOR: return is_rare && seed % 2;
    default: return (int)(mixed % 201u) - 100;
    }
}

#define INTEGER_OPERATORS(T, a, b)                                                                                     \
    case UOMS_AND: return (T)(a & b);                                                                                  \
    case UOMS_OR: return (T)(a | b);                                                                                   \
    case UOMS_XOR: return (T)(a ^ b);
#define NO_OPERATORS(T, a, b)

/*
 * For each type: fill, poison, check and the calls.  Expected values are computed one element after another, from
 * element 0 on.
 */
#define FOR_TYPE(X, T, MORE)                                                                                           \
    static T combine##X(enum uoms_operator op, T a, T b)                                                               \
    {                                                                                                                  \
        switch (op) {                                                                                                  \
        case UOMS_ADD: return (T)(a + b);                                                                              \
        case UOMS_MULT: return (T)(a * b);                                                                             \
        case UOMS_LOGAND: return (T)(a && b);                                                                          \
        case UOMS_LOGOR: return (T)(a || b);                                                                           \
        case UOMS_MIN: return a < b ? a : b;                                                                           \
        MORE(T, a, b)                                                                                                  \
        default: return a > b ? a : b;                                                                                 \
        }                                                                                                              \
    }                                                                                                                  \
    static void fill##X(const struct uoms_run *run, size_t elements)                                                   \
    {                                                                                                                  \
        T *mine = (T *)data_own(data_source);                                                                          \
        size_t total = elements * (size_t)THREADS;                                                                     \
        for (size_t i = 0; i < elements; i++)                                                                          \
            mine[i] = (T)element(run->options->reduce_op, (size_t)MYTHREAD * elements + i, total, run->seed);          \
    }                                                                                                                  \
    static void call##X(const struct uoms_run *run, size_t elements, int kind)                                         \
    {                                                                                                                  \
        upc_op_t op = operators[run->options->reduce_op];                                                              \
        size_t total = elements * (size_t)THREADS;                                                                     \
        if (kind == REDUCE_ONE)                                                                                        \
            upc_all_reduce##X(data_at(data_destination, run->root), data_source, op, total, elements, NULL,            \
                              data_flags(run->options));                                                               \
        else                                                                                                           \
            upc_all_prefix_reduce##X(data_destination, data_source, op, total, elements, NULL,                         \
                                     data_flags(run->options));                                                        \
    }                                                                                                                  \
    static size_t check##X(struct uoms_run *run, size_t elements, int kind)                                            \
    {                                                                                                                  \
        enum uoms_operator op = run->options->reduce_op;                                                               \
        const T *mine = (const T *)data_own(data_destination);                                                         \
        size_t total = elements * (size_t)THREADS;                                                                     \
        size_t first = (size_t)MYTHREAD * elements;                                                                    \
        size_t last = kind == REDUCE_PREFIX ? first + elements : total;                                                \
        T value = (T)element(op, 0, total, run->seed);                                                                 \
        size_t wrong = 0;                                                                                              \
        if (kind == REDUCE_ONE && MYTHREAD != run->root)                                                               \
            return 0;                                                                                                  \
        for (size_t i = 0;;) {                                                                                         \
            if (kind == REDUCE_PREFIX && i >= first && mine[i - first] != value && wrong++ == 0)                       \
                note_element(run, i - first, sizeof(T), (long)mine[i - first], (long)value);                           \
            if (++i >= last)                                                                                           \
                break;                                                                                                 \
            value = combine##X(op, value, (T)element(op, i, total, run->seed));                                        \
        }                                                                                                              \
        if (kind != REDUCE_PREFIX && mine[0] != value && wrong++ == 0)                                                 \
            note_element(run, 0, sizeof(T), (long)mine[0], (long)value);                                               \
        return wrong * sizeof(T);                                                                                      \
    }

static void note_element(struct uoms_run *run, size_t index, size_t size, long bad, long good)
{
    run->bad_place = index * size;
    run->bad_value = (unsigned)bad;
    run->good_value = (unsigned)good;
}

FOR_TYPE(C, signed char, INTEGER_OPERATORS)
FOR_TYPE(UC, unsigned char, INTEGER_OPERATORS)
FOR_TYPE(S, short, INTEGER_OPERATORS)
FOR_TYPE(US, unsigned short, INTEGER_OPERATORS)
FOR_TYPE(I, int, INTEGER_OPERATORS)
FOR_TYPE(UI, unsigned int, INTEGER_OPERATORS)
FOR_TYPE(L, long, INTEGER_OPERATORS)
FOR_TYPE(UL, unsigned long, INTEGER_OPERATORS)
FOR_TYPE(F, float, NO_OPERATORS)
FOR_TYPE(D, double, NO_OPERATORS)
FOR_TYPE(LD, long double, NO_OPERATORS)

struct typed {
    size_t size;
    void (*fill)(const struct uoms_run *run, size_t elements);
    void (*call)(const struct uoms_run *run, size_t elements, int kind);
    size_t (*check)(struct uoms_run *run, size_t elements, int kind);
};

#define ROW(X, T) [TYPE_##X] = {sizeof(T), fill##X, call##X, check##X}
static const struct typed types[REDUCE_TYPES] = {
    ROW(C, signed char), ROW(UC, unsigned char), ROW(S, short),          ROW(US, unsigned short),
    ROW(I, int),         ROW(UI, unsigned int),  ROW(L, long),           ROW(UL, unsigned long),
    ROW(F, float),       ROW(D, double),         ROW(LD, long double),
};

static const struct typed *type_of(const struct uoms_run *run)
{
    return &types[run->bench->param & 15];
}

static int kind_of(const struct uoms_run *run)
{
    return run->bench->param & ~15;
}

int reduce_setup(struct uoms_run *run)
{
    return data_take(run, run->bytes, kind_of(run) == REDUCE_PREFIX ? run->bytes : sizeof(long double));
}

void reduce_prepare(struct uoms_run *run)
{
    type_of(run)->fill(run, run->bytes / type_of(run)->size);
}

void reduce_clear(struct uoms_run *run)
{
    size_t bytes = kind_of(run) == REDUCE_PREFIX ? run->bytes : type_of(run)->size;
    uoms_poison(data_own(data_destination), bytes + UOMS_GUARD);
}

#if defined(HAS_REDUCE_ALL)
static void reduce_all(const struct uoms_run *run, size_t elements)
{
    upc_op_t op = operators[run->options->reduce_op];
    size_t total = elements * (size_t)THREADS;
    if ((run->bench->param & 15) == TYPE_I)
        bupc_all_reduce_allI(data_destination, data_source, op, total, elements, NULL, data_flags(run->options));
    else
        bupc_all_reduce_allD(data_destination, data_source, op, total, elements, NULL, data_flags(run->options));
}
#else
static void reduce_all(const struct uoms_run *run, size_t elements)
{
    (void)run;
    (void)elements;
}
#endif

void reduce_run(struct uoms_run *run, long count)
{
    const struct typed *type = type_of(run);
    size_t elements = run->bytes / type->size;
    int kind = kind_of(run);
    for (long i = 0; i < count; i++) {
        if (kind == REDUCE_ALL)
            reduce_all(run, elements);
        else
            type->call(run, elements, kind);
    }
}

size_t reduce_check(struct uoms_run *run)
{
    size_t size = type_of(run)->size;
    size_t bytes = kind_of(run) == REDUCE_PREFIX ? run->bytes : size;
    size_t wrong = type_of(run)->check(run, run->bytes / size, kind_of(run));
    if (wrong > 0)
        return wrong;
    return uoms_compare_guard(run, data_own(data_destination) + bytes, bytes);
}
