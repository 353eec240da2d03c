#!/usr/bin/env python3
"""upc-language-server as an editor knows it: what it answers, and what it does with editors that err.

    protocol_test.py SERVER
"""

import json
import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

from client import Client

SERVER = None

PROGRAM = """#include <upc.h>
#include <stdio.h>
#include "cells.h"

/* Temperatures,
   of all cells */
shared [4] double grid[8 * THREADS];
shared [2] int matrix[4][10 * THREADS];
shared int *first;      // of the cells
typedef struct node { int value; shared struct node *next; } node_t;
shared node_t nodes[THREADS];

double sum(int n)
{
    double total = 0;
    upc_forall (int i = 0; i < n; i++; &grid[i])
        total += grid[i + 1];
    shared node_t *q = &nodes[3];
    q->value = matrix[2][7] + first[5];
    return total;
}

int main(void)
{
    upc_barrier;
    shared void *memory = upc_all_alloc(THREADS, 8);
    total_of_cells(&grid[0], 3);
    return memory == NULL || sum(8) > 0;
}
"""
HEADER = """/* The total of some cells,
 * from one on */
double total_of_cells(shared [4] double *cells, int count);
"""


def place(text, what, nth=1):
    """Line and column of the n-th occurrence of a text"""
    at = -1
    for _ in range(nth):
        at = text.index(what, at + 1)
    return text.count("\n", 0, at), at - text.rfind("\n", 0, at) - 1


class LanguageServer(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="lsp-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.client = self.start()

    def start(self, **environment):
        client = Client(SERVER, self.folder, **environment)
        self.addCleanup(client.close)
        return client

    def begin(self, text=PROGRAM, name="a.upc", **options):
        (self.folder / "cells.h").write_text(HEADER)
        self.client.initialize(**options)
        self.client.open(name, text)

    def hover(self, what, nth=1):
        return self.client.hover("a.upc", *place(PROGRAM, what, nth))

    def settled(self, name="a.upc"):
        """What is told of a text in the end: upcc's messages, and then those of the C compiler, too, if there were no
        errors"""
        found = self.client.diagnostics(name)
        if not any(message["severity"] == 1 for message in found):
            found = self.client.diagnostics(name)
        return found


class Diagnostics(LanguageServer):
    def test_program_without_errors(self):
        self.begin()
        self.assertEqual(self.settled(), [])

    def test_message_of_upcc_with_its_note(self):
        self.begin("shared [2] int a[4 * THREADS];\nshared [3] int a[4 * THREADS];\n")
        message, = self.settled()
        self.assertEqual(message["code"], "ConflictingTypes")
        self.assertEqual(message["severity"], 1)
        self.assertEqual(message["range"], {"start": {"line": 1, "character": 15}, "end": {"line": 1, "character": 29}})
        note, = message["relatedInformation"]
        self.assertEqual(note["location"]["uri"], self.client.uri("a.upc"))
        self.assertEqual(note["location"]["range"]["start"], {"line": 0, "character": 15})
        self.assertIn("was declared with type 'shared [2] int[4*THREADS]' here", note["message"])

    def test_warning_names_its_option(self):
        self.begin("#include <upc.h>\nvoid f(int n)\n{\n    upc_forall (int i = 0; i < n; i++; i)\n"
                   "        upc_barrier;\n}\n")
        message, = self.settled()
        self.assertEqual((message["severity"], message["code"], message["range"]["start"]["line"]),
                         (2, "-Wupc-forall", 4))

    def test_message_of_the_c_compiler(self):
        self.begin("shared int x;\nint main(void)\n{\n    return x + undeclared_name;\n}\n")
        self.assertEqual(self.client.diagnostics("a.upc"), [])
        message, = self.client.diagnostics("a.upc")
        self.assertIn("undeclared_name", message["message"])
        self.assertEqual(message["range"], {"start": {"line": 3, "character": 15}, "end": {"line": 3, "character": 30}})

    def test_c_compiler_is_left_alone(self):
        self.begin("shared int x;\nint main(void)\n{\n    return x + undeclared_name;\n}\n", runCompiler=False)
        self.assertEqual(self.client.diagnostics("a.upc"), [])
        self.client.change("a.upc", 2, "strict int y;\n")
        self.assertEqual(self.client.diagnostics("a.upc")[0]["code"], "StrictWithoutShared")

    def test_header_that_is_missing(self):
        self.begin('int a;\n#include "none.h"\nstrict int b;\n')
        message, = self.settled()
        self.assertIn("none.h", message["message"])
        self.assertEqual(message["range"]["start"]["line"], 1)

    def test_error_in_a_header_is_told_where_it_is_included(self):
        (self.folder / "bad.h").write_text("int a;\nstrict int b;\n")
        self.begin('#include <stddef.h>\n#include "bad.h"\nshared int c;\n')
        message, = self.settled()
        self.assertEqual(message["range"]["start"]["line"], 1)
        there = message["relatedInformation"][0]["location"]
        self.assertEqual((there["uri"], there["range"]["start"]["line"]), (self.client.uri("bad.h"), 1))

    def test_header_by_itself(self):
        self.begin("#pragma once\nstatic int unused;\nstrict int b;\n", name="part.uph")
        self.assertEqual([message["code"] for message in self.settled("part.uph")], ["StrictWithoutShared"])

    def test_macro_of_a_word(self):
        self.begin("#define shared\nint a;\n")
        self.assertEqual(self.settled()[0]["code"], "-Wupc-macros")

    def test_text_that_is_not_saved_counts(self):
        (self.folder / "a.upc").write_text("strict int on_disk;\n")
        self.begin("shared int a;\nint f(void) { return a; }\n")
        self.assertEqual(self.settled(), [])
        self.client.change("a.upc", 2, (0, 0, 0, 6, "strict"), (1, 22, 1, 22, "a + "))
        message, = self.settled()
        self.assertEqual(message["code"], "StrictWithoutShared")

    def test_saved_header_counts_at_once(self):
        self.begin('#include "part.h"\nshared int c = part;\n')
        self.assertIn("part.h", self.settled()[0]["message"])
        (self.folder / "part.h").write_text("enum { part = 3 };\n")
        self.client.notify("textDocument/didSave", textDocument={"uri": self.client.uri("part.h")})
        self.assertEqual(self.settled(), [])

    def test_columns_count_as_the_editor_does(self):
        text = "/* \U0001f332 \u00e4 */ strict int a;\n"
        for encoding, column in (("utf-16", 11), ("utf-8", 14)):
            client = self.start()
            client.initialize(encodings=[encoding])
            client.open("b.upc", text)
            start = client.diagnostics("b.upc")[0]["range"]["start"]
            self.assertEqual(start, {"line": 0, "character": column}, encoding)

    def test_messages_come_under_the_name_that_the_client_uses(self):
        text = "int value;\nstrict int a;\nint f(void) { return value; }\n"
        self.client.initialize()
        for name in ("b(1)!.upc", "e%2bf.upc"):
            document = {"uri": f"{self.folder.as_uri()}/{name}"}
            self.client.notify("textDocument/didOpen", textDocument={**document, "languageId": "upc", "version": 1,
                                                                     "text": text})
            message = self.client.take(lambda m: m.get("method") == "textDocument/publishDiagnostics")
            self.assertEqual(message["params"]["uri"], document["uri"])
            found = self.client.request("textDocument/definition", textDocument=document,
                                        position={"line": 2, "character": 22})
            self.assertEqual((found["uri"], found["range"]["start"]["line"]), (document["uri"], 0))

    def test_carriage_return_alone_ends_a_line(self):
        self.begin("shared int a;\rstrict int b;\r")
        self.assertEqual(self.settled()[0]["range"]["start"], {"line": 1, "character": 0})

    def test_closed_text_has_no_messages(self):
        self.begin("strict int a;\n")
        self.assertEqual(len(self.settled()), 1)
        self.client.notify("textDocument/didClose", textDocument={"uri": self.client.uri("a.upc")})
        self.assertEqual(self.client.diagnostics("a.upc"), [])


class Options(LanguageServer):
    TEXT = "int a[THREADS];\nint b = NAME;\n"

    def test_of_settings(self):
        self.begin(self.TEXT, arguments=["-T", "4", "-DNAME=3"])
        self.assertEqual(self.settled(), [])

    def test_change_of_settings(self):
        self.begin(self.TEXT)
        self.assertEqual(self.settled()[0]["code"], "ThreadsPrivate")
        self.client.notify("workspace/didChangeConfiguration",
                           settings={"upc": {"arguments": ["-T", "4", "-DNAME=3"]}})
        self.assertEqual(self.settled(), [])

    def test_of_compile_commands_above_the_file(self):
        self.write_commands(self.folder / "build", "-DNAME=3 -T4 -Iheaders")
        os.mkdir(self.folder / "build/headers")
        (self.folder / "build/headers/of_include.h").write_text("enum { found = 1 };\n")
        os.mkdir(self.folder / "deep")
        self.begin('#include "of_include.h"\n' + self.TEXT + "int c = found;\n", name="deep/a.upc")
        self.assertEqual(self.settled("deep/a.upc"), [])

    def write_commands(self, folder, options):
        folder.mkdir(exist_ok=True)
        (folder / "compile_commands.json").write_text(json.dumps([
            {"directory": str(self.folder), "file": "other.upc", "arguments": ["upcc", "-T", "9", "-c", "other.upc"]},
            {"directory": str(folder), "file": "../deep/a.upc",
             "command": f"ccache '/some where/upcc' -cc cc {options} -o a.o -MJ x -c ../deep/a.upc"}]))

    def test_of_a_setting_that_names_the_folder(self):
        self.write_commands(self.folder / "elsewhere", "-DNAME=3 -T4")
        self.begin(self.TEXT, name="deep/a.upc", compileCommands=str(self.folder / "elsewhere"))
        self.assertEqual(self.settled("deep/a.upc"), [])

    def test_of_compile_commands_that_are_made_later(self):
        self.begin(self.TEXT, name="deep/a.upc")
        self.assertNotEqual(self.settled("deep/a.upc"), [])
        self.write_commands(self.folder / "build", "-DNAME=3 -T4")
        self.client.notify("textDocument/didSave", textDocument={"uri": self.client.uri("deep/a.upc")})
        self.assertEqual(self.settled("deep/a.upc"), [])

    def test_of_a_relative_folder(self):
        self.write_commands(self.folder / "elsewhere", "-DNAME=3 -T4")
        self.begin(self.TEXT, name="deep/a.upc", compileCommands="elsewhere")
        self.assertEqual(self.settled("deep/a.upc"), [])

    def test_wrong_settings_are_named(self):
        self.begin("shared int a;\n", arguments="-T 4", compileCommands="no/such")
        for wanted in ("upc.arguments is \"-T 4\"; it has to be a list", f"there is no {self.folder}/no/such"):
            told = self.client.take(lambda m: m.get("method") == "window/logMessage")
            self.assertIn(wanted, told["params"]["message"])

    def test_of_an_environment_in_which_upcc_is_the_c_compiler(self):
        self.client = self.start(CC=str(SERVER.parent / "upcc"))
        self.begin("shared int a;\nint f(void) { return a; }\n")
        self.assertEqual(self.settled(), [])

    @unittest.skipUnless(shutil.which("clang"), "there is no clang")
    def test_of_options_that_clang_has_no_use_for(self):
        self.begin("shared int a;\n", arguments=["-Werror", "-fmacro-prefix-map=/a=b", "-cc=clang"])
        self.assertEqual(self.settled(), [])

    def test_of_warnings_as_errors_about_code_that_upcc_adds(self):
        self.begin("shared int a[THREADS];\nint *mine(void) { return (int *)&a[MYTHREAD]; }\n",
                   arguments=["-Wbad-function-cast", "-Werror", "-cc=gcc"])
        self.assertEqual(self.settled(), [])

    def test_options_that_upcc_does_not_take(self):
        self.begin("shared int a;\n", arguments=["-no-such-option"])
        told = self.client.take(lambda m: m.get("method") == "window/logMessage")
        self.assertIn("-no-such-option", told["params"]["message"])
        self.assertEqual(self.settled(), [])


class Hover(LanguageServer):
    def setUp(self):
        super().setUp()
        self.begin()

    def test_layout_and_place_of_an_element(self):
        text = self.hover("grid[i + 1]")
        self.assertIn("shared [4] double grid[8 * THREADS]", text)
        self.assertIn("element i is on thread (i / 4) % THREADS, phase i % 4", text)
        self.assertIn("Each thread has room for 8 elements; 64 * THREADS bytes", text)
        self.assertIn("Temperatures, of all cells", text)
        self.assertIn("Here `grid[i + 1]`, of type `shared [4] double`, is on thread ((i + 1) / 4) % THREADS, "
                      "phase (i + 1) % 4. The access is relaxed.", text)

    def test_names_that_are_not_ascii(self):
        text = "shared int gr\u00f6\u00dfe[THREADS];\nint f(void) { return gr\u00f6\u00dfe[0]; }\n"
        self.client.open("g.upc", text)
        for nth in (1, 2):
            self.assertIn("shared int gr\u00f6\u00dfe[THREADS]", self.client.hover("g.upc", *place(text, "gr", nth)))
        found = self.client.at("definition", "g.upc", *place(text, "gr", 2))
        self.assertEqual(found["range"]["start"], {"line": 0, "character": 11})

    def test_place_in_two_dimensions(self):
        self.assertIn("on thread ((2 * 10 * THREADS + 7) / 2) % THREADS, phase (2 * 10 * THREADS + 7) % 2",
                      self.hover("matrix[2]"))

    def test_pointer(self):
        text = self.hover("first[5]")
        self.assertIn("p + 1 is on the next thread", text)
        self.assertIn("each thread has its own", text)
        self.assertIn("of the cells", text)
        self.assertIn("`first[5]`, of type `shared int`, is on thread (upc_threadof(first) + 5) % THREADS", text)

    def test_member_behind_a_pointer(self):
        self.assertIn("is on thread upc_threadof(q)", self.hover("value = matrix"))

    def test_affinity_of_a_loop(self):
        self.assertIn("each iteration runs where grid[i] is, on thread (i / 4) % THREADS, phase i % 4",
                      self.hover("upc_forall"))

    def test_function_of_the_library(self):
        text = self.hover("upc_all_alloc")
        self.assertIn("shared void *upc_all_alloc(size_t nblocks, size_t nbytes)", text)
        self.assertIn("one allocation, whose address all threads get", text)

    def test_function_of_a_header(self):
        self.assertIn("The total of some cells, from one on", self.hover("total_of_cells"))

    def test_word_of_upc(self):
        self.assertIn("Waits until all threads are here", self.hover("upc_barrier"))

    def test_expression(self):
        self.assertIn("Type `int`", self.hover("== NULL"))

    def test_macro(self):
        self.assertIn("#define NULL", self.hover("NULL"))

    def test_nothing(self):
        self.assertEqual(self.client.hover("a.upc", 3, 0), "")
        self.assertEqual(self.client.hover("a.upc", 4000, 7), "")

    def test_places_with_a_known_number_of_threads(self):
        client = self.start()
        client.initialize(arguments=["-T", "4"])
        text = "shared [4] int a[100];\nint f(void) { return a[37] + a[THREADS]; }\n"
        client.open("b.upc", text)
        self.assertIn("is on thread 1, phase 1", client.hover("b.upc", *place(text, "a[37]")))
        self.assertIn("Each thread has room for 28 elements; 400 bytes", client.hover("b.upc", 0, 15))


class Navigation(LanguageServer):
    def setUp(self):
        super().setUp()
        self.begin()

    def lines(self, locations):
        return [(Path(one["uri"]).name, one["range"]["start"]["line"] + 1) for one in locations]

    def test_definition_and_declaration(self):
        where = place(PROGRAM, "sum(8)")
        found = self.client.at("definition", "a.upc", *where)
        self.assertEqual((found["uri"], found["range"]["start"]),
                         (self.client.uri("a.upc"), {"line": 12, "character": 7}))
        found = self.client.at("declaration", "a.upc", *place(PROGRAM, "total_of_cells"))
        self.assertEqual(self.lines([found]), [("cells.h", 3)])
        found = self.client.at("definition", "a.upc", *place(PROGRAM, "upc_all_alloc"))
        self.assertEqual(Path(found["uri"]).name, "upc.h")

    def test_definition_of_a_macro(self):
        (self.folder / "width.h").write_text("\n#  define WIDTH 8\n")
        text = '#include "width.h"\n#define SQUARE(x) ((x) * (x))\nint a = SQUARE(WIDTH);\nint b = __LINE__;\n'
        self.client.open("b.upc", text)
        for request in ("definition", "declaration"):
            found = self.client.at(request, "b.upc", 2, 9)
            self.assertEqual((self.lines([found]), found["range"]["start"]["character"]), ([("b.upc", 2)], 8))
            found = self.client.at(request, "b.upc", 2, 16)
            self.assertEqual((self.lines([found]), found["range"]["start"]["character"]), ([("width.h", 2)], 10))
            self.assertIsNone(self.client.at(request, "b.upc", 3, 9))

    def test_references_of_a_macro(self):
        (self.folder / "width.h").write_text("/* WIDTH\n   WIDTH */\n#define WIDTH 8\nint w = WIDTH; // WIDTH\n")
        text = ('#include "width.h"\nint WIDTHS;\n#ifdef WIDTH\nint a = 2*WIDTH, b = WIDTH;\nchar *s = "WIDTH";\n'
                '#endif\n')
        self.client.open("b.upc", text)
        for with_declarations in (True, False):
            found = self.client.at("references", "b.upc", 3, 12, context={"includeDeclaration": with_declarations})
            self.assertEqual(sorted(self.lines(found)), [("b.upc", 3), ("b.upc", 4), ("b.upc", 4)] +
                             [("width.h", 3)] * with_declarations + [("width.h", 4)])
        found = self.client.at("documentHighlight", "b.upc", 3, 12)
        self.assertEqual([one["range"]["start"] for one in found],
                         [{"line": 2, "character": 7}, {"line": 3, "character": 10}, {"line": 3, "character": 21}])

    def test_definition_of_a_member_and_of_a_type(self):
        for what in ("value = matrix", "node_t *q"):
            found = self.client.at("definition", "a.upc", *place(PROGRAM, what))
            self.assertEqual(self.lines([found]), [("a.upc", 10)])

    def test_references(self):
        where = place(PROGRAM, "grid[i + 1]")
        found = self.client.at("references", "a.upc", *where, context={"includeDeclaration": True})
        self.assertEqual(self.lines(found), [("a.upc", 6 + 1), ("a.upc", 16), ("a.upc", 17), ("a.upc", 27)])
        found = self.client.at("references", "a.upc", *where, context={"includeDeclaration": False})
        self.assertEqual(len(found), 3)

    def test_highlights_tell_what_is_written(self):
        found = self.client.at("documentHighlight", "a.upc", *place(PROGRAM, "total +="))
        self.assertEqual([one["kind"] for one in found], [1, 3, 2])

    def test_symbols(self):
        found = self.client.request("textDocument/documentSymbol", textDocument={"uri": self.client.uri("a.upc")})
        self.assertEqual([one["name"] for one in found],
                         ["grid", "matrix", "first", "node", "node_t", "nodes", "sum", "main"])
        self.assertEqual([one["name"] for one in found[3]["children"]], ["value", "next"])
        self.assertEqual(found[6]["range"],
                         {"start": {"line": 12, "character": 0}, "end": {"line": 20, "character": 1}})
        self.assertEqual(found[0]["detail"], "shared [4] double[8*THREADS]")

    def test_semantic_tokens(self):
        data = self.client.request("textDocument/semanticTokens/full",
                                   textDocument={"uri": self.client.uri("a.upc")})["data"]
        line, column, found = 0, 0, []
        for i in range(0, len(data), 5):
            line += data[i]
            column = data[i + 1] + (0 if data[i] else column)
            found.append((PROGRAM.split("\n")[line][column:column + data[i + 2]], data[i + 3], data[i + 4]))
        self.assertEqual(found[0], ("shared", 0, 0))
        self.assertIn(("grid", 1, 3), found)    # a variable, declared, shared
        self.assertIn(("upc_barrier", 0, 0), found)
        self.assertIn(("value", 5, 0), found)


class Typing(LanguageServer):
    def offered(self, before, after="", **options):
        """What is offered between two texts"""
        text = before + after
        self.begin(text, **options)
        line = before.count("\n")
        found = self.client.at("completion", "a.upc", line, len(before) - before.rfind("\n") - 1)
        return found["items"]

    def complete(self, before, after="", **options):
        """The labels of what is offered"""
        return [item["label"] for item in self.offered(before, after, **options)]

    def test_kinds_of_items(self):
        found = self.offered("#include <upc.h>\nenum { upc_enumerator };\ntypedef int upc_type;\nint upc_variable;\n"
                             "int upc_function(void);\nint main(void)\n{\n    upc_", "\n    return 0;\n}\n")
        kinds = {item["label"]: item["kind"] for item in found}
        wanted = {"upc_function": 3, "upc_variable": 6, "upc_type": 7, "upc_enumerator": 20,
                  "upc_localsizeof": 14, "upc_forall": 15, "upc_all_broadcast": 3}
        self.assertEqual({name: kinds.get(name) for name in wanted}, wanted)
        self.client = self.start()
        member, = self.offered("struct s { int one; };\nint f(struct s s2)\n{\n    return s2.", ";\n}\n")
        self.assertEqual(member["kind"], 5)

    def test_words_and_names(self):
        found = self.complete("#include <upc.h>\nstatic int upc_count;\nint main(void)\n{\n    int upc_local;\n"
                              "    upc_", "\n    return 0;\n}\n")
        for name in ("upc_forall", "upc_barrier", "upc_count", "upc_local", "upc_memget", "upc_all_broadcast"):
            self.assertIn(name, found)
        self.assertEqual(len(found), len(set(found)))

    def test_names_of_other_scopes_are_left_out(self):
        found = self.complete("void f(int inner) { int in_f; }\nvoid g(int in_g)\n{\n    { int in_block; }\n    in",
                              "\n}\n")
        self.assertIn("in_g", found)
        self.assertFalse({"inner", "in_f", "in_block"} & set(found))

    def test_members(self):
        types = "struct s { int one; struct { int two; }; shared struct s *next; };\nshared struct s *get(int n);\n"
        for expression in ("p[3].", "(*p).", "p->", "p->next->", "q.next->", "get(1)->", "table[1]->next."):
            with self.subTest(expression):
                self.client = self.start()
                head = "void f(shared struct s *p, struct s q, shared struct s **table)\n{\n    "
                found = self.complete(types + head + expression, "\n    p = 0;\n}\n")
                self.assertEqual(found, ["one", "two", "next"] if expression != "(*p)." else [])

    def test_members_of_a_name_that_ends_with_a_digit(self):
        found = self.complete("struct s { int one; };\nint f(struct s s2)\n{\n    return s2.", ";\n}\n")
        self.assertEqual(found, ["one"])

    def test_nothing_is_offered_where_no_name_can_be(self):
        head = "/* of one\n   thing */\nint f(int i)\n{\n    return "
        for before in ("i; // ends.", "i; /* ends.", "i; /* ends", 'i + *"a string.', "i + '.", "i + 2.", "i + 2.e"):
            with self.subTest(before):
                self.client = self.start()
                self.assertEqual(self.complete(head + before, "\n}\n"), [])
        self.client = self.start()
        self.assertIn("i", self.complete(head + "'\\'' + i; /* */", "\n}\n"))

    def test_a_character_that_was_typed_asks_for_members_alone(self):
        text = "struct s { int one; };\nint f(struct s *p, int i)\n{\n    return i > p->\n}\n"
        self.begin(text)
        for column, context, labels in ((14, {"triggerKind": 2, "triggerCharacter": ">"}, []),
                                        (18, {"triggerKind": 2, "triggerCharacter": ">"}, ["one"])):
            found = self.client.at("completion", "a.upc", 3, column, context=context)
            self.assertEqual([item["label"] for item in found["items"]], labels)
        found = self.client.at("completion", "a.upc", 3, 14, context={"triggerKind": 1})
        self.assertIn("i", [item["label"] for item in found["items"]])

    def test_arguments_of_a_call(self):
        text = "#include <upc.h>\nvoid f(shared int *p)\n{\n    upc_memput(p, (int[]){1, 2}, \n}\n"
        self.begin(text)
        found = self.client.at("signatureHelp", "a.upc", 3, 33)
        signature, = found["signatures"]
        self.assertTrue(signature["label"].startswith("void upc_memput(shared void *restrict dst, const void"))
        self.assertEqual(found["activeParameter"], 2)
        self.assertEqual(len(signature["parameters"]), 3)

    def test_remarks_beside_loops(self):
        self.begin()
        request = {"textDocument": {"uri": self.client.uri("a.upc")},
                   "range": {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}}
        dealt, computed = self.client.request("textDocument/inlayHint", **request)
        self.assertEqual(dealt["position"], {"line": 15, "character": 48})
        self.assertTrue(dealt["label"].startswith("optimized: each thread runs only its own iterations"))
        self.assertIn("copy them with upc_memget before the loop", computed["tooltip"])
        self.client.notify("workspace/didChangeConfiguration", settings={"upc": {"remarks": "off"}})
        self.assertEqual(self.client.request("textDocument/inlayHint", **request), [])

    def test_remarks_as_hints(self):
        self.begin(remarks="hints")
        found = self.client.diagnostics("a.upc")
        self.assertEqual([message["severity"] for message in found], [4, 4])


class Misuse(LanguageServer):
    def test_requests_before_the_beginning_and_after_the_end(self):
        self.assertEqual(self.client.refusal("textDocument/hover"), -32002)
        self.client.initialize()
        self.assertEqual(self.client.refusal("initialize"), -32600)
        self.client.request("shutdown")
        self.assertEqual(self.client.refusal("textDocument/hover"), -32600)
        self.client.notify("exit")
        self.assertEqual(self.client.process.wait(10), 0)

    def test_exit_without_shutdown(self):
        self.client.initialize()
        self.client.notify("exit")
        self.assertEqual(self.client.process.wait(10), 1)

    def test_editor_that_vanishes(self):
        self.client.initialize()
        self.client.process.stdin.close()
        self.assertEqual(self.client.process.wait(10), 1)

    def test_no_json_and_no_message(self):
        self.client.initialize()
        for body, code in ((b"{", -32700), (b"\xff\xfe", -32700), (b"3", -32600), (b"[]", -32600), (b"{}", -32600),
                           (b'{"id": {}, "method": "shutdown"}', -32600), (b'{"id": 1, "method": 7}', -32600)):
            self.client.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            message = self.client.take(lambda m: "error" in m)
            self.assertEqual((message["id"], message["error"]["code"]), (None, code), body)

    def test_headers_that_are_none(self):
        self.client.initialize()
        for header in (b"Content-Length: many\r\n\r\n", b"GET / HTTP/1.1\r\nHost: here\r\n\r\n", b"\r\n\r\n"):
            self.client.send_bytes(header)
        self.client.send_bytes(b"content-length:  2\r\nContent-Type: text\r\n\r\n{}")
        self.assertEqual(self.client.refusal("no/such/method"), -32601)

    def test_message_that_is_too_long(self):
        self.client.initialize()
        length = (64 << 20) + 1
        self.client.send_bytes(b"Content-Length: %d\r\n\r\n" % length)
        self.client.send_bytes(b" " * length)
        message = self.client.take(lambda m: "error" in m)
        self.assertEqual(message["error"]["code"], -32600)
        self.assertEqual(self.client.refusal("no/such/method"), -32601)

    def test_parameters_that_are_none(self):
        self.begin("shared int a;\n")
        uri = {"uri": self.client.uri("a.upc")}
        self.assertEqual(self.client.refusal("textDocument/hover"), -32602)
        self.assertEqual(self.client.refusal("textDocument/hover", textDocument={"uri": 3}), -32602)
        for position in ({}, 3, [], {"line": -1, "character": 0}, {"line": "x", "character": 0}, {"line": 1e300}):
            self.assertEqual(self.client.refusal("textDocument/hover", textDocument=uri, position=position), -32602)
        for huge in (4e9, 2**31 - 1):
            self.client.at("hover", "a.upc", huge, huge)
        for change in ({}, {"text": 3}, {"text": "", "range": 7}, {"text": "", "range": {"start": {}, "end": None}},
                       5):
            self.client.notify("textDocument/didChange", textDocument=uri, contentChanges=[change])
        self.client.notify("textDocument/didChange", textDocument=uri, contentChanges={"text": "int"})
        self.client.notify("textDocument/didOpen", textDocument={"uri": "untitled:1", "text": "int a;"})
        self.client.notify("textDocument/didOpen", textDocument={"uri": "file:///%00", "text": "int a;"})
        self.client.notify("workspace/didChangeConfiguration", settings=[{"upc": 3}])
        self.assertIn("shared int a", self.client.hover("a.upc", 0, 11))

    def test_change_behind_the_end_and_backwards(self):
        self.begin("shared int a;\n")
        self.client.change("a.upc", 2, (99, 0, 99, 99, "strict int b;\n"), (1, 10, 1, 6, " "))
        self.assertEqual(self.client.diagnostics("a.upc", lambda found: found)[0]["code"], "StrictWithoutShared")

    def test_cancelled_request(self):
        self.begin("shared int a;\n")
        numbers = [self.client.begin("textDocument/documentSymbol",
                                     textDocument={"uri": self.client.uri("a.upc")}) for _ in range(50)]
        self.client.notify("$/cancelRequest", id=numbers[-1])
        for number in numbers[:-1]:
            self.assertIn("result", self.client.answer(number))
        answer = self.client.answer(numbers[-1])
        self.assertTrue("result" in answer or answer["error"]["code"] == -32800)
        for what in (numbers[0], self.client.next_id + 1, None):    # nothing that waits
            self.client.notify("$/cancelRequest", id=what)
        self.client.request("textDocument/documentSymbol", textDocument={"uri": self.client.uri("a.upc")})

    def test_edits_during_analysis(self):
        self.begin("shared int a;\n")
        for version in range(2, 200):
            self.client.change("a.upc", version, (0, 0, 0, 0, "//"))
            if version % 20 == 0:
                self.client.begin("textDocument/semanticTokens/full", textDocument={"uri": self.client.uri("a.upc")})
        self.client.change("a.upc", 200, "strict int a;\n")
        self.client.diagnostics("a.upc", lambda found: found and found[0]["code"] == "StrictWithoutShared")

    def test_text_that_is_too_long(self):
        self.begin("int a;\n" * (2 << 20))
        self.assertIn("too long", self.client.diagnostics("a.upc")[0]["message"])
        self.assertEqual(self.client.hover("a.upc", 0, 4), "")
        self.assertIsNotNone(self.client.at("completion", "a.upc", 0, 4))
        for method in ("definition", "references", "documentHighlight", "documentSymbol", "semanticTokens/full",
                       "inlayHint", "signatureHelp"):
            self.client.at(method, "a.upc", 0, 4)

    def test_files_that_have_no_end(self):
        self.begin('#include "/dev/null"\n# 1 "/dev/zero"\nstrict int a;\n')
        self.assertEqual(self.client.diagnostics("a.upc")[0]["code"], "StrictWithoutShared")

    def test_text_that_is_no_text(self):
        self.begin("shared int a; \0 \u0001 \x7f \"\n'\n\ufffd \ufeff #include\n#include \n#if\n")
        self.client.diagnostics("a.upc")
        self.client.hover("a.upc", 0, 11)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    SERVER = Path(sys.argv.pop(1)).resolve()
    unittest.main()
