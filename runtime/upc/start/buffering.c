/*
 * buffering.c: tracks whether a partial line that a thread prints was flushed on purpose.
 *
 * Programs are linked with -Wl,--wrap=setvbuf and the like.  If standard output has no buffer, or a small one, lines
 * arrive in arbitrary pieces, and the monitor joins them (boot/output.c).
 */
#include "boot/job.h"
#include "boot/output.h"

#include <stdio.h>

int __real_setvbuf(FILE *file, char *buffer, int mode, size_t size_bytes);
void __real_setbuf(FILE *file, char *buffer);
void __real_setbuffer(FILE *file, char *buffer, size_t size_bytes);
int __wrap_setvbuf(FILE *file, char *buffer, int mode, size_t size_bytes);
void __wrap_setbuf(FILE *file, char *buffer);
void __wrap_setbuffer(FILE *file, char *buffer, size_t size_bytes);

static void note(const FILE *file, bool has_room_for_lines)
{
    if (file == stdout)
        bn_job_note_lines(has_room_for_lines);
}

int __wrap_setvbuf(FILE *file, char *buffer, int mode, size_t size_bytes)
{
    note(file, mode != _IONBF && (!buffer || size_bytes >= BN_OUTPUT_STDIO_BYTES));
    return __real_setvbuf(file, buffer, mode, size_bytes);
}

void __wrap_setbuf(FILE *file, char *buffer)
{
    note(file, buffer != NULL);
    __real_setbuf(file, buffer);
}

void __wrap_setbuffer(FILE *file, char *buffer, size_t size_bytes)
{
    note(file, buffer && size_bytes >= BN_OUTPUT_STDIO_BYTES);
    __real_setbuffer(file, buffer, size_bytes);
}
