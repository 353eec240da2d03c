#include "threads/letters.h"

#include "base/log.h"
#include "threads/gate.h"
#include "threads/order.h"
#include "threads/start.h"

#include <stdlib.h>

enum { TAG = 1, WORDS = 3 }; /* of all letters: name, tag, number */

/* A letter that has arrived but has not been asked for */
struct letter {
    struct letter *next;
    int from;
    uint64_t words[WORDS];
};

static struct letter *box; /* inside; oldest first */

bool bn_letters_send(const struct bn_subject *about, int to, uint64_t number)
{
    uint64_t words[WORDS] = {about->name, about->tag, number};
    MPI_Request request = bn_handles.no_request;
    int result = bn_below.Isend(words, WORDS, bn_handles.number, to, TAG, bn_threads_messages(), &request);
    return bn_turn_finish(result, &request);
}

/* Moves arrived letters into the box. */
static bool fetch(void)
{
    for (;;) {
        int is_there = 0;
        MPI_Status status;
        int result = bn_below.Iprobe(MPI_ANY_SOURCE, TAG, bn_threads_messages(), &is_there, &status);
        if (result != MPI_SUCCESS || !is_there)
            return result == MPI_SUCCESS;
        struct letter *letter = calloc(1, sizeof *letter);
        if (!letter) {
            bn_log_error("there is no memory for a message among threads");
            bn_library_abort(bn_handles.world);
        }
        letter->from = status.MPI_SOURCE;
        struct letter **end = &box;
        while (*end)
            end = &(*end)->next;
        *end = letter;
        result = bn_below.Recv(letter->words, WORDS, bn_handles.number, letter->from, TAG, bn_threads_messages(),
                               MPI_STATUS_IGNORE);
        if (result != MPI_SUCCESS)
            return false;
    }
}

struct wish {
    const struct bn_subject *about;
    int from;
    uint64_t *number;
    bool is_right;
};

static bool look_for(void *context)
{
    struct wish *wish = context;
    wish->is_right = fetch();
    for (struct letter **link = &box; *link; link = &(*link)->next) {
        struct letter *letter = *link;
        if (letter->from != wish->from || letter->words[0] != wish->about->name || letter->words[1] != wish->about->tag)
            continue;
        *wish->number = letter->words[2];
        *link = letter->next;
        free(letter);
        return true;
    }
    return !wish->is_right;
}

bool bn_letters_receive(const struct bn_subject *about, int from, uint64_t *number)
{
    struct wish wish = {about, from, number, true};
    bn_gate_await_inside(look_for, &wish);
    return wish.is_right;
}

bool bn_letters_ranks(MPI_Group group, int count, int *ranks)
{
    MPI_Group world;
    int *numbers = malloc((size_t)count * sizeof *numbers);
    bool is_right = numbers != NULL;
    for (int i = 0; is_right && i < count; i++)
        numbers[i] = i;
    if (is_right) {
        bn_below.Comm_group(bn_handles.world, &world);
        is_right = bn_below.Group_translate_ranks(group, count, numbers, world, ranks) == MPI_SUCCESS;
        bn_below.Group_free(&world);
    }
    for (int i = 0; is_right && i < count; i++)
        is_right = ranks[i] >= 0;
    free(numbers);
    return is_right;
}

bool bn_letters_agree(const struct bn_subject *about, const int *ranks, int count, uint64_t *number)
{
    bool is_right = true;
    int own;
    bn_below.Comm_rank(bn_handles.world, &own);
    if (own != ranks[0])
        return bn_letters_send(about, ranks[0], *number) && bn_letters_receive(about, ranks[0], number);
    for (int i = 1; is_right && i < count; i++) {
        uint64_t other = 0;
        is_right = bn_letters_receive(about, ranks[i], &other);
        *number = is_right && other > *number ? other : *number;
    }
    for (int i = 1; is_right && i < count; i++)
        is_right = bn_letters_send(about, ranks[i], *number);
    return is_right;
}
