#include "platform/storage.h"

#include "platform/background.h"

#include <gtest/gtest.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <numeric>
#include <string>
#include <vector>

namespace {

class Storage : public testing::Test {
protected:
    Storage()
    {
        char pattern[] = "/tmp/banyan-storage-XXXXXX";
        folder = mkdtemp(pattern);
        path = folder + "/file";
    }

    ~Storage() override
    {
        bn_storage_remove(path.c_str());
        rmdir(folder.c_str());
    }

    void open(int mode = BN_STORAGE_READ | BN_STORAGE_WRITE | BN_STORAGE_CREATE)
    {
        ASSERT_EQ(bn_storage_open(&file, path.c_str(), mode, 0600), 0);
    }

    int64_t size()
    {
        int64_t bytes = -1;
        EXPECT_EQ(bn_storage_size(&file, &bytes), 0);
        return bytes;
    }

    std::string folder, path;
    bn_storage file;
};

TEST_F(Storage, OpensAsAsked)
{
    EXPECT_EQ(bn_storage_open(&file, path.c_str(), BN_STORAGE_READ, 0), ENOENT);
    EXPECT_EQ(bn_storage_open(&file, folder.c_str(), BN_STORAGE_READ, 0), EISDIR);
    open(BN_STORAGE_WRITE | BN_STORAGE_CREATE | BN_STORAGE_NEW);
    EXPECT_TRUE(file.is_new);
    EXPECT_EQ(bn_storage_close(&file), 0);
    open();
    EXPECT_FALSE(file.is_new);
    EXPECT_EQ(bn_storage_close(&file), 0);
    EXPECT_EQ(bn_storage_open(&file, path.c_str(), BN_STORAGE_WRITE | BN_STORAGE_CREATE | BN_STORAGE_NEW, 0600),
              EEXIST);
    struct stat facts;
    ASSERT_EQ(stat(path.c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777, 0600u);
}

TEST_F(Storage, PermitsOthers)
{
    unsigned permissions = 0;
    open();
    EXPECT_EQ(bn_storage_permit(&file, 0444), 0);
    EXPECT_EQ(bn_storage_permissions(&file, &permissions), 0);
    EXPECT_EQ(permissions, 0444u);
    EXPECT_EQ(bn_storage_close(&file), 0);
}

TEST_F(Storage, SizesChange)
{
    open();
    EXPECT_EQ(size(), 0);
    EXPECT_EQ(bn_storage_resize(&file, 100), 0);
    EXPECT_EQ(bn_storage_preallocate(&file, 50), 0);
    EXPECT_EQ(bn_storage_preallocate(&file, 0), 0);
    EXPECT_EQ(size(), 100);
    EXPECT_EQ(bn_storage_preallocate(&file, 5000), 0);
    EXPECT_EQ(size(), 5000);
    EXPECT_EQ(bn_storage_sync(&file), 0);
    bn_storage_close(&file);
}

TEST_F(Storage, MovesPieces)
{
    char a[] = "abc", b[] = "", c[] = "defgh", got[8];
    iovec out[] = {{a, 3}, {b, 0}, {c, 5}};
    iovec in[] = {{got, 2}, {got + 2, 0}, {got + 2, 6}};
    size_t moved;
    open();
    EXPECT_EQ(bn_storage_write(&file, 10, out, 3, &moved), 0);
    EXPECT_EQ(moved, 8u);
    EXPECT_EQ(file.calls, 1u);
    EXPECT_EQ(bn_storage_read(&file, 12, in, 3, &moved), 0);
    EXPECT_EQ(moved, 6u);
    EXPECT_EQ(std::string(got, 6), "cdefgh");
    EXPECT_EQ(bn_storage_read(&file, 18, in, 3, &moved), 0);
    EXPECT_EQ(moved, 0u);
    bn_storage_close(&file);
}

TEST_F(Storage, SaysWhyAWriteFailed)
{
    char byte = 1;
    iovec piece = {&byte, 1};
    size_t moved;
    path = "/dev/full";
    open(BN_STORAGE_WRITE);
    EXPECT_EQ(bn_storage_write(&file, 0, &piece, 1, &moved), ENOSPC);
    EXPECT_EQ(moved, 0u);
    EXPECT_EQ(bn_storage_sync(&file), 0);
    bn_storage_close(&file);
    path = folder + "/file";
}

// preadv refuses pipes, so signals interrupt accesses to a file: calls continue, and nothing is moved twice.
TEST_F(Storage, GoesOnAfterSignals)
{
    struct sigaction action = {}, before;
    action.sa_handler = [](int) {};
    sigaction(SIGALRM, &action, &before);
    itimerval often = {{0, 200}, {0, 200}}, never = {};
    setitimer(ITIMER_REAL, &often, nullptr);
    std::vector<unsigned> content(8 << 20), got(content.size());
    std::iota(content.begin(), content.end(), 7u);
    iovec out = {content.data(), content.size() * 4}, in = {got.data(), got.size() * 4};
    size_t moved;
    open();
    EXPECT_EQ(bn_storage_write(&file, 3, &out, 1, &moved), 0);
    EXPECT_EQ(moved, content.size() * 4);
    EXPECT_EQ(bn_storage_read(&file, 3, &in, 1, &moved), 0);
    EXPECT_EQ(moved, content.size() * 4);
    setitimer(ITIMER_REAL, &never, nullptr);
    sigaction(SIGALRM, &before, nullptr);
    EXPECT_EQ(content, got);
    bn_storage_close(&file);
}

// One piece more than the system moves at a time; /dev/null accepts it without reading it.
TEST_F(Storage, HasNoLimitOfTwoGibibytes)
{
#ifdef BN_HAS_TSAN
    GTEST_SKIP() << "ThreadSanitizer marks each of the 5 GiB";
#endif
    const size_t bytes = size_t(5) << 30;
    void* place = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ASSERT_NE(place, MAP_FAILED);
    bn_storage null;
    ASSERT_EQ(bn_storage_open(&null, "/dev/null", BN_STORAGE_WRITE, 0), 0);
    iovec piece = {place, bytes};
    size_t moved;
    EXPECT_EQ(bn_storage_write(&null, 0, &piece, 1, &moved), 0);
    EXPECT_EQ(moved, bytes);
    EXPECT_EQ(null.calls, 3u);
    bn_storage_close(&null);
    munmap(place, bytes);
}

TEST_F(Storage, HasOffsetsOf64Bits)
{
    const int64_t size = int64_t(8) << 30;
    open();
    ASSERT_EQ(bn_storage_resize(&file, size), 0);
    char byte = 'x', got = 0;
    iovec out = {&byte, 1}, in = {&got, 1};
    size_t moved;
    EXPECT_EQ(bn_storage_write(&file, size - 1, &out, 1, &moved), 0);
    EXPECT_EQ(bn_storage_read(&file, size - 1, &in, 1, &moved), 0);
    EXPECT_EQ(got, 'x');
    EXPECT_EQ(this->size(), size);
    bn_storage_close(&file);
}

TEST_F(Storage, FullPaths)
{
    char* full = bn_storage_full_path("/a/b");
    EXPECT_STREQ(full, "/a/b");
    free(full);
    char here[4096];
    ASSERT_NE(getcwd(here, sizeof here), nullptr);
    full = bn_storage_full_path("x");
    EXPECT_EQ(std::string(full), std::string(here) + "/x");
    free(full);
    EXPECT_EQ(bn_storage_remove("/nowhere/at/all"), 0);
}

TEST(Background, WorksBesideWithSignalsBlocked)
{
    struct Seen {
        sigset_t mask;
        pthread_t thread;
    } seen;
    bn_background background;
    auto work = [](void* argument) {
        Seen* here = static_cast<Seen*>(argument);
        pthread_sigmask(SIG_SETMASK, nullptr, &here->mask);
        here->thread = pthread_self();
    };
    ASSERT_TRUE(bn_background_start(&background, work, &seen));
    bn_background_join(&background);
    EXPECT_TRUE(sigismember(&seen.mask, SIGINT));
    EXPECT_FALSE(sigismember(&seen.mask, SIGSEGV));
    EXPECT_FALSE(pthread_equal(seen.thread, pthread_self()));
    sigset_t own;
    pthread_sigmask(SIG_SETMASK, nullptr, &own);
    EXPECT_FALSE(sigismember(&own, SIGINT));
}

}  // namespace
