#include "coll/table.h"

#include "base/json.h"
#include "base/log.h"
#include "base/options.h"
#include "coll/registry.h"
#include "platform/cpus.h"
#include "platform/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RULES_MAX = 512, EVIDENCE_BYTES = 200, CPUINFO_BYTES = 4096 };

void bn_table_machine(char *text, size_t text_bytes)
{
    char info[CPUINFO_BYTES];
    char name[96] = "unknown processor";
    static const char *const keys[] = {"model name", "CPU part"};
    bn_file_read(info, sizeof info, "", "/proc/cpuinfo");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const char *line = strstr(info, keys[i]);
        const char *colon = line ? strchr(line, ':') : NULL;
        if (!colon)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(colon + 1 + (colon[1] == ' '), "\n"),
                 colon + 1 + (colon[1] == ' '));
        break;
    }
    snprintf(text, text_bytes, "%s, %d cores", name, bn_cpus_usable_count());
}

bool bn_table_usual_path(char *path, size_t path_bytes)
{
    const char *config = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    path[0] = '\0';
    if (config && config[0] == '/')
        return snprintf(path, path_bytes, "%s/banyan/collectives.json", config) < (int)path_bytes;
    if (home && home[0] == '/')
        return snprintf(path, path_bytes, "%s/.config/banyan/collectives.json", home) < (int)path_bytes;
    return false;
}

static bool parse_mode(const char *text, size_t length, unsigned *mode_p)
{
    static const char *const names[BN_SYNC_COUNT] = {"all", "my", "no"};
    for (unsigned mode = 0; mode < BN_SYNC_COUNT; mode++) {
        if (strlen(names[mode]) == length && memcmp(names[mode], text, length) == 0) {
            *mode_p = mode;
            return true;
        }
    }
    return false;
}

/* "my,no" */
static bool parse_pair(const char *text, unsigned *set)
{
    unsigned in = 0;
    unsigned out = 0;
    const char *comma = strchr(text, ',');
    if (!comma || !parse_mode(text, (size_t)(comma - text), &in) || !parse_mode(comma + 1, strlen(comma + 1), &out))
        return false;
    *set |= BN_SYNC_BIT(in, out);
    return true;
}

static bool parse_count(struct bn_json *json, int *count_p)
{
    uint64_t number = 0;
    bool is_good = bn_json_number(json, &number) && number <= INT32_MAX;
    *count_p = (int)number;
    return is_good;
}

static bool parse_sync(struct bn_json *json, unsigned *set)
{
    char pair[16];
    bool is_good = true;
    for (bn_json_enter(json, '['); bn_json_next(json, ']');)
        is_good &= bn_json_string(json, pair, sizeof pair) && parse_pair(pair, set);
    return is_good;
}

/* Why a table is refused; only the first reason is kept */
struct complaint {
    char text[EVIDENCE_BYTES + 80];
};

static const char no_memory[] = "there is no memory for it";

static void complain(struct complaint *complaint, const char *what, const char *about)
{
    if (complaint->text[0] == '\0')
        snprintf(complaint->text, sizeof complaint->text, "%s%s", what, about);
}

/* The member of a rule that a key gives as a count; null if it gives something else */
static int *count_of(struct bn_rule *rule, const char *key)
{
    const struct {
        const char *key;
        int *count;
    } counts[] = {
        {"min_members", &rule->min_members}, {"max_members", &rule->max_members}, {"min_regions", &rule->min_regions},
        {"min_nodes", &rule->min_nodes},     {"max_nodes", &rule->max_nodes},
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        if (strcmp(counts[i].key, key) == 0)
            return counts[i].count;
    }
    return NULL;
}

static void parse_entry(struct bn_json *json, enum bn_operation operation, struct bn_rule *rule,
                        struct complaint *complaint)
{
    char text[EVIDENCE_BYTES];
    const struct bn_entry *entry = bn_json_string(json, text, sizeof text) ? bn_registry_find(operation, text) : NULL;
    if (!entry || entry->needs_stages)
        complain(complaint, "there is no such way: ", text);
    rule->entry = entry && !entry->needs_stages ? entry->name : NULL;
    /* Where the entry cannot carry that much, the next rule applies. */
    rule->max_total_bytes = entry ? entry->max_total_bytes : 0;
    rule->max_pairs_bytes = entry ? entry->max_pairs_bytes : 0;
}

static void free_evidence(const struct bn_rule *rule)
{
    free((void *)(uintptr_t)rule->evidence);
}

static bool parse_evidence(struct bn_json *json, struct bn_rule *rule, struct complaint *complaint)
{
    char text[EVIDENCE_BYTES];
    bool is_good = bn_json_string(json, text, sizeof text);
    free_evidence(rule);
    rule->evidence = strdup(text);
    if (!rule->evidence)
        complain(complaint, no_memory, "");
    return is_good;
}

static void parse_rule(struct bn_json *json, enum bn_operation operation, struct bn_rule *rule,
                       struct complaint *complaint)
{
    char key[32];
    int flag = 0;
    uint64_t bytes = 0;
    for (bn_json_enter(json, '{'); bn_json_next(json, '}');) {
        bool is_good = true;
        bn_json_key(json, key, sizeof key);
        int *count = count_of(rule, key);
        if (count) {
            is_good = parse_count(json, count);
        } else if (strcmp(key, "max_bytes") == 0) {
            is_good = bn_json_number(json, &bytes) && (bytes & (bytes - 1)) == 0;
            rule->max_bytes = (size_t)bytes;
        } else if (strcmp(key, "crowded") == 0) {
            is_good = parse_count(json, &flag);
            rule->crowded = flag != 0 ? 1 : -1;
        } else if (strcmp(key, "sync") == 0) {
            is_good = parse_sync(json, &rule->sync_set);
        } else if (strcmp(key, "entry") == 0) {
            parse_entry(json, operation, rule, complaint);
        } else if (strcmp(key, "evidence") == 0) {
            is_good = parse_evidence(json, rule, complaint);
        } else {
            bn_json_skip(json);
        }
        if (!is_good)
            complain(complaint, "wrong value of ", key);
    }
    if (rule->min_nodes == BN_ANY_COUNT && rule->max_nodes == BN_ANY_COUNT)
        rule->max_nodes = 1;
}

/* Members on several nodes must make the same choice, whatever their node. */
static void check_nodes(const struct bn_rule *rule, enum bn_operation operation, const struct bn_entry *entry,
                        struct complaint *complaint)
{
    if (rule->min_nodes < 2 && !bn_entry_is_of_one_machine(entry))
        complain(complaint, "a rule needs min_nodes of 2 or more for ", entry->name);
    if (rule->max_nodes != 1 && rule->crowded != 0)
        complain(complaint, "a rule for several nodes, whose cores may differ, has ", "crowded");
    if (rule->max_nodes != 1 && operation == BN_BARRIER)
        complain(complaint, "there is only one kind of barrier between nodes, but a rule for barriers has ",
                 "min_nodes or max_nodes");
}

/* Checks that the entry can carry everything that the rule covers: an entry with a limit needs a rule with one. */
static void check_rule(const struct bn_rule *rule, enum bn_operation operation, struct complaint *complaint)
{
    const struct bn_entry *entry = rule->entry ? bn_registry_find(operation, rule->entry) : NULL;
    if (!entry) {
        complain(complaint, "a rule names no entry", "");
        return;
    }
    check_nodes(rule, operation, entry, complaint);
    if (entry->max_bytes != 0 && (rule->max_bytes == 0 || rule->max_bytes > entry->max_bytes))
        complain(complaint, "a rule covers more than can be carried by ", entry->name);
}

static void parse_rules(struct bn_json *json, enum bn_operation operation, struct bn_rules *rules,
                        struct complaint *complaint)
{
    struct bn_rule *list = NULL;
    for (bn_json_enter(json, '['); bn_json_next(json, ']');) {
        if (rules->count == RULES_MAX) {
            complain(complaint, "too many rules for ", bn_operation_name(operation));
            return;
        }
        struct bn_rule *longer = realloc(list, ((size_t)rules->count + 1) * sizeof *list);
        if (!longer) {
            complain(complaint, no_memory, "");
            return;
        }
        rules->rules = list = longer;
        struct bn_rule *rule = &list[rules->count++];
        *rule = (struct bn_rule){0};
        parse_rule(json, operation, rule, complaint);
        check_rule(rule, operation, complaint);
    }
}

static void parse_operations(struct bn_json *json, struct bn_table *table, struct complaint *complaint)
{
    char key[32];
    for (bn_json_enter(json, '{'); bn_json_next(json, '}');) {
        int operation = 0;
        bn_json_key(json, key, sizeof key);
        while (operation < BN_OPERATION_COUNT && strcmp(bn_operation_name((enum bn_operation)operation), key) != 0)
            operation++;
        if (operation == BN_OPERATION_COUNT)
            bn_json_skip(json);
        else if (table->rules[operation].count != 0)
            complain(complaint, "the rules are given twice for ", key);
        else
            parse_rules(json, (enum bn_operation)operation, &table->rules[operation], complaint);
        if (complaint->text[0] != '\0')
            return;
    }
}

/* A size has the limits of the option that it replaces. */
static void parse_sizes(struct bn_json *json, struct bn_table *table, struct complaint *complaint)
{
    char key[32];
    for (bn_json_enter(json, '{'); bn_json_next(json, '}');) {
        uint64_t bytes = 0;
        enum bn_option_id option = BN_OPTION_COLL_CHUNK;
        size_t *size_p = &table->chunk_bytes;
        bn_json_key(json, key, sizeof key);
        if (strcmp(key, "halves_from_bytes") == 0) {
            option = BN_OPTION_COLL_HALVES;
            size_p = &table->halves_from_bytes;
        } else if (strcmp(key, "chunk_bytes") != 0) {
            bn_json_skip(json);
            continue;
        }
        const struct bn_option *limits = bn_option_describe(option);
        if (!bn_json_number(json, &bytes) || bytes < (uint64_t)limits->min || bytes > (uint64_t)limits->max)
            complain(complaint, "wrong value of ", key);
        *size_p = (size_t)bytes;
    }
}

void bn_table_destroy(struct bn_table *table)
{
    for (int operation = 0; table && operation < BN_OPERATION_COUNT; operation++) {
        for (int i = 0; i < table->rules[operation].count; i++)
            free_evidence(&table->rules[operation].rules[i]);
        free((void *)(uintptr_t)table->rules[operation].rules);
    }
    free(table);
}

bn_status_t bn_table_parse(const char *text, const char *path, const char *machine, struct bn_table **table_p)
{
    struct complaint complaint = {""};
    char key[32];
    char schema[32] = "";
    char written_for[BN_TABLE_MACHINE_BYTES] = "";
    struct bn_json json = bn_json_begin(text);
    struct bn_table *table = calloc(1, sizeof *table);
    *table_p = NULL;
    if (!table) {
        bn_log_error("there is no memory for %s", path);
        return BN_ERR_MEMORY;
    }
    snprintf(table->path, sizeof table->path, "%s", path);
    for (int operation = 0; operation < BN_OPERATION_COUNT; operation++)
        table->rules[operation].origin = table->path;
    for (bn_json_enter(&json, '{'); bn_json_next(&json, '}') && complaint.text[0] == '\0';) {
        bn_json_key(&json, key, sizeof key);
        if (strcmp(key, "schema") == 0)
            bn_json_string(&json, schema, sizeof schema);
        else if (strcmp(key, "machine") == 0)
            bn_json_string(&json, written_for, sizeof written_for);
        else if (strcmp(key, "date") == 0)
            bn_json_string(&json, table->date, sizeof table->date);
        else if (strcmp(key, "rules") == 0)
            parse_operations(&json, table, &complaint);
        else if (strcmp(key, "sizes") == 0)
            parse_sizes(&json, table, &complaint);
        else
            bn_json_skip(&json);
    }
    if (complaint.text[0] == '\0' && !bn_json_end(&json))
        complain(&complaint, "it is not the JSON that banyan-tune writes", "");
    if (strcmp(schema, BN_TABLE_SCHEMA) != 0)
        complain(&complaint, schema[0] == '\0' ? "it names no schema" : "its schema is not " BN_TABLE_SCHEMA ", but ",
                 schema);
    if (complaint.text[0] != '\0') {
        bn_log_error("%s:%d: %s; run banyan-tune again, or set BANYAN_COLL_TABLE=none", path, bn_json_line(&json),
                     complaint.text);
        bn_table_destroy(table);
        return BN_ERR_INVALID;
    }
    if (machine && strcmp(machine, written_for) != 0) {
        bn_log_info("%s is for another machine (%s), and is not used", path, written_for);
        bn_table_destroy(table);
        return BN_UNSUPPORTED;
    }
    *table_p = table;
    return BN_OK;
}

static bn_status_t load_file(const char *path, bool was_asked_for, struct bn_table **table_p, char **text_p)
{
    char machine[BN_TABLE_MACHINE_BYTES];
    char *text = malloc(BN_TABLE_BYTES);
    bn_status_t status = BN_OK;
    if (!text) {
        bn_log_error("there is no memory to read %s; raise the limits of memory (ulimit -d, ulimit -v)", path);
        return BN_ERR_MEMORY;
    }
    if (bn_file_read(text, BN_TABLE_BYTES, "", "%s", path)) {
        bn_table_machine(machine, sizeof machine);
        status = bn_table_parse(text, path, machine, table_p);
    } else if (was_asked_for) {
        bn_log_error("BANYAN_COLL_TABLE: %s cannot be read", path);
        status = BN_ERR_INVALID;
    }
    if (status == BN_UNSUPPORTED && was_asked_for)
        bn_log_warning("BANYAN_COLL_TABLE: %s was measured on another machine, or with other cores; this one is: %s",
                       path, machine);
    if (text_p && *table_p)
        *text_p = text;
    else
        free(text);
    return status == BN_UNSUPPORTED ? BN_OK : status;
}

bn_status_t bn_table_load(struct bn_table **table_p, char **text_p)
{
    char usual[BN_TABLE_PATH_BYTES];
    const char *asked = bn_option(BN_OPTION_COLL_TABLE)->text;
    *table_p = NULL;
    if (text_p)
        *text_p = NULL;
    if (asked && strcmp(asked, "none") == 0)
        return BN_OK;
    if (asked && asked[0] != '\0')
        return load_file(asked, true, table_p, text_p);
    if (!bn_table_usual_path(usual, sizeof usual))
        return BN_OK;
    return load_file(usual, false, table_p, text_p);
}
