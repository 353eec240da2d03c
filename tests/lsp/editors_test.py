#!/usr/bin/env python3
"""The files of editors/: they know the words of UPC that the compiler knows, and the editors that are installed here
take them, show words as such and talk to the language server.

    editors_test.py SERVER
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
EDITORS = ROOT / "editors"
SERVER = None
PROGRAM = """#include <upc.h>
#pragma upc relaxed
shared [4] double grid[8 * THREADS];
double sum(int n)
{
    double total = 0;
    upc_forall (int i = 0; i < n; i++; &grid[i])
        total += grid[i];
    upc_barrier;
    return total;
}
strict int wrong;
"""
WRONG = "'strict' qualifies a type that is not shared; write 'strict shared'"
PLACE = "thread (i / 4) % THREADS, phase i % 4"


def words():
    return re.findall(r'^BN_UPC_KEYWORD\(\w+, "(\w+)"\)', (ROOT / "compiler/lex/tokens.def").read_text(), re.M)


class Files(unittest.TestCase):
    def test_words(self):
        self.assertIn("upc_forall", words())
        for name in ("vscode/syntaxes/upc.tmLanguage.json", "vim/syntax/upc.vim", "emacs/upc-mode.el"):
            text = (EDITORS / name).read_text()
            for word in words():
                self.assertRegex(text, rf"\b{word}\b", name)

    def test_vscode_does_not_cut_remarks(self):
        package = json.loads((EDITORS / "vscode/package.json").read_text())
        self.assertEqual(package["contributes"]["configurationDefaults"],
                         {"[upc]": {"editor.inlayHints.maximumLength": 0}})

    def test_settings_of_vscode_are_those_of_the_server(self):
        package = json.loads((EDITORS / "vscode/package.json").read_text())
        known = set(re.findall(r'all\.get\("(\w+)"', (ROOT / "tools/lsp/settings.cc").read_text()))
        offered = {name.split(".")[1] for name in package["contributes"]["configuration"]["properties"]}
        self.assertEqual(offered - {"serverPath"}, known)
        client = (EDITORS / "vscode/src/extension.js").read_text()
        self.assertEqual(set(re.search(r"const names = \[(.*?)\]", client)[1].replace('"', "").split(", ")), known)

    def test_grammar(self):
        grammar = json.loads((EDITORS / "vscode/syntaxes/upc.tmLanguage.json").read_text())
        rules, = (injection["patterns"] for injection in grammar["injections"].values())
        for word in words():
            self.assertTrue(any(re.search(rule["match"], f"x {word} (y)") for rule in rules), word)
        self.assertFalse(any(re.search(rule["match"], "int shared_memory, upc;") for rule in rules))


class Editors(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="editors-"))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "a.upc").write_text(PROGRAM)

    def run_editor(self, *command):
        environment = {**os.environ, "PATH": f"{SERVER.parent}:{os.environ['PATH']}", "HOME": str(self.folder)}
        done = subprocess.run(command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=60, check=False)
        return done.stdout + done.stderr

    @unittest.skipUnless(shutil.which("vim"), "vim is not installed")
    def test_vim_shows_words(self):
        (self.folder / "script.vim").write_text(f"""set nocompatible
            let &runtimepath = '{EDITORS}/vim,' . &runtimepath
            filetype plugin on
            syntax on
            edit a.upc
            function! Group(word)
                call cursor(1, 1)
                call search('\\<' . a:word . '\\>')
                return a:word . ' ' . synIDattr(synID(line('.'), col('.'), 1), 'name')
            endfunction
            call writefile([&filetype] + map(['shared', 'THREADS', 'upc_forall', 'upc_barrier', 'double', 'relaxed'],
                \\ 'Group(v:val)'), 'out')
            qa!
            """.replace("            ", ""))
        told = self.run_editor("vim", "-Nu", "NONE", "-es", "-S", "script.vim")
        if not (self.folder / "out").exists() and "E319" in told:
            self.skipTest("this vim has no scripts")
        self.assertEqual((self.folder / "out").read_text().splitlines(),
                         ["upc", "shared upcQualifier", "THREADS upcThreads", "upc_forall upcRepeat",
                          "upc_barrier upcSynchronisation", "double cType", "relaxed upcPragma"])

    @unittest.skipUnless(shutil.which("nvim"), "nvim is not installed")
    def test_neovim_talks_to_the_server(self):
        (self.folder / "script.lua").write_text(f"""
            vim.opt.runtimepath:prepend('{EDITORS}/vim')
            vim.cmd('filetype plugin on')
            vim.cmd('edit a.upc')
            vim.wait(30000, function() return #vim.diagnostic.get(0) > 0 end, 20)
            local out = {{}}
            for _, found in ipairs(vim.diagnostic.get(0)) do
              table.insert(out, found.lnum + 1 .. ' ' .. found.message)
            end
            vim.fn.cursor(8, 18)
            local place = vim.lsp.util.make_position_params(0, 'utf-16')
            local answers = vim.lsp.buf_request_sync(0, 'textDocument/hover', place, 30000)
            for _, answer in pairs(answers or {{}}) do
              table.insert(out, vim.inspect(answer.result.contents.value))
            end
            vim.lsp.buf.definition()
            vim.wait(30000, function() return vim.fn.line('.') ~= 8 end, 20)
            table.insert(out, 'at ' .. vim.fn.line('.') .. ' ' .. vim.fn.expand('<cword>'))
            vim.fn.writefile(out, 'out')
            vim.cmd('qa!')
            """)
        told = self.run_editor("nvim", "--headless", "-u", "NONE", "-S", "script.lua")
        self.assertTrue((self.folder / "out").exists(), told)
        message, hover, definition = (self.folder / "out").read_text().splitlines()
        self.assertEqual(message, "12 " + WRONG)
        self.assertEqual(definition, "at 3 grid")
        self.assertIn(PLACE, hover)

    @unittest.skipUnless(shutil.which("emacs"), "emacs is not installed")
    def test_emacs_shows_words_and_talks_to_the_server(self):
        (self.folder / "script.el").write_text(f"""
            (package-initialize)
            (add-to-list 'load-path "{EDITORS}/emacs")
            (require 'upc-mode)
            (setq vc-handled-backends nil eglot-sync-connect 30)
            (find-file "a.upc")
            (font-lock-ensure)
            (princ (format "mode %s\\n" major-mode))
            (dolist (word '("THREADS" "upc_forall" "upc_barrier"))
              (goto-char (point-min))
              (re-search-forward (concat "\\\\_<" word "\\\\_>"))
              (princ (format "%s %s\\n" word (get-text-property (match-beginning 0) 'face))))
            (unless (require 'eglot nil t) (princ "no eglot\\n") (kill-emacs))
            (call-interactively #'eglot)
            (let ((left 600))
              (while (and (> left 0) (null (flymake-diagnostics)))
                (accept-process-output nil 0.05)
                (setq left (1- left))))
            (dolist (found (flymake-diagnostics))
              (princ (format "%d %s\\n" (line-number-at-pos (flymake-diagnostic-beg found))
                             (flymake-diagnostic-text found))))
            (goto-char (point-min))
            (search-forward "total += gri")
            (princ (plist-get (plist-get (jsonrpc-request (eglot-current-server) :textDocument/hover
                                                          (eglot--TextDocumentPositionParams)) :contents) :value))
            (kill-emacs)
            """)
        told = self.run_editor("emacs", "--batch", "-l", "script.el")
        for line in ("mode upc-mode", "THREADS font-lock-constant-face", "upc_forall font-lock-keyword-face",
                     "upc_barrier font-lock-keyword-face"):
            self.assertIn(line + "\n", told)
        if "no eglot\n" in told:
            self.skipTest("eglot is not installed")
        self.assertRegex(told, r"(?m)^12 .*" + re.escape(WRONG))
        self.assertIn(PLACE, told)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    SERVER = Path(sys.argv.pop(1)).resolve()
    unittest.main()
