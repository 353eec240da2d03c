/* words.h: writes commands in shell syntax. */
#ifndef BN_LAUNCHER_WORDS_H
#define BN_LAUNCHER_WORDS_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes a word so that a shell reads it back. */
void launcher_write_word(FILE *out, const char *word);

/* "exec PROGRAM ARGUMENTS...", for a shell; arguments are null-terminated.  Null, reported, if there is no memory. */
char *launcher_exec_line(const char *program, char *const *arguments);

#ifdef __cplusplus
}
#endif

#endif
