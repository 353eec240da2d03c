/*
 * note.h: the ELF note in every Banyan program, by which the launcher recognises it.
 */
#ifndef BN_BOOT_NOTE_H
#define BN_BOOT_NOTE_H

#include <stdint.h>

#define BN_NOTE_SECTION ".note.banyan"
#define BN_NOTE_NAME "Banyan" /* 7 bytes with the terminator, padded to 8 */

/* The other kinds are written by the compiler (compiler/lower/note.h); their content is one word: in programs compiled
 * with upcc -pthreads the number of threads per process, 0 if not specified; in units compiled with upcc -T N the
 * number of threads. */
enum { BN_NOTE_TYPE = 1, BN_NOTE_OF_PTHREADS = 2, BN_NOTE_OF_THREADS = 3 };
enum bn_network { BN_NETWORK_SMP, BN_NETWORK_SHMEM };

struct bn_note_content {
    uint32_t abi;
    uint32_t network; /* enum bn_network */
};

struct bn_note {
    uint32_t name_bytes;
    uint32_t content_bytes;
    uint32_t type;
    char name[8];
    struct bn_note_content content;
};

#endif
