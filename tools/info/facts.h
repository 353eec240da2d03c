// facts.h: what banyan-info knows, as values.  text.h prints them for people; --json prints them as they are.
#pragma once

#include "base/options.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace bn::info {

// Version, compiler, representation and limits of this build.
nlohmann::ordered_json build_facts();

// Packages, memory regions, caches, cores, processing units; what of them this process may use.
nlohmann::ordered_json machine_facts();

// The machine as a tree, outermost part first: a row for each kind of part with its depth and how many there are in the
// part around.  Of a description (bn_machine_read), or of what this process may use of this machine if it is empty.
nlohmann::ordered_json structure_facts(const std::string& description);

// The groups of threads that share a part of the machine, from the node to the core.  Levels with the same groups
// share a row.
nlohmann::ordered_json hierarchy_facts(const bn_options& options, int thread_count);

// Threads, binding and heap of a job with thread_count threads; 0 for as many as there would be without -n.
nlohmann::ordered_json job_facts(const bn_options& options, int thread_count);

// Each option with its value, where that comes from, and what it means.
nlohmann::ordered_json option_facts(const bn_options& options);

}  // namespace bn::info
