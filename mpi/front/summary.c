#include "front/summary.h"

#include "host/files.h"
#include "host/report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct bn_lessons lessons; /* for this machine and library */
static bool has_wrong_file;       /* reported; it is not replaced at the end */

/* The name and version of the library below, without what follows them */
static void find_library(char name[BN_LESSON_LIBRARY_BYTES])
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    bn_below.Get_library_version(version, &length);
    version[strcspn(version, ",\n")] = '\0';
    for (char *blank = version; (blank = strchr(blank, '\t'));)
        *blank = ' ';
    version[BN_LESSON_LIBRARY_BYTES - 1] = '\0';
    strcpy(name, version);
}

static int rank_of_this(void)
{
    int rank;
    bn_below.Comm_rank(bn_below.world, &rank);
    return rank;
}

/* Must be asked early, since the program may free or disconnect that communicator. */
static void find_parent(void)
{
    int first_process = getpid();
    MPI_Comm parent = bn_below.no_comm;
    bn_below.Comm_get_parent(&parent);
    if (parent == bn_below.no_comm)
        return;
    bn_below.Bcast(&first_process, 1, bn_below.type_int, 0, bn_below.world);
    bn_files_of_spawned(first_process);
}

const struct bn_lessons *bn_summary_begin(void)
{
    const char *file = bn_lessons_file();
    char library[BN_LESSON_LIBRARY_BYTES];
    unsigned long long count = 0;
    find_parent();
    if (!file)
        return &lessons;
    find_library(library);
    if (rank_of_this() == 0) {
        has_wrong_file = !bn_lessons_read(&lessons, file);
        bn_lessons_select(&lessons, library);
        count = has_wrong_file ? 0 : lessons.count;
    }
    bn_below.Bcast(&count, (int)sizeof count, bn_below.type_byte, 0, bn_below.world);
    int has_room, all_have;
    if (rank_of_this() != 0)
        lessons.lessons = malloc(count * sizeof *lessons.lessons + 1);
    lessons.count = count;
    has_room = count == 0 || lessons.lessons != NULL;
    bn_below.Allreduce(&has_room, &all_have, 1, bn_below.type_int, bn_below.op_min, bn_below.world);
    if (all_have)
        bn_below.Bcast(lessons.lessons, (int)(count * sizeof *lessons.lessons), bn_below.type_byte, 0, bn_below.world);
    else
        bn_lessons_destroy(&lessons);
    return &lessons;
}

/* Collects the rows of all processes on the first one; free() releases them.  Null elsewhere, and without memory. */
static struct bn_report_row *gather_rows(int rank, int size, size_t *count_p)
{
    size_t count;
    struct bn_report_row *rows = bn_report_rows(&count), *all_rows = NULL;
    int bytes = rows ? (int)(count * sizeof *rows) : 0, total_bytes = 0, has_room, all_have;
    int *lengths = calloc(2 * (size_t)size, sizeof *lengths), *offsets = lengths ? lengths + size : NULL;
    bn_below.Gather(&bytes, 1, bn_below.type_int, lengths, lengths ? 1 : 0, bn_below.type_int, 0, bn_below.world);
    for (int i = 0; rank == 0 && lengths && i < size; i++) {
        offsets[i] = total_bytes;
        total_bytes += lengths[i];
    }
    if (rank == 0)
        all_rows = malloc((size_t)total_bytes + 1);
    has_room = rank != 0 || (lengths && all_rows);
    bn_below.Allreduce(&has_room, &all_have, 1, bn_below.type_int, bn_below.op_min, bn_below.world);
    if (all_have)
        bn_below.Gatherv(rows, bytes, bn_below.type_byte, all_rows, lengths, offsets, bn_below.type_byte, 0,
                         bn_below.world);
    *count_p = all_have ? (size_t)total_bytes / sizeof *rows : 0;
    free(rows);
    free(lengths);
    return all_rows;
}

/* Merges what was learned here into the file; other lessons that were written to it meanwhile stay. */
static void keep(const struct bn_report_row *rows, size_t count, const char *library, const char *file)
{
    struct bn_lessons kept = {0};
    bool is_right = bn_lessons_read(&kept, file);
    for (size_t i = 0; is_right && i < count; i++) {
        const struct bn_account *account = &rows[i].account;
        struct bn_lesson lesson = {
            .operation = rows[i].operation,
            .processes = rows[i].size,
            .size_class = rows[i].size_class,
            .choice = account->choice,
        };
        if (!account->is_decided)
            continue;
        bn_table_machine(lesson.machine, sizeof lesson.machine);
        strcpy(lesson.library, library);
        memcpy(lesson.median_ns, account->median_ns, sizeof lesson.median_ns);
        is_right = bn_lessons_add(&kept, &lesson);
    }
    if (is_right)
        bn_lessons_write(&kept, file);
    bn_lessons_destroy(&kept);
}

void bn_summary_end(void)
{
    const char *file = bn_lessons_file();
    char library[BN_LESSON_LIBRARY_BYTES];
    int size, rank = rank_of_this();
    size_t count;
    if (file || bn_report_is_wanted()) {
        bn_below.Comm_size(bn_below.world, &size);
        find_library(library);
        struct bn_report_row *rows = gather_rows(rank, size, &count);
        if (rank == 0 && file && !has_wrong_file)
            keep(rows, count, library, file);
        if (rank == 0 && bn_report_is_wanted())
            bn_report_write(rows, count, &(struct bn_report_facts){library, size});
        free(rows);
    }
    bn_lessons_destroy(&lessons);
}
