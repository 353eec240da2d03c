#include "session.h"

#include <ftw.h>
#include <glob.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

const char *launcher_session_place(void)
{
    static const char *const names[] = {"TMPDIR", "TEMP", "TMP"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value)
            return value;
    }
    return "/tmp";
}

bool launcher_session_lacks_room(void)
{
    static const uint64_t needed_bytes = UINT64_C(5) << 20;
    struct statvfs system;
    return statvfs(launcher_session_place(), &system) == 0 &&
           (uint64_t)system.f_bavail * (uint64_t)system.f_frsize < needed_bytes;
}

static int remove_one(const char *path, const struct stat *state, int type, struct FTW *where)
{
    (void)state;
    (void)type;
    (void)where;
    remove(path);
    return 0;
}

/* The number of the job that the folder belongs to, from the first line of a file in it, "1828388864.0;tcp://...": its
 * processes have the same upper half.  0 if it is not known. */
static unsigned long job_of(const char *folder)
{
    char path[PATH_MAX + 16];
    unsigned long number = 0;
    snprintf(path, sizeof path, "%s/contact.txt", folder);
    FILE *file = fopen(path, "re");
    if (file && fscanf(file, "%lu.", &number) != 1)
        number = 0;
    if (file)
        fclose(file);
    return number >> 16;
}

/* Removes files such as /dev/shm/vader_segment.two.1000.6cfb0001.3. */
static void remove_segments(const char *host, unsigned long job)
{
    char pattern[512];
    glob_t found;
    snprintf(pattern, sizeof pattern, "/dev/shm/vader_segment.%s.%u.%lx????.*", host, (unsigned)geteuid(), job);
    if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        unlink(found.gl_pathv[i]);
    globfree(&found);
}

void launcher_session_remove(pid_t launcher)
{
    enum { FILES = 8 };
    char host[256] = "", own[PATH_MAX], shared[PATH_MAX];
    gethostname(host, sizeof host - 1);
    host[strcspn(host, ".")] = '\0'; /* as Open MPI does */
    int bytes = snprintf(shared, sizeof shared, "%s/ompi.%s.%u", launcher_session_place(), host, (unsigned)geteuid());
    if (bytes < 0 || (size_t)bytes + 32 > sizeof own)
        return;
    snprintf(own, sizeof own, "%.*s/pid.%ld", bytes, shared, (long)launcher);
    unsigned long job = job_of(own);
    if (job != 0)
        remove_segments(host, job);
    nftw(own, remove_one, FILES, FTW_DEPTH | FTW_PHYS);
    rmdir(shared); /* if it was the last */
}
