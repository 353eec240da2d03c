// side.c: what a process passes to a collective for one side, sending or receiving: blocks in a buffer with guards.
#include "layout.h"

#include <stdlib.h>

enum { GUARD = 64 };

static void set_block(struct side *side, int block, size_t units)
{
    const struct layout *layout = &side->layouts[side->style == MIXED ? block : 0];
    side->counts[block] = layout->units ? units / layout->units : 0;
    side->types[block] = layout->type;
}

static size_t gap(struct rng *rng)
{
    return chance(rng, 40) ? below(rng, 4) : 0;
}

// Chooses displacements: consecutive for SAME, otherwise in any order and with gaps, in extents or bytes.
static void place(struct side *side, struct rng *rng)
{
    int order[MOST_MEMBERS];
    for (int i = 0; i < side->n; i++) {
        order[i] = i;
    }
    for (int i = side->n - 1; i > 0 && side->style != SAME && chance(rng, 90); i--) {
        const int other = (int)below(rng, (unsigned)i + 1), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
    ptrdiff_t at = 0;
    for (int i = 0; i < side->n; i++) {
        const int block = order[i];
        const struct layout *layout = &side->layouts[side->style == MIXED ? block : 0];
        const ptrdiff_t count = (ptrdiff_t)side->counts[block];
        if (side->style == MIXED) {
            const ptrdiff_t low = layout->low < layout->lb ? layout->low : layout->lb;
            // If a process is alone, Open MPI 4.1 interprets its displacement in extents.
            at = side->n == 1 ? 0 : (at - low + 15) & -16;
            side->displacements[block] = side->at[block] = at;
            at += count * layout->extent + (layout->high > 0 ? layout->high : 0) + 16 * (ptrdiff_t)gap(rng);
        } else {
            side->displacements[block] = at;
            side->at[block] = at * layout->extent;
            at += count + (side->style == SPREAD ? (ptrdiff_t)gap(rng) : 0);
        }
    }
}

static void allocate(struct side *side, struct rng *rng)
{
    ptrdiff_t low = 0, high = 0;
    bool any = false;
    size_t align = 16;
    for (int i = 0; i < side->n; i++) {
        const struct layout *layout = &side->layouts[side->style == MIXED ? i : 0];
        if (side->counts[i] == 0) {
            continue;
        }
        const ptrdiff_t from = side->at[i] + layout->low;
        const ptrdiff_t to = side->at[i] + (ptrdiff_t)(side->counts[i] - 1) * layout->extent + layout->high;
        low = !any || from < low ? from : low;
        high = !any || to > high ? to : high;
        any = true;
        // Only bytes: no alignment is needed.
        align = layout->extent == 1 && !layout->is_own && align > 0 ? 1 : 16;
    }
    const ptrdiff_t before = GUARD + (-low & 15) + (align == 1 ? below(rng, 16) : 16 * below(rng, 4));
    side->offset = before - low;
    side->nbytes = (size_t)(before + (high - low) + GUARD);
    side->memory = aligned_alloc(64, (side->nbytes + 63) & ~(size_t)63);
    side->want = malloc(side->nbytes);
    fill(side->memory, side->nbytes, rng_next(rng));
    memcpy(side->want, side->memory, side->nbytes);
    side->address = side->memory + side->offset;
}

// The number of units in an instance, which divides all counts: usually small, sometimes all units.
static size_t choose_instance(struct rng *rng, size_t common_units)
{
    if (common_units > 64 && common_units <= 4096 && chance(rng, 25)) {
        return common_units;
    }
    const size_t most = common_units < 64 ? common_units : 64;
    size_t units = most ? 1 + below(rng, (unsigned)most) : 1;
    while (units > 1 && common_units % units != 0) {
        units--;
    }
    return units;
}

void side_make(struct side *side, struct rng *rng, const struct signature *signature, enum style style, int n,
               const size_t *units, size_t common_units)
{
    memset(side, 0, sizeof *side);
    side->style = style;
    side->n = n;
    const int n_layouts = style == MIXED ? n : 1;
    side->layouts = calloc((size_t)n_layouts, sizeof *side->layouts);
    for (int i = 0; i < n_layouts; i++) {
        if (signature->is_nothing) {
            layout_make_empty(&side->layouts[i], rng);
            continue;
        }
        const size_t of_instance =
            signature->units_of_instance ? signature->units_of_instance : choose_instance(rng, common_units);
        layout_make(&side->layouts[i], rng, signature, of_instance);
    }
    for (int i = 0; i < n; i++) {
        set_block(side, i, units[i]);
        if (signature->is_nothing) {
            side->counts[i] = 3;
        }
    }
    place(side, rng);
    allocate(side, rng);
}

void side_make_of(struct side *side, struct rng *rng, struct layout *layout, int n, size_t count)
{
    memset(side, 0, sizeof *side);
    side->style = SAME;
    side->n = n;
    side->layouts = layout;
    for (int i = 0; i < n; i++) {
        side->counts[i] = count;
        side->types[i] = layout->type;
    }
    place(side, rng);
    allocate(side, rng);
}

void side_use_bottom(struct side *side, struct rng *rng)
{
    const struct layout *layout = &side->layouts[0];
    if (side->n != 1 || side->counts[0] == 0 || layout->units == 0 || !chance(rng, 8)) {
        return;
    }
    const int length = (int)side->counts[0];
    MPI_Aint address;
    MPI_Get_address(side->address, &address);
    MPI_Type_create_hindexed(1, &length, &address, layout->type, &side->bottom);
    MPI_Type_commit(&side->bottom);
    side->is_bottom = true;
}

void side_free(struct side *side)
{
    if (side->is_bottom) {
        MPI_Type_free(&side->bottom);
    }
    if (side->layouts && !side->borrows_layout) {
        for (int i = 0; i < (side->style == MIXED ? side->n : 1); i++) {
            layout_free(&side->layouts[i]);
        }
        free(side->layouts);
    }
    free(side->memory);
    free(side->want);
}

static const struct layout *layout_of(const struct side *side, int block)
{
    return &side->layouts[side->style == MIXED ? block : 0];
}

void side_expect(struct side *side, int block, const unsigned char *stream)
{
    layout_put(layout_of(side, block), side->counts[block], side->want + side->offset + side->at[block], stream);
}

void side_put(struct side *side, int block, const unsigned char *stream)
{
    layout_put(layout_of(side, block), side->counts[block], side->address + side->at[block], stream);
    side_expect(side, block, stream);
}

// The block that contains a byte, for a message; -1: it is in a guard or a gap
static int block_of(const struct side *side, ptrdiff_t byte)
{
    for (int block = 0; block < side->n; block++) {
        const struct layout *layout = layout_of(side, block);
        for (size_t i = 0; i < side->counts[block]; i++) {
            const ptrdiff_t at = side->at[block] + (ptrdiff_t)i * layout->extent;
            for (size_t k = 0; k < layout->n_pieces; k++) {
                const ptrdiff_t from = at + layout->pieces[k].at;
                if (byte >= from && byte < from + (ptrdiff_t)layout->pieces[k].bytes) {
                    return block;
                }
            }
        }
    }
    return -1;
}

void side_check(const struct trial *trial, const struct side *side, const char *name)
{
    if (side->memory == NULL || memcmp(side->memory, side->want, side->nbytes) == 0) {
        return;
    }
    size_t first = 0, last = side->nbytes - 1, wrong = 0;
    while (side->memory[first] == side->want[first]) {
        first++;
    }
    while (side->memory[last] == side->want[last]) {
        last--;
    }
    for (size_t i = first; i <= last; i++) {
        wrong += side->memory[i] != side->want[i];
    }
    const int block = block_of(side, (ptrdiff_t)first - side->offset);
    char where[60];
    if (block >= 0) {
        snprintf(where, sizeof where, "block %d of %d", block, side->n);
    } else {
        snprintf(where, sizeof where, "no data: a gap or a guard");
    }
    const struct layout *layout = layout_of(side, block < 0 ? 0 : block);
    fail(trial,
         "%s: %zu bytes are wrong, from %td to %td of its address; the first is %02x instead of %02x (%s);"
         " type %s, %zu units, lb %td, extent %td, data from %td to %td%s",
         name, wrong, (ptrdiff_t)first - side->offset, (ptrdiff_t)last - side->offset, side->memory[first],
         side->want[first], where, layout->words, layout->units, layout->lb, layout->extent, layout->low, layout->high,
         layout_agrees(layout, side->counts[block < 0 ? 0 : block]) ? "" : "; MPI_Pack fails with it as well");
}

void side_use_null(struct side *side, struct rng *rng)
{
    side->is_null = chance(rng, 50);
    for (int i = 0; i < side->n; i++) {
        side->is_null &= side->counts[i] == 0;
    }
}

const void *side_address(const struct side *side)
{
    return side->is_bottom ? MPI_BOTTOM : side->is_null ? NULL : side->address;
}

size_t side_count(const struct side *side)
{
    return side->is_bottom ? 1 : side->counts[0];
}

MPI_Datatype side_type(const struct side *side)
{
    return side->is_bottom ? side->bottom : side->types[0];
}
