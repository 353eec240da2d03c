#include "host/timeline.h"

#include "base/options.h"
#include "host/files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <set>
#include <string>

namespace {

// The files of a process of rank 3 in two jobs, the second of which is spawned by the first and has its options
TEST(Timeline, OfSpawnedProcessesIsAFileOfItsOwn)
{
    std::filesystem::path folder = testing::TempDir() + "timeline_" + std::to_string(getpid());
    std::filesystem::create_directory(folder);
    static std::string wish;  // options point into it, also after this test
    wish = "BANYAN_MPI_TIMELINE=" + (folder / "file").string();
    char* environment[] = {wish.data(), nullptr};
    bn_options options;
    ASSERT_EQ(bn_options_read(&options, environment), BN_OK);
    bn_options_load(&options);
    bn_record record = {};
    bn_wide wide = {};
    wide.record = &record;
    bn_timeline_write(&wide, 3);
    bn_files_of_spawned(77);
    bn_timeline_write(&wide, 3);
    bn_files_of_spawned(0);
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        names.insert(entry.path().filename());
    EXPECT_EQ(names, (std::set<std::string>{"file.3", "file.77.3"}));
    std::filesystem::remove_all(folder);
}

}  // namespace
