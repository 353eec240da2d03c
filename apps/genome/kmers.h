/*
 * kmers.h: what all forms of the program share: entries of the table of k-mers, contigs, the check, and the report.
 *
 * Each thread or process owns the k-mers that their hash assigns to it, in a table of its own.
 */
#ifndef KMERS_H
#define KMERS_H

#include <stdio.h>
#include <stdlib.h>

#include "sequence.h"

enum { TRUE_COUNT = 3, MOST_COUNT = 65535, ENTRIES_PER_BASE = 8, MOST_BASES = 1000000000 };
enum { BEFORE, BEHIND, SIDES };

/* A k-mer, or its reverse complement if that is the smaller number; and how often each base was seen on each side of
 * it */
struct entry {
    uint64_t kmer_plus_1; /* 0: free */
    unsigned short seen[SIDES][4];
};

/* A k-mer that was seen, with the bases before and behind it, in one word */
struct sight {
    uint64_t kmer : 2 * K, before : 4, behind : 4;
};

/* The only true base on each side of a k-mer, as it is read in this direction; NO_BASE if there is none, or more than
 * one */
struct sides {
    unsigned char only[SIDES];
};

static inline uint64_t kmer_smaller(uint64_t kmer)
{
    uint64_t reverse = kmer_reverse(kmer);
    return kmer < reverse ? kmer : reverse;
}

static inline int kmer_owner(uint64_t kmer, int count)
{
    return (int)(sequence_mix(kmer) % (uint64_t)count);
}

/* The first place to look in the owner's table */
static inline uint64_t kmer_place(uint64_t kmer, int count, uint64_t entries)
{
    return sequence_mix(kmer) / (uint64_t)count % entries;
}

static inline uint64_t kmer_next_place(uint64_t place, uint64_t entries)
{
    return place + 1 == entries ? 0 : place + 1;
}

/* The number of entries of each of `count` tables */
static inline uint64_t kmer_entries(uint64_t bases, int count)
{
    return bases * ENTRIES_PER_BASE / (uint64_t)count + 1000;
}

static inline int base_complement(int base)
{
    return base == NO_BASE ? NO_BASE : 3 - base;
}

/* What is seen at place i of a read, i up to READ_BASES - K */
static inline struct sight sight_of(const unsigned char *read, int i)
{
    uint64_t kmer = kmer_of(read + i);
    int before = i > 0 ? read[i - 1] : NO_BASE, behind = i + K < READ_BASES ? read[i + K] : NO_BASE;
    if (kmer_smaller(kmer) == kmer)
        return (struct sight){kmer, (uint64_t)before, (uint64_t)behind};
    return (struct sight){kmer_smaller(kmer), (uint64_t)base_complement(behind), (uint64_t)base_complement(before)};
}

/* Counts a sight in its owner's table, one of `count`; 0 if that is full. */
static inline int sight_count(const struct sight *sight, struct entry *table, uint64_t entries, int count)
{
    uint64_t kmer = sight->kmer, place = kmer_place(kmer, count, entries), looked = 0;
    for (; table[place].kmer_plus_1 != 0 && table[place].kmer_plus_1 != kmer + 1; looked++) {
        if (looked == entries)
            return 0;
        place = kmer_next_place(place, entries);
    }
    struct entry *entry = &table[place];
    entry->kmer_plus_1 = kmer + 1;
    if (sight->before != NO_BASE && entry->seen[BEFORE][sight->before] < MOST_COUNT)
        entry->seen[BEFORE][sight->before]++;
    if (sight->behind != NO_BASE && entry->seen[BEHIND][sight->behind] < MOST_COUNT)
        entry->seen[BEHIND][sight->behind]++;
    return 1;
}

/* The sides of a k-mer, given its entry; none if the entry is free. */
static inline struct sides entry_sides(const struct entry *entry, uint64_t kmer)
{
    struct sides sides = {{NO_BASE, NO_BASE}};
    int is_reverse = entry->kmer_plus_1 != kmer + 1;
    for (int side = 0; side < SIDES && entry->kmer_plus_1 != 0; side++) {
        int found = NO_BASE, count = 0;
        for (int base = 0; base < 4; base++)
            if (entry->seen[is_reverse ? !side : side][base] >= TRUE_COUNT) {
                found = base;
                count++;
            }
        if (count == 1)
            sides.only[side] = (unsigned char)(is_reverse ? base_complement(found) : found);
    }
    return sides;
}

/* ---- Contigs ---- */

typedef struct sides kmer_look_t(uint64_t kmer); /* asks its owner */

/* The contigs that were found, each with a 0 behind it */
struct contigs {
    char *text;
    size_t used, room;
    double count, bases, dropped;
};

static inline void contigs_add(struct contigs *contigs, char letter)
{
    if (contigs->used == contigs->room) {
        contigs->room = 2 * contigs->room + 4096;
        contigs->text = realloc(contigs->text, contigs->room);
        if (contigs->text == NULL) {
            fprintf(stderr, "genome: no memory for %zu bytes of contigs; choose a smaller number\n", contigs->room);
            exit(1);
        }
    }
    contigs->text[contigs->used++] = letter;
}

/* Walks the contig that begins with a k-mer, as long as there is just one next base, seen from both sides.  Its reverse
 * complement is found as well, from the other end; the one that begins with the smaller k-mer counts.  A contig shorter
 * than 2 K is dropped: it may be an error that was read three times, which affects K k-mers. */
static inline void contigs_walk(struct contigs *contigs, uint64_t kmer, struct sides sides, uint64_t most,
                                kmer_look_t *look)
{
    uint64_t first = kmer, length = K;
    size_t begin = contigs->used;
    for (int i = 0; i < K; i++)
        contigs_add(contigs, "ACGT"[kmer >> 2 * (K - 1 - i) & 3]);
    for (int base; length < most && (base = sides.only[BEHIND]) != NO_BASE; length++) {
        uint64_t next = kmer_behind(kmer, base);
        sides = look(next);
        if (sides.only[BEFORE] != kmer_first(kmer))
            break;
        contigs_add(contigs, "ACGT"[base]);
        kmer = next;
    }
    contigs_add(contigs, '\0');
    int is_twin = kmer_reverse(kmer) < first, is_short = length < 2 * K;
    if (is_twin || is_short)
        contigs->used = begin;
    contigs->dropped += !is_twin && is_short && length > K; /* shorter ones are not even counted */
    contigs->count += !is_twin && !is_short;
    contigs->bases += is_twin || is_short ? 0 : (double)length;
}

/* Walks the contigs that begin with a k-mer, in this direction. */
static inline void contigs_from(struct contigs *contigs, uint64_t kmer, uint64_t most, kmer_look_t *look)
{
    struct sides sides = look(kmer);
    int base = sides.only[BEFORE];
    if (base == NO_BASE || look(kmer_before(kmer, base)).only[BEHIND] != kmer_last(kmer))
        contigs_walk(contigs, kmer, sides, most, look);
}

/* Walks all contigs that begin with a k-mer of a table. */
static inline struct contigs contigs_find(const struct entry *table, uint64_t entries, uint64_t most, kmer_look_t *look)
{
    struct contigs contigs = {NULL, 0, 0, 0, 0, 0};
    for (uint64_t i = 0; i < entries; i++) {
        if (table[i].kmer_plus_1 == 0)
            continue;
        contigs_from(&contigs, table[i].kmer_plus_1 - 1, most, look);
        contigs_from(&contigs, kmer_reverse(table[i].kmer_plus_1 - 1), most, look);
    }
    return contigs;
}

/* How many contigs are in neither strand of the known sequence */
static inline double contigs_wrong(const struct contigs *contigs, uint64_t bases)
{
    double wrong = 0;
    char *strands[2] = {malloc(bases + 1), malloc(bases + 1)};
    if (strands[0] == NULL || strands[1] == NULL) {
        fprintf(stderr, "genome: no memory for %llu bases; choose a smaller number\n", (unsigned long long)bases);
        exit(1);
    }
    for (uint64_t i = 0; i < bases; i++) {
        strands[0][i] = "ACGT"[sequence_base(i)];
        strands[1][bases - 1 - i] = "ACGT"[3 - sequence_base(i)];
    }
    strands[0][bases] = strands[1][bases] = '\0';
    for (const char *text = contigs->text; contigs->used > 0 && text < contigs->text + contigs->used;
         text += strlen(text) + 1)
        wrong += strstr(strands[0], text) == NULL && strstr(strands[1], text) == NULL;
    free(strands[0]);
    free(strands[1]);
    return wrong;
}

/* ---- Arguments and report ---- */

/* The number of bases, in whole segments, from "[bases]" of the command line; 0 if that is invalid. */
static inline uint64_t genome_bases(int argc, char **argv)
{
    char *end = "";
    long bases = argc == 1 ? 100000 : strtol(argv[1], &end, 10);
    if (argc > 2 || *end != '\0' || bases < SEGMENT_BASES || bases > MOST_BASES)
        return 0;
    return (uint64_t)(bases - bases % SEGMENT_BASES);
}

static inline uint64_t genome_reads(uint64_t bases)
{
    return bases * COVERAGE / READ_BASES;
}

static const char genome_usage[] = "[bases]     250 to 1000000000 (100000)";

/* all: the sums of all threads or processes.  Prints the result line; returns whether the result is wrong. */
static inline int genome_report(const char *form, uint64_t bases, const struct contigs *all, double wrong_contigs,
                                int n, double seconds, double counting)
{
    uint64_t reads = genome_reads(bases);
    int wrong = wrong_contigs > 0 || all->bases < 0.9 * (double)bases || all->bases > 1.01 * (double)bases;
    printf("genome %s: %llu bases, %llu reads, %.0f contigs of %.0f bases, %.0f not in the sequence, %.0f shorter than "
           "%d dropped, n %d, %.3f s, of it %.3f s to count k-mers, %.3f million reads per second: %s\n",
           form, (unsigned long long)bases, (unsigned long long)reads, all->count, all->bases, wrong_contigs,
           all->dropped, 2 * K, n, seconds, counting, 1e-6 * (double)reads / seconds, wrong ? "WRONG" : "right");
    return wrong;
}

#endif
