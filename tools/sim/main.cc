// banyan-sim: predicts how collectives behave on a described machine, from 2 to 1,048,576 threads.

#include "base/log.h"
#include "base/options.h"
#include "coll/table.h"
#include "parse.h"
#include "sim/platform.h"
#include "sim/start.h"
#include "sim/study.h"
#include "sim/text.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using bn::sim::Study;
using bn::sim::Wishes;

void add_options(CLI::App& app, Wishes& wishes)
{
    app.set_version_flag("--version", "banyan-sim (Banyan) " BN_VERSION, "print the version");
    app.add_option("operation", wishes.operation,
                   "broadcast, scatter, gather, gather_all, exchange, permute, reduce, "
                   "reduce_all, prefix, barrier; or start (of a job)")
        ->type_name("OPERATION")
        ->required();
    app.add_option("--threads", wishes.thread_counts, "numbers of threads; by default one for each processing unit")
        ->type_name("N,...")
        ->delimiter(',')
        ->check(CLI::Range(2, 1 << 20));
    app.add_option("--size", wishes.sizes, "bytes of a block, such as 8, 64K, 1M; by default several")
        ->type_name("SIZE,...")
        ->delimiter(',');
    app.add_option("--way", wishes.ways,
                   "ways (algorithms) of the operation, or all; by default the one that programs use without a table")
        ->type_name("WAY,...")
        ->delimiter(',');
    app.add_option(
           "--machine", wishes.machine,
           "a file that describes the machine, or the name of one that comes with Banyan, such as million; or for a "
           "node, an XML file of lstopo or hwloc's notation; by default this machine")
        ->type_name("MACHINE");
    app.add_option("--platform", wishes.platform,
                   "a platform file of SimGrid, whose hosts are the nodes, instead of the machine's network")
        ->type_name("FILE");
    app.add_option("--nodes", wishes.node_count, "number of nodes; by default as many as the threads fill")
        ->type_name("N")
        ->check(CLI::Range(1, 1 << 20));
    app.add_option("--order", wishes.order, "placement of threads: block, cyclic, random:SEED")->type_name("ORDER");
    app.add_option("--root", wishes.root, "the root")->type_name("THREAD")->check(CLI::Range(0, 1 << 20));
    app.add_option("--sync", wishes.sync, "synchronisation at entry and exit: all, my, no")->type_name("MODE");
    app.add_flag("--best", wishes.ranks, "rank all ways");
    app.add_option("--table", wishes.table_file, "write rules for the fastest ways, as banyan-tune does, to FILE")
        ->type_name("FILE");
    app.add_option("--for", wishes.table_machine,
                   "for --table: the machine that the rules are for; by default this one")
        ->type_name("MACHINE")
        ->needs("--table");
    app.add_flag(
        "--fluid", wishes.is_fluid,
        "let SimGrid compute times, with links and memory shared fairly; for up to 16384 threads on 512 nodes");
    app.add_flag("--json", wishes.is_json, "print JSON");
    app.add_option("--svg", wishes.svg_file, "draw the times to FILE")->type_name("FILE");
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
    char table[BN_TABLE_PATH_BYTES];
    std::error_code error;
    if (!bn_table_usual_path(table, sizeof table))
        return "";
    std::string path = std::filesystem::path(table).replace_filename("machine");
    return std::filesystem::is_regular_file(path, error) ? path : "";
}

bool write_file(const std::string& path, const std::string& text)
{
    std::ofstream stream(path);
    stream << text;
    if (stream.flush())
        return true;
    fprintf(stderr, "banyan-sim: %s cannot be written\n", path.c_str());
    return false;
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
    CLI::App app(
        "Predicts how collective operations behave on a described machine, with 2 to 1,048,576 threads: runs the "
        "steps of Banyan's own algorithms, with times from a model.",
        "banyan-sim");
    add_options(app, wishes);
    std::vector<std::string> words = with_two_dashes(argc, argv);
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    if (std::optional<int> status = bn::parse_command_line(app, argc, pointers.data()))
        return *status;
    bn_options options;
    if (bn_options_read(&options, environ) != BN_OK)
        return EXIT_FAILURE;
    bn_options_load(&options);
    if (wishes.machine.empty())
        wishes.machine = usual_machine();
    wishes.ranks = wishes.ranks || !wishes.table_file.empty();
    try {
        return run(wishes);
    } catch (const bn::sim::WrongCommandLine& wrong) {
        bn::sim::complain(wrong.what());
        return 2;
    } catch (const bn::sim::PlatformFailure& failure) {
        fprintf(stderr, "banyan-sim: %s\n", failure.what());
        return EXIT_FAILURE;
    }
}
