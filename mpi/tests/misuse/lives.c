/*
 * Programs that start and end MPI otherwise than with one MPI_Init and one MPI_Finalize.  All processes call collective
 * operations and check the results; each prints "right" at its end.
 *
 *     lives NAME       one of `lives` below; prints "skipped: ..." if the library cannot do it
 */
#include <mpi.h>

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef OMPI_MAJOR_VERSION
#include <mpi-ext.h>
#endif

/* Open MPI 5.0 has sessions although it claims to be MPI 3.1. */
#if MPI_VERSION >= 4 || (defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION >= 5)
#define LACKS_SESSIONS NULL
#else
#define LACKS_SESSIONS "its mpi.h has no sessions"
#define MPI_Session int
#define MPI_Session_init(info, handler, session) (*(session) = 0)
#define MPI_Session_finalize(session) ((void)(session))
#define MPI_Group_from_session_pset(session, name, group) (*(group) = MPI_GROUP_EMPTY)
#define MPI_Comm_create_from_group(group, tag, info, handler, comm) (*(comm) = MPI_COMM_NULL)
#endif

enum { CALLS = 40, INTS = 3000 };

static int failures;

static void check(int is_right, const char *what)
{
    if (is_right)
        return;
    failures++;
    fprintf(stderr, "lives: %s is wrong\n", what);
}

/* Calls several operations, often enough that a choice between candidates is made. */
static void use(MPI_Comm comm)
{
    static int mine[INTS], got[INTS];
    int rank, size;
    MPI_Comm half;
    MPI_Datatype every_other;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Comm_split(comm, rank % 2, rank, &half);
    MPI_Type_vector(INTS / 2, 1, 2, MPI_INT, &every_other);
    MPI_Type_commit(&every_other);
    for (int call = 0; call < CALLS; call++) {
        int root = call % size, sum = 0;
        for (int i = 0; i < INTS; i++)
            mine[i] = rank == root ? call + i : -1;
        MPI_Bcast(mine, INTS, MPI_INT, root, comm);
        check(mine[INTS - 1] == call + INTS - 1, "a broadcast");
        for (int i = 0; i < INTS; i++)
            mine[i] = rank == root ? call + i : -1;
        MPI_Bcast(mine, 1, every_other, root, comm);
        check(mine[INTS - 2] == call + INTS - 2 && mine[INTS - 1] == (rank == root ? call + INTS - 1 : -1),
              "a broadcast of every other element");
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
        check(sum == size * (size - 1) / 2, "a sum");
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_MAX, half);
        check(sum == (rank % 2 == (size - 1) % 2 ? size - 1 : size - 2) || size == 1, "a maximum of half of them");
        MPI_Allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, comm);
        check(got[size - 1] == size - 1, "all ranks");
        MPI_Barrier(half);
    }
    MPI_Type_free(&every_other);
    MPI_Comm_free(&half);
}

static MPI_Session begin_session(void)
{
    MPI_Session session;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    return session;
}

static MPI_Comm comm_of(MPI_Session session, const char *set)
{
    MPI_Group group;
    MPI_Comm comm;
    MPI_Group_from_session_pset(session, set, &group);
    MPI_Comm_create_from_group(group, "banyan.lives", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    return comm;
}

static void use_session(const char *set)
{
    MPI_Session session = begin_session();
    MPI_Comm comm = comm_of(session, set);
    use(comm);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
}

static void session(void)
{
    use_session("mpi://WORLD");
}

static void session_of_one(void)
{
    use_session("mpi://SELF");
}

static void session_again(void)
{
    for (int time = 0; time < 3; time++)
        use_session("mpi://WORLD");
}

/* Two sessions at a time, each with a communicator; the first one ends first */
static void two_sessions(void)
{
    MPI_Session first = begin_session(), second = begin_session();
    MPI_Comm of_first = comm_of(first, "mpi://WORLD");
    use(of_first);
    MPI_Comm of_second = comm_of(second, "mpi://WORLD");
    use(of_second);
    MPI_Comm_free(&of_first);
    MPI_Session_finalize(&first);
    use(of_second);
    MPI_Comm_free(&of_second);
    MPI_Session_finalize(&second);
}

static void session_in_world(void)
{
    MPI_Init(NULL, NULL);
    use(MPI_COMM_WORLD);
    use_session("mpi://WORLD");
    use(MPI_COMM_WORLD);
    MPI_Finalize();
}

static void world_in_session(void)
{
    MPI_Session session = begin_session();
    MPI_Comm comm = comm_of(session, "mpi://WORLD");
    use(comm);
    MPI_Init(NULL, NULL);
    use(MPI_COMM_WORLD);
    use(comm);
    MPI_Finalize();
    use(comm);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
}

static void with_level(int level)
{
    int provided;
    MPI_Init_thread(NULL, NULL, level, &provided);
    use(MPI_COMM_WORLD);
    MPI_Finalize();
}

static void single(void)
{
    with_level(MPI_THREAD_SINGLE);
}

static void multiple(void)
{
    with_level(MPI_THREAD_MULTIPLE);
}

/* MPI_Init called twice, which MPI forbids, and reports by an error code if asked to */
static void begun_twice(void)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    check(MPI_Init(NULL, NULL) != MPI_SUCCESS, "beginning twice");
    use(MPI_COMM_WORLD);
    MPI_Finalize();
}

/* MPI_Finalize called twice: an error that ends the job, or none */
static void ended_twice(void)
{
    MPI_Init(NULL, NULL);
    use(MPI_COMM_WORLD);
    MPI_Finalize();
    MPI_Finalize();
}

static void after_the_end(void)
{
    MPI_Init(NULL, NULL);
    use(MPI_COMM_WORLD);
    MPI_Finalize();
    MPI_Barrier(MPI_COMM_WORLD);
}

static void before_the_begin(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A callback for an attribute that MPI_Finalize deletes */
static int use_at_end(MPI_Comm comm, int keyval, void *attribute, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)extra;
    check(*(int *)attribute == 1, "an attribute");
    use(MPI_COMM_WORLD);
    return MPI_SUCCESS;
}

static void used_at_end(void)
{
    static int one = 1;
    int keyval;
    MPI_Init(NULL, NULL);
    use(MPI_COMM_WORLD);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, use_at_end, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, &one);
    MPI_Finalize();
}

/* A callback for an attribute that MPI_Comm_free and MPI_Comm_disconnect delete; the communicator exists until it
 * returns. */
static int use_while_freed(MPI_Comm comm, int keyval, void *attribute, void *extra)
{
    MPI_Comm *inner = attribute;
    int one = 1, sum = 0, size;
    (void)keyval;
    (void)extra;
    MPI_Comm_size(comm, &size);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    check(sum == size, "a sum on a communicator that is freed");
    MPI_Barrier(*inner);
    MPI_Comm_free(inner);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    check(sum == size, "a sum behind another one that was freed");
    return MPI_SUCCESS;
}

static void free_in_use(int keyval, int (*end)(MPI_Comm *))
{
    MPI_Comm comm, inner;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_dup(comm, &inner);
    MPI_Comm_set_attr(comm, keyval, &inner);
    MPI_Barrier(comm);
    MPI_Barrier(inner);
    end(&comm);
    check(comm == MPI_COMM_NULL && inner == MPI_COMM_NULL, "what has been freed");
}

static void used_while_freed(void)
{
    enum { TIMES = 100 };
    int keyval;
    MPI_Init(NULL, NULL);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, use_while_freed, &keyval, NULL);
    size_t before = 0;
    for (int time = 0; time < 2 * TIMES; time++) {
        if (time == TIMES)
            before = mallinfo2().uordblks;
        free_in_use(keyval, time % 2 ? MPI_Comm_free : MPI_Comm_disconnect);
    }
    check(mallinfo2().uordblks < before + TIMES * 1000, "the memory that is left");
    use(MPI_COMM_WORLD);
    MPI_Finalize();
}

#ifdef OMPI_HAVE_MPI_EXT_FTMPI
#define LACKS_REVOKE NULL

static void expect_revoked(int error, const char *what)
{
    int error_class;
    MPI_Error_class(error, &error_class);
    check(error_class == MPIX_ERR_REVOKED, what);
}

/* Open MPI's fault tolerance: one process interrupts the others, which wait in a collective operation, and all go on
 * with another communicator. */
static void revoked(void)
{
    enum { OTHERS_WAIT_US = 300000 };
    int rank, sum;
    MPI_Comm comm, next;
    setenv("OMPI_MCA_mpi_ft_enable", "1", 1);
    MPI_Init(NULL, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    use(comm);
    if (rank == 0) {
        usleep(OTHERS_WAIT_US);
        MPIX_Comm_revoke(comm);
    } else {
        expect_revoked(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm), "the error of those that waited");
    }
    expect_revoked(MPI_Barrier(comm), "the error of a later call");
    MPIX_Comm_shrink(comm, &next);
    use(next);
    MPI_Comm_free(&next);
    MPI_Comm_free(&comm);
    MPI_Finalize();
}
#else
#define LACKS_REVOKE "its mpi.h has no MPIX_Comm_revoke of Open MPI"

static void revoked(void)
{
}
#endif

static const struct life {
    const char *name;
    void (*live)(void);
    const char *lacks; /* what the library lacks for it; null: nothing */
} lives[] = {
    {"session", session, LACKS_SESSIONS},
    {"session_of_one", session_of_one, LACKS_SESSIONS},
    {"session_again", session_again, LACKS_SESSIONS},
    {"two_sessions", two_sessions, LACKS_SESSIONS},
    {"session_in_world", session_in_world, LACKS_SESSIONS},
    {"world_in_session", world_in_session, LACKS_SESSIONS},
    {"single", single, NULL},
    {"multiple", multiple, NULL},
    {"begun_twice", begun_twice, NULL},
    {"ended_twice", ended_twice, NULL},
    {"after_the_end", after_the_end, NULL},
    {"before_the_begin", before_the_begin, NULL},
    {"used_at_end", used_at_end, NULL},
    {"used_while_freed", used_while_freed, NULL},
    {"revoked", revoked, LACKS_REVOKE},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof lives / sizeof lives[0]; i++) {
        if (argc != 2) {
            printf("%s\n", lives[i].name);
        } else if (strcmp(lives[i].name, argv[1]) == 0) {
            if (lives[i].lacks) {
                printf("skipped: %s\n", lives[i].lacks);
                return 0;
            }
            lives[i].live();
            if (!failures)
                printf("right\n");
            return failures != 0;
        }
    }
    return argc == 1 ? 0 : 2;
}
