#!/usr/bin/env python3
"""Checks the documentation of options: every option that the --help of a command lists or mentions is in its manual
page, and the listed ones are offered by bash; upcc's page says the same about other compilers' options as --help, and
names upcc's own warnings; every variable that banyan-info lists is in a manual page, and in the user guide or mpi.md.
"""
import re
import subprocess
import sys
from pathlib import Path

if len(sys.argv) != 3:
    sys.exit("usage: documented_options.py SOURCE BUILD")
SOURCE, BUILD = (Path(argument).resolve() for argument in sys.argv[1:])
COMMANDS = ("upcc", "upcrun", "banyan-info", "banyan-tune", "banyan-sim", "banyan-mpi", "upc-language-server",
            "uoms", "uoms-compare", "uoms-guidelines", "uoms-launches", "uoms-report")


def output(*command):
    done = subprocess.run([str(BUILD / "bin" / command[0]), *command[1:]], capture_output=True, text=True, timeout=60,
                          check=True)
    return done.stdout


# For upcc: a part of --help, and the section of the manual page that says the same
OF_OTHER_COMPILERS = {
    "Options of other UPC compilers that request what upcc does anyway":
        "Accepted from other UPC compilers: what upcc does anyway",
    "Options of other UPC compilers that have no effect and give a warning": "Accepted with a warning",
    "Options of other UPC compilers that are refused": "Refused"}


def completions_of(command):
    """The completions that bash offers after `command -` and `command --`."""
    script = f"""
        . "{SOURCE}/completions/{command}"
        compopt() {{ :; }}
        for word in - --; do
            COMP_WORDS=("{BUILD}/bin/{command}" $word) COMP_CWORD=1
            $(complete -p {command} | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
            printf '%s\\n' "${{COMPREPLY[@]}}"
        done
    """
    done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, timeout=60, check=True)
    return {word.rstrip("=,") for word in done.stdout.split()}


def options_of(help_text):
    """Options at the beginning of indented lines: '-o FILE', '--options', '-x, --long'."""
    found = set()
    for line in help_text.splitlines():
        match = re.match(r" {1,8}(-[^ ].*?)(?:  |$)", line)
        if match:
            found.update(re.findall(r"(?:^|[ ,])(--?[A-Za-z#][\w#+-]*)", match[1]))
    # -fFEATURE is -f and the name of a value
    return {re.sub(r"^(-[A-Za-z])[A-Z]{2,}$", r"\1", option) for option in found}


def options_within(help_text):
    """Options that the explanations mention, which may be another command's"""
    return set(re.findall(r"(?<![\w-])--?[A-Za-z#][\w#+-]*[\w#+]", help_text))


def explained(entries):
    """Pairs of an option and its explanation, from pairs of texts"""
    return {(option, " ".join(text.lower().split()).rstrip("."))
            for names, text in entries for option in re.findall(r"(?<![\w-])-\w[\w=-]*", names)}


def contradictions(help_text, page):
    """Other compilers' options that upcc's page lacks, or explains differently from --help"""
    found = []
    for title, section in OF_OTHER_COMPILERS.items():
        part = help_text.partition(title + "\n")[2].partition("\n\n")[0]
        said = explained(re.findall(r"^  (-.*)((?:\n {6}.*)+)", part, re.M))
        part = page.partition(f".SS {section}\n")[2].partition("\n.S")[0]
        on_page = explained(re.findall(r"^\.TP\n(.*)\n([^.].*)", plain(part), re.M))
        texts = {text for _, text in said}
        found += [f"{section!r} lacks {option}: {text}" for option, text in sorted(said - on_page)]
        found += [f"{section!r} says what --help does not: {option}: {text}" for option, text in sorted(on_page)
                  if text not in texts]
    return found


def plain(roff):
    """The words of a manual page."""
    text = re.sub(r"\\f[A-Z]|\\f\(..|\\f\[.*?\]|\\[&%|/^]", "", roff)
    return text.replace("\\-", "-").replace('"', " ")


def mentions(text, option):
    return re.search(rf"(?<![\w-]){re.escape(option)}(?![a-z])", text) is not None


def main():
    missing = []
    for command in COMMANDS:
        help_text = output(command, "--help")
        options = options_of(help_text)
        if not options:
            missing.append(f"{command} --help lists no options")
        page = SOURCE / f"docs/man/{command}.1"
        text = plain(page.read_text()) if page.is_file() else ""
        missing += [f"docs/man/{command}.1 lacks {option}" for option in sorted(options | options_within(help_text))
                    if not mentions(text, option)]
        # Only long options: what follows a short one in --help may be joined to it
        first = {option for option in options if re.match(r"--?[a-z][a-z-]+$", option)}
        missing += [f"bash does not offer {option} of {command}" for option in sorted(first - completions_of(command))]

    page = (SOURCE / "docs/man/upcc.1").read_text()
    missing += [f"docs/man/upcc.1: {text}" for text in contradictions(output("upcc", "--help"), page)]
    warnings = set(re.findall(r'"-W(upc-[a-z]+)"', (SOURCE / "compiler/diag/diagnostics.def").read_text()))
    missing += [f"docs/man/upcc.1 lacks {name}" for name in sorted(warnings) if name not in plain(page)]

    variables = set(re.findall(r"\bBANYAN_[A-Z_]+\b", output("banyan-info", "--options")))
    if not variables:
        missing.append("banyan-info --options lists no variables")
    manual = "".join(plain(path.read_text()) for path in sorted((SOURCE / "docs/man").glob("*.1")))
    guide = "".join((SOURCE / page).read_text() for page in ("docs/guide.md", "docs/mpi.md"))   # those of MPI programs
    missing += [f"no manual page has {name}" for name in sorted(variables) if name not in manual]
    missing += [f"docs/guide.md and mpi.md lack {name}" for name in sorted(variables) if name not in guide]
    aliases = set(re.findall(r'alias = "(\w+)"', (SOURCE / "runtime/base/options.c").read_text()))
    missing += [f"docs/guide.md and mpi.md lack {name}" for name in sorted(aliases) if f"`{name}`" not in guide]
    missing += [f"no manual page has {name}" for name in sorted(aliases) if name not in manual]
    missing += [f"docs/guide.md or mpi.md describes {name}, which does not exist"
                for name in sorted(set(re.findall(r"`(BANYAN_[A-Z_]+)`", guide)) - variables)
                if name not in ("BANYAN_",)]

    print("\n".join(missing))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
