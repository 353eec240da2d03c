"""uoms-report: tables and pictures of result files: one HTML page, and the pictures as files.

    uoms-report [-o FOLDER] [--formats png,svg,pdf] FILE | LABEL=FILE[,FILE...] ...

    uoms-report [-o FOLDER] PROFILE.json ...

    uoms-report --setup

Profiles are what upcrun -profile=FILE.json has written, or banyan-mpi --report=json:FILE; they need jinja2 alone.
Files with one label are launches, or other numbers of threads, of the same; several labels are compared.
Exit status: 0, 2 for a wrong command line or file, 3 if the output could not be written.
"""

import argparse
import pathlib
import sys

from . import __version__, collectives, ends, environment, files, profile

KINDS = ("png", "svg", "pdf")


# With more sources than this, charts of a single source show the first one, and the others are only compared with it.
MOST_SOURCES = 3

EDGES = "A triangle at the edge: what lies beyond it, a value if it is filled, the end of an interval if not."


def sections(frame):
    """(anchor, title, text, figures) of all charts for which there are data."""
    charts, _, _ = libraries()
    labels = list(dict.fromkeys(frame["label"]))
    frame = frame[frame["median"] > 0]  # axes are logarithmic
    whole = frame
    if len(labels) > MOST_SOURCES:
        frame = frame[frame["label"] == labels[0]]
    return [
        (
            "peers",
            "Against each other",
            "The same operations, sizes and statistics in each system. " + EDGES,
            list(charts.peers(whole)) + list(charts.peer_bars(whole)),
        ),
        (
            "curves",
            "Time and bandwidth over size",
            "Each line has its 95 % interval as a shade, which may be thinner than the line. " + EDGES,
            list(charts.family_curves(frame)),
        ),
        (
            "unsized",
            "Operations without a size",
            "Barriers, locks, atomics, single elements.",
            list(charts.unsized_bars(frame)),
        ),
        ("threads", "Threads and sizes", "The time over both.", list(charts.threads_by_size(frame))),
        ("scaling", "Scaling", "The time over the number of threads.", list(charts.scaling(frame))),
        ("algorithms", "Algorithms", "Algorithm against algorithm.", list(charts.algorithms(frame))),
        (
            "pairs",
            "Pairs of CPUs",
            "Point-to-point operations between CPUs, of each distance or all.",
            list(charts.pair_matrix(frame)),
        ),
    ]


def libraries():
    """The modules that need libraries, which take time to load"""
    from . import charts, frames, page

    return charts, frames, page


def load(words):
    """The sources of FILE or LABEL=FILE[,FILE...], once all libraries are available."""
    _, frames, _ = libraries()
    return frames.load(words)


def write(sources, folder, kinds):
    """Writes FOLDER/index.html and FOLDER/figures; returns the path of the page. A report that was there stays if this
    is interrupted or fails.
    """
    charts, frames, page = libraries()
    frame = frames.table(sources)
    parts = sections(frame)
    charts.distinguish(figure for *_, figures in parts for figure in figures)
    target = folder / "index.html"
    own = sources if len(sources) <= MOST_SOURCES else sources[:1]
    figure_folder = folder / "figures" if kinds else folder
    with ends.folder(folder), ends.folder(figure_folder), ends.drafts() as write_draft:
        text = page.build(sources, own, frame, parts)
        for figure in (figure for *_, figures in parts for figure in figures):
            for name, content in figure.files(kinds):
                write_draft(figure_folder / name, content)
        write_draft(target, text)
    return target


class SetUp(argparse.Action):
    """--setup: installs what the report needs, and exits."""

    def __call__(self, parser, *_):
        try:
            print(f"uoms-report: ready, by what is in {environment.set_up()} now")
        except environment.SetUpError as error:
            parser.exit(2, f"uoms-report: {error}\n")
        parser.exit(0)


@ends.told("uoms-report")
def main(words=None):
    parser = argparse.ArgumentParser(prog="uoms-report", description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="or LABEL=FILE,FILE..., written by uoms -json or uoms-launches --json; or only files of upcrun "
        "-profile=FILE.json or of banyan-mpi --report=json:FILE",
    )
    parser.add_argument(
        "-o",
        "--output",
        default="uoms-report",
        metavar="FOLDER",
        help="folder for index.html and figures/ (default: uoms-report)",
    )
    parser.add_argument(
        "--formats",
        default="png",
        metavar="LIST",
        help="formats of the pictures: png,svg,pdf or none (default: png)",
    )
    parser.add_argument(
        "--setup",
        action=SetUp,
        nargs=0,
        help="install what these commands need (scipy, pandas, matplotlib and others) from PyPI, for them alone, "
        "and exit",
    )
    options = parser.parse_args(words)
    kinds = [] if options.formats == "none" else options.formats.split(",")
    if not set(kinds) <= set(KINDS):
        parser.error(f"--formats {options.formats}: it is a list of png, svg, pdf, or none")
    kind = next((kind for kind in (profile, collectives) if all(map(kind.is_profile, options.files))), None)
    if kind:
        try:
            print(environment.provide(lambda: kind.write(options.files, options.output), words))
        except (environment.SetUpError, profile.ProfileError) as error:
            print(f"uoms-report: {error}", file=sys.stderr)
            return 2
        return 0
    try:
        sources = environment.provide(lambda: load(options.files), words)
    except (environment.SetUpError, files.FileError) as error:
        print(f"uoms-report: {error}", file=sys.stderr)
        return 2
    if not any(source.rows for source in sources):
        print("uoms-report: there are no results in these files", file=sys.stderr)
        return 2
    try:
        print(write(sources, pathlib.Path(options.output), kinds))
    except OSError as error:
        print(f"uoms-report: {ends.reason(error)}", file=sys.stderr)
        return ends.FAILED
    return 0


if __name__ == "__main__":
    sys.exit(main())
