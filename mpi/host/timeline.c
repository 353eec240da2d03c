#include "host/timeline.h"

#include "base/draft.h"
#include "base/log.h"
#include "base/options.h"
#include "host/files.h"

#include <inttypes.h>
#include <stdio.h>

bool bn_timeline_is_wanted(void)
{
    return bn_option(BN_OPTION_MPI_TIMELINE)->text != NULL;
}

static void write_entries(FILE *file, const struct bn_wide *wide)
{
    const char *call_name = "";
    for (uint32_t i = 0; i < wide->record->count; i++) {
        const struct bn_record_entry *entry = &wide->record->entries[i];
        bool has_operation = entry->kind == BN_RECORD_CALL || entry->kind == BN_RECORD_NEAR;
        if (entry->kind == BN_RECORD_CALL)
            call_name = bn_operation_name(entry->operation);
        fprintf(file,
                "{\"size\": %d, \"rank\": %d, \"node\": %d, \"leader\": %d, \"call\": %" PRIu32 ", \"what\": \"%s\", "
                "\"operation\": \"%s\", \"other\": %d, \"bytes\": %zu, \"begin_ns\": %" PRIu64 ", \"end_ns\": %" PRIu64
                "}\n",
                wide->size, wide->rank, wide->mine.index, wide->mine.leader, entry->call,
                bn_record_kind_name(entry->kind), has_operation ? bn_operation_name(entry->operation) : call_name,
                entry->other, entry->nbytes, entry->begin_ns, entry->end_ns);
    }
}

void bn_timeline_write(const struct bn_wide *wide, int world_rank)
{
    static bool has_begun;
    char of_job[PATH_MAX], name[PATH_MAX + 16];
    bn_files_name(of_job, bn_option(BN_OPTION_MPI_TIMELINE)->text);
    snprintf(name, sizeof name, "%s.%d", of_job, world_rank);
    FILE *file = fopen(name, has_begun ? "a" : "w");
    has_begun = true;
    bool is_written = file != NULL;
    if (file) {
        write_entries(file, wide);
        is_written = bn_draft_close(file);
    }
    if (!is_written)
        bn_log_error("the timeline cannot be written to %s: %m; name another file in BANYAN_MPI_TIMELINE", name);
}
