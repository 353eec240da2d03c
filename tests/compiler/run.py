#!/usr/bin/env python3
"""Checks what upcc says about programs, and that C programs behave as with gcc.

errors/*.upc     Each message stands in a comment on the line it is reported for: `// error: REGEX`, `// warning:
REGEX`,
                 several of them if need be.  `// dynamic error: REGEX` is expected in the dynamic environment only,
                 `// static error:` in the static one only.  Nothing else may be reported, notes apart; `// note:` must
                 be. `// optimized:` and `// missed:` are remarks of -Rupc; what was missed says after `;` what to
                 change.
valid/*.upc      must compile without any message.
translate/*.upc  the emitted C must be the text after the line `// emits:` in comments, blanks apart.
c/*.c            C programs: the output and exit status must be those of the program compiled by gcc.

Comments at the top of a file: `// env: dynamic|static|both` (default both; static is -T 4) and `// flags: WORDS`.

After all of errors/ has run, every row of compiler/diag/diagnostics.def must have been reported once.
--update rewrites the comments of errors/ and translate/ to what upcc says now; read the difference before you commit
it.
"""

import argparse
import os
import re
import shlex
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import harness  # noqa: E402

MESSAGE = re.compile(r"^(.*?):(\d+):(?:\d+:)? (error|warning|optimized|missed|fatal error|note): (.*)$")
EXPECTATION = re.compile(r"//\s*(?:(dynamic|static) )?(error|warning|optimized|missed|note): "
                         r"(.*?)(?=\s*//\s*(?:dynamic |static )?(?:error|warning|optimized|missed|note): |\s*$)")
DIRECTIVE = re.compile(r"^//\s*(env|flags):\s*(.*?)\s*$")
ENVIRONMENTS = {"dynamic": [], "static": ["-T", "4"]}
DEFINITIONS = os.path.join(harness.ROOT, "compiler", "diag", "diagnostics.def")
ROW = re.compile(r'^BN_DIAG\((\w+), \w+, "([^"]*)", "((?:[^"\\]|\\.)*)"\)', re.MULTILINE)
EMITS = "// emits:"


class Source:
    def __init__(self, path):
        self.path = path
        self.kind = os.path.basename(os.path.dirname(path))
        self.name = "%s/%s" % (self.kind, os.path.basename(path))
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            self.lines = file.read().split("\n")
        directives = {}
        for line in self.lines:
            match = DIRECTIVE.match(line)
            if match:
                directives[match[1]] = match[2]
            elif not line.startswith("//"):
                break
        env = directives.get("env", "both")
        self.environments = list(ENVIRONMENTS) if env == "both" else [env]
        self.flags = shlex.split(directives.get("flags", ""))


class Checker:
    def __init__(self, upcc, workdir, update):
        self.upcc = upcc
        self.workdir = workdir
        self.update = update
        self.said = set()  # every message text that upcc printed

    def work(self, source):
        check = {"errors": self.check_errors, "valid": self.check_errors, "translate": self.check_translation,
                 "c": self.check_c}[source.kind]
        if source.kind == "errors" and self.update:
            self.update_errors(source)
        if source.kind == "translate" and self.update:
            self.update_translation(source)
        yield from check(source)

    def run_upcc(self, source, environment, more):
        command = [self.upcc] + ENVIRONMENTS[environment] + source.flags + more + [source.path]
        return harness.run(command, timeout=120, cwd=self.workdir, env=harness.environment())

    def messages(self, source, environment):
        """What upcc says: [(line, kind, text)], its exit status, and text that is no message."""
        target = os.path.join(self.workdir, "%s.%s.o" % (source.name.replace("/", "."), environment))
        result = self.run_upcc(source, environment, ["-c", "-o", target])
        found, other = [], []
        for line in result.err.split("\n"):
            match = MESSAGE.match(line)
            if match and os.path.basename(match[1]) == os.path.basename(source.path):
                found.append((int(match[2]), match[3].replace("fatal ", ""), match[4]))
                self.said.add(match[4])
            elif match or line.startswith(("upcc:", "cc1", "gcc:", "collect2")):
                other.append(line)
        return found, result.status, "\n".join(other), result.err

    @staticmethod
    def expected(source, environment):
        expectations = []
        for number, line in enumerate(source.lines, 1):
            for match in EXPECTATION.finditer(line):
                if match[1] in (None, environment):
                    expectations.append((number, match[2], match[3]))
        return expectations

    def check_errors(self, source):
        for environment in source.environments:
            found, status, other, output = self.messages(source, environment)
            expected = self.expected(source, environment)
            wrong = []
            for line, kind, text in found:
                for candidate in expected:
                    if candidate[0] == line and candidate[1] == kind and re.search(candidate[2], text):
                        expected.remove(candidate)
                        break
                else:
                    if kind != "note":
                        wrong.append("unexpected: %d: %s: %s" % (line, kind, text))
            wrong += ["says no remedy: %d: %s" % (line, text) for line, kind, text in found if kind == "missed" and "; " not in text]
            wrong += ["missing: %d: %s: %s" % item for item in expected]
            if other:
                wrong.append("unexpected: " + other)
            if status not in (0, 1):
                wrong.append("exit status %s" % status)
            elif (status == 1) != any(kind == "error" for _, kind, _ in found) and not wrong:
                wrong.append("exit status %d does not fit\n%s" % (status, output))
            if source.kind == "valid" and output.strip() and not wrong:
                wrong.append(output)
            yield "%s (%s)" % (source.name, environment), "fail" if wrong else "pass", "\n".join(wrong)

    def update_errors(self, source):
        said = {environment: {} for environment in source.environments}
        for environment in source.environments:
            for line, kind, text in self.messages(source, environment)[0]:
                if kind == "note":
                    continue
                pattern = re.sub(r"([\\^$.|?*+()\[\]{}])", r"\\\1", text)
                said[environment].setdefault(line, []).append("%s: %s" % (kind, pattern))
        for number, line in enumerate(source.lines, 1):
            comments = {environment: sorted(lines.get(number, [])) for environment, lines in said.items()}
            bare = EXPECTATION.sub("", line).rstrip()
            if len(set(map(tuple, comments.values()))) == 1:
                bare += "".join(" // " + text for text in comments[source.environments[0]])
            else:
                bare += "".join(" // %s %s" % (environment, text) for environment,
                                texts in comments.items() for text in texts)
            source.lines[number - 1] = bare
        self.write(source)

    @staticmethod
    def write(source):
        with open(source.path, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write("\n".join(source.lines))

    def translation(self, source):
        """The emitted C from the marker line on: what comes before it is the header that upcc puts in front."""
        environment = source.environments[0]
        target = os.path.join(self.workdir, source.name.replace("/", ".") + ".c")
        result = self.run_upcc(source, environment, ["-trans", "-P", "-o", target])
        if result.status != 0 or not os.path.exists(target):
            return None, result.out + result.err
        with open(target) as file:
            text = file.read()
        lines = [line.rstrip() for line in text[text.rfind("translate_begins"):].split("\n")[1:]]
        end = next((i for i, line in enumerate(lines) if "translate_ends" in line), len(lines))
        return [line for line in lines[:end] if line.strip() and not line.startswith("#")], ""

    def check_translation(self, source):
        found, said = self.translation(source)
        start = source.lines.index(EMITS) if EMITS in source.lines else len(source.lines)
        expected = [line[3:].rstrip() for line in source.lines[start + 1:] if line.startswith("//")]
        if found is None:
            yield source.name, "fail", said
        elif [line.split() for line in found] != [line.split() for line in expected]:
            yield source.name, "fail", "expected:\n%s\nemitted:\n%s" % ("\n".join(expected), "\n".join(found))
        else:
            yield source.name, "pass", ""

    def update_translation(self, source):
        found, _ = self.translation(source)
        if found is not None:
            start = source.lines.index(EMITS) if EMITS in source.lines else len(source.lines)
            source.lines = source.lines[:start] + [EMITS] + ["// " + line for line in found] + [""]
            self.write(source)

    def check_c(self, source):
        """Compiled by upcc, in each environment and with every function parsed, the program does what gcc makes of
        it."""
        reference = os.path.join(self.workdir, source.name.replace("/", ".") + ".gcc")
        compiled = harness.run(["gcc", "-w", "-O1"] + source.flags + [source.path, "-o", reference, "-lm", "-pthread"],
                               env=harness.environment())
        if compiled.status != 0:
            yield source.name, "fail", "gcc does not compile it:\n" + compiled.err
            return
        expected = harness.run([reference])
        for more in ([], ["-fupc-full-parse"], ["-T", "1"]):
            name = "%s (%s)" % (source.name, " ".join(more) or "default")
            program = reference[:-3] + "upcc"
            command = [self.upcc, "-w", "-O1"] + source.flags + more + [source.path, "-o", program, "-lm", "-pthread"]
            compiled = harness.run(command, timeout=120, env=harness.environment())
            if compiled.status != 0:
                yield name, "fail", compiled.out + compiled.err
                continue
            result = harness.run([program, "-n", "1"], env=harness.environment())
            if (result.status, result.out) != (expected.status, expected.out):
                yield name, "fail", "exit status %s instead of %s\noutput:\n%s\ninstead of:\n%s" % (
                    result.status, expected.status, result.out, expected.out)
            else:
                yield name, "pass", ""


def uncovered_rows(said):
    """Ids of diagnostics that no test produced."""
    with open(DEFINITIONS) as file:
        rows = ROW.findall(file.read())
    for row, option, text in rows:
        pattern = re.sub(r"%\d", ".*",
                         re.sub(r"([\\^$.|?*+()\[\]{}])", r"\\\1", text.replace('\\"', '"').replace("\\\\", "\\")))
        suffix = r"(?: \[%s\])?" % re.escape(option) if option else ""
        if not any(re.fullmatch(pattern + suffix, message) for message in said):
            yield row


def main():
    parser = argparse.ArgumentParser(description="checks messages and translations of upcc")
    parser.add_argument("--upcc", help="the compiler (default: build/bin/upcc)")
    parser.add_argument("--filter", default="", metavar="REGEX", help="only files whose names match")
    parser.add_argument("--update", action="store_true", help="rewrite the expectations")
    parser.add_argument("-j", type=int, default=os.cpu_count() or 2, metavar="N", help="jobs at a time")
    parser.add_argument("-v", action="store_true", help="name each check")
    options = parser.parse_args()

    sources = []
    for kind, suffix in (("errors", ".upc"), ("valid", ".upc"), ("translate", ".upc"), ("c", ".c")):
        folder = os.path.join(HERE, kind)
        for entry in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            if entry.endswith(suffix) and re.search(options.filter, "%s/%s" % (kind, entry)):
                sources.append(Source(os.path.join(folder, entry)))
    checks = {"errors": 2, "valid": 2, "translate": 1, "c": 3}
    total = sum(len(s.environments) if checks[s.kind] == 2 else checks[s.kind] for s in sources)
    with tempfile.TemporaryDirectory(prefix="banyan-compiler-") as workdir:
        checker = Checker(harness.find_tool(options.upcc, "upcc"), workdir, options.update)
        report = harness.Report(total, options.v)
        status = harness.run_jobs(sources, checker.work, report, options.j)
    if not options.filter:
        missing = list(uncovered_rows(checker.said))
        for row in missing:
            print("failed: no test produces the diagnostic %s" % row)
        status = status or bool(missing)
    sys.exit(status)


if __name__ == "__main__":
    main()
