#include "threads/members.h"

#include "base/log.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct bn_members *all_members;
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

static void add(struct bn_members *members)
{
    pthread_mutex_lock(&lock);
    members->next = all_members;
    all_members = members;
    pthread_mutex_unlock(&lock);
}

/* A split, not a copy: no attribute's function of the program is called. */
static struct bn_members *make(const void *kind, uint64_t handle, MPI_Comm comm)
{
    struct bn_members *members = calloc(1, sizeof *members);
    int rank, size;
    bn_real.Comm_rank(comm, &rank);
    bn_real.Comm_size(comm, &size);
    unsigned char *held = calloc((size_t)size, 1);
    if (!members || !held) {
        bn_log_error("there is no memory for the members of a window or file");
        bn_library_abort(comm);
        exit(EXIT_FAILURE);
    }
    members->kind = kind;
    members->handle = handle;
    members->held = held;
    bn_real.Comm_split(comm, 0, rank, &members->comm);
    return members;
}

void bn_members_keep_file(MPI_File file, MPI_Comm comm)
{
    add(make(&files, number_of_file(file), comm));
}

/* MPICH 4.0 goes to the address rounded down to 16 where MPI_Win_allocate gives a process another one: with a word for
 * each member two of them would share one, and what both add at the same time is lost. */
enum { WORD_BYTES = 64 };

void bn_members_keep_window(MPI_Win window, MPI_Comm comm)
{
    struct bn_members *members = make(&windows, number_of_window(window), comm);
    uint64_t *word;
    bn_real.Win_allocate(WORD_BYTES, sizeof *word, bn_handles.no_info, members->comm, &word, &members->locks);
    *word = 0;
    bn_real.Win_lock_all(MPI_MODE_NOCHECK, members->locks);
    bn_real.Win_sync(members->locks);
    bn_real.Barrier(members->comm);
    add(members);
}

static struct bn_members *find(const void *kind, uint64_t handle)
{
    pthread_mutex_lock(&lock);
    struct bn_members *members = all_members;
    while (members && (members->kind != kind || members->handle != handle))
        members = members->next;
    pthread_mutex_unlock(&lock);
    return members;
}

static MPI_Comm comm_of(const struct bn_members *members)
{
    return members ? members->comm : bn_handles.no_comm;
}

struct bn_members *bn_members_find_window(MPI_Win window)
{
    return find(&windows, number_of_window(window));
}

MPI_Comm bn_members_of_window(MPI_Win window)
{
    return comm_of(bn_members_find_window(window));
}

MPI_Comm bn_members_of_file(MPI_File file)
{
    return comm_of(find(&files, number_of_file(file)));
}

void bn_members_forget(MPI_Comm comm)
{
    struct bn_members **link = &all_members;
    pthread_mutex_lock(&lock);
    while (*link && (*link)->comm != comm)
        link = &(*link)->next;
    struct bn_members *members = *link;
    if (members)
        *link = members->next;
    pthread_mutex_unlock(&lock);
    if (!members)
        return;
    if (members->kind == &windows) {
        bn_real.Win_unlock_all(members->locks);
        bn_real.Win_free(&members->locks);
    }
    bn_real.Comm_free(&members->comm);
    free(members->held);
    free(members);
}
