#include "front/uses.h"

#include "base/log.h"
#include "front/layout.h"
#include "front/tools.h"
#include "host/names.h"
#include "sync/spinlock.h"

#include <stdlib.h>

/* What a call uses and the program frees; a handle of 0 is none, in any library. */
struct handle {
    MPI_Datatype type;
    MPI_Op op;
};

struct freed {
    struct handle handle;
    uint64_t number; /* uses.frees with this one */
    int holders;     /* calls that the library below has got since */
    struct freed *next;
};

bool bn_uses_matter;

static struct {
    struct bn_spinlock lock; /* held while no function of MPI is called */
    struct bn_args *all;
    struct freed *freed; /* by the program, in spite of a use */
    uint64_t frees;      /* all that ever were in that list */
} uses;

/* ---- What a call uses ---- */

static bool may_be_freed(const struct bn_side *side)
{
    return side->types ||
           (side->type != (MPI_Datatype)0 && side->type != bn_below.no_type && !bn_layout_is_known_named(side->type));
}

static bool side_uses(const struct bn_args *args, const struct bn_side *side, MPI_Datatype type)
{
    if (!side->types)
        return side->type == type;
    for (int rank = 0; side->buffer != MPI_IN_PLACE && rank < args->communicator->size; rank++)
        if (side->types[rank] == type)
            return true;
    return false;
}

static bool is_used_by(const struct bn_args *args, const struct handle *handle)
{
    if (handle->op != (MPI_Op)0)
        return args->op == handle->op;
    return side_uses(args, &args->send, handle->type) || side_uses(args, &args->recv, handle->type);
}

static bool is_used(const struct handle *handle)
{
    const struct bn_args *args = uses.all;
    while (args && !is_used_by(args, handle))
        args = args->use.next;
    return args != NULL;
}

void bn_use_enlist(struct bn_args *args)
{
    bool has_own_op = args->op != (MPI_Op)0 && !bn_op_is_predefined(args->op);
    if (!has_own_op && !may_be_freed(&args->send) && !may_be_freed(&args->recv))
        return;
    bn_spinlock_acquire(&uses.lock);
    args->use = (struct bn_use){.next = uses.all, .link = &uses.all};
    if (uses.all)
        uses.all->use.link = &args->use.next;
    uses.all = args;
    bn_spinlock_release(&uses.lock);
}

static void delist(struct bn_args *args)
{
    struct bn_use *use = &args->use;
    if (!use->link)
        return;
    *use->link = use->next;
    if (use->next)
        use->next->use.link = use->link;
    use->link = NULL;
}

/* ---- What is freed later ---- */

/* Takes one that no call uses any more; null: there is none. */
static struct freed *take_unused(void)
{
    struct freed **link = &uses.freed, *freed;
    bn_spinlock_acquire(&uses.lock);
    while (*link && ((*link)->holders > 0 || is_used(&(*link)->handle)))
        link = &(*link)->next;
    freed = *link;
    if (freed)
        *link = freed->next;
    bn_spinlock_release(&uses.lock);
    return freed;
}

static void free_unused(void)
{
    for (struct freed *freed; (freed = take_unused()) != NULL; free(freed)) {
        if (freed->handle.op != (MPI_Op)0)
            bn_below.Op_free(&freed->handle.op);
        else
            bn_below.Type_free(&freed->handle.type);
    }
}

void bn_use_hand_down(struct bn_args *args)
{
    bn_spinlock_acquire(&uses.lock);
    delist(args);
    for (struct freed *freed = uses.freed; freed; freed = freed->next)
        if (is_used_by(args, &freed->handle)) {
            freed->holders++;
            args->use.handed = uses.frees;
        }
    bn_spinlock_release(&uses.lock);
}

void bn_use_end(struct bn_args *args)
{
    if (!bn_use_is_open(args))
        return;
    bn_spinlock_acquire(&uses.lock);
    delist(args);
    for (struct freed *freed = args->use.handed ? uses.freed : NULL; freed; freed = freed->next)
        freed->holders -= freed->number <= args->use.handed && is_used_by(args, &freed->handle);
    args->use.handed = 0;
    bool has_freed = uses.freed != NULL;
    bn_spinlock_release(&uses.lock);
    if (has_freed)
        free_unused();
}

void bn_uses_begin(void)
{
    int level;
    bn_uses_matter = bn_below.Query_thread(&level) == MPI_SUCCESS && level == MPI_THREAD_MULTIPLE;
}

void bn_uses_end(void)
{
    bn_uses_matter = false;
    free_unused();
}

/* ---- Entry points ---- */

/* To free a predefined handle is an error, which the library below reports. */
static bool is_predefined(const struct handle *handle)
{
    int integers, addresses, types, combiner;
    if (handle->op != (MPI_Op)0)
        return bn_op_is_predefined(handle->op);
    return bn_below.Type_get_envelope(handle->type, &integers, &addresses, &types, &combiner) == MPI_SUCCESS &&
           combiner == MPI_COMBINER_NAMED;
}

/* False: no call uses it, so that it can be freed at once. */
static bool free_later(struct handle handle)
{
    bn_spinlock_acquire(&uses.lock);
    bool is_wanted = is_used(&handle);
    bn_spinlock_release(&uses.lock);
    if (!is_wanted || is_predefined(&handle))
        return false;
    struct freed *freed = malloc(sizeof *freed);
    if (!freed) { /* then it is never freed */
        bn_log_warning("there is no memory for freeing a datatype or operation after the call that uses it");
        return true;
    }
    bn_spinlock_acquire(&uses.lock);
    *freed = (struct freed){handle, ++uses.frees, 0, uses.freed};
    uses.freed = freed;
    bn_spinlock_release(&uses.lock);
    free_unused(); /* the call may have ended in between */
    return true;
}

static int call_Type_free(MPI_Datatype *type)
{
    bn_below_find();
    if (!bn_uses_matter || !type || *type == (MPI_Datatype)0 || !free_later((struct handle){.type = *type}))
        return bn_below.Type_free(type);
    *type = bn_below.no_type;
    return MPI_SUCCESS;
}

static int call_Op_free(MPI_Op *op)
{
    bn_below_find();
    if (!bn_uses_matter || !op || *op == (MPI_Op)0 || !free_later((struct handle){.op = *op}))
        return bn_below.Op_free(op);
    *op = bn_below.no_op;
    return MPI_SUCCESS;
}

BN_BOTH_NAMES(int, Type_free, (bn_below_find(), bn_next_tool.Type_free), (MPI_Datatype * type), (type))
BN_BOTH_NAMES(int, Op_free, (bn_below_find(), bn_next_tool.Op_free), (MPI_Op * op), (op))
