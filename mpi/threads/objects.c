#include "threads/objects.h"

#include "base/log.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct bn_object *all_members;
static const char windows, files;

_Static_assert(sizeof(MPI_Win) <= sizeof(uint64_t) && sizeof(MPI_File) <= sizeof(uint64_t), "a handle is a number");

static uint64_t number_of_window(MPI_Win window)
{
    uint64_t number = 0;
    memcpy(&number, &window, sizeof window);
    return number;
}

static uint64_t number_of_file(MPI_File file)
{
    uint64_t number = 0;
    memcpy(&number, &file, sizeof file);
    return number;
}

static void add(struct bn_object *members)
{
    pthread_mutex_lock(&lock);
    members->next = all_members;
    all_members = members;
    bn_word_add(&bn_direct_generation, 1);
    pthread_mutex_unlock(&lock);
}

/* Comm_split, not Comm_dup, so that no attribute callback of the program is called. */
static struct bn_object *make(MPI_Comm comm)
{
    struct bn_object *members = calloc(1, sizeof *members);
    int rank, size;
    bn_below.Comm_rank(comm, &rank);
    bn_below.Comm_size(comm, &size);
    unsigned char *held = calloc((size_t)size, 1);
    if (!members || !held) {
        bn_log_error("there is no memory for the members of a window or file");
        bn_library_abort(comm);
    }
    members->held = held;
    bn_below.Comm_split(comm, 0, rank, &members->comm);
    bn_below.Comm_set_errhandler(members->comm, bn_handles.errors_return);
    return members;
}

static void drop(struct bn_object *members)
{
    bn_below.Comm_free(&members->comm);
    free(members->held);
    free(members);
}

void bn_objects_keep_file(MPI_File file, MPI_Comm comm)
{
    struct bn_object *members = make(comm);
    members->kind = &files;
    members->handle = number_of_file(file);
    add(members);
}

/* MPICH 4.0 accesses addresses rounded down to a multiple of 16, even if MPI_Win_allocate returned another one.  With
 * one word per member, two members would share a word, and simultaneous additions would be lost. */
enum { WORD_BYTES = 64 };

static void make_locks(struct bn_object *members)
{
    uint64_t *word;
    bn_below.Win_allocate(WORD_BYTES, sizeof *word, bn_handles.no_info, members->comm, &word, &members->locks);
    *word = 0;
    bn_below.Win_lock_all(MPI_MODE_NOCHECK, members->locks);
    bn_below.Win_sync(members->locks);
    bn_below.Barrier(members->comm);
}

static void add_window(struct bn_object *members, MPI_Win window)
{
    members->kind = &windows;
    members->handle = number_of_window(window);
    add(members);
}

void bn_objects_keep_window(MPI_Win window, MPI_Comm comm, void *base)
{
    struct bn_object *members = make(comm);
    int *flavor, has_flavor;
    members->base = base;
    bn_below.Win_get_attr(window, MPI_WIN_CREATE_FLAVOR, &flavor, &has_flavor);
    if (has_flavor)
        members->direct = bn_direct_adopt(members->comm, window, *flavor, base);
    if (!members->direct)
        make_locks(members);
    add_window(members, window);
}

/* Makes the library's window over the same memory, for its fences and posts, and its attributes.  Open MPI 4.1 cannot
 * make one for a single process. */
static bool create_window(const struct bn_object *members, MPI_Aint size_bytes, MPI_Aint unit, MPI_Info info,
                          MPI_Win *window)
{
    void *own = members->direct->members[members->direct->rank].base;
    bool has_window = bn_below.Win_create(own, size_bytes, (int)unit, info, members->comm, window) == MPI_SUCCESS;
    if (bn_direct_all_have(members->comm, has_window))
        return true;
    if (has_window)
        bn_below.Win_free(window);
    return false;
}

bool bn_objects_allocate(MPI_Aint size_bytes, MPI_Aint unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window)
{
    if (!bn_direct_is_possible(comm, size_bytes, unit))
        return false;
    struct bn_object *members = make(comm);
    members->direct = bn_direct_allocate(members->comm, size_bytes, unit);
    if (!members->direct || !create_window(members, size_bytes, unit, info, window)) {
        bn_direct_free(members->direct);
        drop(members);
        return false;
    }
    void *own = members->direct->members[members->direct->rank].base;
    memcpy(base, &own, sizeof own);
    members->is_allocated = true;
    add_window(members, *window);
    return true;
}

static struct bn_object *find(const void *kind, uint64_t handle)
{
    pthread_mutex_lock(&lock);
    struct bn_object *members = all_members;
    while (members && (members->kind != kind || members->handle != handle))
        members = members->next;
    pthread_mutex_unlock(&lock);
    return members;
}

static MPI_Comm comm_of(const struct bn_object *members)
{
    return members ? members->comm : bn_handles.no_comm;
}

struct bn_object *bn_objects_find_window(MPI_Win window)
{
    return find(&windows, number_of_window(window));
}

MPI_Comm bn_objects_of_window(MPI_Win window)
{
    return comm_of(bn_objects_find_window(window));
}

MPI_Comm bn_objects_of_file(MPI_File file)
{
    return comm_of(find(&files, number_of_file(file)));
}

void bn_objects_forget(MPI_Comm comm)
{
    struct bn_object **link = &all_members;
    pthread_mutex_lock(&lock);
    while (*link && (*link)->comm != comm)
        link = &(*link)->next;
    struct bn_object *members = *link;
    if (members)
        *link = members->next;
    bn_word_add(&bn_direct_generation, 1);
    pthread_mutex_unlock(&lock);
    if (!members)
        return;
    bn_direct_free(members->direct);
    if (members->kind == &windows && !members->direct) {
        bn_below.Win_unlock_all(members->locks);
        bn_below.Win_free(&members->locks);
    }
    drop(members);
}
