// calls.c: makes the MPI call of a trial: blocking, nonblocking or persistent; with counts of type int or MPI_Count.
#include "layout.h"

static void must(const struct trial *trial, const char *what, int error)
{
    if (error != MPI_SUCCESS) {
        char text[MPI_MAX_ERROR_STRING];
        int length;
        MPI_Error_string(error, text, &length);
        fail(trial, "%s returned %d: %s", what, error, text);
    }
}

static void finish(const struct trial *trial, MPI_Request request)
{
    must(trial, "MPI_Wait", MPI_Wait(&request, MPI_STATUS_IGNORE));
}

// Started only once, because MPICH 4.0 frees derived datatypes each time that a persistent collective completes.
static void run_persistent(const struct trial *trial, MPI_Request request)
{
    must(trial, "MPI_Start", MPI_Start(&request));
    must(trial, "MPI_Wait", MPI_Wait(&request, MPI_STATUS_IGNORE));
    MPI_Request_free(&request);
}

#define CALL_NOW(Name, name, ...)                                                                                      \
    if (trial->form == NONBLOCKING) {                                                                                  \
        must(trial, "MPI_I" #name, OF_MPI(MPI_I##name)(__VA_ARGS__, &request));                                        \
        finish(trial, request);                                                                                        \
    } else if (trial->form == BLOCKING) {                                                                              \
        must(trial, "MPI_" #Name, OF_MPI(MPI_##Name)(__VA_ARGS__));                                                    \
    }
#if MPI_VERSION >= 4
#define CALL(Name, name, ...)                                                                                          \
    do {                                                                                                               \
        MPI_Request request = MPI_REQUEST_NULL;                                                                        \
        CALL_NOW(Name, name, __VA_ARGS__)                                                                              \
        if (trial->form == PERSISTENT) {                                                                               \
            must(trial, "MPI_" #Name "_init", OF_MPI(MPI_##Name##_init)(__VA_ARGS__, MPI_INFO_NULL, &request));        \
            run_persistent(trial, request);                                                                            \
        }                                                                                                              \
    } while (0)
#else
#define CALL(Name, name, ...)                                                                                          \
    do {                                                                                                               \
        MPI_Request request = MPI_REQUEST_NULL;                                                                        \
        (void)run_persistent;                                                                                          \
        CALL_NOW(Name, name, __VA_ARGS__)                                                                              \
    } while (0)
#endif

// Of one side; its tables are null if the process has no such side.
#define ARGUMENTS(name, count_type, place_type)                                                                        \
    struct name {                                                                                                      \
        void *address;                                                                                                 \
        count_type count;                                                                                              \
        MPI_Datatype type;                                                                                             \
        const count_type *counts;                                                                                      \
        const place_type *places;                                                                                      \
        const MPI_Datatype *types;                                                                                     \
        struct {                                                                                                       \
            count_type counts[MOST_MEMBERS];                                                                           \
            place_type places[MOST_MEMBERS];                                                                           \
        } tables;                                                                                                      \
    }

#define COUNT int
#define DISPLACEMENT int
#define NAMED(name) name##_int
#define OF_MPI(name) name
ARGUMENTS(NAMED(arguments), COUNT, DISPLACEMENT);
#include "calls.inc.h"
#undef COUNT
#undef DISPLACEMENT
#undef NAMED
#undef OF_MPI

#if MPI_VERSION >= 4
#define COUNT MPI_Count
#define DISPLACEMENT MPI_Aint
#define NAMED(name) name##_count
#define PASTED(name) name##_c
#define OF_MPI(name) PASTED(name)
ARGUMENTS(NAMED(arguments), COUNT, DISPLACEMENT);
#include "calls.inc.h"
#endif

static void barrier(const struct trial *trial)
{
#undef OF_MPI
#define OF_MPI(name) name
    const int64_t came_ns = clock_ns();
    if (trial->form == BLOCKING) {
        must(trial, "MPI_Barrier", MPI_Barrier(trial->in->comm));
    } else {
        MPI_Request request;
        must(trial, "MPI_Ibarrier", MPI_Ibarrier(trial->in->comm, &request));
        finish(trial, request);
    }
    barrier_check(trial, "the barrier", came_ns);
}

void call_move(const struct trial *trial, const struct side *send, const struct side *receive)
{
    if (trial->operation == BARRIER) {
        barrier(trial);
        return;
    }
#if MPI_VERSION >= 4
    if (trial->is_large_count) {
        move_count(trial, send, receive);
        return;
    }
#endif
    move_int(trial, send, receive);
}

void call_combine(const struct trial *trial, const struct side *send, const struct side *receive,
                  const struct reduction *reduction)
{
#if MPI_VERSION >= 4
    if (trial->is_large_count) {
        combine_count(trial, send, receive, reduction);
        return;
    }
#endif
    combine_int(trial, send, receive, reduction);
}
