#include "places.h"

#include "base/log.h"
#include "machines.h"
#include "platform/cpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *network_name(const struct launcher_program *program)
{
    return program->note.network == BN_NETWORK_SHMEM ? "shmem" : "smp";
}

/* The number of names in a list with commas */
static int count_hosts(const char *hosts)
{
    int count = 1;
    for (const char *at = hosts; *at != '\0'; at++)
        count += *at == ',';
    return count;
}

/* What is wrong with a name of this many bytes, with the remedy; null if nothing is */
static const char *fault_of_name(const char *name, size_t bytes)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";
    size_t good = strspn(name, allowed);
    if (bytes == 0)
        return "an empty name; write names with commas between them: -hosts one,two";
    if (good >= bytes)
        return NULL;
    if (name[good] == '@')
        return "the name of a user; set the user in ~/.ssh/config";
    if (name[good] == ':')
        return "a number of threads after a name; leave it out: threads are distributed evenly";
    return "a character that names of machines do not have; write each name, with commas and no blanks between them: "
           "-hosts one,two";
}

static bn_status_t check_names(const struct launcher_places *places)
{
    const char *name = places->hosts;
    for (int left = count_hosts(name); left > 0; left--) {
        size_t bytes = strcspn(name, ",");
        const char *fault = fault_of_name(name, bytes);
        if (fault) {
            bn_log_error("%s: \"%s\" has %s", places->hosts_by ? places->hosts_by : "-hosts", places->hosts, fault);
            return BN_ERR_INVALID;
        }
        name += bytes + 1;
    }
    return BN_OK;
}

/* The number of machines to use; 0 if not specified */
static int node_count(const struct launcher_places *places)
{
    return places->nodes > 0 || !places->hosts ? places->nodes : count_hosts(places->hosts);
}

static bn_status_t check_network(const struct launcher_places *places, const struct launcher_program *program)
{
    const char *name = network_name(program);
    if (!places->network || strcmp(places->network, name) == 0)
        return BN_OK;
    if (strcmp(places->network, "smp") != 0 && strcmp(places->network, "shmem") != 0)
        bn_log_error("-network=%s: there is no such network; use smp or shmem", places->network);
    else
        bn_log_error("-network=%s: %s was compiled for the network %s; compile it again with upcc -network=%s",
                     places->network, program->path, name, places->network);
    return BN_ERR_INVALID;
}

bn_status_t launcher_places_check(const struct launcher_command *command, const struct launcher_program *program)
{
    const struct launcher_places *places = &command->places;
    if (check_network(places, program) != BN_OK)
        return BN_ERR_INVALID;
    if (program->note.network != BN_NETWORK_SHMEM && (places->nodes > 1 || places->hosts)) {
        bn_log_error("%s: %s was compiled for one machine; compile it again with upcc -network=shmem",
                     places->hosts ? "-hosts" : "-N", program->path);
        return BN_ERR_INVALID;
    }
    if (places->hosts && check_names(places) != BN_OK)
        return BN_ERR_INVALID;
    if (places->hosts && places->nodes > count_hosts(places->hosts)) {
        bn_log_error("-N asks for %d machines, but %s names %d; name more, or ask for fewer", places->nodes,
                     places->hosts_by ? places->hosts_by : "-hosts", count_hosts(places->hosts));
        return BN_ERR_INVALID;
    }
    int processes = launcher_process_count(command, program);
    if (node_count(places) > processes) {
        char which[64];
        snprintf(which, sizeof which, "%d threads", launcher_thread_count(command, program));
        if (program->shares_processes)
            snprintf(which + strlen(which), sizeof which - strlen(which), " in %d process%s", processes,
                     processes == 1 ? "" : "es");
        bn_log_error("%s do not fill %d machines; use fewer machines, or -n with more threads", which,
                     node_count(places));
        return BN_ERR_INVALID;
    }
    return BN_OK;
}

/* Open MPI's launcher takes machines from these itself. */
static bool launcher_may_go_elsewhere(void)
{
    static const char *const names[] = {"SLURM_JOB_ID",
                                        "SLURM_JOBID",
                                        "SLURM_NODELIST",
                                        "PE_HOSTFILE",
                                        "OMPI_MCA_orte_default_hostfile",
                                        "OMPI_MCA_orte_default_dash_host",
                                        "OMPI_MCA_orte_rankfile",
                                        "OMPI_MCA_rmaps_rank_file_path",
                                        "PRTE_MCA_prte_default_hostfile",
                                        "PRTE_MCA_prte_default_dash_host"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value && *value != '\0')
            return true;
    }
    return false;
}

bool launcher_places_are_here(const struct launcher_command *command)
{
    return !command->places.hosts && command->places.nodes == 0 && !launcher_may_go_elsewhere();
}

int launcher_thread_count(const struct launcher_command *command, const struct launcher_program *program)
{
    const struct bn_option_value *threads = &command->options.values[BN_OPTION_THREADS];
    int nodes = node_count(&command->places);
    if (program->static_threads > 0 && threads->source != BN_OPTION_FROM_SWITCH)
        return program->static_threads;
    return threads->text ? (int)threads->number : bn_cpus_usable_count() * (nodes > 0 ? nodes : 1);
}

int launcher_threads_each(const struct launcher_command *command, const struct launcher_program *program)
{
    const struct bn_option_value *wish = &command->options.values[BN_OPTION_PTHREADS];
    int threads = launcher_thread_count(command, program);
    int nodes = node_count(&command->places);
    if (!program->shares_processes)
        return 1;
    if (wish->source != BN_OPTION_FROM_DEFAULT)
        return (int)wish->number;
    return program->threads_each > 0 ? program->threads_each : nodes > 0 ? (threads + nodes - 1) / nodes : threads;
}

bn_status_t launcher_places_adopt(struct launcher_command *command, const struct launcher_program *program)
{
    struct launcher_places *places = &command->places;
    struct launcher_machines machines;
    if (program->note.network != BN_NETWORK_SHMEM || places->hosts)
        return BN_OK;
    if (launcher_machines_find(&machines) != BN_OK)
        return BN_ERR_INVALID;
    places->hosts = machines.names; /* never freed */
    places->hosts_by = machines.said_by;
    if (places->hosts && places->nodes == 0 && launcher_process_count(command, program) < count_hosts(places->hosts))
        places->nodes = launcher_process_count(command, program);
    return BN_OK;
}

int launcher_process_count(const struct launcher_command *command, const struct launcher_program *program)
{
    int each = launcher_threads_each(command, program);
    return (launcher_thread_count(command, program) + each - 1) / each;
}

/* "one:4,two:3" for the first nodes of the list; null if there is no memory. */
static char *share_out(const char *hosts, int nodes, int processes)
{
    enum { NUMBER_BYTES = 8 };
    size_t bytes = strlen(hosts) + (size_t)nodes * NUMBER_BYTES + 1;
    char *text = malloc(bytes);
    size_t used = 0;
    for (int i = 0; text && i < nodes; i++) {
        size_t length = strcspn(hosts, ",");
        int share = processes / nodes + (i < processes % nodes);
        used += (size_t)snprintf(text + used, bytes - used, "%s%.*s:%d", i > 0 ? "," : "", (int)length, hosts, share);
        hosts += length + (hosts[length] == ',');
    }
    return text;
}

static char *share_equally(int nodes, int processes)
{
    enum { MAPPING_BYTES = 32 };
    char *text = malloc(MAPPING_BYTES);
    if (text)
        snprintf(text, MAPPING_BYTES, "ppr:%d:node", (processes + nodes - 1) / nodes);
    return text;
}

int launcher_add_places(char **words, int count, const struct launcher_command *command,
                        const struct launcher_program *program)
{
    const struct launcher_places *places = &command->places;
    int nodes = node_count(places);
    int processes = launcher_process_count(command, program);
    if (nodes == 0)
        return count;
    char *mapping = places->hosts ? strdup("slot") : share_equally(nodes, processes);
    char *hosts = places->hosts ? share_out(places->hosts, nodes, processes) : NULL;
    if (!mapping || (places->hosts && !hosts))
        return count;
    words[count++] = (char *)"--map-by";
    words[count++] = mapping;
    if (hosts) {
        words[count++] = (char *)"-H";
        words[count++] = hosts;
    }
    return count;
}
