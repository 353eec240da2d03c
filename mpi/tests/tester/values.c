// values.c: the predefined types that C knows, and the plain meaning of operations on them.
#include "values.h"

#include <complex.h>
#include <stdlib.h>
#include <wchar.h>

#define INTEGERS(X)                                                                                                    \
    X(SIGNED_CHAR, signed char)                                                                                        \
    X(SHORT, short)                                                                                                    \
    X(INT, int)                                                                                                        \
    X(LONG, long)                                                                                                      \
    X(LONG_LONG, long long)                                                                                            \
    X(INT8_T, int8_t)                                                                                                  \
    X(INT16_T, int16_t)                                                                                                \
    X(INT32_T, int32_t)                                                                                                \
    X(INT64_T, int64_t)
#define UNSIGNEDS(X)                                                                                                   \
    X(UNSIGNED_CHAR, unsigned char)                                                                                    \
    X(UNSIGNED_SHORT, unsigned short)                                                                                  \
    X(UNSIGNED, unsigned)                                                                                              \
    X(UNSIGNED_LONG, unsigned long)                                                                                    \
    X(UNSIGNED_LONG_LONG, unsigned long long)                                                                          \
    X(UINT8_T, uint8_t)                                                                                                \
    X(UINT16_T, uint16_t)                                                                                              \
    X(UINT32_T, uint32_t)                                                                                              \
    X(UINT64_T, uint64_t)
#define FLOATS(X)                                                                                                      \
    X(FLOAT, float)                                                                                                    \
    X(DOUBLE, double)                                                                                                  \
    X(LONG_DOUBLE, long_double)
#define COMPLEXES(X)                                                                                                   \
    X(C_FLOAT_COMPLEX, complex_float)                                                                                  \
    X(C_DOUBLE_COMPLEX, complex_double)                                                                                \
    X(C_LONG_DOUBLE_COMPLEX, complex_long_double)
#define LOGICALS(X) X(C_BOOL, bool)
#define OTHERS(X)                                                                                                      \
    X(AINT, MPI_Aint)                                                                                                  \
    X(OFFSET, MPI_Offset)                                                                                              \
    X(COUNT, MPI_Count)
// Types that are only moved, not combined
#define CHARACTERS(X)                                                                                                  \
    X(CHAR, char)                                                                                                      \
    X(WCHAR, wchar_t)
#define PAIRS(X)                                                                                                       \
    X(FLOAT_INT, float)                                                                                                \
    X(DOUBLE_INT, double)                                                                                              \
    X(LONG_INT, long)                                                                                                  \
    X(2INT, int)                                                                                                       \
    X(SHORT_INT, short)                                                                                                \
    X(LONG_DOUBLE_INT, long_double)

typedef long double long_double;
typedef float _Complex complex_float;
typedef double _Complex complex_double;
typedef long double _Complex complex_long_double;

struct functions {
    void (*make)(enum op op, void *elements, size_t count, uint64_t key);
    void (*combine)(enum op op, void *left, const void *right, size_t count);
    bool (*equal)(const void *one, const void *other);
};

#define EACH(expression)                                                                                               \
    for (size_t i = 0; i < count; i++) {                                                                               \
        a[i] = (expression);                                                                                           \
    }                                                                                                                  \
    break

#define ORDER_CASES                                                                                                    \
    case MAX: EACH(a[i] < b[i] ? b[i] : a[i]);                                                                         \
    case MIN: EACH(b[i] < a[i] ? b[i] : a[i])
#define ARITHMETIC_CASES(T)                                                                                            \
    case SUM: EACH((T)(a[i] + b[i]));                                                                                  \
    case PROD: EACH((T)(a[i] * b[i]))
#define LOGICAL_CASES                                                                                                  \
    case LAND: EACH(a[i] && b[i]);                                                                                     \
    case LOR: EACH(a[i] || b[i]);                                                                                      \
    case LXOR: EACH(!a[i] != !b[i])
#define BIT_CASES                                                                                                      \
    case BAND: EACH(a[i] & b[i]);                                                                                      \
    case BOR: EACH(a[i] | b[i]);                                                                                       \
    case BXOR: EACH(a[i] ^ b[i])

#define COMBINE(name, T, cases)                                                                                        \
    static void combine_##name(enum op op, void *left, const void *right, size_t count)                                \
    {                                                                                                                  \
        T *a = left;                                                                                                   \
        const T *b = right;                                                                                            \
        switch (op) {                                                                                                  \
            cases;                                                                                                     \
        default: abort();                                                                                              \
        }                                                                                                              \
    }

#define EQUAL(name, T)                                                                                                 \
    static bool equal_##name(const void *one, const void *other)                                                       \
    {                                                                                                                  \
        T a, b;                                                                                                        \
        memcpy(&a, one, sizeof a);                                                                                     \
        memcpy(&b, other, sizeof b);                                                                                   \
        return a == b;                                                                                                 \
    }

#define MAKE(name, T, expression)                                                                                      \
    static void make_##name(enum op op, void *elements, size_t count, uint64_t key)                                    \
    {                                                                                                                  \
        T *a = elements;                                                                                               \
        struct rng rng = {key};                                                                                        \
        for (size_t i = 0; i < count; i++) {                                                                           \
            const uint64_t random = rng_next(&rng);                                                                    \
            a[i] = (expression);                                                                                       \
        }                                                                                                              \
    }

// Small terms, factors whose products are exact, any non-zero number for true; otherwise all bits
static int64_t whole(enum op op, uint64_t random, bool is_signed)
{
    static const int factors[] = {1, 2, 1, -1};
    switch (op) {
    case SUM: return is_signed ? (int)(random >> 32) % 8 : (int)(random >> 60);
    case PROD: return factors[(random >> 32) % (is_signed ? 4 : 3)];
    case LAND:
    case LOR:
    case LXOR: return (random & 3) == 0 ? 0 : 1 + (int)(random >> 58);
    default: return (int64_t)random;
    }
}

// MPICH 4.0 compares unsigned numbers as signed ones, and Open MPI 4.1 compares MPI_OFFSET as unsigned: so the highest
// bit of unsigned numbers that are compared is clear.
static uint64_t mask_of(enum op op, bool is_signed, size_t nbytes)
{
    return is_signed || (op != MAX && op != MIN) ? UINT64_MAX : (UINT64_C(1) << (8 * nbytes - 1)) - 1;
}

static double fraction(enum op op, uint64_t random)
{
    return op == SUM || op == PROD ? (double)whole(op, random, true) : (double)((int)(random >> 44) - (1 << 19)) / 8;
}

static double _Complex on_plane(enum op op, uint64_t random)
{
    static const double units[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    if (op == PROD) {
        return CMPLX(units[random >> 62][0], units[random >> 62][1]);
    }
    return CMPLX((double)(random >> 60), -(double)(random >> 56 & 15));
}

#define INTEGER_FUNCTIONS(type, T)                                                                                     \
    COMBINE(type, T, ORDER_CASES; ARITHMETIC_CASES(T); LOGICAL_CASES; BIT_CASES)                                       \
    EQUAL(type, T)                                                                                                     \
    MAKE(type, T, (T)((T)whole(op, random, (T) - 1 < (T)1) & mask_of(op, (T) - 1 < (T)1, sizeof(T))))
#define FLOAT_FUNCTIONS(type, T)                                                                                       \
    COMBINE(type, T, ORDER_CASES; ARITHMETIC_CASES(T))                                                                 \
    EQUAL(type, T)                                                                                                     \
    MAKE(type, T, (T)fraction(op, random))
#define COMPLEX_FUNCTIONS(type, T)                                                                                     \
    COMBINE(type, T, ARITHMETIC_CASES(T))                                                                              \
    EQUAL(type, T)                                                                                                     \
    MAKE(type, T, (T)on_plane(op, random))
#define LOGICAL_FUNCTIONS(type, T)                                                                                     \
    COMBINE(type, T, LOGICAL_CASES)                                                                                    \
    EQUAL(type, T)                                                                                                     \
    MAKE(type, T, whole(op, random, true) != 0)
#define OTHER_FUNCTIONS(type, T)                                                                                       \
    COMBINE(type, T, ORDER_CASES; ARITHMETIC_CASES(T); BIT_CASES)                                                      \
    EQUAL(type, T)                                                                                                     \
    MAKE(type, T, (T)((T)whole(op, random, false) & mask_of(op, false, sizeof(T))))

// Few different values, so that there are ties, in which the lowest index wins
#define PAIR_FUNCTIONS(type, T)                                                                                        \
    struct pair_##type {                                                                                               \
        T value;                                                                                                       \
        int index;                                                                                                     \
    };                                                                                                                 \
    static void make_##type(enum op op, void *elements, size_t count, uint64_t key)                                    \
    {                                                                                                                  \
        struct pair_##type *a = elements;                                                                              \
        struct rng rng = {key + op};                                                                                   \
        for (size_t i = 0; i < count; i++) {                                                                           \
            a[i].value = (T)((int)below(&rng, 8) - 4);                                                                 \
            a[i].index = (int)below(&rng, 1000);                                                                       \
        }                                                                                                              \
    }                                                                                                                  \
    static void combine_##type(enum op op, void *left, const void *right, size_t count)                                \
    {                                                                                                                  \
        struct pair_##type *a = left;                                                                                  \
        const struct pair_##type *b = right;                                                                           \
        for (size_t i = 0; i < count; i++) {                                                                           \
            const bool wins = op == MAXLOC ? a[i].value < b[i].value : b[i].value < a[i].value;                        \
            if (wins || (a[i].value == b[i].value && b[i].index < a[i].index)) {                                       \
                a[i].value = b[i].value;                                                                               \
                a[i].index = b[i].index;                                                                               \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    static bool equal_##type(const void *one, const void *other)                                                       \
    {                                                                                                                  \
        struct pair_##type a, b;                                                                                       \
        memcpy(&a, one, sizeof a);                                                                                     \
        memcpy(&b, other, sizeof b);                                                                                   \
        return a.value == b.value && a.index == b.index;                                                               \
    }

INTEGERS(INTEGER_FUNCTIONS)
UNSIGNEDS(INTEGER_FUNCTIONS)
FLOATS(FLOAT_FUNCTIONS)
COMPLEXES(COMPLEX_FUNCTIONS)
LOGICALS(LOGICAL_FUNCTIONS)
OTHERS(OTHER_FUNCTIONS)
PAIRS(PAIR_FUNCTIONS)
COMBINE(BYTE, unsigned char, BIT_CASES)
EQUAL(BYTE, unsigned char)
MAKE(BYTE, unsigned char, (unsigned char)whole(op, random, false))

static const struct functions functions[] = {
#define ROW(type, T) {make_##type, combine_##type, equal_##type},
    INTEGERS(ROW) UNSIGNEDS(ROW) FLOATS(ROW) COMPLEXES(ROW) LOGICALS(ROW) OTHERS(ROW) PAIRS(ROW)
        ROW(BYTE, unsigned char)};

enum { MOST_BASICS = sizeof functions / sizeof functions[0] + 2 + 3 };
static struct basic table[MOST_BASICS];
static int n_table;

static void add(const char *name, MPI_Datatype type, enum kind kind, size_t extent, size_t align)
{
    if (type != MPI_DATATYPE_NULL) {
        table[n_table++] = (struct basic){.name = name,
                                          .type = type,
                                          .kind = kind,
                                          .extent = extent,
                                          .bytes = extent,
                                          .align = align,
                                          .pieces = {{0, extent}},
                                          .n_pieces = 1};
    }
}

// Of Fortran: the types that are known by their precision instead of a name, each equal to one of C
static void add_by_precision(const char *name, MPI_Datatype type, MPI_Datatype same, enum kind kind)
{
    for (int i = 0; i < n_table; i++) {
        if (table[i].type == same) {
            table[n_table] = table[i];
            table[n_table].name = name;
            table[n_table].type = type;
            table[n_table++].kind = kind;
            return;
        }
    }
}

static void add_all_by_precision(void)
{
    MPI_Datatype real, two_reals, integer;
    MPI_Type_create_f90_real(15, 307, &real);
    MPI_Type_create_f90_complex(15, 307, &two_reals);
    MPI_Type_create_f90_integer(9, &integer);
    add_by_precision("f90_real(15, 307)", real, MPI_DOUBLE, OF_FLOAT);
    add_by_precision("f90_complex(15, 307)", two_reals, MPI_C_DOUBLE_COMPLEX, OF_COMPLEX);
    add_by_precision("f90_integer(9)", integer, MPI_INT, OF_OTHER);
}

void basics_set_up(void)
{
    int c_type = 0;
#define ADD(type, T, kind)                                                                                             \
    add("MPI_" #type, MPI_##type, kind, sizeof(T), _Alignof(T));                                                       \
    table[n_table - 1].c_type = c_type++;
#define ADD_INTEGER(type, T) ADD(type, T, OF_INTEGER)
#define ADD_UNSIGNED(type, T) ADD(type, T, OF_UNSIGNED)
#define ADD_FLOAT(type, T) ADD(type, T, OF_FLOAT)
#define ADD_COMPLEX(type, T) ADD(type, T, OF_COMPLEX)
#define ADD_LOGICAL(type, T) ADD(type, T, OF_LOGICAL)
#define ADD_OTHER(type, T) ADD(type, T, OF_OTHER)
#define ADD_CHARACTER(type, T) ADD(type, T, OF_CHARACTER)
#define ADD_PAIR(type, T)                                                                                              \
    ADD(type, struct pair_##type, OF_PAIR)                                                                             \
    table[n_table - 1].bytes = sizeof(T) + sizeof(int);                                                                \
    table[n_table - 1].pieces[0].bytes = sizeof(T);                                                                    \
    table[n_table - 1].pieces[1] = (struct piece){offsetof(struct pair_##type, index), sizeof(int)};                   \
    table[n_table - 1].n_pieces = 2;
    INTEGERS(ADD_INTEGER)
    UNSIGNEDS(ADD_UNSIGNED)
    FLOATS(ADD_FLOAT)
    COMPLEXES(ADD_COMPLEX)
    LOGICALS(ADD_LOGICAL)
    OTHERS(ADD_OTHER)
    PAIRS(ADD_PAIR)
    ADD(BYTE, unsigned char, OF_BYTE)
    CHARACTERS(ADD_CHARACTER)
    add_all_by_precision();
}

int basics(const struct basic **all)
{
    *all = table;
    return n_table;
}

bool basic_is_weak(const struct basic *basic)
{
    return basic->kind == OF_PAIR || basic->extent > 16;
}

const char *const op_names[OPS] = {"MPI_MAX",    "MPI_MIN",    "MPI_SUM",         "MPI_PROD",   "MPI_LAND",
                                   "MPI_BAND",   "MPI_LOR",    "MPI_BOR",         "MPI_LXOR",   "MPI_BXOR",
                                   "MPI_MINLOC", "MPI_MAXLOC", "own commutative", "own ordered"};

MPI_Op op_handle(enum op op)
{
    const MPI_Op handles[] = {MPI_MAX, MPI_MIN, MPI_SUM,  MPI_PROD, MPI_LAND,   MPI_BAND,
                              MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC};
    return handles[op];
}

bool value_allows(const struct basic *basic, enum op op)
{
    const bool is_whole = basic->kind == OF_INTEGER || basic->kind == OF_UNSIGNED;
    switch (op) {
    case MAX:
    case MIN: return is_whole || basic->kind == OF_FLOAT || basic->kind == OF_OTHER;
    case SUM:
    case PROD: return is_whole || basic->kind == OF_FLOAT || basic->kind == OF_OTHER || basic->kind == OF_COMPLEX;
    case LAND:
    case LOR:
    case LXOR: return is_whole || basic->kind == OF_LOGICAL;
    case BAND:
    case BOR:
    case BXOR: return is_whole || basic->kind == OF_BYTE || basic->kind == OF_OTHER;
    case MINLOC:
    case MAXLOC: return basic->kind == OF_PAIR;
    default: return basic->type == MPI_UINT64_T;
    }
}

void value_make(const struct basic *basic, enum op op, void *elements, size_t count, uint64_t key)
{
    memset(elements, 0, count * basic->extent);
    functions[basic->c_type].make(op, elements, count, key);
}

void value_combine(const struct basic *basic, enum op op, void *left, const void *right, size_t count)
{
    if (op < COMMUTATIVE) {
        functions[basic->c_type].combine(op, left, right, count);
        return;
    }
    uint64_t *a = left;
    const uint64_t *b = right;
    for (size_t i = 0; i < count; i++) {
        a[i] = user_combine(op, a[i], b[i]);
    }
}

bool value_equal(const struct basic *basic, const void *one, const void *other)
{
    return functions[basic->c_type].equal(one, other);
}

// Non-commutative: two words (a, b) of 32 bits stand for x -> a x + b; composition of such maps is associative.
uint64_t user_combine(enum op op, uint64_t left, uint64_t right)
{
    if (op == COMMUTATIVE) {
        return left + right;
    }
    const uint32_t left_factor = (uint32_t)(left >> 32), right_factor = (uint32_t)(right >> 32);
    const uint32_t factor = left_factor * right_factor;
    return (uint64_t)factor << 32 | (uint32_t)((uint32_t)left * right_factor + (uint32_t)right);
}
