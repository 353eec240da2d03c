#include "options.h"

#include "bench.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct parser {
    struct uoms_options *options;
    int threads;
    char *message;
    size_t room;
};

enum value { NO_VALUE, VALUE, OPTIONAL_VALUE /* with "=" only */ };

struct option {
    const char *name;
    enum value value;
    const char *placeholder;
    const char *meaning;
    int (*set)(struct parser *parser, const char *value); /* value is null if there is none */
    size_t place; /* if `set` is null: offset of the options' member to set to 1, or to the value */
};

static int fail(struct parser *parser, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(parser->message, parser->room, format, arguments);
    va_end(arguments);
    return 1;
}

/* Index of a text in a null-terminated list of names, -1 if it is not there; case is ignored. */
static int find_word(const char *text, const char *const *names)
{
    for (int i = 0; names[i] != NULL; i++) {
        if (strcasecmp(text, names[i]) == 0)
            return i;
    }
    return -1;
}

int uoms_parse_size(const char *text, size_t *size_p)
{
    static const char *const units[] = {"", "K", "M", "G", "T", NULL};
    char *end;
    char unit[4] = "";
    size_t length;

    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (end == text || !isdigit((unsigned char)text[0]) || errno != 0 || number == 0)
        return 1;
    length = strlen(end);
    if (length >= sizeof unit)
        return 1;
    memcpy(unit, end, length + 1);
    /* K, KB and KiB are the same, and B alone means bytes. */
    if (length > 0 && toupper((unsigned char)unit[length - 1]) == 'B') {
        unit[--length] = '\0';
        if (length == 2 && tolower((unsigned char)unit[1]) == 'i')
            unit[--length] = '\0';
    }
    int power = find_word(unit, units);
    if (power < 0 || number > (SIZE_MAX >> (10 * power)) / 2)
        return 1;
    *size_p = (size_t)number << (10 * power);
    return 0;
}

static int parse_number(const char *text, double *number_p)
{
    char *end;
    *number_p = strtod(text, &end);
    return end == text || *end != '\0' || !(*number_p >= 0) || *number_p > 1e15;
}

/* ---- One function per option ---- */

static int set_off_cache(struct parser *parser, const char *value)
{
    (void)value;
    parser->options->cache = UOMS_COLD;
    return 0;
}

static int set_progress(struct parser *parser, const char *value)
{
    static const char *const words[] = {"off", "on", NULL};
    int word = value == NULL ? 1 : find_word(value, words);
    if (word < 0)
        return fail(parser, "-progress=%s: on or off", value);
    parser->options->progress = word ? UOMS_PROGRESS_ON : UOMS_PROGRESS_OFF;
    return 0;
}

static int set_verify(struct parser *parser, const char *value)
{
    static const char *const words[] = {"off", "on", "only", NULL};
    int word = value == NULL ? 1 : find_word(value, words);
    if (word < 0)
        return fail(parser, "-verify=%s: on, off or only", value);
    parser->options->verify = word != 0;
    parser->options->measure = word != 2;
    return 0;
}

static int set_reduce_op(struct parser *parser, const char *value)
{
    const char *word = strncasecmp(value, "UPC_", 4) == 0 ? value + 4 : value;
    for (int op = 0; op < UOMS_OPERATORS; op++) {
        if (strcasecmp(word, uoms_operator_name((enum uoms_operator)op) + 4) == 0) {
            parser->options->reduce_op = (enum uoms_operator)op;
            return 0;
        }
    }
    return fail(parser,
                "-reduce_op %s: none of UPC_ADD, UPC_MULT, UPC_AND, UPC_OR, UPC_XOR, UPC_LOGAND, UPC_LOGOR, UPC_MIN, "
                "UPC_MAX",
                value);
}

/* Accepts UPC_IN_ALLSYNC|UPC_OUT_MYSYNC, and shorter forms: IN_ALLSYNC,OUT_MYSYNC, ALLSYNC_MYSYNC, all:my. */
static int set_sync_mode(struct parser *parser, const char *value)
{
    static const char *const sides[] = {"ALLSYNC", "MYSYNC", "NOSYNC", "ALL", "MY", "NO", NULL};
    char text[80];
    int found[2] = {-1, -1};
    int next = 0;

    snprintf(text, sizeof text, "%s", value);
    for (char *word = strtok(text, "|,:+/ _"); word != NULL; word = strtok(NULL, "|,:+/ _")) {
        int side = find_word(word, sides);
        if (strcasecmp(word, "UPC") == 0)
            continue;
        if (strcasecmp(word, "IN") == 0)
            next = 0;
        else if (strcasecmp(word, "OUT") == 0)
            next = 1;
        else if (side >= 0 && next < 2 && found[next] < 0)
            found[next++] = side % 3;
        else
            next = 3;
    }
    if (next > 2 || found[0] < 0 || found[1] < 0)
        return fail(parser, "-sync_mode %s: it is UPC_IN_X|UPC_OUT_Y, with ALLSYNC, MYSYNC or NOSYNC for X and Y",
                    value);
    parser->options->in = (enum uoms_side)found[0];
    parser->options->out = (enum uoms_side)found[1];
    return 0;
}

static int set_size(struct parser *parser, const char *option, const char *value, size_t *size_p)
{
    if (uoms_parse_size(value, size_p))
        return fail(parser, "-%s %s: not a size; it is a number of bytes, as 64, 4K, 16M or 1G", option, value);
    return 0;
}

static int set_minsize(struct parser *p, const char *v)
{
    return set_size(p, "minsize", v, &p->options->min_size);
}
static int set_maxsize(struct parser *p, const char *v)
{
    return set_size(p, "maxsize", v, &p->options->max_size);
}

/* Calls `take` with each word of a file; # begins a comment. */
static int for_each_word(struct parser *parser, const char *option, const char *path,
                         int (*take)(struct parser *parser, const char *path, const char *word))
{
    char *line = NULL;
    size_t line_room = 0;
    int status = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return fail(parser, "-%s %s: %s", option, path, strerror(errno));
    while (status == 0 && getline(&line, &line_room, file) >= 0) {
        line[strcspn(line, "#")] = '\0';
        for (char *word = strtok(line, " \t\r\n,"); status == 0 && word != NULL; word = strtok(NULL, " \t\r\n,"))
            status = take(parser, path, word);
    }
    if (status == 0 && ferror(file))
        status = fail(parser, "-%s %s: cannot be read", option, path);
    free(line);
    fclose(file);
    return status;
}

static int take_size(struct parser *parser, const char *path, const char *word)
{
    struct uoms_options *options = parser->options;
    if (options->size_count == UOMS_MOST_SIZES)
        return fail(parser, "-msglen %s: more than %d sizes", path, UOMS_MOST_SIZES);
    if (uoms_parse_size(word, &options->sizes[options->size_count]))
        return fail(parser, "-msglen %s: '%s' is not a size", path, word);
    options->size_count++;
    return 0;
}

static int set_msglen(struct parser *parser, const char *value)
{
    parser->options->size_count = 0;
    if (for_each_word(parser, "msglen", value, take_size))
        return 1;
    return parser->options->size_count > 0 ? 0 : fail(parser, "-msglen %s: there are no sizes in it", value);
}

static int take_name(struct parser *parser, const char *path, const char *word)
{
    struct uoms_options *options = parser->options;
    char *copy = malloc(strlen(word) + 1);
    if (copy == NULL || options->name_count == UOMS_MOST_NAMES) {
        free(copy);
        return fail(parser, "%s: more than %d names", path, UOMS_MOST_NAMES);
    }
    options->names[options->name_count++] = strcpy(copy, word);
    return 0;
}

static int set_input(struct parser *parser, const char *value)
{
    size_t before = parser->options->name_count;
    if (for_each_word(parser, "input", value, take_name))
        return 1;
    return parser->options->name_count > before ? 0 : fail(parser, "-input %s: there are no names in it", value);
}

static int set_time(struct parser *parser, const char *value)
{
    if (parse_number(value, &parser->options->time_s) || parser->options->time_s == 0)
        return fail(parser, "-time %s: not a number of seconds", value);
    return 0;
}

static int set_count(struct parser *parser, const char *option, const char *value, size_t *count_p)
{
    double number;
    if (parse_number(value, &number) || number < 1 || number > 1e6 || number != (double)(size_t)number)
        return fail(parser, "-%s %s: not a number from 1 to 1000000", option, value);
    *count_p = (size_t)number;
    return 0;
}

static int set_repetitions(struct parser *p, const char *v)
{
    return set_count(p, "repetitions", v, &p->options->repetitions);
}
static int set_batch(struct parser *p, const char *v)
{
    return set_count(p, "batch", v, &p->options->batch);
}

static int set_warmups(struct parser *p, const char *v)
{
    p->options->warmup = 1;
    return set_count(p, "warmups", v, &p->options->warmups);
}

static int set_root(struct parser *parser, const char *value)
{
    double number;
    if (strcasecmp(value, "rotate") == 0) {
        parser->options->root = UOMS_ROTATE;
        return 0;
    }
    if (parse_number(value, &number) || number != (double)(int)number)
        return fail(parser, "-root %s: a thread's number, or rotate", value);
    if (number >= parser->threads)
        return fail(parser, "-root %s: there are %d threads, 0 to %d", value, parser->threads, parser->threads - 1);
    parser->options->root = (int)number;
    return 0;
}

static const char *const cache_names[] = {"hot", "cold", "modified", NULL};

static int set_cache(struct parser *parser, const char *value)
{
    int word = find_word(value, cache_names);
    if (word < 0)
        return fail(parser, "-cache %s: hot, cold or modified", value);
    parser->options->cache = (enum uoms_cache)word;
    return 0;
}

static const char *const sync_names[] = {"barrier", "meeting", "clock", NULL};

static int set_sync(struct parser *parser, const char *value)
{
    int word = find_word(value, sync_names);
    if (word < 0)
        return fail(parser, "-sync %s: barrier, meeting or clock", value);
    parser->options->sync = (enum uoms_sync)word;
    return 0;
}

static int set_precision(struct parser *parser, const char *value)
{
    char *end;
    double number = strtod(value, &end);
    if (end != value && strcmp(end, "%") == 0)
        number /= 100;
    else if (end == value || *end != '\0')
        number = 0;
    if (!(number > 0 && number < 1))
        return fail(parser, "-precision %s: a part of the median between 0 and 1, as 0.02 or 2%%", value);
    parser->options->precision = number;
    return 0;
}

static int set_outliers(struct parser *parser, const char *value)
{
    static const char *const words[] = {"report", "discard", NULL};
    int word = find_word(value, words);
    if (word < 0)
        return fail(parser, "-outliers %s: report or discard", value);
    parser->options->discards_outliers = word;
    return 0;
}

static int set_skew(struct parser *parser, const char *value)
{
    double microseconds = 100;
    if (value != NULL && (parse_number(value, &microseconds) || microseconds > 1e6))
        return fail(parser, "-skew=%s: not a number of microseconds up to 1000000", value);
    parser->options->skew_ns = microseconds * 1e3;
    return 0;
}

static const struct option table[] = {
    {"help", NO_VALUE, "", "print this", NULL, offsetof(struct uoms_options, help)},
    {"version", NO_VALUE, "", "print the version of the suite and of the measured system", NULL,
     offsetof(struct uoms_options, version)},
    {"list", NO_VALUE, "", "list the benchmarks and what they need; run nothing", NULL,
     offsetof(struct uoms_options, list)},
    {"input", VALUE, "FILE", "read further benchmarks from a file", set_input, 0},
    {"minsize", VALUE, "SIZE", "smallest size, 4 bytes unless given; K, M, G may follow", set_minsize, 0},
    {"maxsize", VALUE, "SIZE", "largest size, 16M unless given", set_maxsize, 0},
    {"msglen", VALUE, "FILE", "read sizes from a file, instead of powers of two", set_msglen, 0},
    {"time", VALUE, "SECONDS", "maximum time for one size, 0.1 unless given (2 with -precision)", set_time, 0},
    {"repetitions", VALUE, "N", "maximum number of repetitions, 200 unless given (20000 with -precision)",
     set_repetitions, 0},
    {"batch", VALUE, "N", "maximum number of calls in one repetition, 4096 unless given; 1 times each call separately",
     set_batch, 0},
    {"precision", VALUE, "P", "repeat until half the median's 95 % interval is at most P times the median (0.02, 2%)",
     set_precision, 0},
    {"warmup", NO_VALUE, "", "run some iterations before those that are measured", NULL,
     offsetof(struct uoms_options, warmup)},
    {"warmups", VALUE, "N",
     "run N iterations before those that are measured, for a system that first tries what is faster", set_warmups, 0},
    {"cache", VALUE, "hot|cold|modified", "state of the caches before each operation; hot unless given", set_cache, 0},
    {"off_cache", NO_VALUE, "", "the same as -cache cold", set_off_cache, 0},
    {"sync", VALUE, "barrier|meeting|clock", "how threads start together; barrier unless given", set_sync, 0},
    {"skew", OPTIONAL_VALUE, "[=US]", "let threads arrive up to US microseconds apart, 100 unless given", set_skew, 0},
    {"root", VALUE, "N|rotate", "root of rooted collectives; 0 unless given", set_root, 0},
    {"sync_mode", VALUE, "MODE", "UPC_IN_X|UPC_OUT_Y with ALLSYNC, MYSYNC, NOSYNC; ALLSYNC both unless given",
     set_sync_mode, 0},
    {"reduce_op", VALUE, "OP", "UPC_ADD (unless given), MULT, AND, OR, XOR, LOGAND, LOGOR, MIN, MAX", set_reduce_op, 0},
    {"algorithm", VALUE, "all|NAME", "use one algorithm, or each in turn, where the system allows the choice", NULL,
     offsetof(struct uoms_options, algorithm)},
    {"all_pairs", NO_VALUE, "", "with 2 threads of a machine: every pair of CPUs, not just one of each distance", NULL,
     offsetof(struct uoms_options, all_pairs)},
    {"verify", OPTIONAL_VALUE, "[=on|off|only]", "check results in a separate pass; on unless given", set_verify, 0},
    {"outliers", VALUE, "report|discard", "report unless given; discarded outliers are reported as such", set_outliers,
     0},
    {"stats", NO_VALUE, "", "add the median, its interval, percentiles and skew to the table", NULL,
     offsetof(struct uoms_options, stats)},
    {"json", VALUE, "FILE", "write all samples of all threads, and the conditions of the measurement", NULL,
     offsetof(struct uoms_options, json)},
    {"csv", VALUE, "FILE", "write a line for each size", NULL, offsetof(struct uoms_options, csv)},
    {"label", VALUE, "TEXT", "a name for these results, kept in the files", NULL, offsetof(struct uoms_options, label)},
    {"quiet", NO_VALUE, "", "do not print the table", NULL, offsetof(struct uoms_options, quiet)},
    {"progress", OPTIONAL_VALUE, "[=on|off]",
     "print what is running and how long it may take; on if standard error is a terminal", set_progress, 0},
};

void uoms_print_help(FILE *file)
{
    fprintf(file, "%s: %s\n\nusage: %s [options] [benchmark or glob ...]\n\n", uoms_command, uoms_title, uoms_command);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char left[48];
        snprintf(left, sizeof left, "-%s%s%s", table[i].name, table[i].value == VALUE ? " " : "", table[i].placeholder);
        fprintf(file, "  %-26s %s\n", left, table[i].meaning);
    }
    fprintf(file,
            "\nIf no benchmarks are given, all are run.  Options may have two dashes, and '=' before their value.\n");
}

const char *uoms_operator_name(enum uoms_operator op)
{
    static const char *const names[] = {"UPC_ADD",    "UPC_MULT",  "UPC_AND", "UPC_OR", "UPC_XOR",
                                        "UPC_LOGAND", "UPC_LOGOR", "UPC_MIN", "UPC_MAX"};
    return names[op];
}

void uoms_sync_mode_name(const struct uoms_options *options, char *text, size_t room)
{
    static const char *const names[] = {"ALLSYNC", "MYSYNC", "NOSYNC"};
    snprintf(text, room, "UPC_IN_%s|UPC_OUT_%s", names[options->in], names[options->out]);
}

const char *uoms_cache_name(enum uoms_cache cache)
{
    return cache_names[cache];
}

const char *uoms_sync_name(enum uoms_sync sync)
{
    return sync_names[sync];
}

/* Option names may be written with - instead of _. */
static int is_name(const char *text, size_t length, const char *name)
{
    if (strlen(name) != length)
        return 0;
    for (size_t i = 0; i < length; i++) {
        if ((text[i] == '-' ? '_' : text[i]) != name[i])
            return 0;
    }
    return 1;
}

static const struct option *find_option(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (is_name(text, length, table[i].name))
            return &table[i];
    }
    return NULL;
}

/* Reads argv[*index_p], and a value following it, in which case *index_p is advanced. */
static int parse_option(struct parser *parser, int argc, char **argv, int *index_p)
{
    const char *text = argv[*index_p] + (argv[*index_p][1] == '-' ? 2 : 1);
    const char *value = strchr(text, '=');
    size_t length = value != NULL ? (size_t)(value - text) : strlen(text);
    const struct option *option = find_option(text, length);

    if (option == NULL)
        return fail(parser, "there is no option '%s'; -help lists them", argv[*index_p]);
    if (value != NULL)
        value++;
    if (option->value == NO_VALUE && value != NULL)
        return fail(parser, "-%s takes no value", option->name);
    if (option->value == VALUE && value == NULL) {
        if (*index_p + 1 >= argc)
            return fail(parser, "-%s needs a value: %s", option->name, option->placeholder);
        value = argv[++*index_p];
    }
    if (option->set != NULL)
        return option->set(parser, value);
    char *place = (char *)parser->options + option->place;
    if (value != NULL)
        *(const char **)(void *)place = value;
    else
        *(int *)(void *)place = 1;
    return 0;
}

static int add_power_sizes(struct parser *parser)
{
    struct uoms_options *options = parser->options;
    if (options->min_size > options->max_size)
        return fail(parser, "the smallest size (%zu) is larger than the largest (%zu)", options->min_size,
                    options->max_size);
    for (size_t size = options->min_size; size <= options->max_size; size *= 2)
        options->sizes[options->size_count++] = size;
    return 0;
}

static void keep_command(int argc, char **argv, char *text, size_t room)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < argc && used + 1 < room; i++)
        used += (size_t)snprintf(text + used, room - used, "%s%s", i == 0 ? "" : " ", argv[i]);
}

int uoms_options_parse(int argc, char **argv, int threads, struct uoms_options *options_p, char *message, size_t room)
{
    struct parser parser = {options_p, threads, message, room};
    memset(options_p, 0, sizeof *options_p);
    options_p->progress = UOMS_PROGRESS_AUTOMATIC;
    options_p->verify = options_p->measure = 1;
    options_p->min_size = 4;
    options_p->max_size = (size_t)16 << 20;
    keep_command(argc, argv, options_p->command, sizeof options_p->command);

    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-' && argv[i][1] != '\0') {
            if (parse_option(&parser, argc, argv, &i))
                return 1;
        } else if (take_name(&parser, "the command line", argv[i])) {
            return 1;
        }
    }
    if (options_p->skew_ns > 0 && options_p->sync == UOMS_SYNC_CLOCK)
        return fail(&parser, "-skew and -sync clock: threads cannot start together and apart");
    if (options_p->all_pairs && threads != 2)
        return fail(&parser, "-all_pairs: pairs of processors are measured with 2 threads, not with %d", threads);
    if (options_p->time_s == 0)
        options_p->time_s = options_p->precision > 0 ? 2 : 0.1;
    if (options_p->repetitions == 0)
        options_p->repetitions = options_p->precision > 0 ? 20000 : 200;
    return options_p->size_count > 0 ? 0 : add_power_sizes(&parser);
}

/* Matches one bracket expression at *glob_p, which is advanced past it; a [ without ] is a plain character. */
static int matches_set(const char **glob_p, char c)
{
    const char *at = *glob_p + 1;
    int negated = *at == '!' || *at == '^';
    int found = 0;
    at += negated;
    for (const char *first = at; *at != '\0' && (*at != ']' || at == first); at++) {
        if (at[1] == '-' && at[2] != ']' && at[2] != '\0') {
            found = found || (at[0] <= c && c <= at[2]);
            at += 2;
        } else {
            found = found || *at == c;
        }
    }
    if (*at == '\0')
        return c == '[' ? (*glob_p += 1, 1) : 0;
    *glob_p = at + 1;
    return found != negated;
}

int uoms_matches(const char *glob, const char *name)
{
    while (*glob != '\0') {
        if (*glob == '*') {
            for (; *name != '\0'; name++) {
                if (uoms_matches(glob + 1, name))
                    return 1;
            }
            glob++;
        } else if (*name == '\0') {
            return 0;
        } else if (*glob == '[') {
            if (!matches_set(&glob, *name++))
                return 0;
        } else if (*glob++ != *name++) {
            if (glob[-1] != '?')
                return 0;
        }
    }
    return *name == '\0';
}
