#include "transport/kernel.h"

#include "platform/atomic_word.h"
#include "platform/copy.h"
#include "platform/peer.h"
#include "platform/pause.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PIECE_BYTES = 64 << 10,
    PAGE_BYTES = 4096,
    LINE_BYTES = 64,
    LOOKS_BEFORE_YIELD = 50, /* an owner that runs and waits needs a microsecond or two */
};

/* What a process wants its owner to do */
enum request_state { NOTHING, ASKED, DONE };
struct request {
    uint32_t state; /* ASKED by the one that asks, DONE by the owner */
    int owner;
    uint64_t address;
    size_t size_bytes;
    bool is_write;
};

/* What the others see of a process */
struct card {
    pid_t pid;
    uint32_t asked;                                              /* requests of others to this process so far */
    uint64_t word_place;                                         /* in its private memory */
    uint64_t word;                                               /* which is there */
    struct request request __attribute__((aligned(LINE_BYTES))); /* of this process to another one */
    unsigned char piece[PIECE_BYTES] __attribute__((aligned(PAGE_BYTES)));
};

/* How a process is reached, as this one has found out */
struct peer {
    bool is_known;
    enum bn_kernel_reach reach;
    int error;
};

static struct {
    struct card *cards;
    struct peer *peers;
    int self, count;
    uint32_t served;
    uint64_t word;
    unsigned long long copied_bytes;
} kernel;

size_t bn_kernel_shared_bytes(int count)
{
    return (size_t)count * sizeof(struct card);
}

/* ---- By the kernel ---- */

/* Reads the word that the process has left.  Another one may have its number, in another namespace. */
static void try_peer(int process)
{
    const struct card *card = &kernel.cards[process];
    struct peer *peer = &kernel.peers[process];
    uint64_t word = 0;
    peer->error = bn_peer_read(card->pid, &word, card->word_place, sizeof word);
    if (peer->error == 0 && word != card->word)
        peer->error = -1;
    peer->reach = peer->error == 0 ? BN_KERNEL_BY_CMA : BN_KERNEL_BY_OWNER;
    peer->is_known = true;
}

enum bn_kernel_reach bn_kernel_reach_of(int process, int *error_p)
{
    if (!kernel.peers[process].is_known)
        try_peer(process);
    *error_p = kernel.peers[process].error;
    return kernel.peers[process].reach;
}

/* False if the system refuses: from now on the owner is asked. */
static bool move_by_kernel(int process, void *here, uint64_t address, size_t size_bytes, bool is_write)
{
    int error;
    if (bn_kernel_reach_of(process, &error) != BN_KERNEL_BY_CMA)
        return false;
    error = is_write ? bn_peer_write(kernel.cards[process].pid, address, here, size_bytes)
                     : bn_peer_read(kernel.cards[process].pid, here, address, size_bytes);
    if (error == 0)
        return true;
    kernel.peers[process].reach = BN_KERNEL_BY_OWNER;
    kernel.peers[process].error = error;
    return false;
}

/* ---- By the owner ---- */

static void serve(struct card *card)
{
    struct request *request = &card->request;
    void *place = (void *)request->address;
    if (request->is_write)
        memcpy(place, card->piece, request->size_bytes);
    else
        memcpy(card->piece, place, request->size_bytes);
    bn_word_show(&request->state, DONE);
    kernel.served++;
}

void bn_kernel_progress(void)
{
    struct card *own = &kernel.cards[kernel.self];
    if (bn_word_see(&own->asked) == kernel.served)
        return;
    for (int process = 0; process < kernel.count; process++) {
        struct card *card = &kernel.cards[process];
        if (bn_word_see(&card->request.state) == ASKED && card->request.owner == kernel.self)
            serve(card);
    }
}

/* While this process waits for the owner, others may wait for it. */
static void ask(int process, uint64_t address, size_t size_bytes, bool is_write)
{
    struct request *request = &kernel.cards[kernel.self].request;
    request->owner = process;
    request->address = address;
    request->size_bytes = size_bytes;
    request->is_write = is_write;
    bn_word_show(&request->state, ASKED);
    bn_word_add(&kernel.cards[process].asked, 1);
    for (int looks = 0; bn_word_see(&request->state) != DONE; looks++) {
        bn_kernel_progress();
        if (looks % LOOKS_BEFORE_YIELD == LOOKS_BEFORE_YIELD - 1)
            bn_cpu_yield();
        else
            bn_cpu_pause();
    }
}

static void move_by_owner(int process, unsigned char *here, uint64_t address, size_t size_bytes, bool is_write)
{
    unsigned char *piece = kernel.cards[kernel.self].piece;
    for (size_t done = 0, bytes; done < size_bytes; done += bytes) {
        bytes = size_bytes - done < PIECE_BYTES ? size_bytes - done : PIECE_BYTES;
        if (is_write)
            memcpy(piece, here + done, bytes);
        ask(process, address + done, bytes, is_write);
        if (!is_write)
            memcpy(here + done, piece, bytes);
    }
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
    return (struct place){process == kernel.self ? -1 : process, address};
}

static void move(struct place there, void *here, size_t size_bytes, bool is_write)
{
    kernel.copied_bytes += size_bytes;
    if (!move_by_kernel(there.process, here, there.address, size_bytes, is_write))
        move_by_owner(there.process, here, there.address, size_bytes, is_write);
}

static void copy(void *dst, const void *src, size_t size_bytes)
{
    static unsigned char bounce[PIECE_BYTES];
    struct place to = place_of(dst), from = place_of(src);
    if (to.process < 0 && from.process < 0) {
        memcpy((void *)to.address, (const void *)from.address, size_bytes);
    } else if (to.process < 0) {
        move(from, (void *)to.address, size_bytes, false);
    } else if (from.process < 0) {
        move(to, (void *)from.address, size_bytes, true);
    } else {
        for (size_t done = 0, bytes; done < size_bytes; done += bytes) {
            bytes = size_bytes - done < PIECE_BYTES ? size_bytes - done : PIECE_BYTES;
            copy(bounce, (const unsigned char *)src + done, bytes);
            copy((unsigned char *)dst + done, bounce, bytes);
        }
    }
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
    return kernel.copied_bytes;
}

bool bn_kernel_join(void *shared, int self, int count)
{
    static const struct bn_far_mover mover = {copy, is_mapped, copy, copies_end, copied_bytes};
    struct card *card = (struct card *)shared + self;
    kernel.cards = shared;
    kernel.peers = calloc((size_t)count, sizeof *kernel.peers);
    if (!kernel.peers)
        return false;
    kernel.self = self;
    kernel.count = count;
    kernel.served = card->asked;
    kernel.word = ((uint64_t)getpid() << 32 ^ (uint64_t)&kernel) * UINT64_C(0x9E3779B97F4A7C15);
    bn_peer_allow();
    card->pid = getpid();
    card->word = kernel.word;
    card->word_place = (uint64_t)&kernel.word;
    bn_far_set(-(UINT64_C(1) << BN_KERNEL_ADDRESS_BITS), &mover);
    return true;
}
