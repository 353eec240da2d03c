#include "memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double read_number(const char *root, const char *path)
{
    char full[1024];
    char text[64];
    double number = NAN;
    snprintf(full, sizeof full, "%s%s", root, path);
    FILE *file = fopen(full, "r");
    if (file == NULL)
        return NAN;
    if (fgets(text, sizeof text, file) != NULL && text[0] >= '0' && text[0] <= '9')
        number = strtod(text, NULL);
    fclose(file);
    return number;
}

static double machine_available(const char *root)
{
    char full[1024];
    char line[256];
    double available = INFINITY;
    snprintf(full, sizeof full, "%s/proc/meminfo", root);
    FILE *file = fopen(full, "r");
    if (file == NULL)
        return INFINITY;
    while (fgets(line, sizeof line, file) != NULL) {
        unsigned long long kilobytes;
        if (sscanf(line, "MemAvailable: %llu", &kilobytes) == 1)
            available = (double)kilobytes * 1024;
    }
    fclose(file);
    return available;
}

/* What a control group still allows: its limit minus its usage */
static double group_available(const char *root, const char *limit_path, const char *usage_path)
{
    double limit = read_number(root, limit_path);
    double usage = read_number(root, usage_path);
    if (isnan(limit))
        return INFINITY;
    return limit - (isnan(usage) ? 0 : usage);
}

/* Each ancestor of a group has a limit of its own. */
static double groups_available(const char *root, char *group)
{
    double least = INFINITY;
    for (;;) {
        char limit[700], usage[700];
        snprintf(limit, sizeof limit, "/sys/fs/cgroup%.600s/memory.max", group);
        snprintf(usage, sizeof usage, "/sys/fs/cgroup%.600s/memory.current", group);
        double available = group_available(root, limit, usage);
        if (available < least)
            least = available;
        char *slash = strrchr(group, '/');
        if (slash == NULL)
            return least;
        *slash = '\0';
    }
}

double uoms_memory_available(const char *root)
{
    char full[1024];
    char line[600];
    double least = machine_available(root);
    double old_group = group_available(root, "/sys/fs/cgroup/memory/memory.limit_in_bytes",
                                       "/sys/fs/cgroup/memory/memory.usage_in_bytes");
    if (old_group < least)
        least = old_group;
    snprintf(full, sizeof full, "%s/proc/self/cgroup", root);
    FILE *file = fopen(full, "r");
    if (file == NULL)
        return least;
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "0::", 3) == 0) {
            double available = groups_available(root, line + 3);
            if (available < least)
                least = available;
        }
    }
    fclose(file);
    return least;
}
