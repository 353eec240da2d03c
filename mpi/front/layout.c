#include "front/layout.h"

#include "platform/atomic_word.h"
#include "sync/spinlock.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAMED_SLOTS = 256,         /* predefined types; there are about 60.  A power of two */
    PROBE_MAX_BYTES = 1 << 20, /* of a type that is packed to see what comes where */
    PROBE_COUNT = 8,           /* one for each byte of a random number: chance is out then */
};

/* Predefined types last, so they are found without their attributes. */
struct named {
    uint32_t is_there;
    MPI_Datatype type;
    struct bn_layout layout;
};

static struct {
    int keyval; /* of the attribute of all other types */
    struct bn_spinlock lock;
    struct named named[NAMED_SLOTS];
} layouts;

/* ---- Whether a type is nothing but bytes ---- */

static uint64_t random_of(uint64_t index)
{
    uint64_t mixed = (index + 1) * UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
    return mixed ^ mixed >> 31;
}

/* Packs memory in which every byte can be told from the others, and looks whether they come out in order. */
static bool is_packed_in_order(MPI_Datatype type, const struct bn_layout *layout)
{
    size_t size_bytes = layout->size_bytes;
    unsigned char *memory = malloc(2 * size_bytes);
    MPI_Datatype committed; /* the elements of another type need not be */
    below.Type_dup(type, &committed);
    below.Type_commit(&committed);
    bool is_in_order = memory != NULL;
    for (int probe = 0; is_in_order && probe < PROBE_COUNT; probe++) {
        int position = 0;
        for (size_t i = 0; i < size_bytes; i++)
            memory[i] = (unsigned char)(random_of(i) >> (8 * probe));
        is_in_order = below.Pack(memory - layout->true_lb, 1, committed, memory + size_bytes, (int)size_bytes,
                                 &position, below.self) == MPI_SUCCESS &&
                      memcmp(memory, memory + size_bytes, size_bytes) == 0;
    }
    below.Type_free(&committed);
    free(memory);
    return is_in_order;
}

/* Of types that are made from one other type and a number alone: that one */
static bool find_element(MPI_Datatype type, MPI_Datatype *element_p, bool *is_named_p)
{
    int integers, addresses, types, combiner, integer;
    MPI_Aint no_address;
    below.Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    *is_named_p = combiner == MPI_COMBINER_NAMED;
    if (combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP)
        return false;
    below.Type_get_contents(type, integers, addresses, types, &integer, &no_address, element_p);
    return true;
}

static void release(MPI_Datatype type)
{
    int integers, addresses, types, combiner;
    below.Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    if (combiner != MPI_COMBINER_NAMED)
        below.Type_free(&type);
}

static struct bn_layout look_at(MPI_Datatype type)
{
    struct bn_layout layout = {0};
    MPI_Aint lb, true_extent;
    MPI_Count size_bytes;
    MPI_Datatype element;
    below.Type_size_x(type, &size_bytes);
    below.Type_get_extent(type, &lb, &layout.extent);
    below.Type_get_true_extent(type, &layout.true_lb, &true_extent);
    layout.size_bytes = (size_t)size_bytes;
    bool is_dense = size_bytes == layout.extent && size_bytes == true_extent;
    if (find_element(type, &element, &layout.is_named)) {
        const struct bn_layout *of_element = bn_layout_of(element);
        layout.is_contiguous = is_dense && of_element && of_element->is_contiguous;
        release(element);
    } else if (layout.is_named) {
        layout.is_contiguous = is_dense;
    } else {
        layout.is_contiguous = is_dense && size_bytes <= PROBE_MAX_BYTES && is_packed_in_order(type, &layout);
    }
    return layout;
}

/* ---- What is kept ---- */

static size_t slot_of(MPI_Datatype type, size_t probe)
{
    return (random_of((uintptr_t)type) + probe) % NAMED_SLOTS;
}

static const struct bn_layout *find_named(MPI_Datatype type)
{
    for (size_t probe = 0; probe < NAMED_SLOTS; probe++) {
        const struct named *named = &layouts.named[slot_of(type, probe)];
        if (!bn_word_see(&named->is_there))
            return NULL;
        if (named->type == type)
            return &named->layout;
    }
    return NULL;
}

static const struct bn_layout *keep_named(MPI_Datatype type, const struct bn_layout *layout)
{
    const struct bn_layout *kept;
    bn_spinlock_acquire(&layouts.lock);
    kept = find_named(type);
    for (size_t probe = 0; !kept && probe < NAMED_SLOTS; probe++) {
        struct named *named = &layouts.named[slot_of(type, probe)];
        if (named->is_there)
            continue;
        named->type = type;
        named->layout = *layout;
        bn_word_show(&named->is_there, 1);
        kept = &named->layout;
    }
    bn_spinlock_release(&layouts.lock);
    return kept;
}

static int forget(MPI_Datatype type, int keyval, void *layout, void *extra)
{
    (void)type;
    (void)keyval;
    (void)extra;
    free(layout);
    return MPI_SUCCESS;
}

static int copy_nothing(MPI_Datatype type, int keyval, void *extra, void *from, void *to, int *has_copied)
{
    (void)type;
    (void)keyval;
    (void)extra;
    (void)from;
    (void)to;
    *has_copied = 0;
    return MPI_SUCCESS;
}

bool bn_layouts_begin(void)
{
    return below.Type_create_keyval(copy_nothing, forget, &layouts.keyval, NULL) == MPI_SUCCESS;
}

void bn_layouts_end(void)
{
    below.Type_free_keyval(&layouts.keyval);
}

/* Two threads may look at a type at the same time; the layout of one of them is kept. */
static const struct bn_layout *keep(MPI_Datatype type, const struct bn_layout *layout)
{
    struct bn_layout *kept;
    int is_kept;
    bn_spinlock_acquire(&layouts.lock);
    bool is_known = below.Type_get_attr(type, layouts.keyval, &kept, &is_kept) == MPI_SUCCESS && is_kept;
    if (!is_known) {
        kept = malloc(sizeof *kept);
        if (kept)
            *kept = *layout;
        if (kept && below.Type_set_attr(type, layouts.keyval, kept) != MPI_SUCCESS) {
            free(kept);
            kept = NULL;
        }
    }
    bn_spinlock_release(&layouts.lock);
    return kept;
}

const struct bn_layout *bn_layout_of(MPI_Datatype type)
{
    struct bn_layout *known;
    int is_known;
    if (type == below.no_type)
        return NULL;
    const struct bn_layout *named = find_named(type);
    if (named)
        return named;
    if (below.Type_get_attr(type, layouts.keyval, &known, &is_known) != MPI_SUCCESS)
        return NULL;
    if (is_known)
        return known;
    const struct bn_layout layout = look_at(type);
    return layout.is_named ? keep_named(type, &layout) : keep(type, &layout);
}
