#include "boot/locate.h"

#include "platform/process.h"

#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PC_MAX = 32, OUTPUT_BYTES = 16384, MODULE_MAX = 4 };

/* A loaded executable or library */
struct module {
    uintptr_t load_address;
    char path[PATH_MAX];
    bool is_program;
};

struct search {
    uintptr_t pc;
    struct module *module;
};

static bool is_system_path(const char *path)
{
    return strncmp(path, "/lib", 4) == 0 || strncmp(path, "/usr/lib", 8) == 0 || path[0] != '/';
}

static int visit_module(struct dl_phdr_info *info, size_t info_bytes, void *argument)
{
    (void)info_bytes;
    const struct search *search = argument;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type != PT_LOAD || search->pc < begin || search->pc >= begin + segment->p_memsz)
            continue;
        struct module *module = search->module;
        module->load_address = info->dlpi_addr;
        if (info->dlpi_name && info->dlpi_name[0] != '\0') {
            snprintf(module->path, sizeof module->path, "%s", info->dlpi_name);
            module->is_program = !is_system_path(module->path);
        } else {
            ssize_t bytes = readlink("/proc/self/exe", module->path, sizeof module->path - 1);
            module->path[bytes > 0 ? bytes : 0] = '\0';
            module->is_program = bytes > 0;
        }
        return 1;
    }
    return 0;
}

static bool find_module(uintptr_t pc, struct module *module)
{
    struct search search = {pc, module};
    return dl_iterate_phdr(visit_module, &search) != 0;
}

uintptr_t bn_locate_in_module(uintptr_t pc)
{
    struct module module;
    return find_module(pc, &module) ? pc - module.load_address : pc;
}

/* "/here/heat.upc:42 (discriminator 3)" -> "heat.upc:42" if this is /here; unknown places become empty */
static void set_place(struct bn_location *location, const char *line, size_t bytes)
{
    char directory[PATH_MAX];
    const char *extra = memmem(line, bytes, " (", 2);
    if (extra)
        bytes = (size_t)(extra - line);
    if (bytes < 2 || line[0] == '?' || line[0] == '<' || line[bytes - 1] == '?' ||
        memcmp(line + bytes - 2, ":0", 2) == 0)
        return;
    if (getcwd(directory, sizeof directory)) {
        size_t prefix = strlen(directory);
        if (bytes > prefix + 1 && memcmp(line, directory, prefix) == 0 && line[prefix] == '/') {
            line += prefix + 1;
            bytes -= prefix + 1;
        }
    }
    snprintf(location->place, sizeof location->place, "%.*s", (int)bytes, line);
}

/* Runtime functions that programs call have these prefixes; internal ones are recognised by the folder of their source
 * file. */
bool bn_locate_is_runtime(const char *function, const char *line, size_t line_bytes)
{
    static const char *const folders[] = {
        "/runtime/base/",     "/runtime/boot/",      "/runtime/coll/",    "/runtime/node/",
        "/runtime/pgas/",     "/runtime/platform/",  "/runtime/profile/", "/runtime/sync/",
        "/runtime/topology/", "/runtime/transport/", "/runtime/upc/",     "/runtime/wide/",
    };
    if (strncmp(function, "bn_", 3) == 0 || strncmp(function, "upc_", 4) == 0 || strcmp(function, "__wrap_main") == 0)
        return true;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; ++i) {
        if (memmem(line, line_bytes, folders[i], strlen(folders[i])))
            return true;
    }
    return false;
}

/* addr2line writes two lines for each address: the function, and file:line */
static void read_answer(const char *answer, struct bn_location *location, const char **rest_p)
{
    const char *end = strchr(answer, '\n');
    const char *second_end = end ? strchr(end + 1, '\n') : NULL;
    *rest_p = NULL;
    if (!second_end)
        return;
    if (answer[0] != '?')
        snprintf(location->function, sizeof location->function, "%.*s", (int)(end - answer), answer);
    set_place(location, end + 1, (size_t)(second_end - end - 1));
    location->is_runtime = bn_locate_is_runtime(location->function, end + 1, (size_t)(second_end - end - 1));
    *rest_p = second_end + 1;
}

static void locate_in_module(const struct module *module, const uintptr_t *pcs, int count, int limit_ms,
                             struct bn_location *locations)
{
    char addresses[PC_MAX][20];
    const char *arguments[PC_MAX + 5] = {"addr2line", "-f", "-e", module->path};
    int argument_count = 4;
    int indices[PC_MAX];
    int asked = 0;
    for (int i = 0; i < count; ++i) {
        struct module of_pc;
        if (!find_module(pcs[i], &of_pc) || strcmp(of_pc.path, module->path) != 0)
            continue;
        locations[i].is_program = true;
        snprintf(addresses[asked], sizeof addresses[asked], "0x%lx", (unsigned long)(pcs[i] - module->load_address));
        arguments[argument_count++] = addresses[asked];
        indices[asked++] = i;
    }
    char output[OUTPUT_BYTES];
    if (!bn_process_capture((char *const *)(const void *)arguments, limit_ms, output, sizeof output))
        return;
    const char *answer = output;
    for (int i = 0; i < asked && answer; ++i)
        read_answer(answer, &locations[indices[i]], &answer);
}

void bn_locate(const uintptr_t *pcs, int count, int limit_ms, struct bn_location *locations)
{
    static struct module modules[MODULE_MAX];
    int module_count = 0;
    if (count > PC_MAX)
        count = PC_MAX;
    memset(locations, 0, (size_t)count * sizeof *locations);
    for (int i = 0; i < count && module_count < MODULE_MAX; ++i) {
        struct module *module = &modules[module_count];
        if (!find_module(pcs[i], module) || !module->is_program)
            continue;
        bool is_known = false;
        for (int j = 0; j < module_count; ++j)
            is_known = is_known || strcmp(modules[j].path, module->path) == 0;
        module_count += !is_known;
    }
    for (int i = 0; i < module_count; ++i)
        locate_in_module(&modules[i], pcs, count, limit_ms / module_count, locations);
}
