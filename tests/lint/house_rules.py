#!/usr/bin/env python3
"""Rules of the house that no compiler checks.

    house_rules.py RULE [ROOT]

Prints each violation as file:line: text, and exits with 1 if there is one, or with 77 if the rule cannot be checked
here.  `house_rules.py --list` names the rules, --formatted the files that clang-format formats.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

CODE = (".c", ".h", ".cc", ".def", ".upc", ".py")

# What a folder of runtime/ may include besides itself and include/.
RUNTIME_LAYERS = {
    "base": set(),
    "platform": {"base"},
    "topology": {"base", "platform"},
    "boot": {"base", "platform"},
    "sync": {"base", "platform"},
    "transport": {"base", "platform"},
    "profile": {"base", "platform"},
    "coll": {"base", "platform", "topology", "boot", "sync", "transport"},
    "pgas": {"base", "platform", "topology", "boot", "sync", "transport", "profile"},
}
RUNTIME_LAYERS["wide"] = RUNTIME_LAYERS["coll"] | {"coll"}
RUNTIME_LAYERS["node"] = RUNTIME_LAYERS["coll"] | {"coll", "pgas"}
RUNTIME_LAYERS["upc"] = set(RUNTIME_LAYERS) - {"wide", "node"}

# What a folder of mpi/ may include besides itself: all of the runtime except UPC, and the folders named here.
MPI_PARTS = {"heap": set(), "host": set(), "types": set(), "front": {"heap", "host", "types"},
             "threads": {"host", "types"}}

COMPILER_STAGES = {"source", "lex", "parse", "ast", "sema", "lower", "emit", "diag", "driver"}


def files(root, *folders):
    """All files of the project below the folders (everything if none is given), as paths relative to root; includes
    those that have not been added to git yet."""
    listing = subprocess.run(["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard"],
                             capture_output=True, text=True, check=False)
    if listing.returncode == 0 and listing.stdout:
        names = listing.stdout.splitlines()
    else:
        names = [os.path.relpath(os.path.join(folder, name), root)
                 for folder, _, found in os.walk(root) for name in found]
        names = [name for name in names if not re.match(r"build(-|/)|\.git/", name)]
    chosen = [name for name in names if not folders or name.startswith(tuple(f + "/" for f in folders))]
    return sorted(name for name in chosen if (root / name).is_file() and "__pycache__" not in name)


def lines(root, name):
    return (root / name).read_text(errors="replace").splitlines()


def includes(root, name):
    """(line number, path) of every #include of a project header."""
    for number, line in enumerate(lines(root, name), 1):
        match = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
        if match:
            yield number, match.group(1)


def layers(root):
    """Includes go down only; siblings do not see each other; the compiler sees nothing of the runtime."""
    for name in files(root, "runtime"):
        if not name.endswith((".c", ".h")):
            continue
        layer = name.split("/")[1]
        for number, path in includes(root, name):
            target = path.split("/")[0]
            if "/" not in path or target not in RUNTIME_LAYERS:
                if target != "banyan":
                    yield name, number, f'"{path}" does not name its folder'
            elif target != layer and target not in RUNTIME_LAYERS[layer]:
                yield name, number, f"{layer} may not include {path}"
    for name in files(root, "mpi"):
        part = name.split("/")[1]
        if part not in MPI_PARTS or not name.endswith((".c", ".h", ".def")):
            continue
        allowed = {part} | MPI_PARTS[part] | set(RUNTIME_LAYERS) - {"upc"}
        for number, path in includes(root, name):
            if path.split("/")[0] not in allowed:
                yield name, number, f"mpi/{part} may not include {path}"
    for name in files(root, "team"):
        if not name.endswith((".c", ".h")):
            continue
        for number, path in includes(root, name):
            if path.split("/")[0] not in {"team", "banyan"} | set(RUNTIME_LAYERS) - {"upc"}:
                yield name, number, f"team may not include {path}"
    for name in files(root, "compiler"):
        if not name.endswith((".cc", ".h")):
            continue
        for number, path in includes(root, name):
            if path.split("/")[0] not in COMPILER_STAGES:
                yield name, number, f"the compiler may not include {path}"
    for name in files(root, "include"):
        for number, path in includes(root, name):
            if path.split("/")[0] in set(RUNTIME_LAYERS) | COMPILER_STAGES:
                yield name, number, f"a public header may not include {path}"


def circles(root):
    """No two folders of the runtime include each other."""
    uses = {}  # (folder, folder): the first include of the second in the first
    for name in files(root, "runtime"):
        if not name.endswith((".c", ".h")):
            continue
        folder = os.path.dirname(name.removeprefix("runtime/"))
        for number, path in includes(root, name):
            if os.path.dirname(path) != folder:
                uses.setdefault((folder, os.path.dirname(path)), (name, number, path))
    for (folder, other), (name, number, path) in uses.items():
        if (other, folder) in uses:
            back = uses[other, folder]
            yield name, number, f"{folder} includes {path}, and {other} includes {back[2]} ({back[0]}:{back[1]})"


def atomics(root):
    """Raw memory orders live in runtime/sync; single words that other layers share are in runtime/platform."""
    raw = re.compile(r"\b(__(atomic|sync)_\w+|__ATOMIC_\w+)\b|stdatomic\.h"
                     r"|\batomic_(load|store|exchange|fetch|compare|thread_fence)\w*\b")
    for name in files(root, "runtime", "mpi", "team", "launcher", "tools"):
        if not name.endswith((".c", ".h", ".cc")) or name.startswith(("runtime/sync/", "runtime/platform/")):
            continue
        for number, line in enumerate(lines(root, name), 1):
            match = raw.search(line)
            if match:
                yield name, number, f"{match.group(0)} belongs into runtime/sync (or runtime/platform/atomic_word.h)"


def conditionals(root):
    """Conditional compilation lives in runtime/platform; elsewhere there are include guards and __cplusplus."""
    for name in files(root, "runtime", "mpi/host", "mpi/front", "team", "compiler", "launcher", "tools"):
        if not name.endswith((".c", ".h", ".cc", ".def")) or name.startswith("runtime/platform/"):
            continue
        text = lines(root, name)
        for number, line in enumerate(text, 1):
            match = re.match(r"\s*#\s*(if|ifdef|ifndef|elif)\b\s*(.*)", line)
            if not match or match.group(2).split()[:1] == ["__cplusplus"]:
                continue
            guard = match.group(2).split()[0]
            if match.group(1) == "ifndef" and number < len(text) and \
                    re.match(rf"\s*#\s*define\s+{re.escape(guard)}\b", text[number]):
                continue
            yield name, number, f"conditional outside runtime/platform: {line.strip()}"


def marks(root):
    """Nothing unfinished is marked in the code: it is finished, or it is an issue."""
    words = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
    for name in files(root):
        for number, line in enumerate(lines(root, name), 1):
            if words.search(line):
                yield name, number, line.strip()


def machine_paths(root):
    """No absolute paths of a particular machine."""
    path = re.compile(r"(?<![\w./~-])/(home|root|work|Users|mnt)/[\w.]")
    for name in files(root):
        if name.startswith("tests/lint/"):
            continue
        for number, line in enumerate(lines(root, name), 1):
            if path.search(line):
                yield name, number, line.strip()


def lengths(root):
    """A file has one subject: at most 900 lines; more than 600 deserve a second look."""
    for name in files(root):
        if not name.endswith(CODE):
            continue
        count = len(lines(root, name))
        if count > 900:
            yield name, 1, f"{count} lines are too many"
        elif count > 600:
            print(f"note: {name} has {count} lines")


# Lines that must stay as they are: inputs of the compiler, with its messages as comments next to them, and of its
# parser; headers copied from elsewhere; a makefile that is a program; directives of programs, which end with their line
# (tests/run_programs.py).
EXACT_FILES = ("tests/compiler/", "tests/fixtures/", "tests/fuzz/corpus/", "tests/unit/compiler/parse/gnu_sample.c",
               "debian/rules")
EXACT_LINE = re.compile(r"\s*// (expect-(stderr|stdout)|threads|flags|args|env): ")


def is_code(root, name):
    """Whether a file is written in one of the languages of the project, by its name or by its first line."""
    if name.endswith(CODE + (".sh", ".cmake", ".pml", "CMakeLists.txt")):
        return True
    with open(root / name, "rb") as file:
        return "." not in os.path.basename(name) and file.read(2) == b"#!"


def layout(root):
    """Lines have at most 120 columns, no tabs and no trailing blanks."""
    for name in files(root):
        if name.startswith(EXACT_FILES) or not is_code(root, name):
            continue
        for number, line in enumerate(lines(root, name), 1):
            if len(line) > 120 and not EXACT_LINE.match(line):
                yield name, number, f"{len(line)} columns"
            if "\t" in line or line != line.rstrip():
                yield name, number, "tab, or blank at the end of the line"


class Skipped(Exception):
    """Why a rule cannot be checked here, and how to enable it."""


def formatted_files(root):
    """The files of C and C++ that clang-format formats: all but users' programs and exact inputs."""
    return [name for name in files(root) if name.endswith((".c", ".h", ".cc")) and not name.startswith(EXACT_FILES)
            and not name.startswith(("apps/", "tests/programs/", "tests/install/"))]


def formatter(root):
    """The path of clang-format in the required version, since other versions format differently."""
    version = re.search(r"^clang-format==(\S+)", (root / "tests/lint/format.lock").read_text(), re.M).group(1)
    made = root.glob("build*/format-env/bin")
    found = shutil.which("clang-format", path=os.pathsep.join([*map(str, made), os.environ.get("PATH", os.defpath)]))
    if found:
        told = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
        if re.search(rf" version {re.escape(version)}\b", told):
            return found
    raise Skipped(f"clang-format {version} is missing; 'make format-env' brings it")


def formatted(root):
    """C and C++ are formatted by clang-format: run 'make format'."""
    names = formatted_files(root)
    done = subprocess.run([formatter(root), "--dry-run", "-Werror", *names], cwd=root, capture_output=True, text=True,
                          check=False)
    found = re.findall(r"^(\S+?):(\d+):\d+: error: (.*?)(?: \[.*)?$", done.stderr, re.M)
    for name, number, text in found:
        yield name, int(number), text
    if done.returncode != 0 and not found:
        yield ".clang-format", 1, done.stderr.strip()


def readmes(root):
    """Each folder of code says in at most 15 lines what it is for, what it may include and where to begin."""
    folders = set()
    for name in files(root, "runtime", "mpi", "compiler", "launcher", "tools", "include", "apps", "bench"):
        if name.endswith(CODE):
            folders.add(os.path.dirname(name))
    for folder in sorted(folders):
        found = [root / folder / name for name in ("README.md", "README") if (root / folder / name).is_file()]
        if not found:
            yield folder, 1, "has no README.md"
        elif folder.split("/")[0] not in ("apps", "bench") and len(found[0].read_text().splitlines()) > 15:
            yield str(found[0].relative_to(root)), 1, "is longer than 15 lines"


def spelled_out(text):
    """upc_mem{cpy,get}_nb is upc_memcpy_nb and upc_memget_nb."""
    braces = re.search(r"\{([^{}]*)\}", text)
    if not braces:
        return {text}
    return {name for word in braces[1].split(",")
            for name in spelled_out(text[:braces.start()] + word + text[braces.end():])}


def declared_functions(root):
    """(header, line, name) of the functions and function-like macros of include/upc.  If the preprocessor composes a
    name, the inserted parts are spelled as their parameters: bupc_atomicX_read_RS."""
    for name in files(root, "include/upc"):
        comment = False
        for number, line in enumerate(lines(root, name), 1):
            code = re.sub(r"/\*.*?\*/", "", line)
            comment, code = (("*/" not in code, "") if comment else ("/*" in code, code.split("/*")[0]))
            for found in re.findall(r"\b((?:b?upc|pupc|banyan)_[\w#]+)\s*\(", code.split("typedef ")[0]):
                yield name, number, found.replace("##", "")
            found = re.match(r"\s*#define ((?:b?upc|pupc)_\w+) (?:b?upc)_", code)
            if found and not name.endswith("_namespace.h"):
                yield name, number, found[1]


def spec_status(root):
    """docs/spec-status.md names only tests that exist, gives a status for each clause, and lists every function."""
    named = set()
    name = "docs/spec-status.md"
    for number, line in enumerate(lines(root, name), 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        named.update(name for text in re.findall(r"`([^`]*)`", cells[0]) for name in spelled_out(text))
        is_heading = cells[0] == "Clause" or cells[0].startswith(("**", "---")) and not "".join(cells[1:]).strip("-")
        if not line.startswith("|") or is_heading or len(cells) != 3:
            continue
        for test in re.findall(r"`([^`]+/[^`]+)`", cells[2]):
            path = test if test.startswith("tests/") else "tests/" + test
            if not list(root.glob(path)) and not list(root.glob(path + ".*")):
                yield name, number, f"{test} does not exist"
        if cells[1].split(":")[0] not in ("done", "partial", "not"):
            yield name, number, "the status is done, partial or not"
        elif cells[1] == "done" and "`" not in cells[2]:
            yield name, number, "done without a test that shows it"
    for header, number, function in declared_functions(root):
        if function not in named:
            yield header, number, f"{name} lacks {function}"


def versions(root):
    """CMake and Python versions in other files are those of scripts/requirements."""
    requirements = (root / "scripts/requirements").read_text()
    least, python = (re.search(rf"^{name} +\S+ +([0-9.]+)", requirements, re.M).group(1)
                     for name in ("cmake", "python3"))
    for name, pattern in (("CMakeLists.txt", rf"cmake_minimum_required\(VERSION {re.escape(least)}\)"),
                          ("CMakePresets.json", '"major": {}, "minor": {}'.format(*least.split(".")))):
        if not re.search(pattern, (root / name).read_text()):
            yield name, 1, f"does not ask for CMake {least}"
    for name, pattern in (("bench/report/pyproject.toml", f'requires-python = ">={python}"'),
                          ("python/pyproject.toml", f'requires-python = ">={python}"'),
                          ("bench/report/uoms/requirements.lock", f"--python-version {python} ")):
        if pattern not in (root / name).read_text():
            yield name, 1, f"is not for Python {python}"


def manual_pages(root):
    """Manual pages are roff as it is meant: tags of one line, nothing joined by accident, commands in lower case."""
    faults = {
        r"^\.TP\n\.[BIR]{1,2} .*, \"$": "only this line is the tag; continue it by a backslash at its end",
        r"^\.[BIR]{2} [\w\\-]+ \(\d\), \w.*$": "the macro joins its arguments: end it after the comma",
        r'^\.[BIR]{2} .*\w\\?[\'"]*"? \[ \\-.*$': "no blank before the bracket: put it into the quoted argument",
        r"\b(Upcc|Upcrun|Uoms|Banyan\\-\w+)\b": "a command begins with a small letter",
    }
    for name in files(root, "docs/man"):
        text = (root / name).read_text()
        for pattern, fault in faults.items():
            for match in re.finditer(pattern, text, re.M):
                yield name, text.count("\n", 0, match.end()) + 1, fault


def headings(root, name):
    """The headings of a document, without marks of a program's text"""
    text = re.sub(r"^ *```.*?^ *```$", "", (root / name).read_text(), flags=re.M | re.S)
    return [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
            for heading in re.findall(r"^#+ (.*)$", text, re.M)]


def anchors(root):
    """A link to a heading works on GitHub and on the site: MkDocs makes one hyphen of several blanks and hyphens."""
    known = {}
    for name in files(root):
        for number, line in enumerate(lines(root, name), 1) if name.endswith(".md") else ():
            for path, anchor in re.findall(r"\]\(([^)\s:#]*)#([^)\s]+)\)", line):
                target = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
                if not target.endswith(".md") or not (root / target).is_file():
                    continue
                if target not in known:
                    plain = [re.sub(r"[^\w\s-]", "", heading).strip() for heading in headings(root, target)]
                    known[target] = ({text.replace(" ", "-") for text in plain} &
                                     {re.sub(r"[-\s]+", "-", text) for text in plain})
                if anchor not in known[target]:
                    yield name, number, f"no heading of {target} is #{anchor} both on GitHub and on the site"


def sections(root):
    """The headers of the compiler's large classes declare functions below the names of the files that define them."""
    for header, owner in (("compiler/sema/checker.h", "Checker"), ("compiler/lower/lowerer.h", "Lowerer")):
        homes = {}
        for name in files(root, os.path.dirname(header)):
            for function in re.findall(rf"^(?!\s).*\b{owner}::(\w+)\((?!.*;$)", (root / name).read_text(), re.M):
                homes.setdefault(function, set()).add(os.path.basename(name))
        named = None
        for number, line in enumerate(lines(root, header), 1) if (root / header).is_file() else ():
            if line.lstrip().startswith("// ---- "):
                named = set(re.findall(r"\w+\.cc", line))
            for function in re.findall(r"\b(\w+)\(", line.split("//")[0]) if named else ():
                if function in homes and not homes[function] & named:
                    yield header, number, f"{function} is in {', '.join(sorted(homes[function]))}"


RULES = {rule.__name__: rule for rule in (layers, circles, conditionals, atomics, marks, machine_paths, lengths, layout,
                                          formatted, readmes, spec_status, versions, manual_pages, anchors,
                                          sections)}


def main():
    if sys.argv[1:] == ["--list"]:
        print("\n".join(RULES))
        return 0
    root = Path(sys.argv[2] if len(sys.argv) == 3 else Path(__file__).resolve().parent.parent.parent)
    if sys.argv[1:2] == ["--formatted"]:
        print("\n".join(formatted_files(root)))
        return 0
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in RULES:
        print(__doc__)
        return 2
    rule = RULES[sys.argv[1]]
    count = 0
    try:
        for name, number, text in rule(root):
            print(f"{name}:{number}: {text}")
            count += 1
    except Skipped as reason:
        print(reason)
        return 77
    if count:
        print(f"{count} violations of: {rule.__doc__}")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
