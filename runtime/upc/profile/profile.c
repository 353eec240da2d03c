#include "upc/profile/profile.h"

#include "base/draft.h"
#include "base/log.h"
#include "base/options.h"
#include "platform/atomic_word.h"
#include "platform/locale.h"
#include "profile/span.h"
#include "upc/context.h"
#include "upc/fatal.h"
#include "upc/nodes.h"
#include "upc/profile/gather.h"
#include "upc/profile/otf2.h"
#include "upc/profile/place.h"
#include "upc/watched.h"

#include "banyan/far.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char *program_invocation_short_name;

enum form { PERFETTO, OTF2, FORMS };
static const struct {
    const char *name, *ending;
} forms[FORMS] = {{"perfetto", "pftrace"}, {"otf2", "otf2"}};

/* The files that thread 0 writes, opened when the program starts, so that errors show up then and not at its end */
static struct {
    FILE *profile; /* null: none, or standard error */
    FILE *trace;   /* for formats that are a single file */
    char folder[256];
    const char *usual_ending; /* set if the user gave no name for the trace, whose place is then printed */
} files;

/* ---- Options ---- */

/* The value of an option; null means no */
static const char *wish(enum bn_option_id id)
{
    const char *text = bn_option(id)->text;
    return text && *text != '\0' && strcmp(text, "0") != 0 && strcmp(text, "no") != 0 ? text : NULL;
}

/* The file of a profile; null: standard error */
static const char *profile_file(void)
{
    const char *text = wish(BN_OPTION_PROFILE);
    return text && strcmp(text, "1") != 0 && strcmp(text, "yes") != 0 ? text : NULL;
}

static bool is_json(const char *name)
{
    size_t bytes = strlen(name);
    return bytes > 5 && strcmp(name + bytes - 5, ".json") == 0;
}

/* The format of a trace, which ends at a colon; the name of its file may follow. */
static enum form form_of(const char *text)
{
    size_t bytes = strcspn(text, ":");
    enum form form = 0;
    while (form < FORMS && (strlen(forms[form].name) != bytes || strncmp(text, forms[form].name, bytes) != 0))
        form++;
    return form;
}

bn_status_t bn_profile_check_options(void)
{
    const char *trace = wish(BN_OPTION_TRACE);
    const char *name = bn_option(BN_OPTION_TRACE)->source_name;
    if (trace && form_of(trace) == FORMS) {
        bn_log_error("%s: \"%s\" is not a trace format; use perfetto, perfetto:FILE, otf2, or otf2:FOLDER", name,
                     trace);
        return BN_ERR_INVALID;
    }
    if (trace && form_of(trace) == OTF2 && bn_otf2_load(name) != BN_OK)
        return BN_ERR_INVALID;
    bn_profile_is_on = trace || wish(BN_OPTION_PROFILE);
    bn_upc_is_watched = bn_upc_is_watched || bn_profile_is_on;
    return BN_OK;
}

static uint32_t event_room(void)
{
    uint64_t room = (uint64_t)bn_option_number(BN_OPTION_TRACE_ROOM) / sizeof(struct bn_book_event);
    return wish(BN_OPTION_TRACE) ? (uint32_t)(room < UINT32_MAX ? room : UINT32_MAX) : 0;
}

uint64_t bn_profile_book_bytes(int thread_count)
{
    return bn_profile_is_on ? bn_book_bytes(thread_count, event_room()) : 0;
}

bn_status_t bn_profile_create(int thread_count)
{
    return bn_profile_is_on ? bn_profile_books_create(thread_count, bn_profile_book_bytes(thread_count)) : BN_OK;
}

/* ---- Files ---- */

static FILE *open_file(const char *name, enum bn_option_id id)
{
    FILE *file = fopen(name, "we");
    if (!file)
        bn_upc_fatal(NULL, "%s: cannot write %s: %s; name another file", bn_option(id)->source_name, name,
                     strerror(errno));
    return file;
}

static void open_trace(const char *wanted)
{
    enum form form = form_of(wanted);
    const char *option = bn_option(BN_OPTION_TRACE)->source_name;
    const char *name = strchr(wanted, ':');
    char usual[sizeof files.folder];
    snprintf(usual, sizeof usual, "%s.%s", program_invocation_short_name, forms[form].ending);
    bool is_usual = !name || name[1] == '\0';
    name = is_usual ? usual : name + 1;
    files.usual_ending = is_usual ? forms[form].ending : NULL;
    if (form == PERFETTO) {
        files.trace = open_file(name, BN_OPTION_TRACE);
        return;
    }
    const char *why = strlen(name) < sizeof files.folder ? bn_otf2_prepare(name) : "its name is too long";
    if (why)
        bn_upc_fatal(NULL, "%s: cannot write the folder %s: %s; name another one", option, name, why);
    snprintf(files.folder, sizeof files.folder, "%s", name);
}

static void open_files(void)
{
    const char *trace = wish(BN_OPTION_TRACE);
    if (profile_file())
        files.profile = open_file(profile_file(), BN_OPTION_PROFILE);
    if (trace)
        open_trace(trace);
}

/* False, reported, if not all of the file could be written */
static bool close_file(FILE *file, enum bn_option_id id)
{
    bool is_written = bn_draft_close(file);
    if (!is_written)
        bn_log_error("%s: cannot write all of the file: %s; is there room for it?", bn_option(id)->source_name,
                     strerror(errno));
    return is_written;
}

/* ---- A thread's part ---- */

void bn_profile_begin(void)
{
    if (!bn_profile_is_on)
        return;
    int me = bn_context.thread;
    unsigned char *distances = malloc((size_t)bn_context.thread_count);
    if (!distances)
        bn_upc_fatal(NULL, "there is no memory for a profile of %d threads", bn_context.thread_count);
    for (int thread = 0; thread < bn_context.thread_count; thread++) {
        bool is_far = bn_nodes_first_thread(thread) != bn_nodes_first_thread(me);
        distances[thread] = thread == me ? BN_TO_SELF : is_far ? BN_TO_FAR : BN_TO_NODE;
    }
    if (me == 0)
        open_files();
    struct bn_book *book = bn_profile_book(me);
    book->module_address = (uint64_t)&bn_profile_is_on;
    bn_book_begin(book, me, bn_context.thread_count, event_room(), distances);
}

void bn_profile_end(void)
{
    if (!bn_profile_is_on)
        return;
    struct bn_book *book = bn_profile_book(bn_context.thread);
    const struct bn_far_counts counts = bn_far_counts();
    book->gets = counts.gets;
    book->get_bytes = counts.get_bytes;
    book->puts = counts.puts;
    book->put_bytes = counts.put_bytes;
    bn_book_end();
}

/* ---- The report ---- */

/* These return false, reported, if not all could be written. */
static bool write_profile(struct bn_profile *profile)
{
    enum { PLACES_OF_TABLE = 32, PLACES_OF_JSON = 256 };
    const char *name = profile_file();
    bool wants_json = name && is_json(name);
    bn_profile_locate(profile, wants_json ? PLACES_OF_JSON : PLACES_OF_TABLE);
    struct bn_locale locale = bn_locale_use_plain();
    if (wants_json)
        bn_profile_write_json(files.profile, profile);
    else
        bn_profile_write_table(name ? files.profile : stderr, profile);
    bn_locale_restore(locale);
    return !name || close_file(files.profile, BN_OPTION_PROFILE);
}

static bool write_trace(const struct bn_profile *profile)
{
    const char *why = files.folder[0] != '\0' ? bn_otf2_write(files.folder, profile) : NULL;
    if (why)
        bn_log_error("%s: cannot write all of %s: %s; is there room for it?", bn_option(BN_OPTION_TRACE)->source_name,
                     files.folder, why);
    bool is_written = !why;
    if (files.trace) {
        bn_trace_write(files.trace, profile);
        is_written = close_file(files.trace, BN_OPTION_TRACE);
    }
    if (files.usual_ending && is_written)
        fprintf(stderr, "banyan: the trace is in %s.%s, for %s\n", program_invocation_short_name, files.usual_ending,
                files.trace ? "https://ui.perfetto.dev" : "otf2-print, Vampir and the like");
    return is_written;
}

static bool report(bool is_early)
{
    struct bn_profile profile = {.is_early = is_early};
    fflush(stdout);
    bool is_written = bn_profile_gather(&profile);
    if (is_written) {
        is_written = write_trace(&profile);
        if (profile.dropped_events > 0)
            bn_log_warning("the trace has at most the first %llu events of each thread; %llu later ones are "
                           "not in it: raise BANYAN_TRACE_ROOM",
                           (unsigned long long)event_room(), (unsigned long long)profile.dropped_events);
        if (wish(BN_OPTION_PROFILE))
            is_written &= write_profile(&profile);
    }
    bn_profile_destroy(&profile);
    return is_written;
}

bool bn_profile_report(void)
{
    if (!bn_profile_is_on)
        return true;
    bool is_written = bn_context.thread != 0 || report(false);
    bn_runtime_barrier(); /* thread 0 reads the books of other nodes until here */
    return is_written;
}

bool bn_profile_report_early(void)
{
    bn_profile_end();
    if (!bn_profile_is_on)
        return true;
    struct bn_book *first = bn_profile_book(bn_nodes_first_thread(bn_context.thread));
    while (bn_word_add(&first->early_reports, 1) > 1)
        pause(); /* another thread writes, and ends the job */
    if (bn_context.thread != 0)
        open_files(); /* thread 0, which has opened them, too, has written nothing to them */
    return report(true);
}
