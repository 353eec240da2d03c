#include "threads/names.h"

#include "base/log.h"

#include <stdlib.h>

/* The attribute of a communicator */
struct name {
    uint64_t number;
    uint64_t made; /* communicators made from it without communicating */
};

static int key;
static bool has_begun;

static int forget(MPI_Comm comm, int comm_key, void *name, void *nothing)
{
    (void)comm;
    (void)comm_key;
    (void)nothing;
    free(name);
    return MPI_SUCCESS;
}

/* A duplicate does not inherit the name. */
static int copy_nothing(MPI_Comm comm, int comm_key, void *nothing, void *name, void *copy, int *is_copied)
{
    (void)comm;
    (void)comm_key;
    (void)nothing;
    (void)name;
    (void)copy;
    *is_copied = 0;
    return MPI_SUCCESS;
}

void bn_names_begin(void)
{
    bn_below.Comm_create_keyval(copy_nothing, forget, &key, NULL);
    has_begun = true;
    bn_names_give(bn_handles.world, 1);
}

void bn_names_end(void)
{
    bn_below.Comm_delete_attr(bn_handles.world, key);
    bn_below.Comm_free_keyval(&key);
    has_begun = false;
}

void bn_names_give(MPI_Comm comm, uint64_t name)
{
    if (!has_begun || comm == bn_handles.no_comm)
        return;
    struct name *kept = malloc(sizeof *kept);
    if (!kept) {
        bn_log_error("there is no memory for the attribute of a communicator");
        bn_library_abort(bn_handles.world);
    }
    *kept = (struct name){.number = name};
    bn_below.Comm_set_attr(comm, key, kept);
}

static struct name *find(MPI_Comm comm)
{
    struct name *name = NULL;
    int is_there = 0;
    if (has_begun && bn_below.Comm_get_attr(comm, key, &name, &is_there) == MPI_SUCCESS && is_there)
        return name;
    return NULL;
}

uint64_t bn_names_of(MPI_Comm comm)
{
    const struct name *name = find(comm);
    return name ? name->number : 0;
}

/* Stamps count up from 0, so a hash with the highest bit set never equals one, and equals another hash only with
 * probability 2^-63. */
uint64_t bn_names_next_of(MPI_Comm comm)
{
    struct name *name = find(comm);
    if (!name)
        return 0;
    uint64_t mixed = (name->number ^ ++name->made * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 31) * UINT64_C(0x94d049bb133111eb);
    return (mixed ^ mixed >> 29) | UINT64_C(1) << 63;
}

bool bn_names_have_begun(MPI_Comm comm)
{
    const struct name *name = find(comm);
    return name && name->made > 0;
}
