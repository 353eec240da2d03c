#include "host/switches.h"

#include "base/log.h"
#include "base/options.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Lists of names ---- */

/* Whether the digits are a number within ranges such as 0-3,07-11,15, which end at ranges_end */
static bool ranges_have(const char *ranges, const char *ranges_end, const char *digits, size_t digit_count)
{
    unsigned long number = strtoul(digits, NULL, 10);
    char *end;
    for (const char *range = ranges; range < ranges_end; range = end + 1) {
        unsigned long first = strtoul(range, &end, 10), last = first;
        int width = (int)(end - range);
        char written[32];
        if (*end == '-')
            last = strtoul(end + 1, &end, 10);
        int length = snprintf(written, sizeof written, "%0*lu", width, number);
        if (number >= first && number <= last && (size_t)length == digit_count)
            return true;
        if (end >= ranges_end || *end != ',')
            return false;
    }
    return false;
}

/* Whether a pattern, which ends at end, matches a whole name */
static bool pattern_is(const char *pattern, const char *end, const char *name)
{
    for (; pattern < end && *pattern != '['; pattern++, name++)
        if (*pattern != *name)
            return false;
    if (pattern == end)
        return *name == '\0';
    const char *close = memchr(pattern, ']', (size_t)(end - pattern));
    size_t digits = strspn(name, "0123456789");
    return close && digits > 0 && ranges_have(pattern + 1, close, name, digits) &&
           pattern_is(close + 1, end, name + digits);
}

bool bn_switches_list_has(const char *list, const char *name)
{
    for (const char *begin = list, *end; *begin != '\0'; begin = *end == ',' ? end + 1 : end) {
        bool is_inside = false;
        for (end = begin; *end != '\0' && (is_inside || *end != ','); end++)
            is_inside = *end == '[' || (is_inside && *end != ']');
        if (pattern_is(begin, end, name))
            return true;
    }
    return false;
}

/* ---- A file ---- */

/* Where the value of NAME=value begins in a line; null: it has no such word */
static char *value_of(char *line, const char *name)
{
    for (char *word = line; *(word += strspn(word, " \t\r\n")) != '\0'; word += strcspn(word, " \t\r\n")) {
        size_t length = strlen(name);
        if (strncasecmp(word, name, length) == 0 && word[length] == '=')
            return word + length + 1;
    }
    return NULL;
}

static bool line_has(char *line, const char *machine, char name[BN_SWITCH_NAME_BYTES])
{
    line[strcspn(line, "#")] = '\0';
    char *nodes = value_of(line, "Nodes"), *switch_name = value_of(line, "SwitchName");
    if (!nodes || !switch_name)
        return false;
    nodes[strcspn(nodes, " \t\r\n")] = '\0';
    switch_name[strcspn(switch_name, " \t\r\n")] = '\0';
    snprintf(name, BN_SWITCH_NAME_BYTES, "%s", switch_name);
    return bn_switches_list_has(nodes, machine);
}

bool bn_switch_by_file(const char *path, const char *machine, char name[BN_SWITCH_NAME_BYTES])
{
    char own[BN_SWITCH_NAME_BYTES], *line = NULL;
    size_t room = 0;
    bool is_found = false;
    FILE *file = fopen(path, "r");
    if (!file) {
        bn_log_error("the switches cannot be read from %s: %m; name a file that all machines have in "
                     "BANYAN_MPI_SWITCHES, or none",
                     path);
        return false;
    }
    snprintf(own, sizeof own, "%.*s", (int)strcspn(machine, "."), machine);
    while (!is_found && getline(&line, &room, file) >= 0)
        is_found = line_has(line, own, name);
    free(line);
    fclose(file);
    return is_found;
}

bool bn_switches_check_options(void)
{
    const char *path = bn_option(BN_OPTION_MPI_SWITCHES)->text;
    if (!path || access(path, R_OK) == 0)
        return true;
    bn_log_error("BANYAN_MPI_SWITCHES: %s cannot be read: %m; name a file that all machines have, or none", path);
    return false;
}

/* ---- SLURM ---- */

bool bn_switch_by_slurm(const char *address, const char *pattern, char name[BN_SWITCH_NAME_BYTES])
{
    static const char above[] = "switch.";
    size_t length = 0;
    if (!address || !pattern)
        return false;
    for (; strncmp(pattern, above, strlen(above)) == 0; pattern += strlen(above)) {
        length += strcspn(address + length, ".");
        if (address[length] == '\0')
            return false;
        length++;
    }
    if (length == 0 || strcmp(pattern, "node") != 0)
        return false;
    snprintf(name, BN_SWITCH_NAME_BYTES, "%.*s", (int)length - 1, address);
    return true;
}

/* ---- Numbers ---- */

/* FNV-1a */
static uint32_t hash(const char *text)
{
    uint32_t value = 2166136261U;
    for (; *text != '\0'; text++)
        value = (value ^ (unsigned char)*text) * 16777619U;
    return value;
}

uint32_t bn_switch_here(void)
{
    char name[BN_SWITCH_NAME_BYTES], machine[BN_SWITCH_NAME_BYTES] = "";
    const char *path = bn_option(BN_OPTION_MPI_SWITCHES)->text;
    gethostname(machine, sizeof machine - 1);
    bool is_known =
        path ? bn_switch_by_file(path, machine, name)
             : bn_switch_by_slurm(getenv("SLURM_TOPOLOGY_ADDR"), getenv("SLURM_TOPOLOGY_ADDR_PATTERN"), name);
    uint32_t number = is_known ? hash(name) >> 1 : BN_NO_SWITCH; /* the upper half is the topology's */
    return is_known && number == BN_NO_SWITCH ? 1 : number;
}
