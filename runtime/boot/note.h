/*
 * note.h: the ELF note in every Banyan program, by which the launcher knows it.
 */
#ifndef BN_BOOT_NOTE_H
#define BN_BOOT_NOTE_H

#include <stdint.h>

#define BN_NOTE_SECTION ".note.banyan"
#define BN_NOTE_NAME "Banyan" /* 7 bytes with the terminator, padded to 8 */

/* The second kind, in programs compiled with upcc -pthreads, is the compiler's (compiler/driver/build.cc): its content
 * is one word, how many threads a process has; 0 if nobody has said so. */
enum { BN_NOTE_TYPE = 1, BN_NOTE_OF_PTHREADS = 2 };
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
