#include "words.h"

#include "base/log.h"

#include <stdlib.h>
#include <string.h>

void launcher_write_word(FILE *out, const char *word)
{
    static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    if (*word != '\0' && word[strspn(word, harmless)] == '\0') {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word != '\0'; ++word) {
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    }
    fputc('\'', out);
}

char *launcher_exec_line(const char *program, char *const *arguments)
{
    char *line = NULL;
    size_t bytes;
    FILE *out = open_memstream(&line, &bytes);
    if (out) {
        fputs("exec ", out);
        launcher_write_word(out, program);
        for (; *arguments; ++arguments) {
            fputc(' ', out);
            launcher_write_word(out, *arguments);
        }
    }
    if (out && fclose(out) == 0)
        return line;
    free(line);
    bn_log_error("out of memory");
    return NULL;
}
