#include "fmm/essential.h"

#include "bodies_in_trees.h"
#include "fmm/index.h"

#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>

using fmm::at;
using fmm::Essential;
using fmm::Tree;

namespace {

constexpr long COUNT = 400;
constexpr int LEAF = 5, FEW = 3;

class OfShares : public testing::TestWithParam<const char*> {
protected:
    OfShares() : places(places_of(GetParam(), COUNT)), whole(fmm::make_tree(COUNT, places.data(), LEAF, FEW))
    {
        for (std::int32_t body : whole.order)
            keys.push_back(fmm::key_of(whole, &places[at(3L * body)]));
    }
    // Shares that begin with these leaves of the whole tree
    void cut(const std::vector<long>& first_leaf)
    {
        cuts.clear();
        first_body.clear();
        for (long leaf : first_leaf) {
            bool is_end = leaf == static_cast<long>(whole.leaves.size());
            const fmm::Cell& cell = whole.cells[at(whole.leaves[at(is_end ? 0 : leaf)])];
            cuts.push_back(is_end ? FMM_KEYS : leaf == 0 ? 0 : fmm::least_key(cell));
            first_body.push_back(is_end ? COUNT : cell.first);
        }
        double low[3], high[3];
        for (int d = 0; d < 3; d++) {
            low[d] = high[d] = places[at(d)];
            for (long i = 0; i < COUNT; i++) {
                low[d] = std::min(low[d], places[at(3 * i + d)]);
                high[d] = std::max(high[d], places[at(3 * i + d)]);
            }
        }
        shares.clear();
        int parts = static_cast<int>(cuts.size()) - 1;
        for (int p = 0; p < parts; p++) {
            shares.push_back(std::make_unique<Essential>(low, high, COUNT, LEAF));
            shares.back()->plant(parts, cuts.data(), first_body.data(), p, keys.data() + first_body[at(p)]);
        }
        for (const auto& share : shares) {
            while (!share->complete()) {
                std::vector<fmm_offer> given;
                for (const fmm_run& run : share->wanted) {
                    ASSERT_EQ(run.at, static_cast<long>(given.size()));
                    auto from = shares[at(run.owner)]->offers.begin() + run.there;
                    given.insert(given.end(), from, from + run.count);
                }
                share->take(given.data());
            }
            fmm::find_neighbours(share->tree, FEW);
        }
    }
    std::vector<double> places;
    Tree whole;
    std::vector<fmm::Key> keys;
    std::vector<std::uint64_t> cuts;
    std::vector<long> first_body;
    std::vector<std::unique_ptr<Essential>> shares;
};

TEST_P(OfShares, EveryBodyActsOnEveryOwnLeafOnce)
{
    long leaves = static_cast<long>(whole.leaves.size());
    for (const std::vector<long>& first : std::vector<std::vector<long>>{
             {0, leaves}, {0, leaves / 3, leaves}, {0, leaves / 9, leaves / 9, leaves / 2, leaves - 1, leaves}}) {
        cut(first);
        for (const auto& share : shares) {
            long own = 0;
            for (std::int32_t leaf : share->tree.leaves) {
                if (!share->is_mine(share->tree.cells[at(leaf)].first))
                    continue;
                own++;
                EXPECT_EQ(acts_on(share->tree, leaf), std::vector<int>(COUNT, 1)) << "share " << share->mine;
            }
            EXPECT_EQ(own, first[at(share->mine) + 1] - first[at(share->mine)]);
        }
    }
}

// The counts offered for a cell by all shares together are the cell's; its place is in the owner's order of cells.
TEST_P(OfShares, PlacesAreThoseOfTheOwners)
{
    long leaves = static_cast<long>(whole.leaves.size());
    cut({0, leaves / 4, leaves / 2, leaves});
    for (const auto& share : shares) {
        const Tree& tree = share->tree;
        for (int level = 0; level < tree.levels(); level++) {
            for (long c = tree.level_first[at(level)]; c < tree.level_first[at(level) + 1]; c++) {
                long begin = tree.cells[at(c)].first, end = begin + tree.cells[at(c)].count;
                auto place = share->places.begin() + share->first_place[at(c)];
                for (int p = 0; p < 3; p++) {
                    const Essential& owner = *shares[at(p)];
                    if (std::max(begin, first_body[at(p)]) >= std::min(end, first_body[at(p) + 1]))
                        continue;
                    ASSERT_LT(place - share->places.begin(), share->first_place[at(c) + 1]);
                    EXPECT_EQ(place->owner, p);
                    fmm::Range own = cells_with(owner.tree, level, first_body[at(p)], first_body[at(p) + 1]);
                    const fmm::Cell& there =
                        owner.tree.cells[at(own.begin + place->cell - owner.own_level_first[at(level)])];
                    EXPECT_EQ(there.first, begin);
                    EXPECT_EQ(there.first + there.count, end);
                    ++place;
                }
                EXPECT_EQ(place - share->places.begin(), share->first_place[at(c) + 1]);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Essential, OfShares, testing::Values("uniform", "uneven", "point", "line", "clusters"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Essential, HoldsLessThanTheWholeTree)
{
    constexpr long MANY = 8000;
    std::vector<double> places = numbers(3 * MANY, 11);
    Tree whole = fmm::make_tree(MANY, places.data(), 8, FEW);
    const double low[3] = {-1, -1, -1}, high[3] = {1, 1, 1};
    std::vector<fmm::Key> keys;
    Essential share(low, high, MANY, 8);
    for (long i = 0; i < MANY; i++)
        keys.push_back(fmm::key_of(share.tree, &places[at(3 * i)]));
    std::sort(keys.begin(), keys.end());
    const std::uint64_t eighth = FMM_KEYS / 8, cuts[] = {0, eighth, FMM_KEYS};
    long first = std::lower_bound(keys.begin(), keys.end(), eighth) - keys.begin();
    const long first_body[] = {0, first, MANY};
    Essential other(low, high, MANY, 8);
    other.plant(2, cuts, first_body, 1, keys.data() + first);
    share.plant(2, cuts, first_body, 0, keys.data());
    while (!share.complete()) {
        std::vector<fmm_offer> given;
        for (const fmm_run& run : share.wanted)
            given.insert(given.end(), other.offers.begin() + run.there, other.offers.begin() + run.there + run.count);
        share.take(given.data());
    }
    EXPECT_LT(share.tree.cells.size(), whole.cells.size() / 2);
    EXPECT_GT(share.tree.cells.size(), whole.cells.size() / 8);
}

TEST(Essential, RefusesSharesThatDoNotFit)
{
    const double low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
    const fmm::Key keys[] = {5, 3};
    const std::uint64_t cuts[] = {0, FMM_KEYS};
    const long all[] = {0, 2}, some[] = {0, 1};
    Essential share(low, high, 2, 1);
    EXPECT_THROW(share.plant(1, cuts, some, 0, keys), std::runtime_error);
    EXPECT_THROW(share.plant(1, cuts, all, 1, keys), std::runtime_error);
    EXPECT_THROW(share.plant(1, cuts, all, 0, keys), std::runtime_error);
}

}  // namespace
