// combine.c: operations that combine vectors: reduce to a root or to all, reduce-scatter, and scans.
#include "combine.h"

#include <stdlib.h>

#include "values.h"

struct combination {
    struct trial *trial;
    enum op op;
    const struct basic *basic;
    struct layout *layout;
    size_t counts[MOST_MEMBERS]; // instances in each block; blocks are the parts that members of REDUCE_SCATTER get
    size_t total;                // instances
};

static void apply(enum op op, char *left, char *right, int count, MPI_Datatype type)
{
    const struct layout *layout = layout_of_type(type);
    const struct piece whole = {0, sizeof(uint64_t)};
    const struct piece *pieces = layout ? layout->pieces : &whole;
    const size_t n_pieces = layout ? layout->n_pieces : 1;
    const ptrdiff_t extent = layout ? layout->extent : (ptrdiff_t)sizeof(uint64_t);
    for (int i = 0; i < count; i++, left += extent, right += extent) {
        for (size_t k = 0; k < n_pieces; k++) {
            const uint64_t *a = (const uint64_t *)(void *)(left + pieces[k].at);
            uint64_t *b = (uint64_t *)(void *)(right + pieces[k].at);
            for (size_t j = 0; j < pieces[k].bytes / sizeof *a; j++) {
                b[j] = user_combine(op, a[j], b[j]);
            }
        }
    }
}

void user_commutative(void *left, void *right, int *count, MPI_Datatype *type)
{
    apply(COMMUTATIVE, left, right, *count, *type);
}

void user_ordered(void *left, void *right, int *count, MPI_Datatype *type)
{
    apply(ORDERED, left, right, *count, *type);
}

static void choose(struct combination *combination)
{
    struct rng *rng = &combination->trial->common;
    const struct basic *all;
    const int n = basics(&all);
    combination->op = chance(rng, 30) ? COMMUTATIVE + below(rng, 2) : below(rng, COMMUTATIVE);
    do {
        combination->basic = &all[below(rng, (unsigned)n)];
    } while (!value_allows(combination->basic, combination->op));
    const struct signature signature = {.n = 1,
                                        .members = {combination->basic},
                                        .bytes = combination->basic->bytes,
                                        .align = combination->basic->align};
    combination->layout = calloc(1, sizeof *combination->layout);
    // Libraries allocate too little memory for vectors of types with gaps at their ends: MPICH 4.0 in non-commutative
    // operations that distribute the result, Open MPI 4.1 in ring algorithms.
    struct layout *layout = combination->layout;
    for (int tries = combination->op >= COMMUTATIVE ? (int)below(rng, 6) : 0; tries > 0; tries--) {
        layout_make(layout, rng, &signature, 1 + below(rng, 20));
        if (layout->lb == 0 && layout->low == 0 && layout->high == layout->extent) {
            return;
        }
        layout_free(layout);
    }
    layout_make_plain(layout, &signature);
}

static void choose_counts(struct combination *combination)
{
    const struct trial *trial = combination->trial;
    struct rng *rng = &combination->trial->common;
    const int n = trial->in->n;
    const bool has_parts = trial->operation == REDUCE_SCATTER || trial->operation == REDUCE_SCATTER_BLOCK;
    const size_t most_bytes = basic_is_weak(combination->basic) ? 256
                              : trial->is_much                  ? MOST_BLOCK_BYTES
                              : below(rng, 4)                   ? 256
                                                                : 8192;
    const size_t most = most_bytes / combination->layout->bytes / (has_parts ? (size_t)n : 1) + 1;
    const size_t same = chance(rng, 8) ? 0 : chance(rng, 30) ? 1 + below(rng, 4) : 1 + below(rng, (unsigned)most);
    const int parts = has_parts ? n : 1;
    for (int i = 0; i < parts; i++) {
        const bool differs = trial->operation == REDUCE_SCATTER;
        combination->counts[i] = !differs ? same : chance(rng, 25) ? 0 : below(rng, 2 * (unsigned)same + 1);
        combination->total += combination->counts[i];
    }
}

// Between arrays of C and a stream without gaps, as in messages
static void pack(const struct basic *basic, const unsigned char *elements, size_t count, unsigned char *stream)
{
    for (size_t i = 0; i < count; i++, elements += basic->extent) {
        for (int k = 0; k < basic->n_pieces; k++) {
            memcpy(stream, elements + basic->pieces[k].at, basic->pieces[k].bytes);
            stream += basic->pieces[k].bytes;
        }
    }
}

static void unpack(const struct basic *basic, const unsigned char *stream, size_t count, unsigned char *elements)
{
    for (size_t i = 0; i < count; i++, elements += basic->extent) {
        for (int k = 0; k < basic->n_pieces; k++) {
            memcpy(elements + basic->pieces[k].at, stream, basic->pieces[k].bytes);
            stream += basic->pieces[k].bytes;
        }
    }
}

static size_t elements_of(const struct combination *combination, size_t instances)
{
    return instances * combination->layout->units;
}

// What a member contributes, as an array of C
static unsigned char *vector_of(const struct combination *combination, int member)
{
    const size_t count = elements_of(combination, combination->total);
    unsigned char *elements = malloc(count * combination->basic->extent + 1);
    value_make(combination->basic, combination->op, elements, count,
               key_of(combination->trial->key, 2000 + (uint64_t)member, 0));
    return elements;
}

// The combined vectors of members first to last, in this order
static unsigned char *combined(const struct combination *combination, int first, int last)
{
    unsigned char *result = vector_of(combination, first);
    for (int i = first + 1; i <= last; i++) {
        unsigned char *next = vector_of(combination, i);
        value_combine(combination->basic, combination->op, result, next, elements_of(combination, combination->total));
        free(next);
    }
    return result;
}

static void put_vector(struct side *side, const struct combination *combination)
{
    const size_t count = elements_of(combination, combination->total);
    unsigned char *elements = vector_of(combination, combination->trial->in->me);
    unsigned char *stream = malloc(count * combination->basic->bytes + 1);
    pack(combination->basic, elements, count, stream);
    side_put(side, 0, stream);
    free(stream);
    free(elements);
}

// The first instances of a buffer must hold elements that are equal by value; without elements, anything is accepted.
static void expect_vector(struct side *side, const struct combination *combination, size_t instances,
                          const unsigned char *elements)
{
    const struct basic *basic = combination->basic;
    const size_t count = elements_of(combination, instances), all = elements_of(combination, side->counts[0]);
    unsigned char *stream = malloc(all * basic->bytes + 1);
    unsigned char *got = calloc(all + 1, basic->extent);
    layout_get(combination->layout, side->counts[0], side->address, stream);
    unpack(basic, stream, all, got);
    for (size_t i = 0; i < count && elements; i++) {
        if (!value_equal(basic, got + i * basic->extent, elements + i * basic->extent)) {
            memcpy(got + i * basic->extent, elements + i * basic->extent, basic->extent);
        }
    }
    pack(basic, got, all, stream);
    side_expect(side, 0, stream);
    free(got);
    free(stream);
}

// Checks what this member has received: it should be instances of the result of members first..last, starting at `from`
static void check_result(struct side *receive, const struct combination *combination, int first, int last, size_t from,
                         size_t instances)
{
    if (last < first) {
        expect_vector(receive, combination, 0, NULL);
    } else {
        unsigned char *result = combined(combination, first, last);
        expect_vector(receive, combination, instances,
                      result + elements_of(combination, from) * combination->basic->extent);
        free(result);
    }
    side_check(combination->trial, receive, "the result");
}

static void check(struct side *receive, const struct combination *combination)
{
    const struct trial *trial = combination->trial;
    const int n = trial->in->n, me = trial->in->me;
    const size_t all = combination->total;
    size_t before = 0;
    switch (trial->operation) {
    case SCAN: check_result(receive, combination, 0, me, 0, all); break;
    case EXSCAN: check_result(receive, combination, 0, me - 1, 0, all); break;
    case REDUCE_SCATTER:
    case REDUCE_SCATTER_BLOCK:
        for (int i = 0; i < me; i++) {
            before += combination->counts[i];
        }
        check_result(receive, combination, 0, n - 1, before, combination->counts[me]);
        break;
    default: check_result(receive, combination, 0, n - 1, 0, all); break;
    }
}

static MPI_Op handle_of(const struct combination *combination)
{
    const struct run *run = combination->trial->run;
    return combination->op == COMMUTATIVE ? run->commutative
           : combination->op == ORDERED   ? run->ordered
                                          : op_handle(combination->op);
}

static void perform(const struct combination *combination, struct side *send, struct side *receive)
{
    struct trial *trial = combination->trial;
    const struct reduction reduction = {combination->counts[0], combination->counts, combination->layout->type,
                                        handle_of(combination)};
    say(trial, " of %zu x %s (extent %td, from %td to %td) by %s, root %d%s", combination->total,
        combination->layout->words, combination->layout->extent, combination->layout->low, combination->layout->high,
        op_names[combination->op], trial->root, trial->in_place ? ", in place" : "");
    struct beside *beside = beside_begin(trial);
    delay(trial);
    call_combine(trial, send, receive, &reduction);
    beside_end(trial, beside);
}

// Whether this member passes a receive buffer.  MPICH 4.0 wants one that MPI does not want: of the first in EXSCAN.
static bool gets_result(struct trial *trial)
{
#ifdef OPEN_MPI
    if (trial->operation == EXSCAN && trial->in->me == 0) {
        return chance(&trial->own, 50);
    }
#endif
    return trial->operation != REDUCE || trial->in->me == trial->root;
}

void combine_trial(struct trial *trial)
{
    struct combination combination = {.trial = trial};
    choose(&combination);
    choose_counts(&combination);
    // MPICH 4.0 crashes in a long MPI_Reduce in place whose root is not the first.
    if (trial->operation == REDUCE && trial->root != 0 && combination.total * combination.layout->bytes > 2048) {
        trial->in_place = false;
    }
    const bool is_in_place = trial->in_place && (trial->operation != REDUCE || trial->in->me == trial->root);
    const bool has_result = is_in_place || gets_result(trial);
    const bool has_parts = trial->operation == REDUCE_SCATTER || trial->operation == REDUCE_SCATTER_BLOCK;
    struct side send = {.borrows_layout = true}, receive = {.borrows_layout = true};
    if (!is_in_place) {
        side_make_of(&send, &trial->own, combination.layout, 1, combination.total);
        put_vector(&send, &combination);
        side_use_null(&send, &trial->own);
    }
    if (has_result) {
        const size_t part = combination.counts[has_parts ? trial->in->me : 0];
        side_make_of(&receive, &trial->own, combination.layout, 1, is_in_place ? combination.total : part);
        if (is_in_place) {
            put_vector(&receive, &combination);
        }
        side_use_null(&receive, &trial->own);
    }
    perform(&combination, is_in_place ? NULL : &send, has_result ? &receive : NULL);
    side_check(trial, &send, "the send buffer");
    if (has_result) {
        check(&receive, &combination);
    }
    send.borrows_layout = receive.borrows_layout = true;
    side_free(&send);
    side_free(&receive);
    layout_free(combination.layout);
    free(combination.layout);
}
