// Which functions in a report are Banyan's own.
#include "boot/locate.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace {

bool is_runtime(const char* function, const std::string& place)
{
    return bn_locate_is_runtime(function, place.data(), place.size());
}

TEST(Locate, EveryFolderOfTheRuntimeIsItsOwn)
{
    int folders = 0;
    for (const auto& entry : std::filesystem::directory_iterator("runtime")) {
        if (!entry.is_directory())
            continue;
        folders++;
        const std::string name = entry.path().filename().string();
        EXPECT_TRUE(is_runtime("helper", "/somewhere/runtime/" + name + "/file.c:12")) << name;
    }
    EXPECT_GT(folders, 0);
}

TEST(Locate, FunctionsOfProgramsAreNot)
{
    EXPECT_FALSE(is_runtime("main", "/somewhere/runtime/heat.upc:12"));
    EXPECT_TRUE(is_runtime("upc_memput", "heat.upc:12"));
}

}  // namespace
