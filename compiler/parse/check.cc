#include "parse/check.h"

#include <algorithm>

#include "parse/parse.h"

namespace bn::parse {

namespace {

class Checker {
public:
    explicit Checker(const lex::TokenList& tokens) : tokens_(tokens) {}

    void visit(const ast::Node& node)
    {
        if (node.first == 0 || node.first > node.last || node.last >= tokens_.tokens.size())
            return complain("covers no tokens", node);
        if (node.height > kMaxTreeHeight)
            complain("is too high", node);
        lex::TokenIndex free = node.first;
        uint32_t height = 0;
        for (const ast::Node* child : node.children) {
            if (child->first < free || child->last > node.last)
                return complain("is out of place", *child);
            free = child->last + 1;
            height = std::max<uint32_t>(height, child->height);
            visit(*child);
        }
        if (node.height != height + 1)
            complain("has a wrong height", node);
    }

    void complain(const char* what, const ast::Node& node)
    {
        if (!problem_.empty())
            return;
        problem_ = "node of kind " + std::to_string(static_cast<int>(node.kind)) + " at tokens " +
                   std::to_string(node.first) + ".." + std::to_string(node.last) + " " + what;
    }

    const std::string& problem() const { return problem_; }

private:
    const lex::TokenList& tokens_;
    std::string problem_;
};

}  // namespace

std::string check_structure(const ast::Unit& unit, const lex::TokenList& tokens)
{
    Checker checker(tokens);
    lex::TokenIndex free = 1;
    for (const ast::Node* decl : unit.decls) {
        if (decl->first != free)
            checker.complain("leaves a gap before it", *decl);
        checker.visit(*decl);
        free = decl->last + 1;
    }
    return checker.problem();
}

}  // namespace bn::parse
