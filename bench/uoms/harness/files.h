/* files.h: opens the files that results are written to, so that nothing else writes them meanwhile. */
#ifndef UOMS_FILES_H
#define UOMS_FILES_H

#include <stddef.h>
#include <stdio.h>

enum { UOMS_MOST_FILES = 2 };

/* Opens the files with these names (null: none) and empties them.  Zero, or non-zero with a message and no file open:
 * one cannot be written, another run writes it, or two names are those of one file.  Then none has been emptied. */
int uoms_open_files(const char *const paths[UOMS_MOST_FILES], FILE *files[UOMS_MOST_FILES], char *message, size_t room);

#endif
