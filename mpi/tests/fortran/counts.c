/* In the place of front: counts the calls that reach its entry points, and lets the library below do them. */
#include "base/log.h"
#include "front/below.h"

#include <stdio.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

#define COUNT int
#define OFFSET int
#define ENTRY(name, operation, parameters, arguments, ...)                                                             \
    static int calls_of_##name;                                                                                        \
    EXPORT int MPI_##name parameters                                                                                   \
    {                                                                                                                  \
        calls_of_##name++;                                                                                             \
        return below.name arguments;                                                                                   \
    }
#define COLLECTIVE ENTRY
#include "front/collectives.def"
#undef COLLECTIVE

static int calls_of_Init;

EXPORT int MPI_Init(int *argc, char ***argv)
{
    bn_below_find();
    calls_of_Init++;
    return below.Init(argc, argv);
}

EXPORT int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    bn_below_find();
    calls_of_Init++;
    return below.Init_thread(argc, argv, required, provided);
}

EXPORT int MPI_Finalize(void)
{
    int rank;
    below.Comm_rank(below.world, &rank);
    if (rank == 0) {
        printf("Init %d\n", calls_of_Init);
#define SHOW(name, ...) printf(#name " %d\n", calls_of_##name);
#define COLLECTIVE SHOW
#include "front/collectives.def"
        fflush(stdout);
    }
    return below.Finalize();
}

void bn_log_error(const char *format, ...)
{
    fputs(format, stderr);
    abort();
}
