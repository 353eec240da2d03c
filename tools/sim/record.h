// record.h: has the engine's own algorithms carry out an operation, and writes down what each thread does.
//
// The algorithms of runtime/coll run as they are, with plans that the engine makes, one thread after the other in this
// process.  Below them flags, barriers and memory of others are stood in for: nothing waits and nothing is moved, but
// steps are noted.  Only where a thread reads what another one says beside a flag, such as where its buffer is, it
// stays behind until that has been said, on a stack of its own.
#pragma once

#include "sim/machine.h"
#include "sim/schedule.h"

#include "coll/registry.h"

#include <optional>
#include <string>

namespace bn::sim {

struct Question {
    bn_operation operation = BN_BROADCAST;
    const bn_entry* way = nullptr;
    size_t nbytes = 0;  // of a block
    int root = 0;
    bn_sync in = BN_SYNC_ALL, out = BN_SYNC_ALL;
};

// Why these threads cannot go this way, or simulate it; nothing if they can.
std::optional<std::string> refusal_of(const Machine& machine, const Question& question);

// The way that a program would take without a table.
const bn_entry* usual_way(const Machine& machine, const Question& question);

// Nothing, with a message on standard error, if that are more steps than memory is for.
std::optional<Schedule> record(const Machine& machine, const Question& question);

// What a thread holds for collectives, in bytes
struct ControlMemory {
    size_t shared;   // flags, rooms, barriers
    size_t plans;    // private
    size_t trees;    // of the way, for all roots: the most of any thread
    size_t machine;  // its part of the hierarchy
};
ControlMemory control_memory(const Machine& machine, const Question& question);

}  // namespace bn::sim
