/* cpus.h: processors from /sys: how far two are apart, and where the calling thread may run. */
#ifndef UOMS_CPUS_H
#define UOMS_CPUS_H

#include <stddef.h>

#define UOMS_MOST_CPUS 1024

struct uoms_cpu {
    int number;
    int core, package, numa;
    int cache2, cache3; /* lowest processor that shares the cache; -1: unknown */
};

struct uoms_cpus {
    size_t count;
    struct uoms_cpu cpus[UOMS_MOST_CPUS];
};

struct uoms_pair {
    int first, second; /* processor numbers */
    int distance;
    int is_default; /* where the threads were before binding */
};

/* Reads the distinct processors of a list such as "3,0-3", in its order. root as in memory.h */
void uoms_cpus_read(const char *root, const char *list, struct uoms_cpus *cpus_p);

/* Reads those of the machine, whoever may use them; none if /sys does not tell. */
void uoms_cpus_read_all(const char *root, struct uoms_cpus *cpus_p);

/* The number of distinct processors in a list such as "0-3,8,0" */
size_t uoms_cpu_count(const char *list);

/*
 * 0 same core, 1 shared second-level cache, 2 shared last-level cache, 3 same memory region of a package, 4 same
 * package, other region, 5 other package.
 */
int uoms_cpu_distance(const struct uoms_cpu *a, const struct uoms_cpu *b);
const char *uoms_distance_name(int distance);

/* Pairs of different processors: the first of each distance, nearest first, or all pairs.  At most `room`. */
size_t uoms_cpu_pairs(const struct uoms_cpus *cpus, int all, struct uoms_pair *pairs, size_t room);

/* Where the calling thread may run: "0-3,8"; empty if unknown. */
void uoms_affinity_text(char *text, size_t room);

/* Binds the calling thread to a processor, or (-1) back to its set before the first call.  Zero on success. */
int uoms_bind(int cpu);

#endif
