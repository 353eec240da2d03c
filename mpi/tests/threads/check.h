/*
 * check.h: threads of MPI processes that all communicate; each part checks its own results.
 *
 * Thread t of each process shares the communicator lane[t] with thread t of all other processes, and parts use it as if
 * there were no other threads.
 */
#ifndef CHECK_H
#define CHECK_H

#include <mpi.h>

#include <stdbool.h>

struct lane {
    MPI_Comm comm;
    int rank, size;
    int thread, threads, round;
    const char *folder; /* for files */
    bool is_careless;   /* the library does not detect all errors, or reports other classes */
    bool is_arbitrated; /* MPI_Waitall with a request that fails returns: alone, that of Open MPI 4.1 may not */
};

/** Reports the place and ends the job unless the condition holds. */
#define CHECK(holds) check((holds), #holds, __FILE__, __LINE__)
void check(bool holds, const char *what, const char *file, int line);

/* The parts */
void check_messages(const struct lane *lane);
void check_requests(const struct lane *lane);
void check_persistent(const struct lane *lane);
void check_probes(const struct lane *lane);
void check_collectives(const struct lane *lane);
void check_communicators(const struct lane *lane);
void check_copies(const struct lane *lane);
void check_windows(const struct lane *lane);
void check_transfers(const struct lane *lane);
void check_refusals(const struct lane *lane);
void check_files(const struct lane *lane);
void check_callbacks(const struct lane *lane);

/** Collectives in a function that MPI calls, which another thread of the process may not have to wait for; so there are
 * no lanes yet. */
void check_calls_inside(const struct lane *lane);

#endif
