#!/usr/bin/env python3
"""Every option that a command lists in its --help stands in its manual page and is offered by bash; every variable that
banyan-info lists stands in a manual page and in the user guide.

    documented_options.py SOURCE BUILD
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


def completions_of(command):
    """What bash offers after `command -`."""
    script = f"""
        . "{SOURCE}/completions/{command}"
        compopt() {{ :; }}
        COMP_WORDS=("{BUILD}/bin/{command}" -) COMP_CWORD=1
        $(complete -p {command} | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
        printf '%s\\n' "${{COMPREPLY[@]}}"
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


def plain(roff):
    """The words of a manual page."""
    text = re.sub(r"\\f[A-Z]|\\f\(..|\\f\[.*?\]|\\[&%|/^]", "", roff)
    return text.replace("\\-", "-").replace('"', " ")


def mentions(text, option):
    return re.search(rf"(?<![\w-]){re.escape(option)}(?![a-z])", text) is not None


def main():
    missing = []
    for command in COMMANDS:
        options = options_of(output(command, "--help"))
        if not options:
            missing.append(f"{command} --help lists no options")
        page = SOURCE / f"docs/man/{command}.1"
        text = plain(page.read_text()) if page.is_file() else ""
        missing += [f"docs/man/{command}.1 lacks {option}" for option in sorted(options) if not mentions(text, option)]
        # Long enough options only: what follows a short one in --help may be joined to it
        first = {option for option in options if re.match(r"--?[a-z][a-z-]+$", option)}
        missing += [f"bash does not offer {option} of {command}" for option in sorted(first - completions_of(command))]

    variables = set(re.findall(r"\bBANYAN_[A-Z_]+\b", output("banyan-info", "--options")))
    if not variables:
        missing.append("banyan-info --options lists no variables")
    manual = "".join(plain(path.read_text()) for path in sorted((SOURCE / "docs/man").glob("*.1")))
    guide = (SOURCE / "docs/guide.md").read_text()
    missing += [f"no manual page has {name}" for name in sorted(variables) if name not in manual]
    missing += [f"docs/guide.md lacks {name}" for name in sorted(variables) if name not in guide]
    missing += [f"docs/guide.md describes {name}, which does not exist"
                for name in sorted(set(re.findall(r"`(BANYAN_[A-Z_]+)`", guide)) - variables)
                if name not in ("BANYAN_",)]

    print("\n".join(missing))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
