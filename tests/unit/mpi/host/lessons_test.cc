#include "host/lessons.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

// A folder of its own for each test
class Lessons : public testing::Test {
protected:
    Lessons() { folder = mkdtemp(name); }
    ~Lessons() override { std::filesystem::remove_all(folder); }

    // Reads a file into `lessons`; returns what is reported
    std::string read(const std::string& path)
    {
        bn_lessons_destroy(&lessons);
        testing::internal::CaptureStderr();
        is_right = bn_lessons_read(&lessons, path.c_str());
        return testing::internal::GetCapturedStderr();
    }

    char name[32] = "/tmp/banyan-lessons-XXXXXX";
    std::string folder;
    bn_lessons lessons = {};
    bool is_right = false;
};

TEST_F(Lessons, MissingAndEmptyFilesHaveNone)
{
    std::ofstream(folder + "/empty").close();
    for (const char* file : {"/missing", "/empty"}) {
        for (int before : {0, ENOENT, EINVAL}) {  // errno decides only about a file that cannot be opened
            errno = before;
            EXPECT_EQ(read(folder + file), "");
            EXPECT_TRUE(is_right);
            EXPECT_EQ(lessons.count, 0U);
        }
    }
}

TEST_F(Lessons, WhatIsWrittenIsRead)
{
    bn_lesson lesson = {};
    lesson.operation = BN_MPI_BCAST;
    lesson.processes = 4;
    lesson.size_class = 10;
    lesson.choice = BN_BY_LIBRARY;
    lesson.median_ns[BN_BY_LIBRARY] = 120;
    strcpy(lesson.machine, "a \"big\" one");
    strcpy(lesson.library, "MPI\\5");
    bn_lessons written = {&lesson, 1};
    bn_lessons_write(&written, (folder + "/file").c_str());
    EXPECT_EQ(read(folder + "/file"), "");
    ASSERT_EQ(lessons.count, 1U);
    EXPECT_STREQ(lessons.lessons[0].machine, "a \"big\" one");
    EXPECT_STREQ(lessons.lessons[0].library, "MPI\\5");
    EXPECT_EQ(lessons.lessons[0].processes, 4);
    EXPECT_EQ(lessons.lessons[0].choice, BN_BY_LIBRARY);
    EXPECT_EQ(lessons.lessons[0].median_ns[BN_BY_LIBRARY], 120);
    bn_lessons_destroy(&lessons);
}

TEST_F(Lessons, WhatCannotBeReadIsNotToBeRemoved)
{
    std::string said = read(folder);
    EXPECT_FALSE(is_right);
    EXPECT_NE(said.find("BANYAN_MPI_TABLE: " + folder + " cannot be read: Is a directory"), std::string::npos) << said;
    EXPECT_EQ(said.find("remove"), std::string::npos) << said;
}

TEST_F(Lessons, OtherFilesAreNoTables)
{
    std::ofstream(folder + "/other") << "text";
    EXPECT_NE(read(folder + "/other").find("is not a table of choices (banyan-mpi-choices-1); remove it"),
              std::string::npos);
    EXPECT_FALSE(is_right);
}

}  // namespace
