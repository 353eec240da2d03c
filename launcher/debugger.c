#include "debugger.h"

#include "base/log.h"
#include "platform/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The folder of gdb.py as programs refer to it, and the file itself, to which a link leads in a build tree */
static bool write_places(char text[2 * PATH_MAX])
{
    char path[PATH_MAX + sizeof "/share/banyan/gdb.py"];
    char file[PATH_MAX];
    if (!bn_process_program(path))
        return false;
    for (int i = 0; i < 2; i++) { /* removes bin/upcrun */
        char *slash = strrchr(path, '/');
        if (slash)
            *slash = '\0';
    }
    strcat(path, "/share/banyan/gdb.py");
    if (!realpath(path, file))
        return false;
    *strrchr(path, '/') = '\0';
    snprintf(text, 2 * PATH_MAX, "%s:%s", path, file);
    return true;
}

bn_status_t launcher_check_debugger(const struct launcher_command *command, const struct launcher_program *program)
{
    if (!command->debugs || command->action == SHOW_INFO || program->note.network != BN_NETWORK_SHMEM)
        return BN_OK;
    bn_log_error("-gdb: %s runs on several machines; use -freeze, and gdb on the machine of the thread", program->path);
    return BN_UNSUPPORTED;
}

char **launcher_debugger_command(const struct launcher_command *command, const struct launcher_program *program)
{
    static const char allow[] = "add-auto-load-safe-path ";
    static char allowed[sizeof allow + 2 * PATH_MAX];
    const struct bn_option_value *threads = &command->options.values[BN_OPTION_THREADS];
    size_t count = 0;
    while (command->program[count])
        count++;
    enum { BEFORE_MAX = 8 };
    char **words = calloc(BEFORE_MAX + count + 1, sizeof *words);
    if (!words) {
        bn_log_error("out of memory");
        return NULL;
    }
    size_t used = 0;
    words[used++] = "gdb";
    strcpy(allowed, allow);
    if (write_places(allowed + strlen(allow))) {
        words[used++] = "-iex";
        words[used++] = allowed;
    } else {
        bn_log_warning(
            "-gdb: there is no share/banyan/gdb.py next to upcrun, so gdb will not know shared objects; install "
            "upcrun together with its share folder");
    }
    if (threads->source != BN_OPTION_FROM_DEFAULT && threads->number > 1 && !program->shares_processes) {
        words[used++] = "-iex";
        words[used++] = "set follow-fork-mode child"; /* thread 0 */
    }
    words[used++] = "--args";
    memcpy(words + used, command->program, count * sizeof *words);
    words[used] = (char *)program->path;
    return words;
}
