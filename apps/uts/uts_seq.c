/* uts_seq: unbalanced tree search in C.  usage: uts_seq TREE */
#include "uts.h"

int main(int argc, char **argv)
{
    const struct uts_tree *tree = uts_tree_of(argc, argv, 1);
    if (tree == NULL)
        return 2;
    double start = app_seconds();
    struct uts_counts counts = uts_count(tree);
    return uts_report("C", tree, 1, app_seconds() - start, counts);
}
