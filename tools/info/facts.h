// facts.h: what banyan-info knows, as values.  text.h prints them for people; --json prints them as they are.
#pragma once

#include "base/options.h"

#include <nlohmann/json_fwd.hpp>

namespace bn::info
{

// Version, compiler, representation and limits of this build.
nlohmann::ordered_json build_facts();

// Packages, memory regions, caches, cores, processing units; what of them this process may use.
nlohmann::ordered_json machine_facts();

// Threads, binding and heap of a job with thread_count threads; 0 for as many as there would be without -n.
nlohmann::ordered_json job_facts(const bn_options& options, int thread_count);

// Each option with its value, where that comes from, and what it means.
nlohmann::ordered_json option_facts(const bn_options& options);

} // namespace bn::info
