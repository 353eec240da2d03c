#include "cache.h"
#include "memory.h"
#include "output.h"
#include "port.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>

/* From the build: -DUOMS_COMMIT="..." and -DUOMS_FLAGS="..." */
#if !defined(UOMS_COMMIT)
#define UOMS_COMMIT "unknown"
#endif
#if !defined(UOMS_FLAGS)
#define UOMS_FLAGS "unknown"
#endif

/* Reads the first line of a file without its end; "" if there is none */
static void read_line(const char *path, char *text, size_t room)
{
    FILE *file = fopen(path, "r");
    text[0] = '\0';
    if (file == NULL)
        return;
    if (fgets(text, (int)room, file) != NULL)
        text[strcspn(text, "\n")] = '\0';
    fclose(file);
}

static void write_processor(struct uoms_json *json)
{
    char line[512];
    int is_virtual = 0;
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (file == NULL)
        return;
    int has_name = 0;
    while (fgets(line, sizeof line, file) != NULL && line[0] != '\n') {
        char *value = strchr(line, ':');
        if (value != NULL && strncmp(line, "model name", 10) == 0 && !has_name) {
            value[strcspn(value, "\n")] = '\0';
            uoms_json_text(json, "processor", value + 2);
            has_name = 1;
        }
    }
    rewind(file);
    /* The flags line is longer than the buffer; searching it in pieces suffices. */
    while (fgets(line, sizeof line, file) != NULL)
        is_virtual = is_virtual || strstr(line, " hypervisor") != NULL;
    fclose(file);
    uoms_json_bool(json, "virtual_machine", is_virtual);
}

static void write_limit(struct uoms_json *json, const char *name, int resource)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) == 0)
        uoms_json_number(json, name, limit.rlim_cur == RLIM_INFINITY ? NAN : (double)limit.rlim_cur);
}

static void write_system(struct uoms_json *json)
{
    struct utsname system;
    char text[256];

    uoms_json_open(json, "system", '{');
    if (uname(&system) == 0) {
        uoms_json_text(json, "machine", system.machine);
        uoms_json_text(json, "system", system.sysname);
        uoms_json_text(json, "release", system.release);
    }
    write_processor(json);
    read_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", text, sizeof text);
    uoms_json_text(json, "governor", text[0] != '\0' ? text : NULL);
    read_line("/proc/loadavg", text, sizeof text);
    uoms_json_text(json, "load_at_start", text);
    read_line("/proc/sys/kernel/randomize_va_space", text, sizeof text);
    uoms_json_text(json, "address_randomisation", text);
    read_line("/sys/kernel/mm/transparent_hugepage/shmem_enabled", text, sizeof text);
    uoms_json_text(json, "huge_pages_shmem", text);
    uoms_json_number(json, "memory_available_bytes", uoms_memory_available(""));
    uoms_json_open(json, "limits", '{');
    write_limit(json, "open_files", RLIMIT_NOFILE);
    write_limit(json, "locked_memory_bytes", RLIMIT_MEMLOCK);
    write_limit(json, "stack_bytes", RLIMIT_STACK);
    write_limit(json, "address_space_bytes", RLIMIT_AS);
    uoms_json_close(json, '}');
    uoms_json_close(json, '}');
}

static void write_build(struct uoms_json *json)
{
    char version[PORT_VERSION_BYTES];
    port_version(version);
    uoms_json_open(json, "build", '{');
    uoms_json_text(json, "suite", UOMS_SUITE_VERSION);
    uoms_json_text(json, "commit", UOMS_COMMIT);
    uoms_json_text(json, "flags", UOMS_FLAGS);
#if defined(__clang__)
    uoms_json_text(json, "back_end", __VERSION__); // other compilers begin with their name; gcc does not
#elif defined(__GNUC__)
    uoms_json_text(json, "back_end", "gcc " __VERSION__);
#elif defined(__VERSION__)
    uoms_json_text(json, "back_end", __VERSION__);
#endif
    uoms_json_text(json, "parallel_system", port_system);
    uoms_json_text(json, "compiler", version);
    port_describe(json);
    uoms_json_close(json, '}');
}

static void write_options(struct uoms_json *json, const struct uoms_options *options)
{
    char text[64];
    uoms_json_open(json, "options", '{');
    uoms_json_text(json, "command", options->command);
    uoms_json_text(json, "label", options->label);
    uoms_json_text(json, "cache", uoms_cache_name(options->cache));
    uoms_json_text(json, "cache_method", uoms_cache_method());
    uoms_json_text(json, "sync", uoms_sync_name(options->sync));
    uoms_sync_mode_name(options, text, sizeof text);
    uoms_json_text(json, "sync_mode", text);
    uoms_json_text(json, "reduce_op", uoms_operator_name(options->reduce_op));
    if (options->root == UOMS_ROTATE)
        uoms_json_text(json, "root", "rotate");
    else
        uoms_json_count(json, "root", (size_t)options->root);
    uoms_json_bool(json, "warmup", options->warmup);
    uoms_json_number(json, "time_s", options->time_s);
    uoms_json_number(json, "precision", options->precision > 0 ? options->precision : NAN);
    uoms_json_number(json, "skew_ns", options->skew_ns);
    uoms_json_count(json, "repetitions", options->repetitions);
    uoms_json_number(json, "batch", options->batch > 0 ? (double)options->batch : NAN);
    uoms_json_text(json, "outliers", options->discards_outliers ? "discard" : "report");
    uoms_json_close(json, '}');
}

static bool begins_with_one(const char *entry, const char *const *prefixes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(entry, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

/* Writes variables that change how the system works, without those that Open MPI's launcher sets to identify processes:
 * they contain addresses of the machine, which a report should not disclose. */
static void write_environment(struct uoms_json *json)
{
    static const char *const systems[] = {"BANYAN_", "UPC_",   "GASNET_", "OMPI_", "MPICH_",
                                          "I_MPI_",  "SHMEM_", "UCX_",    "SMA_"};
    static const char *const told[] = {
        "OMPI_COMM_WORLD_", "OMPI_MCA_orte_", "OMPI_MCA_ess",           "OMPI_MCA_pmix", "OMPI_MCA_initial_wdir",
        "OMPI_COMMAND",     "OMPI_ARGV",      "OMPI_FILE_LOCATION",     "OMPI_APP_CTX_", "OMPI_FIRST_RANKS",
        "OMPI_NUM_APP_CTX", "OMPI_UNIVERSE_", "OMPI_MCA_shmem_RUNTIME_"};
    extern char **environ;
    uoms_json_open(json, "environment", '{');
    for (char **entry = environ; *entry != NULL; entry++) {
        char name[128];
        size_t length = strcspn(*entry, "=");
        if (!begins_with_one(*entry, systems, sizeof systems / sizeof systems[0]) ||
            begins_with_one(*entry, told, sizeof told / sizeof told[0]) || length >= sizeof name ||
            (*entry)[length] == '\0')
            continue;
        memcpy(name, *entry, length);
        name[length] = '\0';
        uoms_json_text(json, name, *entry + length + 1);
    }
    uoms_json_close(json, '}');
}

void uoms_write_context(struct uoms_json *json, const struct uoms_options *options, const struct uoms_clock *clock,
                        double clock_error_ns, int threads, const char *masks, size_t mask_room)
{
    char text[64];
    time_t now = time(NULL);
    if (json->file == NULL)
        return;
    uoms_json_open(json, "context", '{');
    if (strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now)) > 0)
        uoms_json_text(json, "date", text);
    uoms_json_count(json, "threads", (size_t)threads);
    write_build(json);
    write_options(json, options);
    write_system(json);
    write_environment(json);
    uoms_json_open(json, "clock", '{');
    uoms_json_number(json, "cost_ns", clock->cost_ns);
    uoms_json_number(json, "step_ns", clock->step_ns);
    uoms_json_number(json, "largest_offset_error_ns", options->sync == UOMS_SYNC_CLOCK ? clock_error_ns : NAN);
    uoms_json_close(json, '}');
    uoms_json_open(json, "affinity", '[');
    for (int t = 0; t < threads; t++)
        uoms_json_text(json, NULL, masks + (size_t)t * mask_room);
    uoms_json_close(json, ']');
    uoms_write_machine(json);
    uoms_json_close(json, '}');
}
