#include "transport/kernel.h"

#include "platform/atomic_word.h"
#include "platform/cache_line.h"
#include "platform/copy.h"
#include "platform/futex.h"
#include "platform/peer.h"
#include "platform/pause.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PIECE_BYTES = 64 << 10,
    BOUNCE_BYTES = 16 << 10, /* on the stack */
    PAGE_BYTES = 4096,
    LOOKS_BEFORE_YIELD = 50, /* an owner that is running and waiting answers within a microsecond or two */
};

/*
 * A request of a process to the owner of memory, one at a time, for one of its threads.  The state includes the owner,
 * so that a thread of one owner cannot accept a later request to another owner.
 *
 *     NOTHING, DONE -> ASKED + owner     by the requester
 *     ASKED + owner -> TAKEN -> DONE     by a thread of the owner
 */
enum request_state { NOTHING, TAKEN, DONE, ASKED };
struct request {
    uint32_t state;
    uint64_t address;
    size_t size_bytes;
    bool is_write;
};

/* The state of a process that the others see */
struct card {
    pid_t pid;
    uint64_t bed;                                                   /* the word that it sleeps on; 0: awake */
    uint32_t asked;                                                 /* number of requests to this process so far */
    uint64_t word_place;                                            /* address of a word in its private memory */
    uint64_t word;                                                  /* the value of that word */
    struct request request __attribute__((aligned(BN_LINE_BYTES))); /* request of this process to another one */
    unsigned char piece[PIECE_BYTES] __attribute__((aligned(PAGE_BYTES)));
};

/* What this process knows about reaching another one: nothing yet, or the reach and the error, in one word because
 * threads share it */
enum { UNKNOWN, ERROR_SHIFT = 8 };

static uint32_t knowledge_of(enum bn_kernel_reach reach, int error)
{
    return (uint32_t)(error + 1) << ERROR_SHIFT | ((uint32_t)reach + 1);
}

struct bn_kernel {
    struct card *cards;
    uint32_t *peers;
    int self, count;
    uint32_t served;    /* number of requests served so far */
    uint32_t is_asking; /* a thread is using the card's request and its piece */
    uint64_t word;
};

static struct bn_kernel *standard;              /* for threads that have set no other one */
static _Thread_local struct bn_kernel *of_call; /* for the call that this thread is in */
static _Thread_local unsigned long long copied_so_far;

void (*bn_kernel_while_asking)(void);

static struct bn_kernel *used(void)
{
    return of_call ? of_call : standard;
}

void bn_kernel_use(struct bn_kernel *kernel)
{
    of_call = kernel;
}

void bn_kernel_use_everywhere(struct bn_kernel *kernel)
{
    standard = kernel;
}

size_t bn_kernel_shared_bytes(int count)
{
    return (size_t)count * sizeof(struct card);
}

/* ---- By the kernel ---- */

/* Reads the process's word, to verify its identity: in another namespace its pid may denote another process. */
static uint32_t try_peer(struct bn_kernel *kernel, int process)
{
    const struct card *card = &kernel->cards[process];
    uint64_t word = 0;
    int error = bn_peer_read(card->pid, &word, card->word_place, sizeof word);
    if (error == 0 && word != card->word)
        error = -1;
    uint32_t known = knowledge_of(error == 0 ? BN_KERNEL_BY_CMA : BN_KERNEL_BY_OWNER, error);
    bn_word_set(&kernel->peers[process], known);
    return known;
}

enum bn_kernel_reach bn_kernel_reach_of(int process, int *error_p)
{
    struct bn_kernel *kernel = used();
    uint32_t known = bn_word_get(&kernel->peers[process]);
    if (known == UNKNOWN)
        known = try_peer(kernel, process);
    *error_p = (int)(known >> ERROR_SHIFT) - 1;
    return (enum bn_kernel_reach)((known & ((1U << ERROR_SHIFT) - 1)) - 1);
}

/* Returns false if the system refuses; from then on the owner is asked. */
static bool move_by_kernel(int process, void *here, uint64_t address, size_t size_bytes, bool is_write)
{
    struct bn_kernel *kernel = used();
    int error;
    if (bn_kernel_reach_of(process, &error) != BN_KERNEL_BY_CMA)
        return false;
    error = is_write ? bn_peer_write(kernel->cards[process].pid, address, here, size_bytes)
                     : bn_peer_read(kernel->cards[process].pid, here, address, size_bytes);
    if (error == 0)
        return true;
    bn_word_set(&kernel->peers[process], knowledge_of(BN_KERNEL_BY_OWNER, error));
    return false;
}

/* ---- By the owner ---- */

static void serve(struct bn_kernel *kernel, struct card *card)
{
    struct request *request = &card->request;
    void *place = (void *)request->address;
    if (request->is_write)
        memcpy(place, card->piece, request->size_bytes);
    else
        memcpy(card->piece, place, request->size_bytes);
    bn_word_show(&request->state, DONE);
    bn_word_add(&kernel->served, 1);
}

void bn_kernel_progress(void)
{
    struct bn_kernel *kernel = used();
    if (!kernel || bn_word_see(&kernel->cards[kernel->self].asked) == bn_word_get(&kernel->served))
        return;
    for (int process = 0; process < kernel->count; process++) {
        struct card *card = &kernel->cards[process];
        uint32_t state = ASKED + (uint32_t)kernel->self;
        if (bn_word_get(&card->request.state) == state && bn_word_change(&card->request.state, &state, TAKEN))
            serve(kernel, card);
    }
}

uint64_t *bn_kernel_bed(void)
{
    return &used()->cards[used()->self].bed;
}

/* A wake-up just before the owner falls asleep is lost, so callers repeat it. */
static void wake(const struct card *card)
{
    uint64_t bed = bn_word64_see(&card->bed);
    if (bed != 0)
        bn_futex_wake((uint32_t *)bed, INT_MAX);
}

/* While a thread waits for an owner, or for another thread of its process, other processes may be waiting for it. */
static void wait_a_little(uint32_t looks)
{
    if (bn_kernel_while_asking)
        bn_kernel_while_asking();
    else
        bn_kernel_progress();
    if (looks % LOOKS_BEFORE_YIELD == LOOKS_BEFORE_YIELD - 1)
        bn_cpu_yield();
    else
        bn_cpu_pause();
}

static void ask(struct bn_kernel *kernel, int process, uint64_t address, size_t size_bytes, bool is_write)
{
    struct request *request = &kernel->cards[kernel->self].request;
    request->address = address;
    request->size_bytes = size_bytes;
    request->is_write = is_write;
    bn_word_show(&request->state, ASKED + (uint32_t)process);
    bn_word_add(&kernel->cards[process].asked, 1);
    for (uint32_t looks = 0; bn_word_see(&request->state) != DONE; looks++) {
        if (looks % LOOKS_BEFORE_YIELD == 0)
            wake(&kernel->cards[process]);
        wait_a_little(looks);
    }
}

static void begin_to_ask(struct bn_kernel *kernel)
{
    uint32_t nobody = 0;
    for (uint32_t looks = 0; !bn_word_change(&kernel->is_asking, &nobody, 1); looks++) {
        wait_a_little(looks);
        nobody = 0;
    }
}

static void move_by_owner(int process, unsigned char *here, uint64_t address, size_t size_bytes, bool is_write)
{
    struct bn_kernel *kernel = used();
    unsigned char *piece = kernel->cards[kernel->self].piece;
    begin_to_ask(kernel);
    for (size_t done = 0, bytes; done < size_bytes; done += bytes) {
        bytes = size_bytes - done < PIECE_BYTES ? size_bytes - done : PIECE_BYTES;
        if (is_write)
            memcpy(piece, here + done, bytes);
        ask(kernel, process, address + done, bytes, is_write);
        if (!is_write)
            memcpy(here + done, piece, bytes);
    }
    bn_word_show(&kernel->is_asking, 0);
}

/* ---- The mover ---- */

struct place {
    int process; /* -1: this one */
    uint64_t address;
};

static struct place place_of(const void *pointer)
{
    uint64_t place = (uint64_t)pointer;
    int process = (int)(place >> BN_KERNEL_ADDRESS_BITS) - 1;
    uint64_t address = place & ((UINT64_C(1) << BN_KERNEL_ADDRESS_BITS) - 1);
    return (struct place){process == used()->self ? -1 : process, address};
}

static void move(struct place there, void *here, size_t size_bytes, bool is_write)
{
    copied_so_far += size_bytes;
    if (!move_by_kernel(there.process, here, there.address, size_bytes, is_write))
        move_by_owner(there.process, here, there.address, size_bytes, is_write);
}

static void copy(void *dst, const void *src, size_t size_bytes);

/* Copies between two far places. */
static __attribute__((noinline)) void copy_between(unsigned char *dst, const unsigned char *src, size_t size_bytes)
{
    unsigned char bounce[BOUNCE_BYTES];
    for (size_t done = 0, bytes; done < size_bytes; done += bytes) {
        bytes = size_bytes - done < sizeof bounce ? size_bytes - done : sizeof bounce;
        copy(bounce, src + done, bytes);
        copy(dst + done, bounce, bytes);
    }
}

static void copy(void *dst, const void *src, size_t size_bytes)
{
    struct place to = place_of(dst), from = place_of(src);
    if (to.process < 0 && from.process < 0)
        memcpy((void *)to.address, (const void *)from.address, size_bytes);
    else if (to.process < 0)
        move(from, (void *)to.address, size_bytes, false);
    else if (from.process < 0)
        move(to, (void *)from.address, size_bytes, true);
    else
        copy_between(dst, src, size_bytes);
}

static bool is_mapped(const void *place)
{
    return (uint64_t)place >> BN_KERNEL_ADDRESS_BITS == 0;
}

static void copies_end(void)
{
}

static unsigned long long copied_bytes(void)
{
    return copied_so_far;
}

struct bn_kernel *bn_kernel_open(void *shared, int self, int count)
{
    static const struct bn_far_mover mover = {copy, is_mapped, copy, copies_end, copied_bytes};
    struct bn_kernel *kernel = calloc(1, sizeof *kernel);
    uint32_t *peers = calloc((size_t)count, sizeof *peers);
    if (!kernel || !peers) {
        free(kernel);
        free(peers);
        return NULL;
    }
    struct card *card = (struct card *)shared + self;
    kernel->cards = shared;
    kernel->peers = peers;
    kernel->self = self;
    kernel->count = count;
    kernel->served = card->asked;
    kernel->word = ((uint64_t)getpid() << 32 ^ (uint64_t)kernel) * UINT64_C(0x9E3779B97F4A7C15);
    bn_peer_allow();
    card->pid = getpid();
    card->word = kernel->word;
    card->word_place = (uint64_t)&kernel->word;
    bn_far_set(-(UINT64_C(1) << BN_KERNEL_ADDRESS_BITS), &mover);
    return kernel;
}

void bn_kernel_close(struct bn_kernel *kernel)
{
    free(kernel->peers);
    free(kernel);
}

bool bn_kernel_join(void *shared, int self, int count)
{
    bn_kernel_use_everywhere(bn_kernel_open(shared, self, count));
    return standard != NULL;
}
