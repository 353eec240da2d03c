#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* for processor sets */
#endif
#include "cpus.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first number in a file such as "3" or "0-1,4"; -1 if there is none */
static int read_first(const char *root, const char *format, int cpu, int index)
{
    char path[256];
    char full[1280];
    int number = -1;
    snprintf(path, sizeof path, format, cpu, index);
    snprintf(full, sizeof full, "%s/sys/devices/system/%s", root, path);
    FILE *file = fopen(full, "r");
    if (file == NULL)
        return -1;
    if (fscanf(file, "%d", &number) != 1)
        number = -1;
    fclose(file);
    return number;
}

/* The memory region of a processor, among the first 64 */
static int numa_of(const char *root, int cpu)
{
    for (int numa = 0; numa < 64; numa++) {
        char full[1280];
        snprintf(full, sizeof full, "%s/sys/devices/system/node/node%d/cpu%d", root, numa, cpu);
        FILE *file = fopen(full, "r");
        if (file != NULL) {
            fclose(file);
            return numa;
        }
    }
    return 0;
}

static void read_cpu(const char *root, int number, struct uoms_cpu *cpu)
{
    cpu->number = number;
    cpu->core = read_first(root, "cpu/cpu%d/topology/core_id", number, 0);
    cpu->package = read_first(root, "cpu/cpu%d/topology/physical_package_id", number, 0);
    cpu->numa = numa_of(root, number);
    cpu->cache2 = cpu->cache3 = -1;
    for (int index = 0; index < 8; index++) {
        int level = read_first(root, "cpu/cpu%d/cache/index%d/level", number, index);
        int lowest = read_first(root, "cpu/cpu%d/cache/index%d/shared_cpu_list", number, index);
        if (level == 2)
            cpu->cache2 = lowest;
        if (level == 3)
            cpu->cache3 = lowest;
    }
}

/* Takes a range off the front of a list such as "0-3,8", and returns the rest; null if there is none. */
static const char *take_range(const char *list, long *first_p, long *last_p)
{
    char *end;
    *first_p = *last_p = strtol(list, &end, 10);
    if (end == list)
        return NULL;
    if (*end == '-')
        *last_p = strtol(end + 1, &end, 10);
    return *end == ',' ? end + 1 : "";
}

/* The distinct processors of a list such as "3,0-3", in its order; returns how many they are. */
static size_t read_list(const char *list, int numbers[UOMS_MOST_CPUS])
{
    char is_listed[UOMS_MOST_CPUS] = {0};
    size_t count = 0;
    long first, last;
    while ((list = take_range(list, &first, &last)) != NULL) {
        for (long cpu = first; cpu >= 0 && cpu <= last && cpu < UOMS_MOST_CPUS; cpu++) {
            if (!is_listed[cpu])
                numbers[count++] = (int)cpu;
            is_listed[cpu] = 1;
        }
    }
    return count;
}

void uoms_cpus_read(const char *root, const char *list, struct uoms_cpus *cpus_p)
{
    int numbers[UOMS_MOST_CPUS];
    cpus_p->count = read_list(list, numbers);
    for (size_t i = 0; i < cpus_p->count; i++)
        read_cpu(root, numbers[i], &cpus_p->cpus[i]);
}

void uoms_cpus_read_all(const char *root, struct uoms_cpus *cpus_p)
{
    char path[1280];
    char list[4096] = "";
    snprintf(path, sizeof path, "%s/sys/devices/system/cpu/online", root);
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        if (fgets(list, sizeof list, file) == NULL)
            list[0] = '\0';
        fclose(file);
    }
    uoms_cpus_read(root, list, cpus_p);
}

size_t uoms_cpu_count(const char *list)
{
    int numbers[UOMS_MOST_CPUS];
    return read_list(list, numbers);
}

int uoms_cpu_distance(const struct uoms_cpu *a, const struct uoms_cpu *b)
{
    if (a->package != b->package)
        return 5;
    if (a->core == b->core && a->core >= 0)
        return 0;
    if (a->cache2 >= 0 && a->cache2 == b->cache2)
        return 1;
    if (a->cache3 >= 0 && a->cache3 == b->cache3)
        return 2;
    return a->numa == b->numa ? 3 : 4;
}

const char *uoms_distance_name(int distance)
{
    static const char *const names[] = {
        "same core",    "shared second-level cache", "shared last-level cache", "same memory region", "same package",
        "other package"};
    return distance >= 0 && distance <= 5 ? names[distance] : "unknown";
}

size_t uoms_cpu_pairs(const struct uoms_cpus *cpus, int all, struct uoms_pair *pairs, size_t room)
{
    size_t count = 0;
    for (int distance = 0; distance <= 5; distance++) {
        int found = 0;
        for (size_t a = 0; a < cpus->count && (all || !found); a++) {
            for (size_t b = a + 1; b < cpus->count && (all || !found) && count < room; b++) {
                if (uoms_cpu_distance(&cpus->cpus[a], &cpus->cpus[b]) != distance)
                    continue;
                pairs[count].first = cpus->cpus[a].number;
                pairs[count].second = cpus->cpus[b].number;
                pairs[count].is_default = 0;
                pairs[count++].distance = distance;
                found = 1;
            }
        }
    }
    return count;
}

#if defined(__linux__)

void uoms_affinity_text(char *text, size_t room)
{
    cpu_set_t set;
    size_t used = 0;
    text[0] = '\0';
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return;
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        size_t first = cpu;
        if (!CPU_ISSET(cpu, &set))
            continue;
        while (cpu + 1 < CPU_SETSIZE && CPU_ISSET(cpu + 1, &set))
            cpu++;
        if (used + 24 > room)
            return;
        used += (size_t)snprintf(text + used, room - used, "%s%zu", used > 0 ? "," : "", first);
        if (cpu > first)
            used += (size_t)snprintf(text + used, room - used, "-%zu", cpu);
    }
}

int uoms_bind(int cpu)
{
    static cpu_set_t before;
    static int is_kept = 0;
    cpu_set_t set;
    if (!is_kept && sched_getaffinity(0, sizeof before, &before) != 0)
        return 1;
    is_kept = 1;
    if (cpu < 0)
        return sched_setaffinity(0, sizeof before, &before);
    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    return sched_setaffinity(0, sizeof set, &set);
}

#else

void uoms_affinity_text(char *text, size_t room)
{
    (void)room;
    text[0] = '\0';
}

int uoms_bind(int cpu)
{
    (void)cpu;
    return 1;
}

#endif
