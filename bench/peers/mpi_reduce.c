/*
 * mpi_reduce.c: reductions in the sense of UPC (an array over all processes into one value: a local fold and MPI's
 * reduction of one element) and of MPI (elementwise).
 */
#include "block.h"
#include "harness/options.h"
#include "mpi_ops.h"

#include <mpi.h>

static MPI_Op mpi_operator(enum uoms_operator op)
{
    MPI_Op operators[] = {MPI_SUM, MPI_PROD, MPI_BAND, MPI_BOR, MPI_BXOR, MPI_LAND, MPI_LOR, MPI_MIN, MPI_MAX};
    return operators[op];
}

/* Element i of a thread: near zero, so that sums are exact and products small */
static int element(enum uoms_operator op, int thread, size_t i, unsigned seed)
{
    unsigned mixed = ((unsigned)i * 2654435761u) ^ ((unsigned)thread * 97u) ^ (seed * 40503u);
    mixed ^= mixed >> 15;
    switch (op) {
    case UOMS_ADD: return (int)(mixed % 7u) - 3;
    case UOMS_MULT: return i == (seed + 3 * (unsigned)thread) % 16 ? 2 : 1;
    case UOMS_LOGAND: return i != 7 || thread != 1 || seed % 2;
    case UOMS_LOGOR: return i == 7 && thread == 1 && seed % 2;
    case UOMS_MIN:
    case UOMS_MAX: return (int)(mixed % 201u) - 100;
    default: return (int)(mixed & 0x7F);
    }
}

#define INTEGER_OPERATORS(T, a, b)                                                                                     \
    case UOMS_AND: return (T)(a & b);                                                                                  \
    case UOMS_OR: return (T)(a | b);                                                                                   \
    case UOMS_XOR: return (T)(a ^ b);
#define NO_OPERATORS(T, a, b)

#define FOR_TYPE(X, T, MORE)                                                                                           \
    static inline T combine##X(enum uoms_operator op, T a, T b)                                                        \
    {                                                                                                                  \
        switch (op) {                                                                                                  \
        case UOMS_ADD: return (T)(a + b);                                                                              \
        case UOMS_MULT: return (T)(a * b);                                                                             \
        case UOMS_LOGAND: return (T)(a && b);                                                                          \
        case UOMS_LOGOR: return (T)(a || b);                                                                           \
        case UOMS_MIN: return a < b ? a : b; MORE(T, a, b)                                                             \
        default: return a > b ? a : b;                                                                                 \
        }                                                                                                              \
    }                                                                                                                  \
    static void fill##X(const struct uoms_run *run, size_t elements)                                                   \
    {                                                                                                                  \
        for (size_t i = 0; i < elements; i++)                                                                          \
            ((T *)(void *)block_source)[i] = (T)element(run->options->reduce_op, run->thread, i, run->seed);           \
    }                                                                                                                  \
    /* Folds the source into one value, or prefixes into the destination if that is given. */                          \
    static void fold##X(enum uoms_operator op, const void *source, size_t elements, void *value_p, void *prefixes)     \
    {                                                                                                                  \
        const T *values = source;                                                                                      \
        T value = values[0];                                                                                           \
        if (prefixes != NULL)                                                                                          \
            ((T *)prefixes)[0] = value;                                                                                \
        for (size_t i = 1; i < elements; i++) {                                                                        \
            value = combine##X(op, value, values[i]);                                                                  \
            if (prefixes != NULL)                                                                                      \
                ((T *)prefixes)[i] = value;                                                                            \
        }                                                                                                              \
        *(T *)value_p = value;                                                                                         \
    }                                                                                                                  \
    static void shift##X(enum uoms_operator op, void *prefixes, size_t elements, const void *before)                   \
    {                                                                                                                  \
        for (size_t i = 0; i < elements; i++)                                                                          \
            ((T *)prefixes)[i] = combine##X(op, *(const T *)before, ((T *)prefixes)[i]);                               \
    }                                                                                                                  \
    /* Threads first to last of element i, or whole arrays one after the other up to element i of last */              \
    static size_t check##X(struct uoms_run *run, size_t elements, int kind)                                            \
    {                                                                                                                  \
        enum uoms_operator op = run->options->reduce_op;                                                               \
        const T *found = (const T *)(const void *)block_destination;                                                   \
        int is_elementwise = kind >= ELEMENTWISE_REDUCE;                                                               \
        int last = kind == FOLD_PREFIX || kind == ELEMENTWISE_SCAN ? run->thread : run->threads - 1;                   \
        size_t results = is_elementwise || kind == FOLD_PREFIX ? elements : 1;                                         \
        T value = (T)element(op, 0, 0, run->seed);                                                                     \
        if ((kind == FOLD_REDUCE || kind == ELEMENTWISE_REDUCE) && run->thread != run->root)                           \
            return 0;                                                                                                  \
        for (int t = 0; t <= last && !is_elementwise; t++) {                                                           \
            for (size_t i = 0; i < elements; i++) {                                                                    \
                T next = (T)element(op, t, i, run->seed);                                                              \
                value = t == 0 && i == 0 ? next : combine##X(op, value, next);                                         \
                if (kind == FOLD_PREFIX && t == last && found[i] != value)                                             \
                    return sizeof(T);                                                                                  \
            }                                                                                                          \
        }                                                                                                              \
        if (!is_elementwise)                                                                                           \
            return kind != FOLD_PREFIX && found[0] != value ? sizeof(T) : 0;                                           \
        for (size_t i = 0; i < results; i++) {                                                                         \
            value = (T)element(op, 0, i, run->seed);                                                                   \
            for (int t = 1; t <= last; t++)                                                                            \
                value = combine##X(op, value, (T)element(op, t, i, run->seed));                                        \
            if (found[i] != value)                                                                                     \
                return sizeof(T);                                                                                      \
        }                                                                                                              \
        return 0;                                                                                                      \
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
    void (*fold)(enum uoms_operator op, const void *source, size_t elements, void *value_p, void *prefixes);
    void (*shift)(enum uoms_operator op, void *prefixes, size_t elements, const void *before);
    size_t (*check)(struct uoms_run *run, size_t elements, int kind);
};

#define ROW(X, T) [TYPE_##X] = {sizeof(T), fill##X, fold##X, shift##X, check##X}
static const struct typed types[REDUCE_TYPES] = {
    ROW(C, signed char), ROW(UC, unsigned char), ROW(S, short),        ROW(US, unsigned short),
    ROW(I, int),         ROW(UI, unsigned int),  ROW(L, long),         ROW(UL, unsigned long),
    ROW(F, float),       ROW(D, double),         ROW(LD, long double),
};

static MPI_Datatype mpi_type(int type)
{
    MPI_Datatype datatypes[REDUCE_TYPES] = {MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_SHORT,      MPI_UNSIGNED_SHORT,
                                            MPI_INT,         MPI_UNSIGNED,      MPI_LONG,       MPI_UNSIGNED_LONG,
                                            MPI_FLOAT,       MPI_DOUBLE,        MPI_LONG_DOUBLE};
    return datatypes[type];
}

static int type_of(const struct uoms_run *run)
{
    return run->bench->param & 15;
}

static int kind_of(const struct uoms_run *run)
{
    return run->bench->param & ~15;
}

static size_t result_bytes(const struct uoms_run *run)
{
    return kind_of(run) == FOLD_REDUCE || kind_of(run) == FOLD_ALL ? types[type_of(run)].size : run->bytes;
}

int reduce_setup(struct uoms_run *run)
{
    return block_take(run, run->bytes, run->bytes);
}

void reduce_prepare(struct uoms_run *run)
{
    types[type_of(run)].fill(run, run->bytes / types[type_of(run)].size);
}

void reduce_clear(struct uoms_run *run)
{
    uoms_poison(block_destination, result_bytes(run) + UOMS_GUARD);
}

static void run_once(const struct uoms_run *run)
{
    const struct typed *type = &types[type_of(run)];
    MPI_Datatype datatype = mpi_type(type_of(run));
    enum uoms_operator op = run->options->reduce_op;
    MPI_Op mpi_op = mpi_operator(op);
    size_t elements = run->bytes / type->size;
    long double value, before;

    switch (kind_of(run)) {
    case FOLD_REDUCE:
        type->fold(op, block_source, elements, &value, NULL);
        MPI_Reduce(&value, block_destination, 1, datatype, mpi_op, run->root, MPI_COMM_WORLD);
        break;
    case FOLD_ALL:
        type->fold(op, block_source, elements, &value, NULL);
        MPI_Allreduce(&value, block_destination, 1, datatype, mpi_op, MPI_COMM_WORLD);
        break;
    case FOLD_PREFIX:
        type->fold(op, block_source, elements, &value, block_destination);
        MPI_Exscan(&value, &before, 1, datatype, mpi_op, MPI_COMM_WORLD);
        if (run->thread > 0)
            type->shift(op, block_destination, elements, &before);
        break;
    case ELEMENTWISE_REDUCE:
        MPI_Reduce(block_source, block_destination, (int)elements, datatype, mpi_op, run->root, MPI_COMM_WORLD);
        break;
    case ELEMENTWISE_ALL:
        MPI_Allreduce(block_source, block_destination, (int)elements, datatype, mpi_op, MPI_COMM_WORLD);
        break;
    default: MPI_Scan(block_source, block_destination, (int)elements, datatype, mpi_op, MPI_COMM_WORLD);
    }
}

void reduce_run(struct uoms_run *run, long count)
{
    for (long i = 0; i < count; i++)
        run_once(run);
}

size_t reduce_check(struct uoms_run *run)
{
    size_t wrong = types[type_of(run)].check(run, run->bytes / types[type_of(run)].size, kind_of(run));
    if (wrong > 0)
        return wrong;
    return uoms_compare_guard(run, block_destination + result_bytes(run), result_bytes(run));
}
