// layout.c: random datatypes.  Each is built both with the library under test and as a list of pieces.
#include "layout.h"

#include <pthread.h>
#include <stdlib.h>

enum { MOST_PIECES_UNITS = 256, MOST_PARTS = 12, MOST_DEPTH = 3 };

static int keyval = MPI_KEYVAL_INVALID;
static pthread_once_t keyval_once = PTHREAD_ONCE_INIT;

static void make_keyval(void)
{
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &keyval, NULL);
}

void signature_make(struct signature *signature, struct rng *rng)
{
    const struct basic *all;
    const int n = basics(&all);
    signature->n = chance(rng, 70) ? 1 : 2 + (int)below(rng, 2);
    signature->bytes = 0;
    signature->align = 1;
    signature->is_nothing = signature->is_weak = false;
    signature->units_of_instance = 0;
    for (int i = 0; i < signature->n; i++) {
        const struct basic *basic;
        do { // Assignments need not copy the padding of a long double.
            basic = &all[below(rng, (unsigned)n)];
        } while (strstr(basic->name, "LONG_DOUBLE"));
        signature->members[i] = basic;
        signature->bytes += basic->bytes;
        // MPICH 4.0 truncates long messages of MPI_Gather whose elements are of several types.
        signature->is_weak |= basic_is_weak(basic) || signature->n > 1;
        signature->align = basic->align > signature->align ? basic->align : signature->align;
    }
}

void signature_words(const struct signature *signature, char *words, size_t nbytes)
{
    size_t at = 0;
    for (int i = 0; i < signature->n && at < nbytes; i++) {
        at += (size_t)snprintf(words + at, nbytes - at, "%s%s", i ? "+" : "", signature->members[i]->name);
    }
}

static void add_piece(struct layout *layout, ptrdiff_t at, size_t bytes)
{
    if (bytes == 0) {
        return;
    }
    struct piece *last = layout->n_pieces ? &layout->pieces[layout->n_pieces - 1] : NULL;
    if (last && last->at + (ptrdiff_t)last->bytes == at) {
        last->bytes += bytes;
        return;
    }
    if (layout->n_pieces == layout->most_pieces) {
        layout->most_pieces = 2 * layout->most_pieces + 4;
        layout->pieces = realloc(layout->pieces, layout->most_pieces * sizeof *layout->pieces);
    }
    layout->pieces[layout->n_pieces++] = (struct piece){at, bytes};
}

// Adds one more instance of part to a type under construction.
static void add_part(struct layout *layout, const struct layout *part, ptrdiff_t at)
{
    for (size_t i = 0; i < part->n_pieces; i++) {
        add_piece(layout, at + part->pieces[i].at, part->pieces[i].bytes);
    }
    layout->units += part->units;
    layout->bytes += part->bytes;
}

static void add_run(struct layout *layout, const struct layout *part, ptrdiff_t at, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        add_part(layout, part, at + (ptrdiff_t)i * part->extent);
    }
}

static void begin(struct layout *layout, const char *words)
{
    memset(layout, 0, sizeof *layout);
    layout->is_own = true;
    snprintf(layout->words, sizeof layout->words, "%s", words);
}

// Sets the bounds of the type, as the library reports them, and of the data, as the pieces have them.
static void measure(struct layout *layout)
{
    MPI_Aint lb, extent;
    MPI_Type_get_extent(layout->type, &lb, &extent);
    layout->lb = lb;
    layout->extent = extent;
    layout->low = PTRDIFF_MAX;
    layout->high = PTRDIFF_MIN;
    for (size_t i = 0; i < layout->n_pieces; i++) {
        const ptrdiff_t low = layout->pieces[i].at, high = low + (ptrdiff_t)layout->pieces[i].bytes;
        layout->low = low < layout->low ? low : layout->low;
        layout->high = high > layout->high ? high : layout->high;
    }
    if (layout->n_pieces == 0) {
        layout->low = layout->high = 0;
    }
}

static void make_basic(struct layout *layout, const struct basic *basic)
{
    begin(layout, basic->name);
    layout->is_own = false;
    layout->type = basic->type;
    for (int i = 0; i < basic->n_pieces; i++) {
        add_piece(layout, basic->pieces[i].at, basic->pieces[i].bytes);
    }
    layout->units = 1;
    layout->bytes = basic->bytes;
    measure(layout);
}

// One unit: a predefined type, or a struct with gaps chosen by this rank
static void make_unit(struct layout *layout, struct rng *rng, const struct signature *signature)
{
    if (signature->n == 1) {
        make_basic(layout, signature->members[0]);
        return;
    }
    begin(layout, "struct");
    int lengths[3] = {1, 1, 1};
    MPI_Aint places[3];
    MPI_Datatype types[3];
    ptrdiff_t at = 0;
    for (int i = 0; i < signature->n; i++) {
        const struct basic *basic = signature->members[i];
        const ptrdiff_t align = (ptrdiff_t)basic->align;
        at = (at + align - 1) / align * align + align * (rng ? (ptrdiff_t)below(rng, 3) : 0);
        for (int k = 0; k < basic->n_pieces; k++) {
            add_piece(layout, at + basic->pieces[k].at, basic->pieces[k].bytes);
        }
        places[i] = at;
        types[i] = basic->type;
        at += (ptrdiff_t)basic->extent;
    }
    layout->units = 1;
    layout->bytes = signature->bytes;
    MPI_Type_create_struct(signature->n, lengths, places, types, &layout->type);
    measure(layout);
}

static void prefix_words(struct layout *layout, const char *name, const struct layout *part)
{
    begin(layout, "");
    snprintf(layout->words, sizeof layout->words, "%s %.70s", name, part->words);
}

static unsigned divisor(struct rng *rng, size_t of, unsigned most)
{
    unsigned found[64];
    unsigned n = 0;
    for (unsigned i = 1; i <= most && i <= of && n < 64; i++) {
        if (of % i == 0) {
            found[n++] = i;
        }
    }
    return found[below(rng, n)];
}

static void build(struct layout *layout, struct rng *rng, const struct signature *signature, size_t units, int depth);

static void build_contiguous(struct layout *layout, const struct layout *part, size_t count)
{
    prefix_words(layout, "contiguous of", part);
    add_run(layout, part, 0, count);
    MPI_Type_contiguous((int)count, part->type, &layout->type);
}

// Blocks with a stride in elements or bytes, which is sometimes negative
static void build_vector(struct layout *layout, struct rng *rng, const struct layout *part, size_t count)
{
    const unsigned blocks = divisor(rng, count, MOST_PARTS);
    const int length = (int)(count / blocks);
    int stride = length + (int)below(rng, 3);
    stride = chance(rng, 15) ? -stride : stride;
    prefix_words(layout, stride < 0 ? "backward vector of" : "vector of", part);
    for (unsigned i = 0; i < blocks; i++) {
        add_run(layout, part, (ptrdiff_t)i * stride * part->extent, (size_t)length);
    }
    if (chance(rng, 50)) {
        MPI_Type_vector((int)blocks, length, stride, part->type, &layout->type);
    } else {
        MPI_Type_create_hvector((int)blocks, length, stride * part->extent, part->type, &layout->type);
    }
}

// Blocks of arbitrary lengths, in any order
static void build_indexed(struct layout *layout, struct rng *rng, const struct layout *part, size_t count)
{
    int lengths[MOST_PARTS], places[MOST_PARTS], n = 0;
    MPI_Aint bytes[MOST_PARTS];
    int at = (int)below(rng, 3) - 1;
    for (size_t left = count; left > 0; n++) {
        lengths[n] = n == MOST_PARTS - 1 ? (int)left : 1 + (int)below(rng, (unsigned)left);
        places[n] = at;
        at += lengths[n] + (int)below(rng, 3);
        left -= (size_t)lengths[n];
    }
    const bool in_order = chance(rng, 50);
    for (int i = n - 1; i > 0 && !in_order; i--) {
        const int other = (int)below(rng, (unsigned)i + 1), length = lengths[i], place = places[i];
        lengths[i] = lengths[other], places[i] = places[other];
        lengths[other] = length, places[other] = place;
    }
    prefix_words(layout, in_order ? "indexed of" : "shuffled of", part);
    for (int i = 0; i < n; i++) {
        bytes[i] = places[i] * part->extent;
        add_run(layout, part, bytes[i], (size_t)lengths[i]);
    }
    if (chance(rng, 50)) {
        MPI_Type_indexed(n, lengths, places, part->type, &layout->type);
    } else {
        MPI_Type_create_hindexed(n, lengths, bytes, part->type, &layout->type);
    }
}

static void build_indexed_block(struct layout *layout, struct rng *rng, const struct layout *part, size_t count)
{
    const int blocks = (int)divisor(rng, count, MOST_PARTS), length = (int)(count / (unsigned)blocks);
    int places[MOST_PARTS], at = 0;
    prefix_words(layout, "indexed_block of", part);
    for (int i = 0; i < blocks; i++) {
        at += (int)below(rng, 3);
        places[i] = at;
        add_run(layout, part, at * part->extent, (size_t)length);
        at += length;
    }
    MPI_Type_create_indexed_block(blocks, length, places, part->type, &layout->type);
}

// A part of a two-dimensional array, stored by rows or by columns
static void build_subarray(struct layout *layout, struct rng *rng, const struct layout *part, size_t count)
{
    const int rows = (int)divisor(rng, count, MOST_PARTS), columns = (int)(count / (unsigned)rows);
    const bool by_rows = chance(rng, 50);
    const int slow = by_rows ? 0 : 1, quick = 1 - slow;
    int sizes[2], parts[2], starts[2];
    parts[slow] = rows, parts[quick] = columns;
    for (int i = 0; i < 2; i++) {
        starts[i] = (int)below(rng, 2);
        sizes[i] = parts[i] + starts[i] + (int)below(rng, 2);
    }
    prefix_words(layout, by_rows ? "subarray of" : "Fortran subarray of", part);
    for (int i = 0; i < rows; i++) {
        const ptrdiff_t first = (ptrdiff_t)(starts[slow] + i) * sizes[quick] + starts[quick];
        add_run(layout, part, first * part->extent, (size_t)columns);
    }
    MPI_Type_create_subarray(2, sizes, parts, starts, by_rows ? MPI_ORDER_C : MPI_ORDER_FORTRAN, part->type,
                             &layout->type);
}

// More room around each instance
static void build_resized(struct layout *layout, struct rng *rng, const struct layout *part)
{
    const ptrdiff_t before = 16 * (ptrdiff_t)below(rng, 2), after = 16 * (ptrdiff_t)below(rng, 3);
    prefix_words(layout, "resized", part);
    add_part(layout, part, 0);
    MPI_Type_create_resized(part->type, part->lb - before, part->extent + before + after, &layout->type);
}

// Bounds set by one resized member hold for the whole struct, so data of other members may lie outside of them.
static void cover(struct layout *layout)
{
    const ptrdiff_t end = layout->lb + layout->extent;
    if (layout->lb <= layout->low && end >= layout->high) {
        return;
    }
    const ptrdiff_t lb = (layout->lb < layout->low ? layout->lb : layout->low) & -16;
    const ptrdiff_t ub = ((end > layout->high ? end : layout->high) + 15) & -16;
    MPI_Datatype narrow = layout->type;
    MPI_Type_create_resized(narrow, lb, ub - lb, &layout->type);
    MPI_Type_free(&narrow);
    measure(layout);
}

static void build_struct(struct layout *layout, struct rng *rng, const struct signature *signature, size_t units,
                         int depth)
{
    struct layout parts[3];
    int lengths[3] = {0}, n = 0;
    MPI_Aint places[3] = {0};
    MPI_Datatype types[3] = {MPI_DATATYPE_NULL};
    ptrdiff_t at = 0;
    begin(layout, "struct of ");
    for (size_t left = units; left > 0; n++) {
        const size_t of_part = n == 2 ? left : 1 + below(rng, (unsigned)left);
        lengths[n] = (int)divisor(rng, of_part, 4);
        build(&parts[n], rng, signature, of_part / (unsigned)lengths[n], depth - 1);
        // Vectors with a negative stride begin below their address.
        const ptrdiff_t low = parts[n].lb < parts[n].low ? parts[n].lb : parts[n].low;
        at = (at - low + 15) / 16 * 16 + 16 * (ptrdiff_t)below(rng, 2);
        places[n] = at;
        types[n] = parts[n].type;
        add_run(layout, &parts[n], at, (size_t)lengths[n]);
        const size_t used = strlen(layout->words);
        snprintf(layout->words + used, sizeof layout->words - used, "%s%.40s", n ? ", " : "{", parts[n].words);
        const ptrdiff_t end = parts[n].lb + parts[n].extent;
        at += (lengths[n] - 1) * parts[n].extent + (end > parts[n].high ? end : parts[n].high);
        left -= of_part;
    }
    strncat(layout->words, "}", sizeof layout->words - strlen(layout->words) - 1);
    MPI_Type_create_struct(n, lengths, places, types, &layout->type);
    for (int i = 0; i < n; i++) {
        layout_free(&parts[i]);
    }
    measure(layout);
    cover(layout);
}

static void build(struct layout *layout, struct rng *rng, const struct signature *signature, size_t units, int depth)
{
    if (depth == 0 || units == 1 || chance(rng, 20)) {
        make_unit(layout, rng, signature);
        if (units == 1) {
            return;
        }
        struct layout part = *layout;
        build_contiguous(layout, &part, units);
        layout_free(&part);
        measure(layout);
        return;
    }
    const unsigned shape = below(rng, 7);
    if (shape == 6 && units <= MOST_PIECES_UNITS) {
        build_struct(layout, rng, signature, units, depth);
        return;
    }
    // With many units, whole runs are used, so that the list of pieces stays short.
    const size_t count = units > MOST_PIECES_UNITS ? units : divisor(rng, units, MOST_PIECES_UNITS);
    struct layout part;
    build(&part, rng, signature, units / count, depth - 1);
    switch (shape) {
    case 0: build_vector(layout, rng, &part, count); break;
    case 1: build_indexed(layout, rng, &part, count); break;
    case 2: build_indexed_block(layout, rng, &part, count); break;
    case 3: build_subarray(layout, rng, &part, count); break;
    default: build_contiguous(layout, &part, count); break;
    }
    layout_free(&part);
    measure(layout);
    if (chance(rng, 20)) {
        part = *layout;
        build_resized(layout, rng, &part);
        layout_free(&part);
        measure(layout);
    }
}

// Commits a type, and makes it known to user-defined operations.
static void commit(struct layout *layout)
{
    if (layout->is_own) {
        pthread_once(&keyval_once, make_keyval);
        MPI_Type_commit(&layout->type);
        MPI_Type_set_attr(layout->type, keyval, layout);
    }
}

// Libraries have faults: a type that MPI_Pack gets wrong cannot be expected to work in a collective, either.
static void build_agreeing(struct layout *layout, struct rng *rng, const struct signature *signature, size_t units)
{
    build(layout, rng, signature, units, 1 + (int)below(rng, MOST_DEPTH));
    if (!layout->is_own) {
        return;
    }
    MPI_Type_commit(&layout->type);
    if (!layout_agrees(layout, 3)) {
        layout_free(layout);
        build(layout, rng, signature, units, 0);
    }
}

void layout_make(struct layout *layout, struct rng *rng, const struct signature *signature, size_t units)
{
    build_agreeing(layout, rng, signature, units);
    if (!layout->is_own && chance(rng, 10)) {
        struct layout part = *layout;
        prefix_words(layout, "dup of", &part);
        add_part(layout, &part, 0);
        MPI_Type_dup(part.type, &layout->type);
        layout_free(&part);
        measure(layout);
    }
    commit(layout);
}

void layout_make_plain(struct layout *layout, const struct signature *signature)
{
    make_unit(layout, NULL, signature);
    commit(layout);
}

void layout_make_empty(struct layout *layout, struct rng *rng)
{
    begin(layout, "a type of nothing");
    if (chance(rng, 50)) {
        MPI_Type_contiguous(0, MPI_INT, &layout->type);
    } else {
        MPI_Type_vector(3, 0, 2, MPI_DOUBLE, &layout->type);
    }
    measure(layout);
    commit(layout);
}

void layout_free(struct layout *layout)
{
    if (layout->is_own) {
        MPI_Type_free(&layout->type);
    }
    free(layout->pieces);
    layout->pieces = NULL;
}

void layout_put(const struct layout *layout, size_t count, unsigned char *at, const unsigned char *stream)
{
    for (size_t i = 0; i < count; i++, at += layout->extent) {
        for (size_t k = 0; k < layout->n_pieces; k++) {
            memcpy(at + layout->pieces[k].at, stream, layout->pieces[k].bytes);
            stream += layout->pieces[k].bytes;
        }
    }
}

void layout_get(const struct layout *layout, size_t count, const unsigned char *at, unsigned char *stream)
{
    for (size_t i = 0; i < count; i++, at += layout->extent) {
        for (size_t k = 0; k < layout->n_pieces; k++) {
            memcpy(stream, at + layout->pieces[k].at, layout->pieces[k].bytes);
            stream += layout->pieces[k].bytes;
        }
    }
}

const struct layout *layout_of_type(MPI_Datatype type)
{
    void *found;
    int is_set = 0;
    if (keyval != MPI_KEYVAL_INVALID) {
        MPI_Type_get_attr(type, keyval, &found, &is_set);
    }
    return is_set ? found : NULL;
}

bool layout_agrees(const struct layout *layout, size_t count)
{
    // With a type that it gets wrong, a library reads and writes elsewhere, such as Open MPI 4.1 at the other end of a
    // resized vector with a negative stride; so there is room on both sides.
    enum { ROOM = 4096 };
    const size_t nbytes = count * layout->bytes;
    const ptrdiff_t span = (ptrdiff_t)(count ? count - 1 : 0) * layout->extent + layout->high - layout->low;
    unsigned char *data = (unsigned char *)calloc(1, (size_t)span + 2 * ROOM) + ROOM;
    unsigned char *back = (unsigned char *)calloc(1, (size_t)span + 2 * ROOM) + ROOM;
    unsigned char *stream = malloc(nbytes + 1), *packed = malloc(nbytes + 1);
    fill(data, (size_t)span, 1);
    layout_get(layout, count, data - layout->low, stream);
    int position = 0;
    const int error =
        MPI_Pack(data - layout->low, (int)count, layout->type, packed, (int)nbytes, &position, MPI_COMM_SELF);
    bool agrees = error == MPI_SUCCESS && (size_t)position == nbytes && memcmp(stream, packed, nbytes) == 0;
    position = 0;
    MPI_Unpack(stream, (int)nbytes, &position, back - layout->low, (int)count, layout->type, MPI_COMM_SELF);
    layout_get(layout, count, back - layout->low, packed);
    agrees = agrees && memcmp(stream, packed, nbytes) == 0;
    free(data - ROOM);
    free(back - ROOM);
    free(stream);
    free(packed);
    return agrees;
}
