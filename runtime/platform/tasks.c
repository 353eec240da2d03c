#include "platform/tasks.h"

#include <dirent.h>
#include <stdlib.h>

struct bn_tasks bn_tasks_now(void)
{
    struct bn_tasks tasks = {0};
    DIR *folder = opendir("/proc/self/task");
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        pid_t id = atoi(entry->d_name);
        if (id <= 0) /* . and .. */
            continue;
        pid_t *ids = realloc(tasks.ids, (tasks.count + 1) * sizeof *ids);
        if (!ids) {
            free(tasks.ids);
            tasks = (struct bn_tasks){0};
            break;
        }
        tasks.ids = ids;
        tasks.ids[tasks.count++] = id;
    }
    if (folder)
        closedir(folder);
    return tasks;
}

static bool has(const struct bn_tasks *tasks, pid_t id)
{
    for (size_t i = 0; i < tasks->count; i++) {
        if (tasks->ids[i] == id)
            return true;
    }
    return false;
}

bool bn_tasks_are_more(const struct bn_tasks *before)
{
    struct bn_tasks now = bn_tasks_now();
    bool are_more = false;
    for (size_t i = 0; before->ids && i < now.count; i++)
        are_more = are_more || !has(before, now.ids[i]);
    free(now.ids);
    return are_more;
}
