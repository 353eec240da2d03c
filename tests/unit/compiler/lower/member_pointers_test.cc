// Pointers-to-shared in structs that a upc_forall does not change (lower/member_pointers.cc).
#include <string>

#include "forall_fixture.h"

namespace bn::lower {
namespace {

class MemberPointersTest : public ForallTest {};

TEST_F(MemberPointersTest, MembersThatTheLoopDoesNotChangeAreVariables)
{
    functions_ = "struct vec { int n; shared int *data; }; static struct vec global; extern struct vec *seen;";
    std::string c = translate("upc_forall (i = 0; i < global.n; i++; &global.data[i]) global.data[i] = 0;");
    EXPECT_TRUE(has(c, "const bn_pts_t bn_2_data __attribute__((unused)) = global.data; if (bn_outer1 == 0 && "
                       "(bn_2_data.thread | bn_2_data.phase) == 0) {"));
    EXPECT_TRUE(has(c, "bn_7_data[bn_row4] = 0;"));
    EXPECT_TRUE(has(c, "bn_end6 = (bn_i64)(global.n);"));
    c = translate("struct vec *x = seen; upc_forall (i = 0; i < n; i++; &x->data[i]) x->data[i] = 0;");
    EXPECT_TRUE(has(c, "bn_2_data __attribute__((unused)) = (i < n) ? x->data : bn_null(); if (bn_outer1 == 0 && "));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; &global.data[i]) global.data = global.data;"));
    EXPECT_FALSE(is_dealt("upc_forall (i = 0; i < n; i++; &global.data[i]) *z = 0;"));
    for (const char* change : {"global.data = x->data", "*z = 0", "g(0)", "seen = 0", "cells[0][0] = *&flags[0]"})
        EXPECT_FALSE(
            is_dealt("struct vec *x = seen; upc_forall (i = 0; i < n; i++; &x->data[i]) " + std::string(change) + ";"))
            << change;
    EXPECT_FALSE(has(translate("struct vec *x = seen; upc_forall (i = 0; i < n; i++; &a[i]) if (k) x->data[i] = 0;"),
                     "= x->data"));
}

}  // namespace
}  // namespace bn::lower
