// library.h: a library below the team that has collectives of its own, to test the ways that use one ("native").
#pragma once

#include "coll/operation.h"

#include <sched.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

// It synchronises as little as it may: members with data put them to their destinations at once, whether the receiver
// has arrived or not, and wait for nobody; receivers wait for their data.  Ends the program if a turn is taken while
// another call still uses it.
class Library {
public:
    explicit Library(int members) : members_(static_cast<size_t>(members))
    {
        for (std::unique_ptr<Mail[]>& turn : turns_)
            turn.reset(new Mail[members_ * members_]);
    }

    static const bn_team_native& native();

private:
    struct Mail {  // from one member to another
        std::atomic<bool> is_full{false};
        bool is_given;
        alignas(16) unsigned char value[BN_FOLD_MAX_BYTES];
    };

    Mail& mail(unsigned turn, int from, int to)
    {
        return turns_.at(turn)[static_cast<size_t>(from) * members_ + static_cast<size_t>(to)];
    }

    void tell(unsigned turn, int from, int to)
    {
        if (mail(turn, from, to).is_full.exchange(true)) {
            fprintf(stderr, "a collective of the library takes turn %u, which another one still has\n", turn);
            abort();
        }
    }

    void await(unsigned turn, int from, int to)
    {
        while (!mail(turn, from, to).is_full)
            sched_yield();
    }

    void free_again(unsigned turn, int from, int to) { mail(turn, from, to).is_full = false; }

    static Library& of(const bn_team* team);
    static void push_to_all(bn_team* team, const bn_call* call, unsigned turn, size_t step_bytes);
    static void broadcast(bn_team* team, const bn_call* call, unsigned turn);
    static void gather_all(bn_team* team, const bn_call* call, unsigned turn) { push_to_all(team, call, turn, 0); }
    static void exchange(bn_team* team, const bn_call* call, unsigned turn)
    {
        push_to_all(team, call, turn, call->nbytes);
    }
    static bool can_fold(const bn_fold*) { return true; }
    static void fold(bn_team* team, const bn_call* call, unsigned turn);

    size_t members_;
    std::array<std::unique_ptr<Mail[]>, BN_TEAM_WINDOW> turns_;
};

inline const bn_team_native& Library::native()
{
    static const bn_team_native table = {broadcast, gather_all, exchange, can_fold, fold};
    return table;
}

inline void Library::broadcast(bn_team* team, const bn_call* call, unsigned turn)
{
    Library& library = of(team);
    if (team->rank != call->root) {
        library.await(turn, call->root, team->rank);
        library.free_again(turn, call->root, team->rank);
        return;
    }
    for (int rank = 0; rank < team->size; rank++) {
        if (rank == call->root)
            continue;
        memcpy(bn_team_at(team, call->dst, rank), reinterpret_cast<void*>(call->src), call->nbytes);
        library.tell(turn, call->root, rank);
    }
}

// Blocks for the members are step_bytes apart in src.
inline void Library::push_to_all(bn_team* team, const bn_call* call, unsigned turn, size_t step_bytes)
{
    Library& library = of(team);
    const unsigned char* src = bn_team_at(team, call->src, team->rank);
    for (int to = 0; to < team->size; to++) {
        memcpy(bn_team_at(team, call->dst, to) + static_cast<size_t>(team->rank) * call->nbytes,
               src + static_cast<size_t>(to) * step_bytes, call->nbytes);
        library.tell(turn, team->rank, to);
    }
    for (int from = 0; from < team->size; from++) {
        library.await(turn, from, team->rank);
        library.free_again(turn, from, team->rank);
    }
}

inline void Library::fold(bn_team* team, const bn_call* call, unsigned turn)
{
    Library& library = of(team);
    bn_fold* fold = call->fold;
    alignas(16) unsigned char result[BN_FOLD_MAX_BYTES] = {};
    bool is_given = false;
    for (int to = 0; to < team->size; to++) {
        Mail& mail = library.mail(turn, team->rank, to);
        memcpy(mail.value, fold->value, fold->size_bytes);
        mail.is_given = fold->is_given;
        library.tell(turn, team->rank, to);
    }
    for (int from = 0; from < team->size; from++) {
        library.await(turn, from, team->rank);
        const Mail& mail = library.mail(turn, from, team->rank);
        if (mail.is_given && is_given)
            fold->combine(result, mail.value, fold);
        else if (mail.is_given)
            memcpy(result, mail.value, sizeof result);
        is_given = is_given || mail.is_given;
        library.free_again(turn, from, team->rank);
    }
    fold->is_given = is_given;
    memcpy(fold->value, result, fold->size_bytes);
}
