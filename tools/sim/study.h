// study.h: what the user asked for, and the results.
#pragma once

#include "sim/model.h"
#include "sim/record.h"

#include <optional>
#include <string>
#include <vector>

namespace bn::sim {

struct Wishes {
    std::string operation;
    std::vector<std::string> ways;  // empty: the default way; "all"
    std::vector<std::string> sizes;
    std::vector<int> thread_counts;
    std::string machine, platform, order = "block", sync = "all";
    int node_count = 0;
    int root = 0;
    bool is_json = false, ranks = false, is_fluid = false;
    std::string svg_file, table_file, table_machine;
};

// One way of one cell
struct Run {
    const bn_entry* way = nullptr;
    bool is_usual = false;  // the way that a program would use without a table
    std::optional<std::string> refusal;
    Outcome outcome;
    ControlMemory memory{};
    double simulation_s = 0;  // processor time spent on the simulation
};

// One operation, number of threads and size, by different ways, fastest first and refused ones last
struct Cell {
    int thread_count = 0, node_count = 0, largest_node = 0, pus_of_node = 0;
    bool is_crowded = false;
    size_t nbytes = 0;
    std::vector<Run> runs;
};

struct Study {
    bn_operation operation = BN_BROADCAST;
    bn_sync sync = BN_SYNC_ALL;
    int root = 0;
    Description description;
    std::string order;
    std::vector<Cell> cells;  // ordered by threads, then by size
};

// False, with a message on standard error, if the request cannot be met.  Throws WrongCommandLine.
bool carry_out(const Wishes& wishes, Study* study);

// The machine, with its network.  False, with a message on standard error, if it cannot be read.
bool find_description(const Wishes& wishes, Description* description);

// "my": both sides
const char* sync_text(bn_sync sync);

// The output formats.  All end with a newline.
std::string study_text(const Study& study);
std::string study_json(const Study& study);
std::string study_svg(Study study);

// A table of rules for the fastest ways, in the format of banyan-tune; keeps what `file` has for other operations and
// modes on the same machine. "", with a message, if there can be none.
std::string study_table(const Study& study, const std::string& machine, const std::string& file);

}  // namespace bn::sim
