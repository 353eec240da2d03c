// study.h: what was asked for, and what came out.
#pragma once

#include "sim/model.h"
#include "sim/record.h"

#include <optional>
#include <string>
#include <vector>

namespace bn::sim {

struct Wishes {
    std::string operation;
    std::vector<std::string> ways;  // none: the usual one; "all"
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
    bool is_usual = false;  // what a program would do without a table
    std::optional<std::string> refusal;
    Outcome outcome;
    ControlMemory memory{};
    double simulation_s = 0;  // of this computer's processor time
};

// The same operation, threads and size, by different ways, the fastest first and refused ones last
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
    std::vector<Cell> cells;  // by threads, then by size
};

// False, with a message on standard error, if something cannot be as it is wished.
bool carry_out(const Wishes& wishes, Study* study);

// The machine, with its network.  False, with a message on standard error, if it cannot be read.
bool find_description(const Wishes& wishes, Description* description);

// "my": both sides
const char* sync_text(bn_sync sync);

// The ways to show it.  All end with a newline.
std::string study_text(const Study& study);
std::string study_json(const Study& study);
std::string study_svg(Study study);

// A table of rules for what is fastest, as banyan-tune writes it, with what `file` has for other operations and modes
// on the same machine; "" with a message if there can be none.
std::string study_table(const Study& study, const std::string& machine, const std::string& file);

}  // namespace bn::sim
