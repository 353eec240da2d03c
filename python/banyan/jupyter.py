"""UPC in notebooks: a cell is compiled and run, and the output of its threads is shown thread by thread.

    %load_ext banyan.jupyter

    %%upc -n 4 -O2
    #include <stdio.h>
    int main(void) { printf("of %d\\n", THREADS); }

Manual: docs/python.md of Banyan.
"""
import html
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional, Tuple

from IPython.core.error import UsageError
from IPython.core.magic import register_cell_magic

__all__ = ["Output", "load_ipython_extension"]

USAGE = """%%upc [-n N] [--live] [options of upcc] [-- arguments of the program]

-n N     threads; as a rule one on each core
--live   print lines as they come, each with its thread, rather than thread by thread in the end
Other options are upcc's: -O2, -T 4, -fcheck, -lm ...  upcc and upcrun are those of the PATH."""

_LABELLED = re.compile(r"\[(\d+)\] ?(.*)", re.S)
_NUMBER = re.compile(r"--?np?(?:=?(\d+))?")            # -n 4 in all the forms that upcrun takes
_PTHREADS = re.compile(r"--?(fupc-)?pthreads")        # begins the options with which threads share a process


class Line(NamedTuple):
    """A line that a program wrote: its thread (None: upcrun), whether it went to standard error, and its text"""
    thread: Optional[int]
    is_error: bool
    text: str


class Output:
    """A program's output, shown as text or, in a notebook, as a table with a row for each thread, and one for lines
    without a thread, which have the name of who may have written them"""

    def __init__(self, lines: List[Line], status: int, others: str = "upcrun"):
        self.lines, self.status, self.others = lines, status, others

    def by_thread(self) -> Dict[Optional[int], List[Line]]:
        """The lines of each thread; lines without a thread come last, under None."""
        threads = sorted({line.thread for line in self.lines if line.thread is not None})
        found: Dict[Optional[int], List[Line]] = {thread: [] for thread in threads}
        for line in self.lines:
            found.setdefault(line.thread, []).append(line)
        return found

    def __repr__(self) -> str:
        parts = []
        for thread, lines in self.by_thread().items():
            parts.append(f"{self.others}:" if thread is None else f"thread {thread}:")
            parts += ["  " + line.text for line in lines]
        return "\n".join(parts)

    def _repr_html_(self) -> str:
        rows = []
        for thread, lines in self.by_thread().items():
            text = "\n".join(f'<span style="color:#c33">{html.escape(line.text)}</span>' if line.is_error
                             else html.escape(line.text) for line in lines)
            rows.append(f'<tr><th style="vertical-align:top">{self.others if thread is None else thread}</th>'
                        f'<td style="text-align:left"><pre style="margin:0">{text}</pre></td></tr>')
        return f'<table><tr><th>thread</th><th style="text-align:left">output</th></tr>{"".join(rows)}</table>'


def _split(words: List[str]) -> Tuple[List[str], List[str], List[str], bool]:
    """Splits words into options of upcrun, options of upcc, arguments of the program, and whether --live is given."""
    own, arguments = (words[:words.index("--")], words[words.index("--") + 1:]) if "--" in words else (words, [])
    upcrun: List[str] = []
    upcc: List[str] = []
    is_live = False
    rest = iter(own)
    for word in rest:
        if word == "--live":
            is_live = True
        elif number := _NUMBER.fullmatch(word):
            count = number[1] or next(rest, "")
            if not count.isdigit():
                raise UsageError(f"%%upc: -n needs a number of threads\n\n{USAGE}")
            upcrun += ["-n", count]
        elif word in ("-h", "--help"):
            raise UsageError(USAGE)
        else:
            upcc.append(word)
    return upcrun, upcc, arguments, is_live


def _needed(name: str) -> str:
    found = shutil.which(name)
    if not found:
        raise UsageError(f"%%upc: {name} is not in the PATH; install Banyan, or add its folder: "
                         'import os; os.environ["PATH"] += ":/where/it/is/bin"')
    return found


def _shown(text: str, folder: str) -> str:
    """A text in which the cell has no folder"""
    return text.replace(folder + os.sep, "")


def _compile(options: List[str], cell: str, folder: str) -> Path:
    """Compiles a cell as if it were a file beside the notebook, and returns the program; upcc's messages go to
    standard error."""
    source, program = Path(folder) / "cell.upc", Path(folder) / "cell"
    source.write_text(cell)
    command = [_needed("upcc"), "-iquote", ".", *options, "-fdiagnostics-color=never", source, "-o", program]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                          check=False)
    sys.stderr.write(_shown(done.stderr, folder))
    sys.stdout.write(_shown(done.stdout, folder))
    if done.returncode != 0 or not program.exists():
        raise UsageError("%%upc: the cell was not compiled; upcc's messages stand above")
    return program


def _read(process: "subprocess.Popen[bytes]", folder: str, is_labelled: bool, is_live: bool) -> List[Line]:
    """All lines of both streams, in order of arrival"""
    import selectors  # pylint: disable=import-outside-toplevel
    lines: List[Line] = []
    begun = {process.stdout: b"", process.stderr: b""}

    def add(stream: object, written: bytes) -> None:
        text = _shown(written.decode(errors="replace"), folder)
        found = _LABELLED.fullmatch(text) if is_labelled else None
        is_error = stream is process.stderr
        lines.append(Line(int(found[1]), is_error, found[2]) if found else Line(None, is_error, text))
        if is_live:
            print(text, file=sys.stderr if is_error else sys.stdout, flush=True)

    with selectors.DefaultSelector() as selector:
        for stream in begun:
            selector.register(stream, selectors.EVENT_READ)  # type: ignore[arg-type]
        while selector.get_map():
            for key, _ in selector.select():
                piece = os.read(key.fd, 1 << 16)
                *whole, begun[key.fileobj] = (begun[key.fileobj] + piece).split(b"\n")  # type: ignore[index]
                for text in whole:
                    add(key.fileobj, text)
                if not piece:
                    selector.unregister(key.fileobj)
                    if begun[key.fileobj]:  # type: ignore[index]
                        add(key.fileobj, begun[key.fileobj])  # type: ignore[index]
    return lines


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Ends the program: upcrun ends its threads when it is interrupted."""
    process.send_signal(signal.SIGINT)
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)


def upc(line: str, cell: str) -> Optional[Output]:
    """%%upc"""
    try:
        upcrun, upcc, arguments, is_live = _split(shlex.split(line))
    except ValueError as error:
        raise UsageError(f"%%upc: {error}") from None
    is_labelled = not any(map(_PTHREADS.match, upcc))     # upcrun cannot tell the threads of a process apart
    with tempfile.TemporaryDirectory(prefix="banyan-cell-") as folder:
        program = _compile(upcc, cell, folder)
        command = [_needed("upcrun"), *(["-label"] if is_labelled else []), *upcrun, program, *arguments]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              start_new_session=True) as process:
            try:
                lines = _read(process, folder, is_labelled, is_live)
            except BaseException:
                _end(process)
                raise
    output = Output(lines, process.returncode, "upcrun" if is_labelled else "all threads")
    if output.status != 0:
        print(f"%%upc: the program ended with status {output.status}", file=sys.stderr)
    return None if is_live else output


def load_ipython_extension(ipython: object) -> None:  # pylint: disable=unused-argument
    """Called by %load_ext"""
    register_cell_magic(upc)
