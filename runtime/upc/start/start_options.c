#include "upc/start/start_options.h"

#include "base/log.h"
#include "boot/arguments.h"
#include "platform/process.h"
#include "upc/start/units.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

/* upcc defines this symbol, as nonzero, in the programs that it links.  Programs that are linked with libbanyan in
 * another way want threads. */
extern const char bn_linked_by_upcc __attribute__((weak));

bool bn_start_is_plain_c(void)
{
    const struct bn_unit *unit = bn_units();
    while (unit && (unit->abi & BN_ABI_OF_C))
        unit = unit->next;
    return !unit && &bn_linked_by_upcc != NULL;
}

/*
 * Limit of each thread's shared heap in bytes, in programs linked with upcc -shared-heap, which defines this variable;
 * 0 in all others.  Environment variables and switches of the run take precedence.
 */
__attribute__((weak)) uint64_t bn_option_shared_heap;

static void take_over_from_program(struct bn_options *options)
{
    struct bn_option_value *value = &options->values[BN_OPTION_SHARED_HEAP];
    if (value->source == BN_OPTION_FROM_DEFAULT && bn_option_shared_heap != 0)
        value->number = (int64_t)bn_option_shared_heap;
}

/*
 * Options given to upcrun are meant for this program: they count as switches, and must not reach programs that this one
 * starts.
 */
static void take_over_from_launcher(struct bn_options *options)
{
    char names[1024];
    char *rest = NULL;
    snprintf(names, sizeof names, "%s", options->values[BN_OPTION_LAUNCHED].text);
    unsetenv(bn_option_describe(BN_OPTION_LAUNCHED)->name);
    for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        for (int id = 0; id < BN_OPTION_COUNT; ++id) {
            const struct bn_option *option = bn_option_describe((enum bn_option_id)id);
            if (strcmp(option->name, name) != 0)
                continue;
            options->values[id].source = BN_OPTION_FROM_SWITCH;
            options->values[id].source_name = option->flag;
            unsetenv(name);
        }
    }
}

/* Refuses a program that is not the one that upcrun has examined; if it was not made for several hosts, each process
 * would be a job of its own. */
static bn_status_t check_interface(const struct bn_options *options)
{
    const struct bn_option_value *expected = &options->values[BN_OPTION_INTERFACE];
    char host[256] = "?";
    if (!expected->text || expected->number == BN_ABI)
        return BN_OK;
    gethostname(host, sizeof host - 1);
    bn_log_error("host %s runs another program than upcrun has found under this path: one with interface %d, for the "
                 "network %s, %s -pthreads; copy one program to all machines",
                 host, BN_ABI_NUMBER, (BN_ABI & BN_ABI_NETWORK_SHMEM) ? "shmem" : "smp",
                 (BN_ABI & BN_ABI_PTHREADS) ? "with" : "without");
    return BN_ERR_MISMATCH;
}

void bn_start_warn_of_fixed_count(const struct bn_option_value *wish, int static_threads)
{
    if (static_threads > 0 && wish->source == BN_OPTION_FROM_ENVIRONMENT && wish->number != static_threads)
        bn_log_warning("%s=%s has no effect: %s was compiled for %d threads", wish->source_name, wish->text,
                       bn_start_source_with_count(static_threads), static_threads);
}

bn_status_t bn_start_read_options(struct bn_options *options, int *argc, char **argv)
{
    bn_status_t status = bn_options_read(options, environ);
    if (status != BN_OK)
        return status;
    if (options->values[BN_OPTION_LAUNCHED].text)
        take_over_from_launcher(options);
    else if (!bn_start_is_plain_c())
        status = bn_arguments_take(options, argc, argv);
    if (status == BN_OK)
        status = check_interface(options);
    take_over_from_program(options);
    if (options->values[BN_OPTION_VERBOSE].number)
        bn_log_set_level(BN_LOG_VERBOSE);
    else if (options->values[BN_OPTION_QUIET].number)
        bn_log_set_level(BN_LOG_QUIET);
    bn_options_load(options);
    return status;
}

const char *bn_start_source_with_count(int static_threads)
{
    const struct bn_unit *unit = bn_units();
    while (unit->static_threads != static_threads)
        unit = unit->next;
    return unit->source;
}

int bn_start_print_info(const char *program, const char *network, int static_threads, int thread_count)
{
    printf("program  %s\n", program);
    printf("runtime  Banyan, interface %d, network %s\n", BN_ABI_NUMBER, network);
    if (static_threads > 0)
        printf("threads  %d, fixed when it was compiled\n", static_threads);
    else if (thread_count > 0)
        printf("threads  chosen at start; %d here and now\n", thread_count);
    else
        printf("threads  as many as the launcher starts\n");
    for (const struct bn_unit *unit = bn_units(); unit; unit = unit->next)
        printf("source   %s\n", unit->source);
    return bn_log_output_arrived() ? EXIT_SUCCESS : EXIT_FAILURE;
}

void bn_start_wait_for_debugger(void)
{
    enum { LOOK_AGAIN_US = 100000 };
    bn_log_error("waits for a debugger: gdb -p %d; its command 'continue' lets the thread go on", (int)getpid());
    while (!bn_process_is_traced())
        usleep(LOOK_AGAIN_US);
}
