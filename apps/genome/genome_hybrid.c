/*
 * genome_hybrid: contigs of a sequence from short reads with errors, over MPI with two threads in each process.
 *
 * usage: genome_hybrid [bases]
 *
 * One thread sends: what it saw in its reads, then questions about k-mers, whose answers it waits for.  The other one
 * receives, and answers.  All calls block.  There is no deadlock: receiving threads wait only for messages and, when
 * they answer, for a thread that waits for this answer.
 */
#include <mpi.h>
#include <omp.h>

#include "kmers.h"

enum { BLOCK_SIGHTS = 1024 };
enum { SIGHTS, QUESTION, ANSWER }; /* tags; an empty message with one of the first two is the sender's last */
enum { SENDER, RECEIVER, THREADS };

static int me, processes;
static uint64_t bases, entries;
static struct entry *table; /* written by the receiver only */

static void *take_memory(size_t count, size_t size_bytes)
{
    void *memory = calloc(count, size_bytes);
    if (memory == NULL) {
        fprintf(stderr, "genome_hybrid: no memory for %zu times %zu bytes; choose a smaller number\n", count,
                size_bytes);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

static void send_last(int tag)
{
    for (int to = 0; to < processes; to++)
        MPI_Send(NULL, 0, MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

/* ---- Counting ---- */

static void send_sights(void)
{
    unsigned char read[READ_BASES];
    struct sight(*blocks)[BLOCK_SIGHTS] = take_memory((size_t)processes, sizeof *blocks);
    int *counts = take_memory((size_t)processes, sizeof *counts);
    for (uint64_t r = (uint64_t)me; r < genome_reads(bases); r += (uint64_t)processes) {
        sequence_read(r, bases, read);
        for (int i = 0; i + K <= READ_BASES; i++) {
            struct sight sight = sight_of(read, i);
            int to = kmer_owner(sight.kmer, processes);
            blocks[to][counts[to]++] = sight;
            if (counts[to] == BLOCK_SIGHTS) {
                MPI_Send(blocks[to], (int)sizeof blocks[to], MPI_BYTE, to, SIGHTS, MPI_COMM_WORLD);
                counts[to] = 0;
            }
        }
    }
    for (int to = 0; to < processes; to++)
        if (counts[to] > 0)
            MPI_Send(blocks[to], counts[to] * (int)sizeof(struct sight), MPI_BYTE, to, SIGHTS, MPI_COMM_WORLD);
    send_last(SIGHTS);
    free(blocks);
    free(counts);
}

static void receive_sights(void)
{
    static struct sight sights[BLOCK_SIGHTS];
    for (int ended = 0; ended < processes;) {
        MPI_Status status;
        int bytes;
        MPI_Recv(sights, (int)sizeof sights, MPI_BYTE, MPI_ANY_SOURCE, SIGHTS, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        ended += bytes == 0;
        for (int i = 0; i < bytes / (int)sizeof(struct sight); i++)
            if (!sight_count(&sights[i], table, entries, processes)) {
                fprintf(stderr, "genome_hybrid: all %llu entries are full\n", (unsigned long long)entries);
                MPI_Abort(MPI_COMM_WORLD, 1);
            }
    }
}

/* ---- Contigs ---- */

/* The sides of a k-mer of this process */
static struct sides look_here(uint64_t kmer)
{
    uint64_t key = kmer_smaller(kmer), place = kmer_place(key, processes, entries);
    while (table[place].kmer_plus_1 != 0 && table[place].kmer_plus_1 != key + 1)
        place = kmer_next_place(place, entries);
    return entry_sides(&table[place], kmer);
}

static struct sides look(uint64_t kmer)
{
    struct sides sides;
    int owner = kmer_owner(kmer_smaller(kmer), processes);
    if (owner == me)
        return look_here(kmer);
    MPI_Send(&kmer, 1, MPI_UINT64_T, owner, QUESTION, MPI_COMM_WORLD);
    MPI_Recv(&sides, (int)sizeof sides, MPI_BYTE, owner, ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return sides;
}

static void answer(void)
{
    for (int ended = 0; ended < processes;) {
        uint64_t kmer;
        MPI_Status status;
        int count;
        MPI_Recv(&kmer, 1, MPI_UINT64_T, MPI_ANY_SOURCE, QUESTION, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_UINT64_T, &count);
        if (count == 0) {
            ended++;
            continue;
        }
        struct sides sides = look_here(kmer);
        MPI_Send(&sides, (int)sizeof sides, MPI_BYTE, status.MPI_SOURCE, ANSWER, MPI_COMM_WORLD);
    }
}

static void count_reads(void)
{
#pragma omp parallel num_threads(THREADS)
    {
        if (omp_get_thread_num() == SENDER)
            send_sights();
        else
            receive_sights();
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static struct contigs find_contigs(void)
{
    struct contigs contigs;
#pragma omp parallel num_threads(THREADS)
    {
        if (omp_get_thread_num() == SENDER) {
            contigs = contigs_find(table, entries, bases, look);
            send_last(QUESTION);
        } else
            answer();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return contigs;
}

/* Prints, once, why the program cannot run; returns 1 if it can. */
static int can_run(int provided)
{
    if (bases > 0 && provided == MPI_THREAD_MULTIPLE && omp_get_thread_limit() >= THREADS)
        return 1;
    if (me == 0)
        fprintf(stderr,
                "usage: genome_hybrid %s; needs an MPI with MPI_THREAD_MULTIPLE, and no OMP_THREAD_LIMIT below %d\n",
                genome_usage, THREADS);
    return 0;
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    omp_set_dynamic(0); /* with one thread only, sender and receiver would deadlock */
    bases = genome_bases(argc, argv);
    if (!can_run(provided)) {
        MPI_Finalize();
        return 2;
    }
    entries = kmer_entries(bases, processes);
    table = take_memory(entries, sizeof *table);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    count_reads();
    double counted = MPI_Wtime();
    struct contigs contigs = find_contigs(), all = contigs;
    double seconds = MPI_Wtime() - start;
    double mine[] = {contigs.count, contigs.bases, contigs.dropped, contigs_wrong(&contigs, bases)}, sums[4];
    MPI_Allreduce(mine, sums, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    all.count = sums[0];
    all.bases = sums[1];
    all.dropped = sums[2];
    int wrong = me == 0 && genome_report("hybrid", bases, &all, sums[3], processes, seconds, counted - start);
    free(table);
    free(contigs.text);
    MPI_Finalize();
    return wrong;
}
