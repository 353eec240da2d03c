#include "base/draft.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_plain(const char *name)
{
    struct stat facts;
    return stat(name, &facts) != 0 || S_ISREG(facts.st_mode);
}

static void release(struct bn_draft *draft)
{
    int error = errno;
    sigaction(SIGXFSZ, &draft->at_limit, NULL);
    free(draft->path);
    free(draft->name);
    errno = error;
}

/* The path of a draft in the same folder as the file; null if there is no memory */
static char *path_beside(const char *name)
{
    size_t room = strlen(name) + 32;
    char *path = malloc(room);
    if (path)
        snprintf(path, room, "%s.%d", name, (int)getpid());
    return path;
}

/* Does not open pipes, because that would be noticed at the other end. */
bool bn_draft_is_possible(const char *name)
{
    struct stat facts;
    struct bn_draft draft;
    if (stat(name, &facts) == 0 && !S_ISREG(facts.st_mode)) {
        errno = EISDIR;
        return !S_ISDIR(facts.st_mode) && access(name, W_OK) == 0;
    }
    if (!bn_draft_begin(&draft, name))
        return false;
    fclose(draft.file);
    unlink(draft.path);
    release(&draft);
    return true;
}

bool bn_draft_begin(struct bn_draft *draft, const char *name)
{
    char *behind_links = realpath(name, NULL);
    *draft = (struct bn_draft){.name = behind_links ? behind_links : strdup(name)};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGXFSZ, &ignore, &draft->at_limit);
    if (draft->name && !is_plain(draft->name))
        draft->file = fopen(draft->name, "w");
    else if (draft->name && (draft->path = path_beside(draft->name)))
        draft->file = fopen(draft->path, "w");
    if (!draft->file)
        release(draft);
    return draft->file != NULL;
}

bool bn_draft_close(FILE *file)
{
    bool has_failed = ferror(file);
    if (fclose(file) != 0)
        return false;
    if (has_failed)
        errno = EIO;
    return !has_failed;
}

bool bn_draft_end(struct bn_draft *draft)
{
    bool is_written = bn_draft_close(draft->file) && (!draft->path || rename(draft->path, draft->name) == 0);
    if (!is_written && draft->path) {
        int error = errno;
        unlink(draft->path);
        errno = error;
    }
    release(draft);
    return is_written;
}
