/*
 * genome: contigs of a sequence from short reads with errors.
 *
 * usage: genome [bases]
 */
#include <banyan_aggregate.h>
#include <string.h>

#include "../app.h"
#include "kmers.h"

static shared struct entry *table; /* entry s of thread t is number s * THREADS + t */
static uint64_t entries;           /* of each thread */

static void take_sights(void *context, int from, const void *items, size_t count)
{
    const struct sight *sights = items;
    (void)from;
    for (size_t i = 0; i < count; i++)
        if (!sight_count(&sights[i], context, entries, THREADS)) {
            fprintf(stderr, "thread %d: all %llu entries are full\n", MYTHREAD, (unsigned long long)entries);
            upc_global_exit(1);
        }
}

static void count_reads(uint64_t bases)
{
    unsigned char read[READ_BASES];
    banyan_aggregate_t *sights =
        banyan_aggregate_all_make(sizeof(struct sight), 0, take_sights, (struct entry *)&table[MYTHREAD]);
    for (uint64_t r = MYTHREAD; r < genome_reads(bases); r += THREADS) {
        sequence_read(r, bases, read);
        for (int i = 0; i + K <= READ_BASES; i++) {
            struct sight sight = sight_of(read, i);
            banyan_aggregate_push(sights, kmer_owner(sight.kmer, THREADS), &sight);
        }
    }
    banyan_aggregate_end(sights);
    banyan_aggregate_all_free(sights);
    upc_barrier;
}

/* Reads entries of the owner's table until it finds the k-mer's, or a free one */
static struct sides look(uint64_t kmer)
{
    struct entry entry;
    uint64_t key = kmer_smaller(kmer), place = kmer_place(key, THREADS, entries);
    do {
        upc_memget(&entry, &table[place * THREADS + kmer_owner(key, THREADS)], sizeof entry);
        place = kmer_next_place(place, entries);
    } while (entry.kmer_plus_1 != 0 && entry.kmer_plus_1 != key + 1);
    return entry_sides(&entry, kmer);
}

int main(int argc, char **argv)
{
    char usage[80];
    snprintf(usage, sizeof usage, "genome %s", genome_usage);
    uint64_t bases = genome_bases(argc, argv);
    if (bases == 0)
        app_usage(usage);
    entries = kmer_entries(bases, THREADS);
    table = upc_all_alloc(entries * THREADS, sizeof *table);
    if (table == NULL) {
        fprintf(stderr, "thread %d: no shared memory for %llu entries; choose a smaller number\n", MYTHREAD,
                (unsigned long long)entries);
        upc_global_exit(1);
    }
    struct entry *mine = (struct entry *)&table[MYTHREAD];
    memset(mine, 0, entries * sizeof *mine);
    upc_barrier;
    double start = app_seconds();
    count_reads(bases);
    double counted = app_seconds();
    struct contigs contigs = contigs_find(mine, entries, bases, look), all = contigs;
    upc_barrier;
    double seconds = app_seconds() - start;
    all.count = app_sum(contigs.count);
    all.bases = app_sum(contigs.bases);
    all.dropped = app_sum(contigs.dropped);
    double bad = app_sum(contigs_wrong(&contigs, bases));
    int wrong = MYTHREAD == 0 && genome_report("UPC", bases, &all, bad, THREADS, seconds, counted - start);
    upc_all_free(table);
    free(contigs.text);
    return wrong;
}
