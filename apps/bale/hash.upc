/*
 * hash: a distributed hash table that counts 64-bit words.
 *
 * usage: hash [words-per-thread]
 *
 * A word belongs to the thread that its hash value names, in one of twice as many slots as there are words; if that
 * slot is taken, in the next free one.  Each word is inserted by two threads, and looked up by one.  Check: its count
 * is 2, and that of a word that nobody inserted is 0.
 */
#include <upc_atomic.h>

#include "bale.h"

static const char usage[] = "hash [words-per-thread]";

struct slot {
    uint64_t word; /* 0: free */
    uint64_t count;
};

static shared struct slot *slots; /* slot s of thread t is number s * THREADS + t */
static uint64_t words, slots_per_thread;

/* Word number i of this thread or, for the second insertion, of another one */
static uint64_t word_of(uint64_t i, int neighbour)
{
    return bale_mix(i * THREADS + (MYTHREAD + neighbour) % THREADS) | 1;
}

/* A word that nobody has inserted */
static uint64_t stranger(uint64_t i)
{
    return word_of(i, 0) & ~UINT64_C(1);
}

static int owner_of(uint64_t word)
{
    return (int)(bale_mix(word) % THREADS);
}

static uint64_t first_slot(uint64_t word)
{
    return bale_mix(word) / THREADS % slots_per_thread;
}

static uint64_t next_slot(uint64_t slot)
{
    return slot + 1 == slots_per_thread ? 0 : slot + 1;
}

static void clear(void)
{
    struct slot *mine = (struct slot *)&slots[MYTHREAD];
    for (uint64_t i = 0; i < slots_per_thread; i++)
        mine[i] = (struct slot){0, 0};
    upc_barrier;
}

/* ---- One-sided access to slots of other threads ---- */

static void insert(upc_atomicdomain_t *domain, uint64_t word)
{
    uint64_t unused = 0, there = 0, slot = first_slot(word);
    for (;; slot = next_slot(slot)) {
        shared struct slot *at = &slots[slot * THREADS + owner_of(word)];
        upc_atomic_relaxed(domain, &there, UPC_CSWAP, &at->word, &unused, &word);
        if (there == 0 || there == word) {
            upc_atomic_relaxed(domain, NULL, UPC_INC, &at->count, NULL, NULL);
            return;
        }
    }
}

static uint64_t look_up(uint64_t word)
{
    for (uint64_t slot = first_slot(word);; slot = next_slot(slot)) {
        shared struct slot *at = &slots[slot * THREADS + owner_of(word)];
        uint64_t there = at->word;
        if (there == 0 || there == word)
            return there == 0 ? 0 : at->count;
    }
}

static int plain(double *seconds)
{
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_UINT64, UPC_CSWAP | UPC_INC, 0);
    int wrong = 0;
    clear();
    double start = app_seconds();
    for (uint64_t i = 0; i < words; i++) {
        insert(domain, word_of(i, 0));
        insert(domain, word_of(i, 1));
    }
    upc_barrier;
    for (uint64_t i = 0; i < words; i++)
        wrong |= look_up(word_of(i, 0)) != 2 || look_up(stranger(i)) != 0;
    upc_barrier;
    *seconds = app_seconds() - start;
    upc_all_atomicdomain_free(domain);
    return wrong;
}

/* ---- Words aggregated and sent to their owners ---- */

/* The slot where a word of this thread is, or would be */
static struct slot *find(struct slot *mine, uint64_t word)
{
    uint64_t slot = first_slot(word);
    while (mine[slot].word != 0 && mine[slot].word != word)
        slot = next_slot(slot);
    return &mine[slot];
}

static void take_words(void *context, int from, const void *items, size_t count)
{
    const uint64_t *word = items;
    (void)from;
    for (size_t i = 0; i < count; i++) {
        struct slot *slot = find(context, word[i]);
        slot->word = word[i];
        slot->count++;
    }
}

struct answer {
    uint64_t word, count;
};

static banyan_aggregate_t *answers;
static int is_wrong;

static void take_questions(void *context, int from, const void *items, size_t count)
{
    const uint64_t *word = items;
    for (size_t i = 0; i < count; i++) {
        struct answer answer = {word[i], find(context, word[i])->count};
        banyan_aggregate_push(answers, from, &answer);
    }
}

/* Words that were inserted are odd. */
static void take_answers(void *context, int from, const void *items, size_t count)
{
    const struct answer *answer = items;
    (void)from;
    for (size_t i = 0; i < count; i++)
        is_wrong |= answer[i].count != (answer[i].word & 1) * 2;
    *(uint64_t *)context += count;
}

static int aggregated(double *seconds)
{
    struct slot *mine = (struct slot *)&slots[MYTHREAD];
    uint64_t answered = 0, word;
    clear();
    banyan_aggregate_t *inserted = banyan_aggregate_all_make(sizeof word, 0, take_words, mine);
    banyan_aggregate_t *questions = banyan_aggregate_all_make(sizeof word, 0, take_questions, mine);
    answers = banyan_aggregate_all_make(sizeof(struct answer), 0, take_answers, &answered);
    double start = app_seconds();
    for (uint64_t i = 0; i < words; i++) {
        for (int neighbour = 0; neighbour < 2; neighbour++) {
            word = word_of(i, neighbour);
            banyan_aggregate_push(inserted, owner_of(word), &word);
        }
    }
    banyan_aggregate_end(inserted);
    upc_barrier; /* no look-up before all threads have inserted */
    for (uint64_t i = 0; i < words; i++) {
        word = word_of(i, 0);
        banyan_aggregate_push(questions, owner_of(word), &word);
        word = stranger(i);
        banyan_aggregate_push(questions, owner_of(word), &word);
    }
    banyan_aggregate_end(questions);
    banyan_aggregate_end(answers);
    upc_barrier;
    *seconds = app_seconds() - start;
    banyan_aggregate_all_free(answers);
    banyan_aggregate_all_free(questions);
    banyan_aggregate_all_free(inserted);
    return is_wrong || answered != 2 * words;
}

int main(int argc, char **argv)
{
    if (argc > 2)
        app_usage(usage);
    words = (uint64_t)app_argument(argc, argv, 1, 100000, 1, 100000000, usage);
    /* By chance, some threads get more than their share. */
    slots_per_thread = 2 * words + 64;
    slots = bale_share(slots_per_thread * THREADS, sizeof *slots);
    double all = 4 * (double)words * THREADS;
    int wrong = bale_run("hash", "plain", plain, all, "insertions and look-ups");
    wrong |= bale_run("hash", "aggregated", aggregated, all, "insertions and look-ups");
    upc_all_free(slots);
    return wrong;
}
