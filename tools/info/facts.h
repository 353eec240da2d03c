// facts.h: what banyan-info knows, as JSON values. text.h formats them for people; --json prints them unchanged.
#pragma once

#include "base/options.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace bn::info {

// Version, compiler, representation and limits of this build.
nlohmann::ordered_json build_facts();

// Packages, memory regions, caches, cores, processing units; and which of them this process may use.
nlohmann::ordered_json machine_facts();

// The bytes that this process may still use; null if the system does not tell.
nlohmann::ordered_json available_memory_facts();

// The machine as a tree, outermost part first: a row for each kind of part, with its depth and its number within the
// enclosing part.  The machine is the one described (bn_machine_read) or, if the description is empty, what this
// process may use of this machine.
nlohmann::ordered_json structure_facts(const std::string& description);

// The groups of threads that share a part of the machine, from the node to the core.  Levels with the same groups
// share a row.
nlohmann::ordered_json hierarchy_facts(const bn_options& options, int thread_count);

// Threads, binding and heap of a job with thread_count threads; 0: the default number, as without -n.
nlohmann::ordered_json job_facts(const bn_options& options, int thread_count);

// Each option with its value, the source of the value, and its meaning.
nlohmann::ordered_json option_facts(const bn_options& options);

}  // namespace bn::info
