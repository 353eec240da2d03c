#include "upc/profile/gather.h"

#include "base/log.h"
#include "boot/locate.h"
#include "coll/registry.h"
#include "platform/clock.h"
#include "platform/copy.h"
#include "profile/span.h"
#include "upc/context.h"
#include "upc/nodes.h"
#include "upc/profile/place.h"

#include <stdlib.h>
#include <string.h>

extern char *program_invocation_short_name;

double bn_profile_ns_per_tick(const struct bn_book *book)
{
    enum { TICKS = 1 << 20 };
    uint64_t ns = book->ns_of_ticks != 0 ? book->ns_of_ticks : bn_clock_ticks_to_ns(TICKS);
    return (double)ns / TICKS;
}

static void add(struct bn_profile_sum *sum, const struct bn_profile_sum *other)
{
    sum->calls += other->calls;
    sum->bytes += other->bytes;
    sum->ns += other->ns;
}

static struct bn_profile_sum sum_of(const struct bn_tally *tally, double ns_per_tick)
{
    return (struct bn_profile_sum){tally->calls, tally->bytes, bn_tally_time(tally) * ns_per_tick};
}

/* ---- One book ---- */

static void read_rows(struct bn_profile *profile, int thread, const struct bn_book *book, double ns_per_tick)
{
    for (int operation = 0; operation < BN_PROFILE_OPERATIONS; operation++) {
        const struct bn_book_row *row = &book->rows[operation];
        struct bn_profile_operation_sum *sum = &profile->operations[operation];
        struct bn_profile_sum share = sum_of(&row->all, ns_per_tick);
        profile->shares[operation * profile->thread_count + thread] = share;
        add(&sum->all, &share);
        for (int distance = 0; distance < BN_DISTANCES; distance++) {
            sum->calls_to[distance] += row->calls_to[distance];
            sum->bytes_to[distance] += row->bytes_to[distance];
        }
    }
}

static void read_sites(struct bn_profile *profile, const struct bn_book *book, double ns_per_tick)
{
    for (int i = 0; i < BN_BOOK_SITES; i++) {
        const struct bn_book_site *site = &book->sites[i];
        if (site->pc == 0)
            continue;
        profile->places[profile->place_count++] = (struct bn_profile_place){
            .pc = site->pc - book->module_address + (uint64_t)&bn_profile_is_on,
            .operation = (enum bn_profile_operation)site->operation,
            .sum = sum_of(&site->tally, ns_per_tick),
        };
    }
}

static bool is_same_way(const struct bn_profile_way_sum *way, enum bn_profile_operation operation, const char *name)
{
    return way->operation == operation && strcmp(way->name, name) == 0;
}

static void read_ways(struct bn_profile *profile, const struct bn_book *book, double ns_per_tick)
{
    for (int i = 0; i < BN_BOOK_WAYS && book->ways[i].way != 0; i++) {
        const struct bn_book_way *way = &book->ways[i];
        enum bn_profile_operation operation = (enum bn_profile_operation)way->operation;
        const char *name = bn_profile_way_name(operation, way->way - 1);
        struct bn_profile_sum sum = sum_of(&way->tally, ns_per_tick);
        size_t known = 0;
        while (known < profile->way_count && !is_same_way(&profile->ways[known], operation, name))
            known++;
        if (known == profile->way_count)
            profile->ways[profile->way_count++] = (struct bn_profile_way_sum){operation, name, {0, 0, 0}};
        add(&profile->ways[known].sum, &sum);
    }
}

static void read_book(struct bn_profile *profile, int thread, struct bn_book *book)
{
    const struct bn_book *place = bn_profile_book(thread);
    size_t flow_bytes = (size_t)profile->thread_count * sizeof(struct bn_book_flow);
    bn_copy(book, place, sizeof *book);
    bn_copy(&profile->flows[thread * profile->thread_count], (const char *)place + bn_book_flows_offset(), flow_bytes);
    double ns_per_tick = bn_profile_ns_per_tick(book);
    uint64_t end_ns = book->end_ns != 0 ? book->end_ns : bn_clock_ns();
    profile->seconds[thread] = book->begin_ns != 0 ? (double)(end_ns - book->begin_ns) / 1e9 : 0;
    profile->gets += book->gets;
    profile->get_bytes += book->get_bytes;
    profile->puts += book->puts;
    profile->put_bytes += book->put_bytes;
    profile->events += book->event_count;
    profile->dropped_events += book->dropped_events;
    read_rows(profile, thread, book, ns_per_tick);
    read_sites(profile, book, ns_per_tick);
    read_ways(profile, book, ns_per_tick);
}

/* ---- All of them ---- */

static int by_place(const void *left, const void *right)
{
    const struct bn_profile_place *a = left, *b = right;
    if (a->operation != b->operation)
        return a->operation < b->operation ? -1 : 1;
    int by_text = strcmp(a->text, b->text);
    if (by_text != 0 || a->text[0] != '\0')
        return by_text;
    return (a->pc > b->pc) - (a->pc < b->pc);
}

static int by_time(const void *left, const void *right)
{
    const struct bn_profile_place *a = left, *b = right;
    if (a->sum.ns != b->sum.ns)
        return a->sum.ns > b->sum.ns ? -1 : 1;
    return by_place(left, right);
}

static int by_operation(const void *left, const void *right)
{
    const struct bn_profile_way_sum *a = left, *b = right;
    if (a->operation != b->operation)
        return a->operation < b->operation ? -1 : 1;
    return (a->sum.ns < b->sum.ns) - (a->sum.ns > b->sum.ns);
}

/* Merges places that compare equal by by_place, and sorts them so that the longest comes first. */
static void unite_places(struct bn_profile *profile)
{
    size_t left = 0;
    qsort(profile->places, profile->place_count, sizeof *profile->places, by_place);
    for (size_t i = 0; i < profile->place_count; i++) {
        if (left > 0 && by_place(&profile->places[left - 1], &profile->places[i]) == 0)
            add(&profile->places[left - 1].sum, &profile->places[i].sum);
        else
            profile->places[left++] = profile->places[i];
    }
    profile->place_count = left;
    qsort(profile->places, left, sizeof *profile->places, by_time);
}

/* Numbers nodes in the order of their first threads. */
static void number_nodes(struct bn_profile *profile)
{
    for (int thread = 0; thread < profile->thread_count; thread++) {
        int first = bn_nodes_first_thread(thread);
        profile->nodes[thread] = first == thread ? profile->node_count++ : profile->nodes[first];
    }
}

bool bn_profile_gather(struct bn_profile *profile)
{
    size_t threads = (size_t)bn_context.thread_count;
    bool is_early = profile->is_early;
    *profile = (struct bn_profile){
        .program = program_invocation_short_name,
        .thread_count = bn_context.thread_count,
        .is_early = is_early,
        .seconds = calloc(threads, sizeof *profile->seconds),
        .nodes = calloc(threads, sizeof *profile->nodes),
        .shares = calloc(threads * BN_PROFILE_OPERATIONS, sizeof *profile->shares),
        .flows = calloc(threads * threads, sizeof *profile->flows),
        .places = calloc(threads * BN_BOOK_SITES, sizeof *profile->places),
        .ways = calloc(threads * BN_BOOK_WAYS, sizeof *profile->ways),
    };
    struct bn_book *book = malloc(sizeof *book);
    if (!book || !profile->seconds || !profile->nodes || !profile->shares || !profile->flows || !profile->places ||
        !profile->ways) {
        bn_log_error("there is no memory for the profile of %zu threads", threads);
        free(book);
        return false;
    }
    number_nodes(profile);
    for (int thread = 0; thread < profile->thread_count; thread++)
        if (!is_early || bn_is_mapped(bn_profile_book(thread)))
            read_book(profile, thread, book);
    free(book);
    unite_places(profile);
    qsort(profile->ways, profile->way_count, sizeof *profile->ways, by_operation);
    return true;
}

void bn_profile_destroy(struct bn_profile *profile)
{
    free(profile->seconds);
    free(profile->nodes);
    free(profile->shares);
    free(profile->flows);
    free(profile->places);
    free(profile->ways);
}

static void set_text(struct bn_profile_place *place, const struct bn_location *location)
{
    place->has_line = location->place[0] != '\0';
    if (place->has_line)
        snprintf(place->text, sizeof place->text, "%s", location->place);
    else if (location->function[0] != '\0')
        snprintf(place->text, sizeof place->text, "in function %s", location->function);
    else
        snprintf(place->text, sizeof place->text, "at 0x%llx", (unsigned long long)place->pc);
}

void bn_profile_locate(struct bn_profile *profile, size_t count)
{
    enum { AT_A_TIME = 32, LIMIT_MS = 10000 };
    if (count > profile->place_count)
        count = profile->place_count;
    for (size_t first = 0; first < count; first += AT_A_TIME) {
        static struct bn_location locations[AT_A_TIME];
        uintptr_t pcs[AT_A_TIME];
        size_t here = count - first < AT_A_TIME ? count - first : AT_A_TIME;
        /* A return address is that of the next instruction, which may belong to the next line. */
        for (size_t i = 0; i < here; i++)
            pcs[i] = profile->places[first + i].pc - 1;
        bn_locate(pcs, (int)here, LIMIT_MS, locations);
        for (size_t i = 0; i < here; i++)
            set_text(&profile->places[first + i], &locations[i]);
    }
    unite_places(profile);
}

double bn_profile_thread_ns(const struct bn_profile *profile, int thread)
{
    double ns = 0;
    for (int operation = 0; operation < BN_PROFILE_OPERATIONS; operation++)
        ns += profile->shares[operation * profile->thread_count + thread].ns;
    return ns;
}

const char *bn_profile_way_name(enum bn_profile_operation operation, uint32_t way)
{
    int count = 0;
    if (operation < BN_PROFILE_BROADCAST || operation > BN_PROFILE_PREFIX)
        return "?";
    const struct bn_entry *entries = bn_registry((enum bn_operation)(operation - BN_PROFILE_BROADCAST), &count);
    return way < (uint32_t)count ? entries[way].name : "?";
}
