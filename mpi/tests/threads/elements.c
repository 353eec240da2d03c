#include "elements.h"

#include "check.h"

#include <stdint.h>
#include <string.h>

/* ---- Types ---- */

struct pair {
    double value;
    int index;
};

#define KIND(name, T)                                                                                                  \
    static long read_##name(const void *element)                                                                       \
    {                                                                                                                  \
        T value;                                                                                                       \
        memcpy(&value, element, sizeof value);                                                                         \
        return (long)value;                                                                                            \
    }                                                                                                                  \
    static void write_##name(void *element, long number)                                                               \
    {                                                                                                                  \
        T value = (T)number;                                                                                           \
        memcpy(element, &value, sizeof value);                                                                         \
    }

KIND(int8, uint8_t)
KIND(int16, int16_t)
KIND(int32, int32_t)
KIND(int64, int64_t)
KIND(float, float)
KIND(double, double)
KIND(complex, double)

static long read_pair(const void *element)
{
    struct pair pair;
    memcpy(&pair, element, sizeof pair);
    CHECK(pair.index == (int)pair.value + 1);
    return (long)pair.value;
}

static void write_pair(void *element, long value)
{
    const struct pair pair = {(double)value, (int)value + 1};
    memcpy(element, &pair, sizeof pair);
}

struct kind kind_of(int number)
{
    switch (number % KINDS) {
    case 0: return (struct kind){MPI_UINT8_T, 1, read_int8, write_int8, .is_whole = true};
    case 1: return (struct kind){MPI_INT16_T, 2, read_int16, write_int16, .is_whole = true};
    case 2: return (struct kind){MPI_INT, 4, read_int32, write_int32, .is_whole = true};
    case 3: return (struct kind){MPI_INT64_T, 8, read_int64, write_int64, .is_whole = true};
    case 4: return (struct kind){MPI_FLOAT, 4, read_float, write_float, .is_whole = false};
    case 5: return (struct kind){MPI_DOUBLE, 8, read_double, write_double, .is_whole = false};
    case 6: return (struct kind){MPI_C_DOUBLE_COMPLEX, 16, read_complex, write_complex, .only_adds = true};
    default: return (struct kind){MPI_DOUBLE_INT, sizeof(struct pair), read_pair, write_pair, .is_pair = true};
    }
}

void wrap(const struct kind *kind, long *value)
{
    unsigned char element[MOST_BYTES] = {0};
    kind->write(element, *value);
    *value = kind->read(element);
}

/* ---- Operations ---- */

MPI_Op choose_op(const struct kind *kind, unsigned number)
{
    const MPI_Op wholes[] = {MPI_SUM,  MPI_MAX, MPI_MIN,  MPI_PROD, MPI_BAND, MPI_BOR,
                             MPI_BXOR, MPI_LOR, MPI_LAND, MPI_LXOR, MPI_NO_OP};
    const MPI_Op pairs[] = {MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE}, adds[] = {MPI_SUM, MPI_REPLACE};
    const MPI_Op others[] = {MPI_SUM, MPI_MAX, MPI_MIN, MPI_REPLACE, MPI_NO_OP};
    if (kind->is_pair)
        return pairs[number % 3];
    if (kind->only_adds)
        return adds[number % 2];
    return kind->is_whole ? wholes[number % 11] : others[number % 5];
}

long apply(MPI_Op op, long a, long b)
{
    if (op == MPI_SUM)
        return a + b;
    if (op == MPI_PROD)
        return (long)((unsigned long)a * (unsigned long)b);
    if (op == MPI_MAX || op == MPI_MAXLOC)
        return a > b ? a : b;
    if (op == MPI_MIN || op == MPI_MINLOC)
        return a < b ? a : b;
    if (op == MPI_BAND)
        return a & b;
    if (op == MPI_BOR)
        return a | b;
    if (op == MPI_BXOR)
        return a ^ b;
    if (op == MPI_LAND)
        return a && b;
    if (op == MPI_LOR)
        return a || b;
    if (op == MPI_LXOR)
        return !a != !b;
    return op == MPI_REPLACE ? b : a;
}

/* ---- Shapes ---- */

unsigned draw(unsigned *state, unsigned below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

enum form {
    DENSE,
    CONTIGUOUS,
    BACKWARDS,
    LAST_OF_MORE, /* a part of an array */
    STRUCTURE,    /* with the last element first */
    EVERY_OTHER,  /* from here on there are gaps */
    BLOCKS,
    RESIZED,
    STRIDES_OF_BYTES,
    COLUMN, /* the second column of an array of two columns */
    COLUMN_OF_FORTRAN,
    SECOND_OF_TWO, /* the part of the second of two processes in a distributed array */
    FORMS
};

static int place_in(enum form form, int i, int n)
{
    switch (form) {
    case BACKWARDS: return n - 1 - i;
    case LAST_OF_MORE: return i + 2;
    case STRUCTURE: return i == 0 ? n - 1 : i - 1;
    case COLUMN:
    case COLUMN_OF_FORTRAN:
    case SECOND_OF_TWO: return 2 * i + 1;
    default: return form < EVERY_OTHER ? i : 2 * i;
    }
}

static void make_structure(const struct kind *kind, int n, MPI_Datatype *type)
{
    const int lengths[] = {1, n - 1};
    const MPI_Aint places[] = {(MPI_Aint)kind->bytes * (n - 1), 0};
    const MPI_Datatype types[] = {kind->type, kind->type};
    MPI_Type_create_struct(2, lengths, places, types, type);
}

static void make_column(const struct kind *kind, int n, bool is_fortran, MPI_Datatype *type)
{
    const int sizes[] = {n, 2, n}, parts[] = {n, 1, n}, starts[] = {0, 1, 0};
    MPI_Type_create_subarray(2, sizes + is_fortran, parts + is_fortran, starts + is_fortran,
                             is_fortran ? MPI_ORDER_FORTRAN : MPI_ORDER_C, kind->type, type);
}

static void make_resized(const struct kind *kind, MPI_Datatype *type)
{
    MPI_Datatype one;
    MPI_Type_create_resized(kind->type, 0, 2 * (MPI_Aint)kind->bytes, &one);
    MPI_Type_dup(one, type);
    MPI_Type_free(&one);
}

struct shape choose_shape(const struct kind *kind, int n, unsigned *state)
{
    struct shape shape = {.type = kind->type, .count = n};
    int lengths[MOST], places[MOST], more = n + 2, twice = 2 * n, two = 2, first = place_in(LAST_OF_MORE, 0, n),
                                     one = 1;
    MPI_Aint addresses[MOST];
    enum form form = (enum form)draw(state, FORMS + 2) % FORMS;
    int dealt = MPI_DISTRIBUTE_CYCLIC, piece = MPI_DISTRIBUTE_DFLT_DARG;
    for (int i = 0; i < n; i++) {
        lengths[i] = 1;
        shape.places[i] = places[i] = place_in(form, i, n);
        addresses[i] = places[i] * (MPI_Aint)kind->bytes;
    }
    if (form == DENSE)
        return shape;
    shape.is_derived = true;
    shape.count = form == RESIZED ? n : 1;
    switch (form) {
    case CONTIGUOUS: MPI_Type_contiguous(n, kind->type, &shape.type); break;
    case BACKWARDS: MPI_Type_indexed(n, lengths, places, kind->type, &shape.type); break;
    case LAST_OF_MORE: MPI_Type_create_subarray(1, &more, &n, &first, MPI_ORDER_C, kind->type, &shape.type); break;
    case STRUCTURE: make_structure(kind, n, &shape.type); break;
    case EVERY_OTHER: MPI_Type_vector(n, 1, two, kind->type, &shape.type); break;
    case BLOCKS: MPI_Type_create_hindexed_block(n, 1, addresses, kind->type, &shape.type); break;
    case RESIZED: make_resized(kind, &shape.type); break;
    case STRIDES_OF_BYTES: MPI_Type_create_hvector(n, 1, 2 * (MPI_Aint)kind->bytes, kind->type, &shape.type); break;
    case COLUMN: make_column(kind, n, false, &shape.type); break;
    case COLUMN_OF_FORTRAN: make_column(kind, n, true, &shape.type); break;
    default: MPI_Type_create_darray(two, one, one, &twice, &dealt, &piece, &two, MPI_ORDER_C, kind->type, &shape.type);
    }
    MPI_Type_commit(&shape.type);
    return shape;
}

void free_shape(struct shape *shape)
{
    if (shape->is_derived)
        MPI_Type_free(&shape->type);
}
