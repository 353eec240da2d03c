#!/usr/bin/env python3
"""Half-written and mangled programs for upc-language-server: it must answer everything about each of them, and live.

    fuzz.py SERVER ROUNDS [SEED]

A round opens a program of this repository, cut off somewhere or with pieces of it moved, edits it while requests about
random places are under way, and closes it.  A round that fails says its seed; `fuzz.py SERVER 1 SEED` repeats it.
"""

import random
import shutil
import sys
import tempfile
from pathlib import Path

from client import Client

ROOT = Path(__file__).resolve().parent.parent.parent
PLACES = ("hover", "definition", "declaration", "references", "documentHighlight", "completion", "signatureHelp")
TEXTS = ("documentSymbol", "semanticTokens/full", "inlayHint")
PIECES = ("shared ", "shared [3] ", "shared [] ", "[*]", "strict ", "upc_forall (", "upc_barrier;", "THREADS",
          "MYTHREAD", "{", "}", "(", ")", "[", "]", ";", ",", "*", "&", "->", ".", "=", "\"", "'", "/*", "*/", "//",
          "\n", "\\\n", "#define x(y) y\n", "#include <upc.h>\n", "#include \"none.h\"\n", "#if 0\n", "#endif\n",
          "struct s {", "typedef ", "\U0001f332", "\u00e9", "\0", "# 7 \"other.upc\"\n", "({", "})", "static ", "0x",
          "1.5e", "return ", "goto a;", "a:")


def programs():
    folders = ("tests/programs", "tests/compiler/errors", "tests/compiler/valid", "apps")
    found = sorted(path for folder in folders for path in (ROOT / folder).rglob("*.upc"))
    corpus = sorted(path for path in (ROOT / "tests/fuzz/corpus/parse").iterdir() if path.is_file())
    return found + corpus


def mangled(text, chance):
    for _ in range(chance.randrange(4)):
        a, b = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        b = min(b, a + 200)
        kind = chance.randrange(5)
        text = (text[:a] if kind == 0 else text[:a] + text[b:] if kind == 1
                else text[:a] + chance.choice(PIECES) + text[a:] if kind == 2
                else text[:a] + text[a:b] + text[a:] if kind == 3 else text[:a] + text[a:b][::-1] + text[b:])
    return text


def edit(text, chance):
    lines = text.split("\n")
    line = chance.randrange(len(lines) + 1)
    last = min(len(lines), line + chance.choice((0, 0, 0, 1, 5)))
    column, end = (chance.randrange(60) for _ in range(2))
    return line, column, last, end, chance.choice(PIECES) * chance.choice((0, 1, 1, 3))


def one_round(client, path, seed):
    chance = random.Random(seed)
    text = mangled(path.read_bytes().decode(errors="replace"), chance)
    name = "fuzz.upc" if path.suffix != ".h" else "fuzz.h"
    client.open(name, text)
    document = {"textDocument": {"uri": client.uri(name)}}
    numbers = []
    for version in range(2, 2 + chance.randrange(1, 6)):
        for _ in range(chance.randrange(6)):
            place = {"line": chance.randrange(text.count("\n") + 3), "character": chance.randrange(80)}
            method = chance.choice(PLACES + TEXTS)
            more = {"position": place} if method in PLACES else \
                {"range": {"start": {"line": 0, "character": 0}, "end": place}}
            numbers.append(client.begin("textDocument/" + method, **document, **more))
            if chance.randrange(8) == 0:
                client.notify("$/cancelRequest", id=numbers[-1])
        client.change(name, version, *(edit(text, chance) for _ in range(chance.randrange(1, 4))))
    if chance.randrange(3) == 0:
        client.diagnostics(name)
    for number in numbers:
        answer = client.answer(number)
        assert "result" in answer or answer["error"]["code"] == -32800, answer
    client.notify("textDocument/didClose", **document)
    client.diagnostics(name, lambda found: not found)
    with client.arrived:
        client.messages.clear()


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    server, rounds = Path(sys.argv[1]).resolve(), int(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) == 4 else 1
    files = programs()
    folder = Path(tempfile.mkdtemp(prefix="lsp-fuzz-"))
    client = Client(server, folder)
    client.initialize(debounce=0)
    try:
        for seed in range(first, first + rounds):
            path = random.Random(seed).choice(files)
            try:
                one_round(client, path, seed)
            except (AssertionError, OSError) as error:
                print(f"seed {seed}, {path.relative_to(ROOT)}: {str(error)[:300]}; status {client.process.poll()}")
                return 1
        status = client.close()
        print(f"{rounds} rounds, exit status {status}")
        return status
    finally:
        client.process.kill()
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
