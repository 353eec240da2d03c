/* heap.c: an MPI program that allocates with every function, forks, and uses the memory in collectives. */
#include <errno.h>
#include <malloc.h>
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LARGE = 300000, BLOCKS = 40, THREADS = 4, ROUNDS = 300, FORKS = 8 };

static int rank, size, failures;

#define CHECK(what)                                                                                                    \
    do {                                                                                                               \
        if (!(what)) {                                                                                                 \
            fprintf(stderr, "rank %d: line %d: %s\n", rank, __LINE__, #what);                                          \
            failures++;                                                                                                \
        }                                                                                                              \
    } while (0)

static _Thread_local int forks;

/* In front of the C library's function: within fork() it tells of pages as if all had been swapped out. */
int mincore(void *address, size_t bytes, unsigned char *is_there)
{
    size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    if (!forks)
        return (int)syscall(SYS_mincore, address, bytes, is_there);
    memset(is_there, 0, (bytes + page_bytes - 1) / page_bytes);
    return 0;
}

static pid_t fork_swapped(void)
{
    forks++;
    pid_t child = fork();
    forks--;
    return child;
}

static int is_all(const unsigned char *memory, unsigned char byte, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (memory[i] != byte)
            return 0;
    return 1;
}

static void allocate_in_every_way(void)
{
    unsigned char *block = malloc(LARGE);
    memset(block, 1, LARGE);
    CHECK(malloc_usable_size(block) >= LARGE);
    block = realloc(block, 10);
    CHECK(is_all(block, 1, 10));
    block = realloc(block, 2 * LARGE);
    CHECK(is_all(block, 1, 10));
    memset(block, 2, 2 * LARGE);
    block = realloc(block, 3 * LARGE);
    CHECK(is_all(block, 2, 2 * LARGE));
    block = realloc(block, 2 * LARGE - 5);
    CHECK(is_all(block, 2, 2 * LARGE - 5));
    free(block);
    for (int i = 0; i < 10; i++) {
        block = malloc(LARGE);
        memset(block, 0xEE, LARGE);
        free(block);
        block = calloc(3, LARGE / 3);
        CHECK(is_all(block, 0, LARGE / 3 * 3));
        free(block);
    }
    for (size_t alignment = 16; alignment <= 1 << 20; alignment *= 4) {
        void *aligned = NULL;
        CHECK(posix_memalign(&aligned, alignment, LARGE) == 0 && (uintptr_t)aligned % alignment == 0);
        memset(aligned, 3, LARGE);
        aligned = realloc(aligned, 2 * LARGE);
        CHECK(is_all(aligned, 3, LARGE));
        free(aligned);
        aligned = aligned_alloc(alignment, LARGE / alignment * alignment + alignment);
        CHECK((uintptr_t)aligned % alignment == 0);
        free(aligned);
    }
    void *none = NULL;
    CHECK(posix_memalign(&none, 3, LARGE) == EINVAL);
    volatile size_t too_much = SIZE_MAX / 2 + 100;
    /* gcc 15 assumes success of what nobody reads. */
    void *volatile refused[] = {calloc(too_much, 4), malloc(too_much)};
    CHECK(refused[0] == NULL && refused[1] == NULL);
}

static int is_shared(const void *address)
{
    const char *begin = getenv("HEAP_BEGINS");
    return begin && (uintptr_t)address - strtoull(begin, NULL, 0) < 1ULL << 40;
}

/* The shared heap copies a growing block only occasionally. */
static void grow_step_by_step(void)
{
    enum { STEPS = 1000, STEP = 5000 };
    unsigned char *block = NULL;
    int moves = 0;
    for (int step = 0; step < STEPS; step++) {
        unsigned char *grown = realloc(block, (size_t)(step + 1) * STEP);
        moves += is_shared(grown) && grown != block;
        block = grown;
        memset(block + (size_t)step * STEP, step % 251, STEP);
        CHECK(malloc_usable_size(block) >= (size_t)(step + 1) * STEP);
    }
    CHECK(moves < 20);
    for (int step = 0; step < STEPS; step++)
        CHECK(is_all(block + (size_t)step * STEP, (unsigned char)(step % 251), STEP));
    volatile size_t too_much = SIZE_MAX - 100;
    CHECK(realloc(block, too_much) == NULL && is_all(block, 0, STEP));
    free(block);
}

/* Blocks of one thread are freed by another one. */
static void *trade(void *context)
{
    static unsigned char *shelf[BLOCKS];
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    unsigned seed = (unsigned)(intptr_t)context;
    for (int i = 0; i < ROUNDS; i++) {
        size_t bytes = 60000 + (size_t)(rand_r(&seed) % 20000);
        unsigned char *block = malloc(bytes);
        block[0] = block[bytes - 1] = 7;
        int place = rand_r(&seed) % BLOCKS;
        pthread_mutex_lock(&lock);
        unsigned char *old = shelf[place];
        shelf[place] = block;
        pthread_mutex_unlock(&lock);
        CHECK(!old || old[0] == 7);
        free(old);
    }
    return NULL;
}

static void fork_with(unsigned char *block)
{
    int ready[2];
    memset(block, 5, LARGE);
    CHECK(pipe(ready) == 0);
    pid_t child = fork_swapped();
    if (child == 0) {
        char go;
        if (read(ready[0], &go, 1) != 1 || !is_all(block, 5, LARGE)) /* the parent has written 6 by now */
            _exit(1);
        memset(block, 9, LARGE);
        unsigned char *more = malloc(LARGE);
        memset(more, 8, LARGE);
        free(block);
        free(more);
        _exit(0);
    }
    memset(block, 6, LARGE);
    int status = 1;
    CHECK(write(ready[1], "g", 1) == 1);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(is_all(block, 6, LARGE)); /* not the child's 9 */
    close(ready[0]);
    close(ready[1]);
    CHECK(system("exit 3") >> 8 == 3);
}

static int may_fork_within; /* a fork */

/* Forks a child that checks the block and exits with 0 if it is as it was before the fork. */
static pid_t fork_and_look(const unsigned char *block)
{
    pid_t child = fork_swapped();
    if (child == 0)
        _exit(!is_all(block, 5, LARGE));
    return child;
}

static int ends_well(pid_t child)
{
    int status = 1;
    return waitpid(child, &status, 0) == child && status == 0;
}

static unsigned char *watched;

/* A fork handler of somebody else, which runs after those of the heap, since those were registered later */
static void fork_within(void)
{
    if (may_fork_within) {
        may_fork_within = 0;
        CHECK(ends_well(fork_and_look(watched)));
    }
}

static void *fork_often(void *context)
{
    for (int i = 0; i < FORKS; i++)
        CHECK(ends_well(fork_and_look(watched)));
    return context;
}

static void fork_in_threads(void)
{
    pthread_t threads[THREADS];
    watched = malloc(LARGE);
    memset(watched, 5, LARGE);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, fork_often, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    may_fork_within = 1;
    CHECK(ends_well(fork_and_look(watched)));
    CHECK(!may_fork_within);
    free(watched);
}

static void communicate(void)
{
    static unsigned char at_rest[LARGE];
    unsigned char *from = malloc(LARGE), *all = malloc((size_t)size * LARGE);
    for (int i = 0; i < 20; i++) {
        memset(from, rank + i, LARGE);
        MPI_Allgather(from, LARGE, MPI_BYTE, all, LARGE, MPI_BYTE, MPI_COMM_WORLD);
        for (int other = 0; other < size; other++)
            CHECK(is_all(all + (size_t)other * LARGE, (unsigned char)(other + i), LARGE));
        memset(at_rest, i % size == rank ? 100 + i : 0, LARGE);
        MPI_Bcast(i % 2 ? at_rest : (unsigned char *)memcpy(from, at_rest, LARGE), LARGE, MPI_BYTE, i % size,
                  MPI_COMM_WORLD);
        CHECK(is_all(i % 2 ? at_rest : from, (unsigned char)(100 + i), LARGE));
    }
    fork_with(from);
    MPI_Allgather(from, LARGE, MPI_BYTE, all, LARGE, MPI_BYTE, MPI_COMM_WORLD);
    CHECK(is_all(all, 6, (size_t)size * LARGE));
    free(from);
    free(all);
}

int main(int argc, char **argv)
{
    pthread_atfork(fork_within, NULL, NULL);
    unsigned char *early = malloc(LARGE);
    memset(early, 4, LARGE);
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    early = realloc(early, 2 * LARGE);
    CHECK(is_all(early, 4, LARGE));
    free(early);
    allocate_in_every_way();
    grow_step_by_step();
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, trade, (void *)(i + 1));
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    fork_in_threads();
    communicate();
    unsigned char *late = malloc(LARGE);
    late[0] = 1;
    int all_failures;
    MPI_Reduce(&failures, &all_failures, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d failures, large blocks %s\n", all_failures, is_shared(late) ? "shared" : "private");
    MPI_Finalize();
    free(late);
    return failures != 0;
}
