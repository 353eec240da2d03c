// banyan-sim: predicts how collectives behave on a described machine, from 2 to 1,048,576 threads.

#include "base/log.h"
#include "base/options.h"
#include "command_line.h"
#include "platform/signals.h"
#include "sim/platform.h"
#include "sim/start.h"
#include "sim/study.h"
#include "sim/text.h"
#include "usual_file.h"
#include "whole_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using bn::sim::Study;
using bn::sim::Wishes;

void add_options(bn::CommandLine& line, Wishes& wishes)
{
    line.version("banyan-sim (Banyan) " BN_VERSION);
    line.value("operation", wishes.operation, "OPERATION",
               "broadcast, scatter, gather, gather_all, exchange, permute, reduce, reduce_all, prefix, barrier; or "
               "start (of a job)")
        .required();
    line.list("--threads", wishes.thread_counts, "N,...", "numbers of threads; by default one for each processing unit")
        .range(2, 1 << 20);
    line.list("--size", wishes.sizes, "SIZE,...", "bytes of a block, such as 8, 64K, 1M; by default several");
    line.list("--way", wishes.ways, "WAY,...",
              "ways (algorithms) of the operation, or all; by default the one that programs use without a table");
    line.value(
        "--machine", wishes.machine, "MACHINE",
        "a file that describes the machine, or the name of one that comes with Banyan, such as million; or for a "
        "node, an XML file of lstopo or hwloc's notation; by default this machine");
    line.value("--platform", wishes.platform, "FILE",
               "a platform file of SimGrid, whose hosts are the nodes, instead of the machine's network");
    line.value("--nodes", wishes.node_count, "N", "number of nodes; by default as many as the threads fill")
        .range(1, 1 << 20);
    line.value("--order", wishes.order, "ORDER", "placement of threads: block, cyclic, random:SEED");
    line.value("--root", wishes.root, "THREAD", "the root").range(0, 1 << 20);
    line.value("--sync", wishes.sync, "MODE", "synchronisation at entry and exit: all, my, no");
    line.flag("--best", wishes.ranks, "rank all ways");
    line.value("--table", wishes.table_file, "FILE", "write rules for the fastest ways, as banyan-tune does, to FILE");
    line.value("--for", wishes.table_machine, "MACHINE",
               "for --table: the machine that the rules are for; by default this one")
        .needs("--table");
    line.flag("--fluid", wishes.is_fluid,
              "let SimGrid compute times, with links and memory shared fairly; for up to 16384 threads on 512 nodes");
    line.flag("--json", wishes.is_json, "print JSON");
    line.value("--svg", wishes.svg_file, "FILE", "draw the times to FILE");
}

// Accepts long options with one dash, as upcrun does, by giving them two.
std::vector<std::string> with_two_dashes(int argc, char** argv)
{
    std::vector<std::string> words;
    for (int i = 0; i < argc; i++) {
        std::string word = argv[i];
        bool is_long = i > 0 && word.size() > 2 && word[0] == '-' && word[1] != '-';
        words.push_back(is_long ? "-" + word : word);
    }
    return words;
}

// The file that banyan-tune --calibrate has written for this machine, if it exists
std::string usual_machine()
{
    std::error_code error;
    std::string path = bn::usual_file("machine");
    return std::filesystem::is_regular_file(path, error) ? path : "";
}

bool write_file(const std::string& path, const std::string& text)
{
    return bn::write_whole_file(path, text) || bn::sim::complain(path + " cannot be written: " + strerror(errno));
}

int run(const Wishes& wishes)
{
    if (wishes.operation == "start")
        return bn::sim::show_start(wishes) ? EXIT_SUCCESS : EXIT_FAILURE;
    Study study;
    if (!bn::sim::carry_out(wishes, &study))
        return EXIT_FAILURE;
    if (!wishes.svg_file.empty() && !write_file(wishes.svg_file, bn::sim::study_svg(study)))
        return EXIT_FAILURE;
    if (!wishes.table_file.empty()) {
        std::string table = bn::sim::study_table(study, wishes.table_machine, wishes.table_file);
        if (table.empty() || !write_file(wishes.table_file, table))
            return EXIT_FAILURE;
    }
    std::string text = wishes.is_json ? bn::sim::study_json(study) : bn::sim::study_text(study);
    fwrite(text.data(), 1, text.size(), stdout);
    return bn_log_output_arrived() ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv)
{
    Wishes wishes;
    bn::CommandLine line(
        "Predicts how collective operations behave on a described machine, with 2 to 1,048,576 threads: runs the "
        "steps of Banyan's own algorithms, with times from a model.",
        "banyan-sim");
    add_options(line, wishes);
    std::vector<std::string> words = with_two_dashes(argc, argv);
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    if (std::optional<int> status = line.parse(argc, pointers.data()))
        return *status;
    bn_options options;
    if (bn_options_read(&options, environ) != BN_OK)
        return EXIT_FAILURE;
    bn_options_load(&options);
    bn_signals_expect_children();
    if (line.has("--machine") && wishes.machine.empty()) {
        bn::sim::complain("--machine has no value; leave it out for this machine");
        return 2;
    }
    if (wishes.machine.empty())
        wishes.machine = usual_machine();
    wishes.ranks = wishes.ranks || !wishes.table_file.empty();
    try {
        return run(wishes);
    } catch (const bn::sim::WrongCommandLine& wrong) {
        bn::sim::complain(wrong.what());
        return 2;
    } catch (const bn::sim::PlatformFailure& failure) {
        bn::sim::complain(failure.what());
        return EXIT_FAILURE;
    }
}
