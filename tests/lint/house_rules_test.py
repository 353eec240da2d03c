#!/usr/bin/env python3
"""Each rule finds what it should: it is applied to a small tree that breaks it, and to one that does not."""
import os
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(Path(__file__).parent))
import house_rules  # noqa: E402


def violations(rule, tree):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in tree.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        return sorted((name, number) for name, number, _ in getattr(house_rules, rule)(root))


class HouseRules(unittest.TestCase):
    def test_a_layer_includes_what_lies_below_it(self):
        self.assertEqual(violations("layers", {
            "runtime/upc/alloc.c": '#include "pgas/heap.h"\n#include "upc/alloc.h"\n#include <stdio.h>\n',
            "runtime/sync/lock.c": '#include "base/log.h"\n#include "platform/futex.h"\n',
            "compiler/sema/types.cc": '#include "ast/ast.h"\n'}), [])

    def test_a_layer_includes_nothing_above_or_beside_it(self):
        self.assertEqual(violations("layers", {
            "runtime/base/log.c": '\n#include "platform/futex.h"\n',
            "runtime/boot/start.c": '#include "sync/barrier.h"\n',
            "runtime/pgas/heap.c": '#include "log.h"\n',
            "compiler/driver/main.cc": '#include "runtime/base/log.h"\n',
            "include/upc/upc.h": '#include "upc/runtime.h"\n',
            "mpi/host/node.c": '#include "coll/team.h"\n#include "front/call.h"\n',
            "mpi/front/call.c": '#include "host/node.h"\n#include "upc/fatal.h"\n',
            "team/call.c": '#include "node/world.h"\n#include "host/options.h"\n',
            "runtime/coll/run.c": '#include "host/node.h"\n'}), [
                ("compiler/driver/main.cc", 1), ("include/upc/upc.h", 1), ("mpi/front/call.c", 2),
                ("mpi/host/node.c", 2), ("runtime/base/log.c", 2), ("runtime/boot/start.c", 1),
                ("runtime/coll/run.c", 1), ("runtime/pgas/heap.c", 1),
                ("team/call.c", 2)])

    def test_no_two_folders_include_each_other(self):
        self.assertEqual(violations("circles", {
            "runtime/upc/start/run.c": '#include "upc/context.h"\n#include "upc/check/check.h"\n',
            "runtime/upc/check/check.c": '#include "upc/check/check.h"\n#include "upc/context.h"\n',
            "runtime/upc/context.h": '#include "sync/lock.h"\n'}), [])
        self.assertEqual(violations("circles", {
            "runtime/upc/start/run.c": '#include "upc/context.h"\n#include "upc/check/check.h"\n',
            "runtime/upc/check/check.c": '\n\n#include "upc/start/run.h"\n'}),
                         [("runtime/upc/check/check.c", 3), ("runtime/upc/start/run.c", 2)])

    def test_sections_of_headers_name_the_files_of_their_functions(self):
        self.assertEqual(violations("sections", {
            "compiler/sema/checker.h": "class Checker {\n    // ---- a.cc, b.cc ----\n    void f();\n    int g();\n"
                                       "    // ---- c.cc: more ----\n    void h();\n    int i();\n};\n",
            "compiler/sema/a.cc": "void Checker::f()\n{\n    Checker::i();\n}\n", "compiler/sema/b.cc": "",
            "compiler/sema/c.cc": "int Checker::g()\n{\n}\n\nint Checker::i()\n{\n}\n",
            "compiler/sema/d.cc": "void Checker::h()\n{\n}\n"}),
                         [("compiler/sema/checker.h", 4), ("compiler/sema/checker.h", 6)])

    def test_raw_memory_orders_stay_in_sync(self):
        raw = "x = __atomic_load_n(&y, __ATOMIC_RELAXED);\n"
        self.assertEqual(violations("atomics", {
            "runtime/sync/a.c": raw, "runtime/platform/b.h": raw, "runtime/pgas/c.c": "\n" + raw,
            "runtime/boot/d.h": "#include <stdatomic.h>\n__sync_synchronize();\natomic_store(&x, 1);\n",
            "runtime/upc/e.c": "bn_atomic_apply_u32(op, f, t, a, b);\nupc_atomic_relaxed(d, f, op, t, a, b);\n",
            "include/banyan/f.h": raw}),
                         [("runtime/boot/d.h", 1), ("runtime/boot/d.h", 2), ("runtime/boot/d.h", 3),
                          ("runtime/pgas/c.c", 2)])

    def test_conditionals_stay_in_platform(self):
        guarded = "#ifndef BN_A_H\n#define BN_A_H\n#ifdef __cplusplus\n#endif\n#endif\n"
        self.assertEqual(violations("conditionals", {
            "runtime/base/a.h": guarded, "runtime/platform/b.c": "#ifdef __aarch64__\n#endif\n",
            "runtime/sync/c.c": "int x;\n#if defined(__linux__)\n#endif\n",
            "compiler/lex/d.cc": "#ifdef NDEBUG\n#endif\n"}), [("compiler/lex/d.cc", 1), ("runtime/sync/c.c", 2)])

    def test_marks_are_found(self):
        self.assertEqual(violations("marks", {"a.c": "/* TO" "DO: later */\n", "b.c": "int TODOS;\n"}), [("a.c", 1)])

    def test_paths_of_a_machine_are_found(self):
        self.assertEqual(violations("machine_paths", {
            "docs/a.md": "see /home/somebody/banyan\n", "docs/b.md": "see /usr/include and ~/home/x and src/work/y\n"}),
                         [("docs/a.md", 1)])

    def test_long_files_are_found(self):
        self.assertEqual(violations("lengths", {"a.c": "\n" * 900, "b.c": "\n" * 901, "c.txt": "\n" * 2000}),
                         [("b.c", 1)])

    def test_wide_lines_and_tabs_are_found(self):
        wide = "y" * 121 + "\n"
        self.assertEqual(violations("layout", {
            "runtime/a.c": "x" * 120 + "\n", "runtime/b.c": wide + "\tz\nw \n", "tests/compiler/errors/c.upc": wide,
            "tests/programs/d.upc": "// expect-stderr: " + wide + "// " + wide, "scripts/e": "#!/bin/sh\n" + wide,
            "docs/f.md": wide, "bench/CMakeLists.txt": wide}),
                         [("bench/CMakeLists.txt", 1), ("runtime/b.c", 1), ("runtime/b.c", 2), ("runtime/b.c", 3),
                          ("scripts/e", 2), ("tests/programs/d.upc", 2)])

    def test_what_clang_format_would_change_is_found(self):
        tree = {name: (ROOT / name).read_text() for name in (".clang-format", "compiler/.clang-format",
                                                             "tests/lint/format.lock")}
        bad = "int  f(void) { return  1; }\n"
        tree.update({"runtime/bad.c": "int x;\n" + bad, "runtime/good.c": "char *f(char *p)\n{\n    return p;\n}\n",
                     "compiler/bad.cc": "char *p;\n", "compiler/good.cc": "char* p;\n", "tests/compiler/c/a.c": bad,
                     "apps/app.h": bad})
        try:
            path = os.path.dirname(house_rules.formatter(ROOT))
        except house_rules.Skipped as reason:
            self.skipTest(str(reason))
        with unittest.mock.patch.dict(os.environ, {"PATH": path + os.pathsep + os.environ["PATH"]}):
            self.assertEqual(set(violations("formatted", tree)), {("runtime/bad.c", 2), ("compiler/bad.cc", 1)})

    def test_another_clang_format_has_no_say(self):
        with tempfile.TemporaryDirectory() as folder:
            fake = Path(folder) / "clang-format"
            fake.write_text("#!/bin/sh\necho clang-format version 14.0.6\n")
            fake.chmod(0o755)
            with unittest.mock.patch.dict(os.environ, {"PATH": folder + os.pathsep + os.environ["PATH"]}):
                with self.assertRaisesRegex(house_rules.Skipped, "^clang-format 19.1.7 is missing; 'make format-env' "):
                    violations("formatted", {"tests/lint/format.lock": "clang-format==19.1.7\n"})

    def test_folders_need_a_short_readme(self):
        self.assertEqual(violations("readmes", {
            "runtime/base/a.c": "", "runtime/base/README.md": "Purpose.\n", "runtime/sync/b.c": "",
            "runtime/boot/c.c": "", "runtime/boot/README.md": "\n" * 16}),
                         [("runtime/boot/README.md", 1), ("runtime/sync", 1)])

    def test_status_of_the_specification_is_shown(self):
        table = ("| Clause | Status | Shown by |\n|---|---|---|\n| a | done | `programs/a` |\n| b | done | |\n"
                 "| c | nearly | `programs/a` |\n| d | partial: no e | `programs/d` |\n| f | not | |\n")
        self.assertEqual(violations("spec_status", {"docs/spec-status.md": table, "tests/programs/a.upc": ""}),
                         [("docs/spec-status.md", number) for number in (4, 5, 6)])

    def test_every_function_has_a_status(self):
        table = "| Clause | Status | Shown by |\n|---|---|---|\n| `upc_{a,b_c}`, `bupc_tX_RS` | done | `programs/a` |\n"
        header = ("/* upc_x(1) */\n/*\n * upc_y(2)\n */\nint upc_a(void);\nint upc_b_c(int a), upc_d (void);\n"
                  "#define D(X, RS) int bupc_t##X##_##RS(int);\n#define bupc_e(x) 0\n#define bupc_f upc_a\n"
                  "void banyan_g(void);\ntypedef void banyan_h(int);\n")
        self.assertEqual(violations("spec_status", {"docs/spec-status.md": table, "tests/programs/a.upc": "",
                                                    "include/upc/h.h": header}),
                         [("include/upc/h.h", number) for number in (6, 8, 9, 10)])

    def test_versions_agree(self):
        tree = {"scripts/requirements": "cmake  build  3.20  cmake\npython3  build  3.9  python3\n",
                "bench/report/pyproject.toml": 'requires-python = ">=3.9"\n',
                "python/pyproject.toml": 'requires-python = ">=3.9"\n',
                "bench/report/uoms/requirements.lock": "#  uv pip compile --python-version 3.9 --universal\n",
                "CMakePresets.json": '{"cmakeMinimumRequired": {"major": 3, "minor": 20, "patch": 0}}',
                "CMakeLists.txt": "cmake_minimum_required(VERSION 3.20)\n"}
        self.assertEqual(violations("versions", tree), [])
        tree["CMakeLists.txt"] = "cmake_minimum_required(VERSION 3.16)\n"
        self.assertEqual(violations("versions", tree), [("CMakeLists.txt", 1)])
        tree["CMakeLists.txt"] = "cmake_minimum_required(VERSION 3.20)\n"
        tree["bench/report/pyproject.toml"] = 'requires-python = ">=3.10"\n'
        self.assertEqual(violations("versions", tree), [("bench/report/pyproject.toml", 1)])

    def test_manual_pages_are_roff_as_it_is_meant(self):
        tree = {"docs/man/a.1": '.SH SYNOPSIS\n.RB [ options ] " \'X\' " [ \\-\\- " y" ]\n'
                                '.TP\n.BR A ", " \\\nB\nThe same.\n'
                                ".BR lstopo (1),\nor\n\\fBupcc\\fR reads.  Banyan reads, too.\n"}
        self.assertEqual(violations("manual_pages", tree), [])
        tree = {"docs/man/a.1": '.RB [ options ] " \'X\'" [ \\-\\- " y" ]\n'
                                '.TP\n.BR A ", "\n.BR B\n.BR lstopo (1), or\nUpcc reads.\n'
                                "Banyan\\-mpi, too.\n"}
        self.assertEqual(violations("manual_pages", tree), [("docs/man/a.1", number) for number in (1, 3, 5, 6, 7)])

    def test_links_to_headings_work_everywhere(self):
        tree = {"docs/a.md": "# A `b.cc`\n[x](b.md#two-words) [y](#a-bcc) [z](https://b.org/c.md#d) [w](c.h#L1)\n",
                "docs/b.md": "```\n# Code\n```\n## Two words\n"}
        self.assertEqual(violations("anchors", tree), [])
        tree = {"docs/a.md": "[x](b.md#one--two)\n[y](b.md#one-two)\n[z](b.md#code)\n\n[w](#nothing)\n",
                "docs/b.md": "```\n# Code\n```\n## One -two\n"}
        self.assertEqual(violations("anchors", tree), [("docs/a.md", number) for number in (1, 2, 3, 5)])


if __name__ == "__main__":
    unittest.main()
