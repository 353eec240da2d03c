// barrier.c: nobody leaves a barrier before the last member has come.  The witness is the clock of the machine, so that
// barriers are checked only where all processes are on one.
#include "tester.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

static bool has_one_clock;

// A key to which a text is added; 0: there is no text
static uint64_t keyed(uint64_t key, const char *text, ssize_t length)
{
    for (ssize_t i = 0; i < length; i++) {
        key = key_of(key, (unsigned char)text[i], 1);
    }
    return length > 0 ? key : 0;
}

// The same for processes that were started since the same start of a machine, in the same namespace of clocks
static uint64_t key_of_clock(void)
{
    char text[100];
    const int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    const uint64_t key = keyed(1, text, file < 0 ? 0 : read(file, text, sizeof text));
    if (file >= 0) {
        close(file);
    }
    const ssize_t length = readlink("/proc/self/ns/time", text, sizeof text);
    return key && length > 0 ? keyed(key, text, length) : key; // before Linux 5.6, there is one
}

void barrier_set_up(void)
{
    const uint64_t key = key_of_clock();
    uint64_t least, most;
    PMPI_Allreduce(&key, &least, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    PMPI_Allreduce(&key, &most, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    has_one_clock = least == most && key != 0;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && least == 0) {
        printf("tester: barriers are not checked: /proc/sys/kernel/random/boot_id cannot be read\n");
    }
}

int64_t clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * (int64_t)1000000000 + now.tv_nsec;
}

void barrier_check(const struct trial *trial, const char *which, int64_t came_ns)
{
    const int64_t left_ns = clock_ns();
    int64_t last_ns; // between two groups: of the other one, as a barrier promises no more
    if (!has_one_clock || !trial->checks_barriers) {
        return;
    }
    PMPI_Allreduce(&came_ns, &last_ns, 1, MPI_INT64_T, MPI_MAX, trial->in->comm);
    if (left_ns < last_ns) {
        fail(trial, "left %s %lld ns before the last member came", which, (long long)(last_ns - left_ns));
    }
}
