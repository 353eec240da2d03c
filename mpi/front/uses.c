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
    struct freed *next;
};

bool bn_uses_matter;

static _Thread_local struct bn_use *innermost; /* of the calls that this thread is in */

static struct {
    struct bn_spinlock lock; /* held while no function of MPI is called */
    struct bn_use *all;
    struct freed *freed; /* by the program, in spite of a use */
} uses;

/* ---- What a call uses ---- */

/* Predefined types are never freed.  The type that the thread looked up last is most likely the one of both sides. */
static bool may_be_freed(const struct bn_side *side)
{
    const struct bn_layout_seen *seen = &bn_layout_seen;
    bool is_named = seen->layout && seen->type == side->type && seen->layout->is_named;
    return side->types || (side->type != (MPI_Datatype)0 && !is_named);
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

static bool is_used(const struct handle *handle)
{
    for (const struct bn_use *use = uses.all; use; use = use->next) {
        const struct bn_args *args = use->args;
        if (handle->op != (MPI_Op)0
                ? args->op == handle->op
                : side_uses(args, &args->send, handle->type) || side_uses(args, &args->recv, handle->type))
            return true;
    }
    return false;
}

bool bn_use_enlist(struct bn_use *use, const struct bn_args *args)
{
    bool has_own_op = args->op != (MPI_Op)0 && !bn_op_is_predefined(args->op);
    if (!has_own_op && !may_be_freed(&args->send) && !may_be_freed(&args->recv))
        return false;
    bn_spinlock_acquire(&uses.lock);
    *use = (struct bn_use){args, uses.all, &uses.all, innermost};
    innermost = use;
    if (use->next)
        use->next->link = &use->next;
    uses.all = use;
    bn_spinlock_release(&uses.lock);
    return true;
}

/* ---- What is freed later ---- */

/* Takes one that no call uses any more; null: there is none. */
static struct freed *take_unused(void)
{
    struct freed **link = &uses.freed, *freed;
    bn_spinlock_acquire(&uses.lock);
    while (*link && is_used(&(*link)->handle))
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

void bn_use_end(struct bn_use *use)
{
    if (!use->link)
        return;
    innermost = use->outer;
    bn_spinlock_acquire(&uses.lock);
    *use->link = use->next;
    if (use->next)
        use->next->link = use->link;
    use->link = NULL;
    bool has_freed = uses.freed != NULL;
    bn_spinlock_release(&uses.lock);
    if (has_freed)
        free_unused();
}

void bn_use_end_before_handler(void)
{
    if (innermost)
        bn_use_end(innermost);
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
    freed->handle = handle;
    bn_spinlock_acquire(&uses.lock);
    freed->next = uses.freed;
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
