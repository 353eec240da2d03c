// record.h: lets the engine's own algorithms carry out an operation, and records what each thread does.
//
// The algorithms of runtime/coll run unchanged, with plans that the engine makes, one thread after another in this
// process.  Flags, barriers and other threads' memory below them are replaced by stand-ins, which neither wait nor move
// data but record steps.  Only where a thread reads a value that another one passes along with a flag, such as the
// address of its buffer, is it suspended until that value has been passed; it has a stack of its own for that.
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

// Why these threads cannot use this way, or why it cannot be simulated; nothing if they can.
std::optional<std::string> refusal_of(const Machine& machine, const Question& question);

// The way that a program would use without a table.
const bn_entry* usual_way(const Machine& machine, const Question& question);

// Nothing, with a message on standard error, if there are more steps than memory allows.
std::optional<Schedule> record(const Machine& machine, const Question& question);

// The memory that a thread needs for collectives, in bytes
struct ControlMemory {
    size_t shared;   // flags, rooms, barriers
    size_t plans;    // private
    size_t trees;    // of the way, for all roots: the maximum over threads
    size_t machine;  // its part of the hierarchy
};
ControlMemory control_memory(const Machine& machine, const Question& question);

}  // namespace bn::sim
