/*
 * How much memory may still be filled.  The system answers over-filling a memory file with a kill, not with an error,
 * so the limits must be known beforehand: the system's (MemAvailable), and that of each memory cgroup from ours up to
 * the root.
 *
 * The room in a cgroup is its limit less its usage, plus the page cache that it can drop immediately.  The files with
 * these numbers:
 *
 *     v2   memory.max, memory.current, memory.stat: inactive_file
 *     v1   memory.limit_in_bytes, memory.usage_in_bytes, memory.stat: total_inactive_file
 */
#include "platform/memory.h"

#include "platform/cgroup.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { PATH_BYTES = 4096 };

struct cgroup_files {
    const char *limit;
    const char *usage;
    const char *cache_key; /* in memory.stat */
};

static const struct cgroup_files version_1 = {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
static const struct cgroup_files version_2 = {"memory.max", "memory.current", "inactive_file"};

/* The number after key at the start of a line; false if there is none.  An empty key takes the first line. */
static bool read_number(const char *path, const char *key, uint64_t *number_p)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    char line[256];
    bool is_found = false;
    size_t key_length = strlen(key);
    while (!is_found && fgets(line, sizeof line, file)) {
        if (strncmp(line, key, key_length) != 0)
            continue;
        char *end;
        uint64_t number = strtoull(line + key_length, &end, 10);
        if (end != line + key_length) {
            *number_p = number;
            is_found = true;
        }
        if (key_length == 0)
            break;
    }
    fclose(file);
    return is_found;
}

/* The room in one cgroup; UINT64_MAX if it has no limit or does not exist */
static uint64_t cgroup_room(const char *folder, const struct cgroup_files *files)
{
    char path[2 * PATH_BYTES + 64];
    uint64_t limit, usage, cache = 0;
    snprintf(path, sizeof path, "%s/%s", folder, files->limit);
    if (!read_number(path, "", &limit))
        return UINT64_MAX;
    snprintf(path, sizeof path, "%s/%s", folder, files->usage);
    if (!read_number(path, "", &usage))
        return limit;
    char key[32];
    snprintf(key, sizeof key, "%s ", files->cache_key);
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    if (!read_number(path, key, &cache) || cache > usage)
        cache = 0;
    usage -= cache;
    return usage < limit ? limit - usage : 0;
}

static void lower_room(void *context, const char *folder, int version)
{
    uint64_t *least = context;
    uint64_t room = cgroup_room(folder, version == 2 ? &version_2 : &version_1);
    if (room < *least)
        *least = room;
}

static uint64_t cgroups_room(const char *root)
{
    uint64_t least = UINT64_MAX;
    bn_cgroup_walk(root, "memory", lower_room, &least);
    return least;
}

uint64_t bn_memory_address_room_bytes(const char *root)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    char path[PATH_BYTES];
    uint64_t used_kib = 0;
    snprintf(path, sizeof path, "%s/proc/self/status", root);
    read_number(path, "VmSize:", &used_kib);
    uint64_t used = used_kib * 1024;
    return used < limit.rlim_cur ? limit.rlim_cur - used : 0;
}

uint64_t bn_memory_available_bytes(const char *root)
{
    char path[PATH_BYTES];
    uint64_t available = UINT64_MAX;
    uint64_t kib;
    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    if (read_number(path, "MemAvailable:", &kib) || read_number(path, "MemFree:", &kib))
        available = kib * 1024;
    uint64_t rooms[] = {cgroups_room(root), bn_memory_address_room_bytes(root)};
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++)
        if (rooms[i] < available)
            available = rooms[i];
    return available;
}
