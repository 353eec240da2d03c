#include "platform/cgroup.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { PATH_BYTES = 4096 };

static bool list_has_word(const char *list, const char *word)
{
    size_t word_bytes = strlen(word);
    for (const char *at = list; *at != '\0';) {
        size_t bytes = strcspn(at, ",");
        if (bytes == word_bytes && strncmp(at, word, bytes) == 0)
            return true;
        at += bytes + (at[bytes] == ',');
    }
    return false;
}

/* Finds where a hierarchy is mounted: that of version 2, or the one of version 1 with the controller; line format:
 * proc(5), mountinfo */
static bool find_mount(const char *root, int version, const char *controller, char *mount)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/proc/self/mountinfo", root);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    bool is_found = false;
    char line[2 * PATH_BYTES];
    while (!is_found && fgets(line, sizeof line, file)) {
        char point[PATH_BYTES], type[32], options[256];
        const char *tail = strstr(line, " - ");
        if (!tail || sscanf(line, "%*s %*s %*s %*s %4095s", point) != 1 ||
            sscanf(tail, " - %31s %*s %255s", type, options) != 2)
            continue;
        bool is_it = version == 2 ? strcmp(type, "cgroup2") == 0
                                  : strcmp(type, "cgroup") == 0 && list_has_word(options, controller);
        is_found = is_it && snprintf(mount, PATH_BYTES, "%s%s", root, point) < PATH_BYTES;
    }
    fclose(file);
    return is_found;
}

/* Visits the group at mount + path and all groups around it. */
static void walk_up(const char *mount, const char *path, int version, bn_cgroup_visit *visit, void *context)
{
    char folder[2 * PATH_BYTES];
    size_t mount_length = strlen(mount);
    snprintf(folder, sizeof folder, "%s%s", mount, path);
    for (;;) {
        visit(context, folder, version);
        char *slash = strrchr(folder, '/');
        if (strlen(folder) <= mount_length || !slash)
            return;
        *slash = '\0';
    }
}

/* Lines of /proc/self/cgroup are "4:memory:/path"; version 2 names no controllers: "0::/path". */
void bn_cgroup_walk(const char *root, const char *controller, bn_cgroup_visit *visit, void *context)
{
    char path[PATH_BYTES], mount[PATH_BYTES], line[PATH_BYTES];
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    if (!file)
        return;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group)
            continue;
        *group++ = '\0';
        controllers++;
        int version = *controllers == '\0' ? 2 : 1;
        if ((version == 2 || list_has_word(controllers, controller)) && find_mount(root, version, controller, mount))
            walk_up(mount, strcmp(group, "/") == 0 ? "" : group, version, visit, context);
    }
    fclose(file);
}
