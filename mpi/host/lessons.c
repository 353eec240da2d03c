#include "host/lessons.h"

#include "base/json.h"
#include "base/log.h"
#include "base/options.h"
#include "coll/plan.h"
#include "host/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char schema[] = "banyan-mpi-choices-1";

const char *bn_lessons_file(void)
{
    const char *text = bn_option(BN_OPTION_MPI_TABLE)->text;
    return text && *text != '\0' && strcmp(text, "none") != 0 ? text : NULL;
}

/* ---- The list ---- */

static bool is_about_the_same(const struct bn_lesson *a, const struct bn_lesson *b)
{
    return a->operation == b->operation && a->processes == b->processes && a->size_class == b->size_class &&
           strcmp(a->machine, b->machine) == 0 && strcmp(a->library, b->library) == 0;
}

bool bn_lessons_add(struct bn_lessons *lessons, const struct bn_lesson *lesson)
{
    for (size_t i = 0; i < lessons->count; i++) {
        if (is_about_the_same(&lessons->lessons[i], lesson)) {
            lessons->lessons[i] = *lesson;
            return true;
        }
    }
    struct bn_lesson *more = realloc(lessons->lessons, (lessons->count + 1) * sizeof *more);
    if (!more)
        return false;
    more[lessons->count++] = *lesson;
    lessons->lessons = more;
    return true;
}

void bn_lessons_select(struct bn_lessons *lessons, const char *library)
{
    char machine[BN_TABLE_MACHINE_BYTES];
    size_t left = 0;
    bn_table_machine(machine, sizeof machine);
    for (size_t i = 0; i < lessons->count; i++) {
        const struct bn_lesson *lesson = &lessons->lessons[i];
        if (strcmp(lesson->machine, machine) == 0 && strcmp(lesson->library, library) == 0)
            lessons->lessons[left++] = *lesson;
    }
    lessons->count = left;
}

void bn_lessons_apply(const struct bn_lessons *lessons, enum bn_mpi_operation operation, int processes,
                      struct bn_account *accounts)
{
    for (size_t i = 0; i < lessons->count; i++) {
        const struct bn_lesson *lesson = &lessons->lessons[i];
        if (lesson->operation != operation || lesson->processes != processes)
            continue;
        struct bn_account *account = &accounts[lesson->size_class];
        account->is_decided = true;
        account->choice = lesson->choice;
        memcpy(account->median_ns, lesson->median_ns, sizeof account->median_ns);
    }
}

void bn_lessons_destroy(struct bn_lessons *lessons)
{
    free(lessons->lessons);
    *lessons = (struct bn_lessons){0};
}

/* ---- The file ---- */

static bool read_operation(struct bn_json *json, struct bn_lesson *lesson)
{
    char name[32];
    bool is_known = false;
    if (!bn_json_string(json, name, sizeof name))
        return false;
    for (int operation = 0; operation < BN_MPI_OPERATION_COUNT; operation++) {
        if (strcmp(name, bn_mpi_operation_name((enum bn_mpi_operation)operation)) == 0) {
            lesson->operation = (enum bn_mpi_operation)operation;
            is_known = true;
        }
    }
    return is_known;
}

static bool read_carrier(struct bn_json *json, struct bn_lesson *lesson)
{
    char name[16];
    if (!bn_json_string(json, name, sizeof name))
        return false;
    int carrier = 0;
    while (carrier < BN_CARRIER_COUNT && strcmp(name, bn_carrier_name((enum bn_carrier)carrier)) != 0)
        carrier++;
    lesson->choice = (enum bn_carrier)carrier;
    return carrier < BN_CARRIER_COUNT;
}

static void key_of_median(enum bn_carrier carrier, char key[16])
{
    snprintf(key, 16, "%s_ns", bn_carrier_name(carrier));
}

static bool read_field(struct bn_json *json, const char *key, struct bn_lesson *lesson)
{
    uint64_t number = 0;
    if (strcmp(key, "machine") == 0)
        return bn_json_string(json, lesson->machine, sizeof lesson->machine);
    if (strcmp(key, "library") == 0)
        return bn_json_string(json, lesson->library, sizeof lesson->library);
    if (strcmp(key, "operation") == 0)
        return read_operation(json, lesson);
    if (strcmp(key, "by") == 0)
        return read_carrier(json, lesson);
    if (!bn_json_number(json, &number))
        return false;
    if (strcmp(key, "processes") == 0)
        lesson->processes = number > 1 && number < 1 << 24 ? (int)number : 0;
    else if (strcmp(key, "up_to_bytes") == 0)
        lesson->size_class = bn_size_class(number);
    for (int carrier = 0; carrier < BN_CARRIER_COUNT; carrier++) {
        char median_key[16];
        key_of_median((enum bn_carrier)carrier, median_key);
        if (strcmp(key, median_key) == 0)
            lesson->median_ns[carrier] = (double)number;
    }
    return true;
}

static bool read_choices(struct bn_json *json, struct bn_lessons *lessons)
{
    char key[32];
    bool is_right = true;
    for (bn_json_enter(json, '['); is_right && bn_json_next(json, ']');) {
        struct bn_lesson lesson = {.processes = 0};
        for (bn_json_enter(json, '{'); is_right && bn_json_next(json, '}');)
            is_right = bn_json_key(json, key, sizeof key) && read_field(json, key, &lesson);
        is_right = is_right && lesson.processes > 0 && lesson.size_class < BN_LEDGER_NO_SIZE &&
                   bn_lessons_add(lessons, &lesson);
    }
    return is_right;
}

static bool parse(const char *text, struct bn_lessons *lessons)
{
    struct bn_json json = bn_json_begin(text);
    char key[32], found[32] = "";
    bool is_right = true;
    for (bn_json_enter(&json, '{'); is_right && bn_json_next(&json, '}');) {
        is_right = bn_json_key(&json, key, sizeof key);
        if (strcmp(key, "schema") == 0)
            is_right = is_right && bn_json_string(&json, found, sizeof found);
        else if (strcmp(key, "choices") == 0)
            is_right = is_right && read_choices(&json, lessons);
        else
            bn_json_skip(&json);
    }
    return is_right && bn_json_end(&json) && strcmp(found, schema) == 0;
}

/* Sets *text_p, for the caller to free, to the contents of a file; null if it is missing or empty.  Returns false with
 * errno set if it cannot be read. */
static bool read_text(const char *name, char **text_p)
{
    FILE *file = fopen(name, "r");
    size_t room = 0;
    *text_p = NULL;
    if (!file)
        return errno == ENOENT;
    bool has_text = getdelim(text_p, &room, '\0', file) >= 0;
    int error = has_text || feof(file) ? 0 : errno;
    fclose(file);
    if (!has_text) {
        free(*text_p);
        *text_p = NULL;
    }
    errno = error;
    return error == 0;
}

bool bn_lessons_read(struct bn_lessons *lessons, const char *file)
{
    char *text;
    if (!read_text(file, &text)) {
        bn_log_error("BANYAN_MPI_TABLE: %s cannot be read: %m; name another file", file);
        return false;
    }
    bool is_right = !text || parse(text, lessons);
    free(text);
    if (!is_right)
        bn_log_error("BANYAN_MPI_TABLE: %s is not a table of choices (%s); remove it, or name another file", file,
                     schema);
    return is_right;
}

static void write_lessons(FILE *file, const void *context)
{
    const struct bn_lessons *lessons = context;
    fprintf(file, "{\"schema\": \"%s\", \"choices\": [", schema);
    for (size_t i = 0; i < lessons->count; i++) {
        const struct bn_lesson *lesson = &lessons->lessons[i];
        fprintf(file, "%s\n {\"machine\": ", i == 0 ? "" : ",");
        bn_json_write_string(file, lesson->machine);
        fputs(", \"library\": ", file);
        bn_json_write_string(file, lesson->library);
        fprintf(file, ", \"operation\": \"%s\", \"processes\": %d, \"up_to_bytes\": %llu, \"by\": \"%s\"",
                bn_mpi_operation_name(lesson->operation), lesson->processes, 1ULL << lesson->size_class,
                bn_carrier_name(lesson->choice));
        for (int carrier = 0; carrier < BN_CARRIER_COUNT; carrier++) {
            char key[16];
            key_of_median((enum bn_carrier)carrier, key);
            fprintf(file, ", \"%s\": %.0f", key, lesson->median_ns[carrier]);
        }
        fputc('}', file);
    }
    fputs("\n]}\n", file);
}

void bn_lessons_write(const struct bn_lessons *lessons, const char *name)
{
    if (!bn_files_write(name, write_lessons, lessons))
        bn_log_error("the lessons of this run cannot be written to %s: %m; name another file in BANYAN_MPI_TABLE",
                     name);
}
