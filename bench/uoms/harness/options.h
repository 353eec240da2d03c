/* options.h: the command line, the same for every system.  Options have one or two dashes, and "=" or a blank before
 * values. */
#ifndef UOMS_OPTIONS_H
#define UOMS_OPTIONS_H

#include <stddef.h>
#include <stdio.h>

enum uoms_cache { UOMS_HOT, UOMS_COLD, UOMS_MODIFIED };
enum uoms_sync { UOMS_SYNC_BARRIER, UOMS_SYNC_MEETING, UOMS_SYNC_CLOCK };
enum uoms_side { UOMS_ALLSYNC, UOMS_MYSYNC, UOMS_NOSYNC };
enum uoms_operator {
    UOMS_ADD,
    UOMS_MULT,
    UOMS_AND,
    UOMS_OR,
    UOMS_XOR,
    UOMS_LOGAND,
    UOMS_LOGOR,
    UOMS_MIN,
    UOMS_MAX,
    UOMS_OPERATORS
};

#define UOMS_MOST_SIZES 256
#define UOMS_MOST_NAMES 256
#define UOMS_ROTATE (-1)

enum uoms_progress {
    UOMS_PROGRESS_OFF,
    UOMS_PROGRESS_ON,        /* a line for each size */
    UOMS_PROGRESS_IN_PLACE,  /* on a terminal: one line, which is written over */
    UOMS_PROGRESS_AUTOMATIC, /* not requested: in place if standard error is a terminal, else off */
};

struct uoms_options {
    int help, version, list;
    int stats, quiet, all_pairs, warmup;
    size_t warmups; /* 0: the default number of -warmup, if that was given */
    enum uoms_progress progress;
    int verify, measure; /* the two passes */
    int discards_outliers;
    enum uoms_cache cache;
    enum uoms_sync sync;
    enum uoms_side in, out;
    enum uoms_operator reduce_op;
    double time_s;      /* time limit for one size */
    double precision;   /* half the interval divided by the median; 0 if not requested */
    double skew_ns;     /* longest delay; 0 for none */
    size_t repetitions; /* at most; 0 for the default */
    size_t batch;       /* most calls in a sample; 0 if not requested */
    int root;           /* or UOMS_ROTATE */
    size_t sizes[UOMS_MOST_SIZES];
    size_t size_count;
    size_t min_size, max_size;
    const char *names[UOMS_MOST_NAMES]; /* names and globs, from the arguments and -input */
    size_t name_count;
    const char *algorithm; /* null, "all" or a name */
    const char *json, *csv, *label;
    char command[1024]; /* as typed */
};

/*
 * Reads the arguments, and the files that -msglen and -input name.  Zero; or non-zero and a message without newline,
 * with *options_p filled in as far as parsed.  The names point into argv or memory that is never freed.
 */
int uoms_options_parse(int argc, char **argv, int threads, struct uoms_options *options_p, char *message, size_t room);

/* "4", "64K", "1MB", "2GiB": bytes, by powers of 1024.  Zero; or non-zero if it is not a size, or is zero or too
 * large. */
int uoms_parse_size(const char *text, size_t *size_p);

/* Whether a name matches a glob with * ? [a-z], or equals it */
int uoms_matches(const char *glob, const char *name);

/* "UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC" */
void uoms_sync_mode_name(const struct uoms_options *options, char *text, size_t room);

/* "hot", "cold" or "modified" */
const char *uoms_cache_name(enum uoms_cache cache);

/* "barrier", "meeting" or "clock" */
const char *uoms_sync_name(enum uoms_sync sync);

/* "UPC_ADD" */
const char *uoms_operator_name(enum uoms_operator op);

void uoms_print_help(FILE *file);

#endif
