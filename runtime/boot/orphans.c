#include "boot/orphans.h"

#include "platform/process.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int64_t LIMIT_NS = INT64_C(1000000000);
static const struct timespec PAUSE = {.tv_nsec = 1000000};

bool bn_orphans_adopt(void)
{
    return prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

/* Whether a process is a child of the caller, in its session.  Dead ones not yet reaped count, too, since their orphans
 * may not have been seen yet.  The name, in the second column, may contain anything, even parentheses. */
static bool is_own(pid_t process)
{
    char path[64], line[512];
    int parent = 0, session = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    size_t length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[length] = '\0';
    const char *behind_name = strrchr(line, ')');
    if (!behind_name || sscanf(behind_name, ") %*c %d %*d %d", &parent, &session) != 2)
        return false;
    return parent == getpid() && session == getsid(0);
}

static int kill_children(void)
{
    int count = 0;
    DIR *processes = opendir("/proc");
    struct dirent *entry;
    while (processes && (entry = readdir(processes)) != NULL) {
        pid_t process = (pid_t)strtol(entry->d_name, NULL, 10);
        if (process > 0 && is_own(process) && kill(process, SIGKILL) == 0)
            count++;
    }
    if (processes)
        closedir(processes);
    return count;
}

/* Reaps dead children; returns whether any children are left */
static bool reap(void)
{
    pid_t process;
    while ((process = waitpid(-1, NULL, WNOHANG)) > 0)
        continue;
    return process == 0;
}

void bn_orphans_kill(void)
{
    int64_t end_ns = bn_process_now_ns() + LIMIT_NS;
    while (reap() && kill_children() > 0 && bn_process_now_ns() < end_ns)
        nanosleep(&PAUSE, NULL);
}
