#include "program.h"

#include "banyan/access.h"
#include "base/log.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <paths.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { NOTES_MAX_BYTES = 64 << 10, HEADERS_MAX = 64 };

/* ---- Finding the program ---- */

static bool is_executable_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/* Skips empty elements, which mean this directory: resolve has looked there. */
static bool find_on_path(const char *name, char *path)
{
    const char *list = getenv("PATH");
    for (const char *at = list ? list : _PATH_DEFPATH; *at != '\0';) {
        size_t bytes = strcspn(at, ":");
        if (bytes > 0 && snprintf(path, PATH_MAX, "%.*s/%s", (int)bytes, at, name) < PATH_MAX &&
            is_executable_file(path))
            return true;
        at += bytes + (at[bytes] == ':');
    }
    return false;
}

/* Writes the path under which to look for the program; it may not exist. */
static void resolve(const char *name, char *path)
{
    if (strchr(name, '/')) {
        snprintf(path, PATH_MAX, "%s", name);
        return;
    }
    snprintf(path, PATH_MAX, "./%s", name);
    if (is_executable_file(path))
        return;
    char found[PATH_MAX];
    if (find_on_path(name, found))
        memcpy(path, found, sizeof found);
}

/* ---- Examining the program ---- */

static int read_error; /* the errno of a read that the system has refused; 0: none */

static bool read_at(int file, uint64_t offset, void *data, size_t bytes)
{
    ssize_t got = pread(file, data, bytes, (off_t)offset);
    if (got < 0)
        read_error = errno;
    return got == (ssize_t)bytes;
}

/* Searches a segment of notes for our note of the given type, and copies its content. */
static bool find_note(const char *notes, size_t bytes, unsigned type, void *content, size_t content_bytes)
{
    for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= bytes;) {
        ElfW(Nhdr) header;
        memcpy(&header, notes + at, sizeof header);
        size_t name = at + sizeof header;
        size_t found = name + ((header.n_namesz + 3U) & ~3U);
        size_t next = found + ((header.n_descsz + 3U) & ~3U);
        if (next > bytes)
            return false;
        if (header.n_type == type && header.n_namesz == sizeof BN_NOTE_NAME &&
            memcmp(notes + name, BN_NOTE_NAME, sizeof BN_NOTE_NAME) == 0 && header.n_descsz >= content_bytes) {
            memcpy(content, notes + found, content_bytes);
            return true;
        }
        at = next;
    }
    return false;
}

static bool read_note(int file, const ElfW(Ehdr) * elf, unsigned type, void *content, size_t content_bytes)
{
    static char notes[NOTES_MAX_BYTES];
    ElfW(Phdr) segments[HEADERS_MAX];
    if (elf->e_phnum > HEADERS_MAX || elf->e_phentsize != sizeof segments[0] ||
        !read_at(file, elf->e_phoff, segments, elf->e_phnum * sizeof segments[0]))
        return false;
    for (int i = 0; i < elf->e_phnum; ++i) {
        if (segments[i].p_type == PT_NOTE && segments[i].p_filesz <= sizeof notes &&
            read_at(file, segments[i].p_offset, notes, segments[i].p_filesz) &&
            find_note(notes, segments[i].p_filesz, type, content, content_bytes))
            return true;
    }
    return false;
}

/* Says how to run a program under a tool, if `path` is one. */
static bool explain_tool(const char *path)
{
    static const struct {
        const char *name;
        const char *command;
    } tools[] = {
        {"valgrind", "valgrind ./prog -n 2"}, {"strace", "strace -f ./prog -n 2"}, {"ltrace", "ltrace -f ./prog -n 2"},
        {"perf", "perf record ./prog -n 2"},  {"gdb", "upcrun -gdb -n 2 ./prog"},  {"lldb", "lldb -- ./prog -n 2"},
    };
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; ++i) {
        if (strcmp(name, tools[i].name) == 0) {
            bn_log_error("%s is not a Banyan program; under a tool, a program starts its threads by itself: %s", path,
                         tools[i].command);
            return true;
        }
    }
    return false;
}

static int check_content(const char *path, int file, struct launcher_program *program_p)
{
    ElfW(Ehdr) elf;
    char start[2];
    if (!read_at(file, 0, &elf, sizeof elf) || memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0) {
        if (explain_tool(path))
            return EXIT_CANNOT_RUN;
        if (read_at(file, 0, start, sizeof start) && memcmp(start, "#!", 2) == 0)
            bn_log_error("%s is a script; run the script itself, and let it call upcrun", path);
        else if (read_error == 0)
            bn_log_error("%s is not a program; compile a program with upcc first", path);
        return EXIT_CANNOT_RUN;
    }
    if (elf.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
        !read_note(file, &elf, BN_NOTE_TYPE, &program_p->note, sizeof program_p->note)) {
        if (read_error == 0 && !explain_tool(path))
            bn_log_error("%s is not a Banyan program: compile it with upcc, or run it without upcrun", path);
        return EXIT_CANNOT_RUN;
    }
    if (program_p->note.abi != BN_ABI) {
        bn_log_error("%s was made by another version of Banyan (interface %u, this upcrun has %d); compile it again",
                     path, program_p->note.abi, BN_ABI);
        return EXIT_CANNOT_RUN;
    }
    if (!read_note(file, &elf, BN_NOTE_OF_THREADS, &program_p->static_threads, sizeof program_p->static_threads))
        program_p->static_threads = 0;
    program_p->shares_processes =
        read_note(file, &elf, BN_NOTE_OF_PTHREADS, &program_p->threads_each, sizeof program_p->threads_each);
    return 0;
}

/* ---- Reporting errors ---- */

static void report_missing(const char *name, const char *path, int error)
{
    char source[PATH_MAX + 8];
    snprintf(source, sizeof source, "%s.upc", name);
    if (error != ENOENT)
        bn_log_error("%s: %s", path, strerror(error));
    else if (access(source, R_OK) == 0)
        bn_log_error("there is no program %s yet; compile it: upcc -o %s %s", name, name, source);
    else if (strchr(name, '/'))
        bn_log_error("there is no program %s", name);
    else
        bn_log_error("there is no program %s, neither in this directory nor on PATH", name);
}

static bool is_source(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && (strcmp(dot, ".upc") == 0 || strcmp(dot, ".c") == 0);
}

static int report_unusable(const char *name, const char *path, const struct stat *status)
{
    struct statvfs system;
    if (S_ISDIR(status->st_mode))
        bn_log_error("%s is a directory; name the program in it", path);
    else if (is_source(name))
        bn_log_error("%s is a source file; compile it first: upcc -o %.*s %s", name, (int)(strrchr(name, '.') - name),
                     name, name);
    else if (statvfs(path, &system) == 0 && (system.f_flag & ST_NOEXEC))
        bn_log_error("%s is on a file system that is mounted so that no program runs from it (noexec); put the program "
                     "elsewhere",
                     path);
    else
        bn_log_error("%s is not executable; if it is a program: chmod +x %s", path, path);
    return EXIT_CANNOT_RUN;
}

int launcher_locate(const char *name, char *path)
{
    struct stat status;
    resolve(name, path);
    if (stat(path, &status) != 0) {
        report_missing(name, path, errno);
        return EXIT_NOT_FOUND;
    }
    return is_executable_file(path) ? 0 : report_unusable(name, path, &status);
}

int launcher_find(const char *name, struct launcher_program *program_p)
{
    int missing = launcher_locate(name, program_p->path);
    if (missing != 0)
        return missing;
    int file = open(program_p->path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        /* The program may be executed but not read; its own start-up code will check. */
        program_p->note = (struct bn_note_content){.abi = BN_ABI, .network = BN_NETWORK_SMP};
        return 0;
    }
    int result = check_content(program_p->path, file, program_p);
    close(file);
    if (read_error == 0)
        return result;
    bn_log_error("%s cannot be read: %s", program_p->path, strerror(read_error));
    return EXIT_CANNOT_RUN;
}
