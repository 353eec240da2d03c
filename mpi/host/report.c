#include "host/report.h"

#include "base/json.h"
#include "base/log.h"
#include "base/options.h"
#include "host/files.h"
#include "host/wish.h"
#include "platform/locale.h"
#include "sync/spinlock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Communicators of one name and size */
struct part {
    char name[BN_REPORT_NAME_BYTES];
    int size;
    uint64_t communicators;
    struct bn_ledger ledger;
};

static struct {
    struct bn_spinlock lock;
    struct part *parts;
    size_t count;
} kept;

bool bn_report_is_wanted(void)
{
    return bn_wish_is_made(BN_OPTION_MPI_REPORT);
}

/* ---- Parts and rows ---- */

static struct part *part_of(const char *name, int size)
{
    for (size_t i = 0; i < kept.count; i++)
        if (kept.parts[i].size == size && strcmp(kept.parts[i].name, name) == 0)
            return &kept.parts[i];
    struct part *parts = realloc(kept.parts, (kept.count + 1) * sizeof *parts);
    if (!parts)
        return NULL;
    kept.parts = parts;
    parts[kept.count] = (struct part){.size = size};
    strcpy(parts[kept.count].name, name);
    return &parts[kept.count++];
}

void bn_report_add(const char *name, int size, const struct bn_ledger *ledger)
{
    char cut[BN_REPORT_NAME_BYTES];
    snprintf(cut, sizeof cut, "%s", name);
    bn_spinlock_acquire(&kept.lock);
    struct part *part = part_of(cut, size);
    if (part && bn_ledger_add(&part->ledger, ledger))
        part->communicators++;
    bn_spinlock_release(&kept.lock);
}

/* The sum over all carriers */
static struct bn_tally all_of(const struct bn_account *account)
{
    struct bn_tally all = {0};
    for (int carrier = 0; carrier < BN_CARRIER_COUNT; carrier++)
        bn_tally_add(&all, &account->by[carrier]);
    return all;
}

static bool has_calls(const struct bn_account *account)
{
    return all_of(account).calls > 0;
}

struct bn_report_row *bn_report_rows(size_t *count_p)
{
    struct bn_report_row *rows = calloc(kept.count * BN_MPI_OPERATION_COUNT * BN_LEDGER_CLASSES + 1, sizeof *rows);
    *count_p = 0;
    for (size_t i = 0; rows && i < kept.count; i++) {
        const struct part *part = &kept.parts[i];
        for (int operation = 0; operation < BN_MPI_OPERATION_COUNT; operation++) {
            const struct bn_account *accounts = part->ledger.accounts[operation];
            for (unsigned size_class = 0; accounts && size_class < BN_LEDGER_CLASSES; size_class++) {
                struct bn_report_row *row = &rows[*count_p];
                if (!has_calls(&accounts[size_class]) && !accounts[size_class].is_decided)
                    continue;
                *row = (struct bn_report_row){.size = part->size, .communicators = part->communicators};
                strcpy(row->name, part->name);
                row->operation = (enum bn_mpi_operation)operation;
                row->size_class = size_class;
                row->account = accounts[size_class];
                ++*count_p;
            }
        }
    }
    return rows;
}

/* Larger communicators first, then by name, operation and size */
static int compare(const void *left, const void *right)
{
    const struct bn_report_row *a = left, *b = right;
    int by_name = strcmp(a->name, b->name);
    if (a->size != b->size)
        return a->size > b->size ? -1 : 1;
    if (by_name != 0)
        return by_name;
    if (a->operation != b->operation)
        return a->operation < b->operation ? -1 : 1;
    return (a->size_class > b->size_class) - (a->size_class < b->size_class);
}

static bool is_same_communicator(const struct bn_report_row *a, const struct bn_report_row *b)
{
    return a->size == b->size && strcmp(a->name, b->name) == 0;
}

/* Merges rows of the same calls and drops those without calls; returns how many are left. */
static size_t unite(struct bn_report_row *rows, size_t count)
{
    size_t left = 0, called = 0;
    for (size_t i = 0; i < count; i++)
        if (has_calls(&rows[i].account))
            rows[called++] = rows[i];
    count = called;
    qsort(rows, count, sizeof *rows, compare);
    for (size_t i = 0; i < count; i++) {
        if (left > 0 && compare(&rows[left - 1], &rows[i]) == 0) {
            rows[left - 1].communicators += rows[i].communicators;
            bn_account_add(&rows[left - 1].account, &rows[i].account);
        } else {
            rows[left++] = rows[i];
        }
    }
    return left;
}

/* ---- What a row says ---- */

static void format_size(const struct bn_report_row *row, char *text, size_t text_bytes)
{
    static const char units[] = " KMGTPE";
    unsigned doublings = row->size_class;
    if (row->size_class == BN_LEDGER_NO_SIZE || row->operation == BN_MPI_BARRIER)
        snprintf(text, text_bytes, "-");
    else if (doublings < 10)
        snprintf(text, text_bytes, "%u B", 1U << doublings);
    else
        snprintf(text, text_bytes, "%u %ciB", 1U << doublings % 10, units[doublings / 10]);
}

/* The most frequent reason for which calls were not ours; trials only if there is no other */
static enum bn_mpi_reason main_reason(const struct bn_account *account)
{
    enum bn_mpi_reason most = BN_MPI_TRIAL;
    uint64_t calls = 0;
    for (int reason = 0; reason < BN_MPI_REASON_COUNT; reason++) {
        if (reason == BN_MPI_TRIAL || account->by_reason[reason] <= calls)
            continue;
        most = (enum bn_mpi_reason)reason;
        calls = account->by_reason[reason];
    }
    return most;
}

/*
 * The time in ns if each carrier's calls had been carried out by the fastest other carrier; 0: unknown.  Medians of few
 * trials say how many times as long the other takes, but not how long calls take in the mean: on a busy machine that is
 * a multiple of the median.
 */
static double other_ns(const struct bn_account *account)
{
    double total_ns = 0;
    for (int carrier = 0; carrier < BN_CARRIER_COUNT; carrier++) {
        double least_ns = 0;
        for (int other = 0; other < BN_CARRIER_COUNT; other++) {
            double ns = account->median_ns[other];
            if (other != carrier && ns > 0 && (least_ns == 0 || ns < least_ns))
                least_ns = ns;
        }
        double own_ns = account->median_ns[carrier];
        if (account->by[carrier].calls > 0 && least_ns == 0)
            return 0;
        total_ns += own_ns > 0 ? (double)account->by[carrier].time / own_ns * least_ns
                               : (double)account->by[carrier].calls * least_ns;
    }
    return total_ns;
}

/* ---- A table ---- */

/* Carriers that get a column only if they had calls */
static const struct {
    enum bn_carrier carrier;
    const char *heading;
} further[] = {{BN_BY_BOTH, "both's"}, {BN_BY_SOCKETS, "sockets'"}, {BN_BY_REGIONS, "regions'"}};
enum { FURTHER = sizeof further / sizeof further[0] };

static void find_columns(const struct bn_report_row *rows, size_t count, bool is_shown[FURTHER])
{
    for (int i = 0; i < FURTHER; i++) {
        is_shown[i] = false;
        for (size_t row = 0; row < count; row++)
            is_shown[i] |= rows[row].account.by[further[i].carrier].calls > 0;
    }
}

static void write_heading(FILE *file, const struct bn_report_row *row, const bool is_shown[FURTHER])
{
    fprintf(file, "\n%s, %d process%s\n", row->name, row->size, row->size == 1 ? "" : "es");
    fprintf(file, "  %-20s %8s %10s %10s", "operation", "up to", "calls", "Banyan's");
    for (int i = 0; i < FURTHER; i++)
        if (is_shown[i])
            fprintf(file, " %10s", further[i].heading);
    fprintf(file, " %10s %12s %12s %12s  %s\n", "MPI's", "MB", "ms", "other way", "why MPI's");
}

static void write_row(FILE *file, const struct bn_report_row *row, const bool is_shown[FURTHER])
{
    const struct bn_account *account = &row->account;
    const struct bn_tally all = all_of(account);
    uint64_t below = account->by[BN_BY_LIBRARY].calls;
    char size[24], other[24] = "-";
    format_size(row, size, sizeof size);
    if (other_ns(account) > 0)
        snprintf(other, sizeof other, "%.3f", other_ns(account) / 1e6);
    fprintf(file, "  %-20s %8s %10llu %10llu", bn_mpi_operation_name(row->operation), size,
            (unsigned long long)all.calls, (unsigned long long)account->by[BN_BY_ENGINE].calls);
    for (int i = 0; i < FURTHER; i++)
        if (is_shown[i])
            fprintf(file, " %10llu", (unsigned long long)account->by[further[i].carrier].calls);
    fprintf(file, " %10llu %12.3f %12.3f %12s", (unsigned long long)below, (double)all.bytes / 1e6,
            (double)all.time / 1e6, other);
    fprintf(file, below > 0 ? "  %s\n" : "\n", bn_mpi_reason_text(main_reason(account)));
}

static void write_table(FILE *file, const struct bn_report_row *rows, size_t count, const struct bn_report_facts *facts)
{
    bool is_shown[FURTHER];
    find_columns(rows, count, is_shown);
    fprintf(
        file,
        "banyan: collective operations of %d processes over %s, as the first member of each communicator saw them\n",
        facts->processes, facts->library);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || !is_same_communicator(&rows[i], &rows[i - 1]))
            write_heading(file, &rows[i], is_shown);
        write_row(file, &rows[i], is_shown);
    }
}

/* ---- JSON ---- */

static void write_json_row(FILE *file, const struct bn_report_row *row)
{
    const struct bn_account *account = &row->account;
    fprintf(file, "      {\"operation\": \"%s\"", bn_mpi_operation_name(row->operation));
    if (row->size_class != BN_LEDGER_NO_SIZE)
        fprintf(file, ", \"up_to_bytes\": %llu", 1ULL << (row->size_class & 63));
    for (int carrier = 0; carrier < BN_CARRIER_COUNT; carrier++) {
        fprintf(file, ", \"%s\": {\"calls\": %llu, \"bytes\": %llu, \"ms\": %.6f",
                bn_carrier_name((enum bn_carrier)carrier), (unsigned long long)account->by[carrier].calls,
                (unsigned long long)account->by[carrier].bytes, (double)account->by[carrier].time / 1e6);
        if (account->median_ns[carrier] > 0)
            fprintf(file, ", \"trial_us\": %.3f", account->median_ns[carrier] / 1e3);
        fputc('}', file);
    }
    fputs(", \"why_mpi\": {", file);
    for (int reason = 0, count = 0; reason < BN_MPI_REASON_COUNT; reason++)
        if (account->by_reason[reason] > 0)
            fprintf(file, "%s\"%s\": %llu", count++ > 0 ? ", " : "", bn_mpi_reason_text((enum bn_mpi_reason)reason),
                    (unsigned long long)account->by_reason[reason]);
    fputs("}}", file);
}

struct report {
    const struct bn_report_row *rows;
    size_t count;
    const struct bn_report_facts *facts;
};

static void write_json(FILE *file, const void *context)
{
    const struct report *report = context;
    const struct bn_report_row *rows = report->rows;
    fputs("{\"schema\": \"banyan-mpi-report-1\", \"library\": ", file);
    bn_json_write_string(file, report->facts->library);
    fprintf(file, ", \"processes\": %d,\n  \"communicators\": [", report->facts->processes);
    for (size_t i = 0; i < report->count; i++) {
        bool is_first = i == 0 || !is_same_communicator(&rows[i], &rows[i - 1]);
        if (is_first) {
            fprintf(file, "%s\n    {\"name\": ", i == 0 ? "" : "\n    ]},");
            bn_json_write_string(file, rows[i].name);
            fprintf(file, ", \"processes\": %d, \"communicators\": %llu, \"operations\": [\n", rows[i].size,
                    (unsigned long long)rows[i].communicators);
        } else {
            fputs(",\n", file);
        }
        write_json_row(file, &rows[i]);
    }
    fprintf(file, "%s]}\n", report->count > 0 ? "\n    ]}\n  " : "");
}

static void write_to_file(const char *wished, const struct report *report)
{
    char name[PATH_MAX];
    bn_files_name(name, wished);
    if (!bn_files_write(name, write_json, report))
        bn_log_error("the report cannot be written to %s: %m; name another file in BANYAN_MPI_REPORT=json:FILE", name);
}

void bn_report_write(struct bn_report_row *rows, size_t count, const struct bn_report_facts *facts)
{
    const char *name = bn_wish_json_file(BN_OPTION_MPI_REPORT);
    struct bn_locale locale = bn_locale_use_plain();
    count = unite(rows, count);
    if (name)
        write_to_file(name, &(struct report){rows, count, facts});
    else
        write_table(stderr, rows, count, facts);
    bn_locale_restore(locale);
}
