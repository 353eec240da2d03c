/*
 * genome: contigs of a sequence from short reads with errors.
 *
 * usage: genome [bases]
 */
#include <banyan_aggregate.h>
#include <string.h>

#include "../app.h"
#include "sequence.h"

static const char usage[] = "genome [bases, 1000 or more]";

enum { TRUE_COUNT = 3, MOST_COUNT = 65535, ENTRIES_PER_BASE = 8 };
enum { BEFORE, BEHIND, SIDES };

/* A k-mer, or its reverse complement if that is the smaller number; how often which base was seen on each side of it */
struct entry {
    uint64_t kmer_plus_1; /* 0: free */
    unsigned short seen[SIDES][4];
};

static shared struct entry *table; /* entry s of thread t is number s * THREADS + t */
static uint64_t bases, entries;    /* entries of each thread */

static uint64_t smaller(uint64_t kmer)
{
    uint64_t reverse = kmer_reverse(kmer);
    return kmer < reverse ? kmer : reverse;
}

static int owner_of(uint64_t kmer)
{
    return (int)(sequence_mix(kmer) % THREADS);
}

static uint64_t first_place(uint64_t kmer)
{
    return sequence_mix(kmer) / THREADS % entries;
}

/* ---- Counting ---- */

/* A k-mer that was seen, with the bases before and behind it, in one word */
struct sight {
    uint64_t kmer : 2 * K, before : 4, behind : 4;
};

static void take_sights(void *context, int from, const void *items, size_t count)
{
    struct entry *mine = context;
    const struct sight *sights = items;
    (void)from;
    for (size_t i = 0; i < count; i++) {
        uint64_t kmer = sights[i].kmer, place = first_place(kmer), looked = 0;
        for (; mine[place].kmer_plus_1 != 0 && mine[place].kmer_plus_1 != kmer + 1; looked++) {
            place = place + 1 == entries ? 0 : place + 1;
            if (looked == entries) {
                fprintf(stderr, "thread %d: all %llu entries are full\n", MYTHREAD, (unsigned long long)entries);
                upc_global_exit(1);
            }
        }
        struct entry *entry = &mine[place];
        entry->kmer_plus_1 = kmer + 1;
        if (sights[i].before != NO_BASE && entry->seen[BEFORE][sights[i].before] < MOST_COUNT)
            entry->seen[BEFORE][sights[i].before]++;
        if (sights[i].behind != NO_BASE && entry->seen[BEHIND][sights[i].behind] < MOST_COUNT)
            entry->seen[BEHIND][sights[i].behind]++;
    }
}

static int complement(int base)
{
    return base == NO_BASE ? NO_BASE : 3 - base;
}

static void count_read(banyan_aggregate_t *sights, const unsigned char *read)
{
    for (int i = 0; i + K <= READ_BASES; i++) {
        uint64_t kmer = kmer_of(read + i);
        int before = i > 0 ? read[i - 1] : NO_BASE, behind = i + K < READ_BASES ? read[i + K] : NO_BASE;
        struct sight sight = {kmer, (uint64_t)before, (uint64_t)behind};
        if (smaller(kmer) != kmer)
            sight = (struct sight){smaller(kmer), (uint64_t)complement(behind), (uint64_t)complement(before)};
        banyan_aggregate_push(sights, owner_of(sight.kmer), &sight);
    }
}

static void count_reads(uint64_t reads)
{
    unsigned char read[READ_BASES];
    banyan_aggregate_t *sights =
        banyan_aggregate_all_make(sizeof(struct sight), 0, take_sights, (struct entry *)&table[MYTHREAD]);
    for (uint64_t r = MYTHREAD; r < reads; r += THREADS) {
        sequence_read(r, bases, read);
        count_read(sights, read);
    }
    banyan_aggregate_end(sights);
    banyan_aggregate_all_free(sights);
    upc_barrier;
}

/* ---- Contigs ---- */

/* The only base that is true on a side of a k-mer, as it is read in this direction; NO_BASE if there is none, or two */
static int only_base(uint64_t kmer, int side)
{
    struct entry entry;
    uint64_t key = smaller(kmer), place = first_place(key);
    do {
        upc_memget(&entry, &table[place * THREADS + owner_of(key)], sizeof entry);
        place = place + 1 == entries ? 0 : place + 1;
    } while (entry.kmer_plus_1 != 0 && entry.kmer_plus_1 != key + 1);
    if (entry.kmer_plus_1 == 0)
        return NO_BASE;
    int is_reverse = key != kmer, found = NO_BASE;
    for (int base = 0; base < 4; base++) {
        if (entry.seen[is_reverse ? !side : side][base] < TRUE_COUNT)
            continue;
        if (found != NO_BASE)
            return NO_BASE;
        found = base;
    }
    return is_reverse ? complement(found) : found;
}

/* The base that leads on from a k-mer, if it is the only one, and the k-mer the only one that leads there */
static int next_base(uint64_t kmer)
{
    int base = only_base(kmer, BEHIND);
    return base != NO_BASE && only_base(kmer_behind(kmer, base), BEFORE) == kmer_first(kmer) ? base : NO_BASE;
}

static int is_start(uint64_t kmer)
{
    int base = only_base(kmer, BEFORE);
    return base == NO_BASE || only_base(kmer_before(kmer, base), BEHIND) != kmer_last(kmer);
}

struct contigs {
    double count, bases, wrong;
};

/* Walks the contig that begins with a k-mer, into text.  Its reverse complement is found as well, from the other end;
 * the one that begins with the smaller k-mer counts.  What is shorter than 2 K may be an error that was read three
 * times: that is in K k-mers. */
static void walk(uint64_t kmer, char *text, const char *known[2], struct contigs *contigs)
{
    uint64_t first = kmer, length = K;
    for (int i = 0; i < K; i++)
        text[i] = "ACGT"[kmer >> 2 * (K - 1 - i) & 3];
    for (int base = next_base(kmer); base != NO_BASE && length < bases; base = next_base(kmer)) {
        text[length++] = "ACGT"[base];
        kmer = kmer_behind(kmer, base);
    }
    text[length] = '\0';
    if (length < 2 * K || kmer_reverse(kmer) < first)
        return;
    contigs->count++;
    contigs->bases += (double)length;
    contigs->wrong += strstr(known[0], text) == NULL && strstr(known[1], text) == NULL;
}

static char *take(uint64_t bytes)
{
    char *memory = malloc(bytes);
    if (memory == NULL) {
        fprintf(stderr, "thread %d: no memory for %llu bytes; choose a smaller number\n", MYTHREAD,
                (unsigned long long)bytes);
        upc_global_exit(1);
    }
    return memory;
}

/* All contigs that begin with a k-mer of this thread, compared with both strands of the sequence */
static struct contigs find_contigs(const char *known[2])
{
    struct contigs contigs = {0, 0, 0};
    const struct entry *mine = (const struct entry *)&table[MYTHREAD];
    char *text = take(bases + K + 1);
    for (uint64_t i = 0; i < entries; i++) {
        if (mine[i].kmer_plus_1 == 0)
            continue;
        uint64_t kmer = mine[i].kmer_plus_1 - 1;
        if (is_start(kmer))
            walk(kmer, text, known, &contigs);
        if (is_start(kmer_reverse(kmer)))
            walk(kmer_reverse(kmer), text, known, &contigs);
    }
    free(text);
    return contigs;
}

int main(int argc, char **argv)
{
    if (argc > 2)
        app_usage(usage);
    bases = (uint64_t)app_argument(argc, argv, 1, 100000, SEGMENT_BASES, 1000000000, usage);
    bases -= bases % SEGMENT_BASES;
    uint64_t reads = bases * COVERAGE / READ_BASES;
    entries = bases * ENTRIES_PER_BASE / THREADS + 1000;
    table = upc_all_alloc(entries * THREADS, sizeof *table);
    if (table == NULL) {
        fprintf(stderr, "thread %d: no shared memory for %llu entries; choose a smaller number\n", MYTHREAD,
                (unsigned long long)entries);
        upc_global_exit(1);
    }
    memset((struct entry *)&table[MYTHREAD], 0, entries * sizeof(struct entry));
    char *strands[2] = {take(bases + 1), take(bases + 1)};
    for (uint64_t i = 0; i < bases; i++) {
        strands[0][i] = "ACGT"[sequence_base(i)];
        strands[1][bases - 1 - i] = "ACGT"[3 - sequence_base(i)];
    }
    strands[0][bases] = strands[1][bases] = '\0';
    upc_barrier;
    double start = app_seconds();
    count_reads(reads);
    double counted = app_seconds();
    struct contigs mine = find_contigs((const char *[2]){strands[0], strands[1]});
    double count = app_sum(mine.count), found = app_sum(mine.bases), bad = app_sum(mine.wrong);
    double seconds = app_seconds() - start, counting = counted - start;
    int wrong = bad > 0 || found < 0.9 * (double)bases || found > 1.01 * (double)bases;
    if (MYTHREAD == 0)
        printf("genome UPC: %llu bases, %llu reads, %.0f contigs of %.0f bases, %.0f not in the sequence, n %d, %.3f "
               "s, of it %.3f s to count k-mers, %.3f million reads per second: %s\n",
               (unsigned long long)bases, (unsigned long long)reads, count, found, bad, THREADS, seconds, counting,
               1e-6 * (double)reads / seconds, wrong ? "WRONG" : "right");
    upc_all_free(table);
    free(strands[0]);
    free(strands[1]);
    return wrong;
}
