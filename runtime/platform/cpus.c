#include "platform/cpus.h"

#include "platform/cgroup.h"
#include "platform/file.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BITS = 64, LIST_BYTES = 8192 };

void bn_pu_set_add(struct bn_pu_set *set, int pu)
{
    set->words[pu / WORD_BITS] |= 1ULL << (pu % WORD_BITS);
}

bool bn_pu_set_has(const struct bn_pu_set *set, int pu)
{
    return pu >= 0 && pu < BN_PU_MAX && ((set->words[pu / WORD_BITS] >> (pu % WORD_BITS)) & 1) != 0;
}

int bn_pu_set_count(const struct bn_pu_set *set)
{
    int count = 0;
    for (int word = 0; word < BN_PU_MAX / WORD_BITS; ++word)
        count += __builtin_popcountll(set->words[word]);
    return count;
}

int bn_pu_set_next(const struct bn_pu_set *set, int from)
{
    for (int pu = from; pu < BN_PU_MAX; pu = (pu / WORD_BITS + 1) * WORD_BITS) {
        unsigned long long rest = set->words[pu / WORD_BITS] >> (pu % WORD_BITS);
        if (rest != 0)
            return pu + __builtin_ctzll(rest);
    }
    return -1;
}

bool bn_pu_set_parse(const char *text, struct bn_pu_set *set_p)
{
    memset(set_p, 0, sizeof *set_p);
    while (*text != '\0' && *text != '\n') {
        char *end;
        long first = strtol(text, &end, 10);
        long last = first;
        if (end == text || first < 0)
            return false;
        if (*end == '-') {
            text = end + 1;
            last = strtol(text, &end, 10);
            if (end == text)
                return false;
        }
        if (last < first || last >= BN_PU_MAX)
            return false;
        for (long pu = first; pu <= last; ++pu)
            bn_pu_set_add(set_p, (int)pu);
        text = *end == ',' ? end + 1 : end;
        if (*end != ',' && *end != '\n' && *end != '\0')
            return false;
    }
    return true;
}

void bn_pu_set_format(const struct bn_pu_set *set, char *text, unsigned long text_bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (int first = bn_pu_set_next(set, 0); first >= 0;) {
        int last = first;
        while (bn_pu_set_has(set, last + 1))
            ++last;
        const char *comma = used > 0 ? "," : "";
        int wanted = last > first ? snprintf(text + used, text_bytes - used, "%s%d-%d", comma, first, last)
                                  : snprintf(text + used, text_bytes - used, "%s%d", comma, first);
        if (wanted < 0 || (size_t)wanted >= text_bytes - used)
            return;
        used += (size_t)wanted;
        first = bn_pu_set_next(set, last + 1);
    }
}

void bn_cpus_affinity(struct bn_pu_set *set_p)
{
    memset(set_p, 0, sizeof *set_p);
    if (sched_getaffinity(0, sizeof *set_p, (cpu_set_t *)(void *)set_p) != 0 || bn_pu_set_next(set_p, 0) < 0) {
        memset(set_p, 0, sizeof *set_p);
        bn_pu_set_add(set_p, 0);
    }
}

bn_status_t bn_cpus_bind(const struct bn_pu_set *set)
{
    return sched_setaffinity(0, sizeof *set, (const cpu_set_t *)(const void *)set) == 0 ? BN_OK : BN_ERR_SYSTEM;
}

/* ---- Quota of control groups ---- */

static long smaller_limit(long a, long b)
{
    if (a == 0 || b == 0)
        return a + b;
    return a < b ? a : b;
}

static long milli(long quota_us, long period_us)
{
    if (quota_us <= 0 || period_us <= 0)
        return 0;
    long limit = (long)((__int128)quota_us * 1000 / period_us);
    return limit > 0 ? limit : 1;
}

/* cpu.max of version 2: "150000 100000" or "max 100000" */
static long quota_v2(const char *folder)
{
    char text[64];
    long quota = 0;
    long period = 0;
    if (!bn_file_read(text, sizeof text, folder, "/cpu.max") || sscanf(text, "%ld %ld", &quota, &period) != 2)
        return 0;
    return milli(quota, period);
}

static long quota_v1(const char *folder)
{
    char quota[32];
    char period[32];
    if (!bn_file_read(quota, sizeof quota, folder, "/cpu.cfs_quota_us") ||
        !bn_file_read(period, sizeof period, folder, "/cpu.cfs_period_us"))
        return 0;
    return milli(strtol(quota, NULL, 10), strtol(period, NULL, 10));
}

static void lower_quota(void *context, const char *folder, int version)
{
    long *limit = context;
    *limit = smaller_limit(*limit, version == 2 ? quota_v2(folder) : quota_v1(folder));
}

long bn_cpus_quota_milli(const char *root)
{
    long limit = 0;
    bn_cgroup_walk(root, "cpu", lower_quota, &limit);
    return limit;
}

int bn_cpus_usable_count(void)
{
    struct bn_pu_set set;
    bn_cpus_affinity(&set);
    int count = bn_pu_set_count(&set);
    long quota_milli = bn_cpus_quota_milli("");
    if (quota_milli > 0 && (quota_milli + 999) / 1000 < count)
        count = (int)((quota_milli + 999) / 1000);
    return count;
}

/* ---- Where processing units are ---- */

static int lowest_sibling(const char *root, int pu)
{
    char text[LIST_BYTES];
    struct bn_pu_set siblings;
    if (!bn_file_read(text, sizeof text, root, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", pu) ||
        !bn_pu_set_parse(text, &siblings))
        return pu;
    int lowest = bn_pu_set_next(&siblings, 0);
    return lowest >= 0 ? lowest : pu;
}

static void set_regions(const char *root, struct bn_pu_place *places, int count)
{
    char text[LIST_BYTES];
    struct bn_pu_set regions;
    if (!bn_file_read(text, sizeof text, root, "/sys/devices/system/node/online") || !bn_pu_set_parse(text, &regions))
        return;
    for (int region = bn_pu_set_next(&regions, 0); region >= 0; region = bn_pu_set_next(&regions, region + 1)) {
        struct bn_pu_set members;
        if (!bn_file_read(text, sizeof text, root, "/sys/devices/system/node/node%d/cpulist", region) ||
            !bn_pu_set_parse(text, &members))
            continue;
        for (int i = 0; i < count; ++i) {
            if (bn_pu_set_has(&members, places[i].pu))
                places[i].numa = region;
        }
    }
}

int bn_cpus_places(const char *root, const struct bn_pu_set *set, struct bn_pu_place *places, int max)
{
    int count = 0;
    for (int pu = bn_pu_set_next(set, 0); pu >= 0 && count < max; pu = bn_pu_set_next(set, pu + 1)) {
        struct bn_pu_place place = {.pu = pu, .core = lowest_sibling(root, pu)};
        for (int i = 0; i < count; ++i)
            place.core_rank += places[i].core == place.core;
        places[count++] = place;
    }
    set_regions(root, places, count);
    return count;
}

int bn_cpus_socket(const char *root, int pu)
{
    char text[32];
    if (!bn_file_read(text, sizeof text, root, "/sys/devices/system/cpu/cpu%d/topology/physical_package_id", pu))
        return 0;
    int socket = atoi(text);
    return socket >= 0 ? socket : 0; /* -1: the system does not know */
}

struct bn_pu_cache bn_cpus_largest_cache(const char *root, int pu)
{
    static const char folder[] = "/sys/devices/system/cpu/cpu%d/cache/index%d/%s";
    struct bn_pu_cache largest = {.first_pu = pu};
    char text[LIST_BYTES];
    struct bn_pu_set sharers;
    for (int index = 0; bn_file_read(text, sizeof text, root, folder, pu, index, "type"); ++index) {
        if (strncmp(text, "Instruction", strlen("Instruction")) == 0 ||
            !bn_file_read(text, sizeof text, root, folder, pu, index, "level") || atoi(text) <= largest.level)
            continue;
        int level = atoi(text);
        if (!bn_file_read(text, sizeof text, root, folder, pu, index, "shared_cpu_list") ||
            !bn_pu_set_parse(text, &sharers) || !bn_pu_set_has(&sharers, pu))
            continue;
        largest = (struct bn_pu_cache){.first_pu = bn_pu_set_next(&sharers, 0), .level = level};
        if (bn_file_read(text, sizeof text, root, folder, pu, index, "size"))
            largest.size_bytes = strtoull(text, NULL, 10) << 10; /* "32768K" */
    }
    return largest;
}
