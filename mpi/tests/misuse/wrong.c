/*
 * Collective calls with a wrong argument on only one process.
 *
 *     wrong OPERATION FAULT WHO ELEMENTS STOP [fatal | RIGHT]
 *
 * All processes call OPERATION with ELEMENTS ints; process WHO (-1: all) makes the error FAULT.  Each process prints
 * "RANK CLASS" once it has returned, where CLASS is the class of the error or 0, and waits for a file STOP.  The error
 * handler is MPI_ERRORS_RETURN, or the default one if "fatal" is given.  RIGHT is a number of preceding calls in which
 * all processes do the same as WHO.
 *
 *     wrong lonely
 *
 * Each process in turn makes all wrong calls while the others make none; afterwards all make correct calls together.
 *
 *     wrong list
 *
 * Prints all operations with the faults that they can have.
 */
#include <mpi.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROCESSES_MAX = 16 };

/* What one process passes */
struct arguments {
    int count, root;
    int room; /* elements in a received block, for operations in which a process receives one block or one from each */
    MPI_Datatype type;
    MPI_Op op;
    int *from, *to, *counts, *places, *byte_places;
    MPI_Datatype *types;
    MPI_Comm comm;
};

static int call_barrier(struct arguments *a)
{
    return MPI_Barrier(a->comm);
}
static int call_bcast(struct arguments *a)
{
    return MPI_Bcast(a->from, a->count, a->type, a->root, a->comm);
}
static int call_scatter(struct arguments *a)
{
    return MPI_Scatter(a->from, a->count, a->type, a->to, a->count, a->type, a->root, a->comm);
}
static int call_scatterv(struct arguments *a)
{
    return MPI_Scatterv(a->from, a->counts, a->places, a->type, a->to, a->count, a->type, a->root, a->comm);
}
static int call_gather(struct arguments *a)
{
    return MPI_Gather(a->from, a->count, a->type, a->to, a->room, a->type, a->root, a->comm);
}
static int call_gatherv(struct arguments *a)
{
    return MPI_Gatherv(a->from, a->count, a->type, a->to, a->counts, a->places, a->type, a->root, a->comm);
}
static int call_allgather(struct arguments *a)
{
    return MPI_Allgather(a->from, a->count, a->type, a->to, a->room, a->type, a->comm);
}
static int call_allgatherv(struct arguments *a)
{
    return MPI_Allgatherv(a->from, a->count, a->type, a->to, a->counts, a->places, a->type, a->comm);
}
static int call_alltoall(struct arguments *a)
{
    return MPI_Alltoall(a->from, a->count, a->type, a->to, a->count, a->type, a->comm);
}
static int call_alltoallv(struct arguments *a)
{
    return MPI_Alltoallv(a->from, a->counts, a->places, a->type, a->to, a->counts, a->places, a->type, a->comm);
}
static int call_alltoallw(struct arguments *a)
{
    return MPI_Alltoallw(a->from, a->counts, a->byte_places, a->types, a->to, a->counts, a->byte_places, a->types,
                         a->comm);
}
static int call_reduce(struct arguments *a)
{
    return MPI_Reduce(a->from, a->to, a->count, a->type, a->op, a->root, a->comm);
}
static int call_allreduce(struct arguments *a)
{
    return MPI_Allreduce(a->from, a->to, a->count, a->type, a->op, a->comm);
}
static int call_reduce_scatter(struct arguments *a)
{
    return MPI_Reduce_scatter(a->from, a->to, a->counts, a->type, a->op, a->comm);
}
static int call_reduce_scatter_block(struct arguments *a)
{
    return MPI_Reduce_scatter_block(a->from, a->to, a->count, a->type, a->op, a->comm);
}
static int call_scan(struct arguments *a)
{
    return MPI_Scan(a->from, a->to, a->count, a->type, a->op, a->comm);
}
static int call_exscan(struct arguments *a)
{
    return MPI_Exscan(a->from, a->to, a->count, a->type, a->op, a->comm);
}

/* Faults of an operation, by their letters: (c)ount, (r)oot, (t)ype, (o)peration, (u)ndefined operation for the type,
 * (n)o communicator, (s)hort of room for the own block, (a)liased send and receive buffers, a type of (f)ortran that is
 * known by its precision, which libraries accept where the others use MPI_INT; no (l)ist of counts, or a (m)issing one
 * of displacements, that is, a null pointer.  For all operations except barriers, the following faults, whose effect
 * each library may choose: (d)ifferent counts, half of the others'; (z)ero counts; (p)arts of other sizes with the same
 * sum; (e)ighth of the counts, so that they are in another size class */
static const struct operation {
    const char *name, *faults;
    int (*call)(struct arguments *arguments);
} operations[] = {
    {"barrier", "n", call_barrier},
    {"bcast", "crtn", call_bcast},
    {"scatter", "crtna", call_scatter},
    {"scatterv", "crtnalm", call_scatterv},
    {"gather", "crtnsa", call_gather},
    {"gatherv", "crtnsalm", call_gatherv},
    {"allgather", "ctnsa", call_allgather},
    {"allgatherv", "ctnalm", call_allgatherv},
    {"alltoall", "ctna", call_alltoall},
    {"alltoallv", "ctnalm", call_alltoallv},
    {"alltoallw", "ctnalm", call_alltoallw},
    {"reduce", "crtounaf", call_reduce},
    {"allreduce", "ctounaf", call_allreduce},
    {"reduce_scatter", "ctounafl", call_reduce_scatter},
    {"reduce_scatter_block", "ctounaf", call_reduce_scatter_block},
    {"scan", "ctounaf", call_scan},
    {"exscan", "ctounaf", call_exscan},
};
enum { OPERATION_COUNT = sizeof operations / sizeof operations[0] };

static int rank, size;

static void make(struct arguments *arguments, int count, MPI_Comm comm)
{
    static int counts[PROCESSES_MAX], places[PROCESSES_MAX], byte_places[PROCESSES_MAX];
    static MPI_Datatype types[PROCESSES_MAX];
    size_t bytes = 2 * (size_t)(count + 1) * (size_t)size * sizeof(int);
    for (int i = 0; i < size; i++) {
        counts[i] = count;
        places[i] = i * count;
        byte_places[i] = places[i] * (int)sizeof(int);
        types[i] = MPI_INT;
    }
    *arguments = (struct arguments){count,  0,      count,       MPI_INT, MPI_SUM, calloc(1, bytes), calloc(1, bytes),
                                    counts, places, byte_places, types,   comm};
}

static void shorten(struct arguments *arguments, int times)
{
    arguments->count /= times;
    arguments->room /= times;
    for (int i = 0; i < size; i++)
        arguments->counts[i] /= times;
}

static void spoil(struct arguments *arguments, char fault)
{
    switch (fault) {
    case 'c':
        arguments->count = arguments->room = -1;
        for (int i = 0; i < size; i++)
            arguments->counts[i] = -1;
        break;
    case 'r': arguments->root = size + 3; break;
    case 't':
        arguments->type = MPI_DATATYPE_NULL;
        for (int i = 0; i < size; i++)
            arguments->types[i] = MPI_DATATYPE_NULL;
        break;
    case 'o': arguments->op = MPI_OP_NULL; break;
    case 'u':
        arguments->type = MPI_DOUBLE;
        arguments->count /= 2;
        arguments->room /= 2;
        arguments->op = MPI_BAND;
        break;
    case 's':
        arguments->room--;
        arguments->counts[rank]--;
        break;
    case 'a': arguments->to = arguments->from; break;
    case 'f': MPI_Type_create_f90_integer(9, &arguments->type); break;
    case 'l': arguments->counts = NULL; break;
    case 'm': arguments->places = arguments->byte_places = NULL; break;
    case 'd': shorten(arguments, 2); break;
    case 'e': shorten(arguments, 8); break;
    case 'p':
        arguments->counts[0] -= arguments->count / 2;
        arguments->counts[size - 1] += arguments->count / 2;
        break;
    case 'z': shorten(arguments, arguments->count + 1); break;
    default: arguments->comm = MPI_COMM_NULL; break;
    }
}

/* Makes a call and returns the class of its error.  An error without a communicator is reported on MPI_COMM_WORLD or
 * MPI_COMM_SELF. */
static int call(const struct operation *operation, char fault, struct arguments *arguments)
{
    int class = 0;
    MPI_Comm others[] = {MPI_COMM_WORLD, MPI_COMM_SELF};
    for (int i = 0; i < 2 && fault == 'n'; i++)
        MPI_Comm_set_errhandler(others[i], MPI_ERRORS_RETURN);
    MPI_Error_class(operation->call(arguments), &class);
    for (int i = 0; i < 2 && fault == 'n'; i++)
        MPI_Comm_set_errhandler(others[i], MPI_ERRORS_ARE_FATAL);
    return class;
}

/* Ends the process when STOP exists, even if it hangs. */
static void *wait_for_stop(void *file)
{
    while (access(file, F_OK) != 0 && getppid() != 1)
        usleep(20000);
    _exit(0);
}

static const struct operation *operation_of(const char *name)
{
    for (int i = 0; i < OPERATION_COUNT; i++)
        if (strcmp(operations[i].name, name) == 0)
            return &operations[i];
    fprintf(stderr, "wrong: there is no operation %s\n", name);
    exit(2);
}

static void call_once(char **words, MPI_Comm comm)
{
    const struct operation *operation = operation_of(words[0]);
    int who = atoi(words[2]), right_calls = words[5] ? atoi(words[5]) : 0;
    struct arguments arguments;
    pthread_t stopper;
    make(&arguments, atoi(words[3]), comm);
    spoil(&arguments, words[1][0]);
    for (int i = 0; i < right_calls; i++)
        operation->call(&arguments);
    make(&arguments, atoi(words[3]), comm);
    if (who < 0 || who == rank)
        spoil(&arguments, words[1][0]);
    pthread_create(&stopper, NULL, wait_for_stop, words[4]);
    int class = call(operation, words[1][0], &arguments);
    char line[64];
    int length = snprintf(line, sizeof line, "%d %d\n", rank, class);
    if (write(1, line, (size_t)length) != length)
        _exit(1);
    pthread_join(stopper, NULL);
}

/* Whether a fault can be tried alone: some counts, types and communicators make libraries abort, and a call in which
 * the others must take part would hang. */
static int is_survived(const struct operation *operation, char fault)
{
    if (strchr("saflm", fault))
        return 0;
    return !strchr("ctn", fault) || operation->call == call_bcast || operation->call == call_gather;
}

/* Makes all wrong calls of one process; returns how many did not return an error. */
static int make_wrong_calls(MPI_Comm comm)
{
    int unanswered = 0;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        for (const char *fault = operations[i].faults; *fault; fault++) {
            if (!is_survived(&operations[i], *fault))
                continue;
            struct arguments arguments;
            make(&arguments, 4, comm);
            spoil(&arguments, *fault);
            unanswered += call(&operations[i], *fault, &arguments) == MPI_SUCCESS;
            free(arguments.from);
            free(arguments.to);
        }
    }
    return unanswered;
}

static void call_lonely(MPI_Comm comm)
{
    int unanswered = 0, sum = 0;
    for (int who = 0; who < size; who++) {
        if (who == rank)
            unanswered += make_wrong_calls(comm);
        MPI_Barrier(comm);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
        if (sum != size * (size - 1) / 2)
            printf("process %d: a sum is wrong after the wrong calls of process %d\n", rank, who);
    }
    if (unanswered)
        printf("process %d: %d wrong calls got no error\n", rank, unanswered);
    else
        printf("right\n");
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int provided;
    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        for (int i = 0; i < OPERATION_COUNT; i++)
            printf("%s %s\n", operations[i].name, operations[i].faults);
        return 0;
    }
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (argc < 7 || strcmp(argv[6], "fatal") != 0)
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Barrier(comm); /* what a library sets up at the first call on a communicator is done here */
    if (argc >= 6)
        call_once(argv + 1, comm);
    else
        call_lonely(comm);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
