#include "front/layout.h"

#include "front/below.h"
#include "front/valid.h"
#include "sync/spinlock.h"
#include "types/contents.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAMED_SLOTS = 256,   /* for predefined types, about 60.  A power of two */
    SEEN_SLOTS = 4,      /* for types that a thread looked up of late: static TLS, of which there is little.  A power
                            of two */
    RUNS_MOST = 1 << 16, /* per type, 2 MiB; types with more are packed by MPI, if it can (packed.c) */
    RUN_BYTES = 4096,    /* and where it cannot, so many bytes for each run: 1/128 of the data */
};

/* Predefined types are never freed, so their layouts are kept in a table instead of attributes. */
struct named {
    uint32_t is_there;
    MPI_Datatype type;
    struct bn_layout layout;
};

/* The attribute of all other types */
struct kept {
    struct bn_layout layout;
    MPI_Datatype type;
    struct kept *replaced; /* what another thread had set */
};

/* What this thread is setting */
static _Thread_local struct kept *replacement;

static struct {
    int keyval; /* of the attribute */
    struct bn_spinlock lock;
    struct named named[NAMED_SLOTS];
} layouts;

_Thread_local struct bn_layout_seen bn_layout_seen;
uint32_t bn_layout_frees;

static uint64_t random_of(uint64_t index)
{
    uint64_t mixed = (index + 1) * UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
    return mixed ^ mixed >> 31;
}

static struct bn_layout look_at(MPI_Datatype type)
{
    struct bn_layout layout = {0};
    struct bn_type_contents contents;
    MPI_Aint lb, true_extent;
    MPI_Count size_bytes;
    bn_below.Type_size_x(type, &size_bytes);
    bn_below.Type_get_extent(type, &lb, &layout.extent);
    bn_below.Type_get_true_extent(type, &layout.true_lb, &true_extent);
    layout.size_bytes = (size_t)size_bytes;
    bn_type_contents_get(&contents, type);
    layout.is_named = contents.combiner == MPI_COMBINER_NAMED;
    bn_type_contents_free(&contents);
    if (!bn_runs_find(&layout.runs, type, 1, size_bytes > INT_MAX ? (size_t)size_bytes / RUN_BYTES : RUNS_MOST)) {
        bn_runs_free(&layout.runs);
        layout.runs = (struct bn_runs){0};
    }
    const struct bn_run *first = layout.runs.list;
    layout.is_contiguous = size_bytes == layout.extent && size_bytes == true_extent &&
                           (size_bytes == 0 || (layout.runs.count == 1 && first->number == 1));
    return layout;
}

/* ---- Known layouts ---- */

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

bool bn_layout_find_named(MPI_Datatype type)
{
    return find_named(type) != NULL;
}

static const struct bn_layout *keep_named(MPI_Datatype type, struct bn_layout *layout)
{
    const struct bn_layout *kept;
    bn_spinlock_acquire(&layouts.lock);
    kept = find_named(type);
    bool is_known = kept != NULL;
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
    if (is_known || !kept)
        bn_runs_free(&layout->runs);
    return kept;
}

/* Calls of the library below may wait until another thread leaves it (mpi/threads), and that thread may come here.  So
 * no lock is held around them: two threads may set the attribute of a type, and then what the first one has set stays
 * with what replaces it, since calls use it. */
static int forget(MPI_Datatype type, int keyval, void *attribute, void *extra)
{
    struct kept *kept = attribute;
    (void)keyval;
    (void)extra;
    if (replacement && replacement->type == type) {
        replacement->replaced = kept;
        return MPI_SUCCESS;
    }
    bn_word_add(&bn_layout_frees, 1);
    while (kept) {
        struct kept *replaced = kept->replaced;
        bn_runs_free(&kept->layout.runs);
        free(kept);
        kept = replaced;
    }
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
    bn_valid_begin();
    return bn_below.Type_create_keyval(copy_nothing, forget, &layouts.keyval, NULL) == MPI_SUCCESS;
}

void bn_layouts_end(void)
{
    bn_below.Type_free_keyval(&layouts.keyval);
    bn_valid_end();
}

static const struct bn_layout *keep(MPI_Datatype type, struct bn_layout *layout)
{
    struct kept *kept = malloc(sizeof *kept);
    if (kept) {
        *kept = (struct kept){*layout, type, NULL};
        replacement = kept;
        bool is_set = bn_below.Type_set_attr(type, layouts.keyval, kept) == MPI_SUCCESS;
        replacement = NULL;
        if (is_set)
            return &kept->layout;
        free(kept);
    }
    bn_runs_free(&layout->runs);
    return NULL;
}

static const struct bn_layout *look_up(MPI_Datatype type)
{
    struct kept *known;
    int is_known;
    if (type == bn_below.no_type)
        return NULL;
    const struct bn_layout *named = find_named(type);
    if (named)
        return named;
    if (!bn_type_is_valid(type) || bn_below.Type_get_attr(type, layouts.keyval, &known, &is_known) != MPI_SUCCESS)
        return NULL;
    if (is_known)
        return &known->layout;
    struct bn_layout layout = look_at(type);
    return layout.is_named ? keep_named(type, &layout) : keep(type, &layout);
}

const struct bn_layout *bn_layout_look_up(MPI_Datatype type)
{
    static _Thread_local struct bn_layout_seen all[SEEN_SLOTS];
    struct bn_layout_seen *seen = &all[random_of((uintptr_t)type) % SEEN_SLOTS];
    uint32_t frees = bn_word_see(&bn_layout_frees);
    if (!bn_layout_is_seen(seen, type))
        *seen = (struct bn_layout_seen){type, frees, look_up(type)};
    bn_layout_seen = *seen;
    return seen->layout;
}
