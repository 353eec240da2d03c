#include "host/options.h"

#include "base/log.h"
#include "base/options.h"
#include "coll/plan.h"
#include "host/switches.h"
#include "host/wish.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_option(const char *entry)
{
    if (strncmp(entry, "BANYAN_", strlen("BANYAN_")) == 0)
        return true;
    for (int id = 0; id < BN_OPTION_COUNT; id++) {
        const struct bn_option *option = bn_option_describe((enum bn_option_id)id);
        const char *const aliases[] = {option->alias, option->second_alias};
        for (int i = 0; i < 2; i++) {
            size_t length = aliases[i] ? strlen(aliases[i]) : 0;
            if (length > 0 && strncmp(entry, aliases[i], length) == 0 && entry[length] == '=')
                return true;
        }
    }
    return false;
}

char *bn_mpi_options_text(size_t *size_bytes_p)
{
    size_t size_bytes = 1;
    for (char **entry = environ; *entry; entry++)
        size_bytes += is_option(*entry) ? strlen(*entry) + 1 : 0;
    char *text = calloc(1, size_bytes);
    *size_bytes_p = size_bytes;
    char *end = text;
    for (char **entry = environ; text && *entry; entry++)
        if (is_option(*entry))
            end = stpcpy(end, *entry) + 1;
    return text;
}

/* Splits consecutive strings, which end with an empty one, into a null-terminated list. */
static char **list_of(char *text)
{
    size_t count = 0;
    for (char *entry = text; *entry != '\0'; entry += strlen(entry) + 1)
        count++;
    char **list = calloc(count + 1, sizeof *list);
    if (!list)
        return NULL;
    for (size_t i = 0; i < count; i++, text += strlen(text) + 1)
        list[i] = text;
    return list;
}

bool bn_mpi_options_load(char *text, bool speaks)
{
    static struct bn_options options;
    char **list = list_of(text);
    if (!list)
        return false;
    if (!speaks)
        bn_log_set_level(BN_LOG_QUIET);
    bn_status_t status = bn_options_read(&options, list);
    free(list);
    bn_options_load(&options);
    bn_log_set_level(options.values[BN_OPTION_QUIET].number     ? BN_LOG_QUIET
                     : options.values[BN_OPTION_VERBOSE].number ? BN_LOG_VERBOSE
                                                                : BN_LOG_NORMAL);
    return status == BN_OK && bn_plans_check_options() == BN_OK && bn_wish_check(BN_OPTION_MPI_REPORT) &&
           bn_wish_check(BN_OPTION_MPI_THREADS_REPORT) && (!speaks || bn_switches_check_options());
}

enum bn_mpi_mode bn_mpi_mode_of(enum bn_mpi_operation operation)
{
    enum bn_option_id id = (enum bn_option_id)(BN_OPTION_MPI_BARRIER + (int)operation);
    return (enum bn_mpi_mode)bn_option_number(bn_option_is_set(id) ? id : BN_OPTION_MPI);
}

bool bn_mpi_is_off(void)
{
    for (int operation = 0; operation < BN_MPI_OPERATION_COUNT; operation++)
        if (bn_mpi_mode_of((enum bn_mpi_operation)operation) != BN_MPI_MODE_OFF)
            return false;
    return true;
}
