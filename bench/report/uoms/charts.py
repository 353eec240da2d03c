"""The charts of the report.  Each function yields figures for whatever the table holds; none for what it does not."""

import matplotlib.pyplot as plt
import matplotlib.ticker
import numpy

from . import files, frames, svg

SIZE = (5.4, 3.5)
MOST_LINES = svg.SERIES
MOST_SHADES = 3

# One signed, one floating type stand for all where there is a chart for each operation.
FEW_TYPES = ("I", "D")


def _is_telling(operation):
    """Whether an operation gets charts of its own."""
    if operation.startswith(("reduce_", "prefix_reduce_")):
        return operation.rsplit("_", 1)[1] in FEW_TYPES
    return not operation.endswith(("_nb", "_nbi", "_async", "_asynci"))


def _size_axis(axis):
    axis.set_xscale("log", base=2)
    axis.xaxis.set_major_locator(matplotlib.ticker.LogLocator(base=16, numticks=9))
    axis.xaxis.set_major_formatter(
        matplotlib.ticker.FuncFormatter(lambda value, _: files.size_text(int(value)) if value >= 1 else "")
    )
    axis.xaxis.set_minor_formatter(matplotlib.ticker.NullFormatter())
    axis.set_xlabel("size in bytes")


def _time_format(value, _):
    return files.time_text(value) if value > 0 else ""


def _bandwidth_format(value, _):
    return f"{value / 1000:g} GB/s" if value >= 1000 else f"{value:g} MB/s"


def _number_axis(axis, formatter):
    axis.set_yscale("log")
    axis.yaxis.set_major_formatter(matplotlib.ticker.FuncFormatter(formatter))
    axis.yaxis.set_minor_formatter(matplotlib.ticker.NullFormatter())
    low, high = axis.get_ylim()
    if high / low < 12:
        axis.yaxis.set_major_locator(matplotlib.ticker.LogLocator(subs=(1, 2, 5)))


def _keep_to_values(axis, columns):
    """Intervals that reach far beyond all values are cut off, so that values keep their room."""
    low, high = min(column.min() for column in columns), max(column.max() for column in columns)
    axis.set_ylim(low / 2, high * 2)


def _line(axis, index, x, lines, value, low, high, label, among=1):
    """A line with its interval: a shade, or bars where shades of many lines would cover each other."""
    colour = f"C{index}"
    axis.plot(
        x, lines[value], color=colour, marker=svg.MARKERS[index % 8], linestyle=svg.DASHES[index % 8], label=label
    )
    if among <= MOST_SHADES:
        axis.fill_between(x, lines[low], lines[high], color=colour, alpha=0.2, linewidth=0)
    else:
        axis.vlines(x, lines[low], lines[high], color=colour, alpha=0.45, linewidth=1)


def _legend(axis, count):
    height_inches = axis.get_position().height * axis.figure.get_figheight()
    longest = max(len(label) for label in axis.get_legend_handles_labels()[1])
    columns = 1 if longest > 24 else 2 if count < 7 or longest > 14 else 3
    axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.48 / height_inches), ncols=columns, handlelength=3)


def _curve_figure(name, title, note, series, value, low, high, formatter, places=None):
    """series: (label, lines) with column bytes; places: the colour of each, in order if they are not given."""

    def draw(_):
        figure, axis = plt.subplots(figsize=SIZE)
        for index, (label, lines) in enumerate(series):
            place = places[index] if places else index
            _line(axis, place, lines["bytes"], lines, value, low, high, label, len(series))
        _size_axis(axis)
        _keep_to_values(axis, [lines[value] for _, lines in series])
        _number_axis(axis, formatter)
        _legend(axis, len(series))
        return figure

    return svg.Figure(name, title, note, draw)


# Families of operations that share a chart
FAMILIES = [
    ("collectives", "Collectives", ["broadcast", "scatter", "gather", "gather_all", "exchange", "permute"]),
    (
        "reductions",
        "Reductions",
        [f"reduce_{kind}" for kind in ("C", "S", "I", "L", "F", "D", "LD")] + ["reduce_all_D"],
    ),
    ("reductions-unsigned", "Reductions, unsigned types", [f"reduce_{kind}" for kind in ("UC", "US", "UI", "UL")]),
    ("prefix", "Prefix reductions", [f"prefix_reduce_{kind}" for kind in ("C", "S", "I", "L", "F", "D", "LD")]),
    (
        "prefix-unsigned",
        "Prefix reductions, unsigned types",
        [f"prefix_reduce_{kind}" for kind in ("UC", "US", "UI", "UL")],
    ),
    ("copies", "Copies between threads", ["get", "put", "copy", "memcpy", "memmove"]),
    ("copies-local", "Copies within a thread", ["local_get", "local_put", "local_copy", "memcpy", "memmove"]),
    ("copies-nb", "Copies that are waited for", ["get_nb", "put_nb", "copy_nb", "get_nbi", "put_nbi", "copy_nbi"]),
    (
        "copies-async",
        "The same by their old names",
        ["get_async", "put_async", "copy_async", "get_asynci", "put_asynci", "copy_asynci"],
    ),
    (
        "loops",
        "Loops over a shared array",
        ["forall_read", "forall_write", "forall_readwrite", "for_read", "for_write", "for_readwrite"],
    ),
    ("allocation", "Allocation", ["upc_all_alloc", "upc_global_alloc", "upc_alloc", "upc_free", "upc_all_free"]),
]


def family_curves(frame):
    """Latency and bandwidth over size: a chart for each family, source and number of threads."""
    chosen = frames.plain(frame)
    for (label, threads), part in chosen.groupby(["label", "threads"], sort=False):
        where = f"{label}, {threads} thread{'s' if threads > 1 else ''}"
        for short, title, names in FAMILIES:
            series = list(frames.curves(part, names))[:MOST_LINES]
            if not series:
                continue
            tag = f"{short}-{svg_name(label)}-{threads}"
            yield _curve_figure(
                f"latency-{tag}",
                f"{title}: time",
                f"{where}; median with its 95 % interval",
                series,
                "median",
                "ci_low",
                "ci_high",
                _time_format,
            )
            series = [(name, lines) for name, lines in series if lines["bw"].notna().all()]
            if series:
                yield _curve_figure(
                    f"bandwidth-{tag}",
                    f"{title}: bandwidth",
                    f"{where}; aggregated, from the median",
                    series,
                    "bw",
                    "bw_low",
                    "bw_high",
                    _bandwidth_format,
                )


def svg_name(text):
    return "".join(c if c.isalnum() else "-" for c in text.lower())


def unsized_bars(frame):
    """Operations without sizes: the median as a dot on a logarithmic scale, with its interval and the 95th percentile."""
    chosen = frames.plain(frame)
    chosen = chosen[~chosen["sized"]]
    for (label, threads), part in chosen.groupby(["label", "threads"], sort=False):
        part = part.iloc[::-1]

        def draw(theme, part=part):
            figure, axis = plt.subplots(figsize=(5.4, 0.9 + 0.2 * len(part)))
            places = numpy.arange(len(part))
            axis.hlines(places, part["t_min"], part["p95"].fillna(part["median"]), color=theme["grid"], linewidth=4)
            axis.hlines(places, part["ci_low"], part["ci_high"], color="C0", linewidth=2.4)
            axis.plot(part["median"], places, "o", color="C0")
            for place, median, end in zip(places, part["median"], part["p95"].fillna(part["median"])):
                axis.annotate(
                    files.time_text(median),
                    (max(median, end), place),
                    xytext=(6, 0),
                    textcoords="offset points",
                    va="center",
                    fontsize=8,
                )
            axis.set_xscale("log")
            axis.set_yticks(places, part["operation"])
            axis.xaxis.set_major_formatter(matplotlib.ticker.FuncFormatter(_time_format))
            axis.set_xlim(right=axis.get_xlim()[1] * 4)
            axis.grid(axis="y", visible=False)
            return figure

        yield svg.Figure(
            f"unsized-{svg_name(label)}-{threads}",
            "Operations without a size",
            f"{label}, {threads} threads; dot: median, bar: its interval, shade: minimum to 95th percentile",
            draw,
        )


def _grid(lines):
    """(sizes, threads, medians) of one operation, NaN where nothing was measured"""
    pivot = lines.pivot_table(index="threads", columns="bytes", values="median")
    return list(pivot.columns), list(pivot.index), pivot.to_numpy(dtype=float)


def _decades(logs):
    """Where ticks stand on an axis of logarithms: at powers of ten, if there are two of them"""
    span = numpy.ceil(logs.max()) - numpy.floor(logs.min())
    return matplotlib.ticker.MultipleLocator(1 if span <= 6 else 2) if span > 2 else matplotlib.ticker.MaxNLocator(3)


def _heat(name, title, note, sizes, threads, values):
    def draw(_):
        figure, axis = plt.subplots(figsize=(5.4, 1.5 + 0.42 * len(threads)))
        logs = numpy.log10(values)
        mesh = axis.pcolormesh(logs, cmap="viridis", edgecolors="none")
        axis.set_xticks(numpy.arange(len(sizes))[::3] + 0.5, [files.size_text(size) for size in sizes][::3])
        axis.set_yticks(numpy.arange(len(threads)) + 0.5, threads)
        axis.set_xlabel("size in bytes")
        axis.set_ylabel("threads")
        axis.grid(False)
        bar = figure.colorbar(
            mesh, ax=axis, orientation="horizontal", pad=0.32 if len(threads) < 4 else 0.22, aspect=40
        )
        bar.ax.xaxis.set_major_formatter(matplotlib.ticker.FuncFormatter(lambda value, _: files.time_text(10**value)))
        bar.ax.xaxis.set_major_locator(_decades(logs))
        bar.ax.minorticks_off()
        bar.outline.set_visible(False)
        return figure

    return svg.Figure(name, title, note, draw)


def _surface(name, title, note, sizes, threads, values):
    def draw(theme):
        figure = plt.figure(figsize=SIZE)
        axis = figure.add_subplot(projection="3d")
        x, y = numpy.meshgrid(numpy.log2(sizes), numpy.log2(threads))
        axis.plot_surface(
            x,
            y,
            numpy.log10(values),
            cmap="viridis",
            alpha=0.92,
            edgecolor="none",
            rstride=1,
            cstride=1,
            antialiased=False,
            shade=False,
        )
        axis.plot_wireframe(x, y, numpy.log10(values), color=theme["ink"], linewidth=0.4)
        axis.set_xticks(x[0][::4], [files.size_text(size) for size in sizes][::4])
        axis.set_yticks(y[:, 0], threads)
        axis.zaxis.set_major_formatter(matplotlib.ticker.FuncFormatter(lambda value, _: files.time_text(10**value)))
        axis.zaxis.set_major_locator(_decades(numpy.log10(values)))
        axis.tick_params(labelsize=7.5, pad=0)
        axis.set_xlabel("bytes", labelpad=2)
        axis.set_ylabel("threads", labelpad=0)
        for side in (axis.xaxis, axis.yaxis, axis.zaxis):
            side.set_pane_color((0, 0, 0, 0))
            side._axinfo["grid"]["color"] = theme["grid"]
        axis.view_init(26, -128)
        axis.set_box_aspect((1.3, 1, 0.75))
        return figure

    return svg.Figure(name, title, note, draw)


def threads_by_size(frame):
    """Heat map and surface of the time over threads and size, for operations with several of both."""
    chosen = frames.plain(frame)
    for (label, operation), lines in chosen[chosen["sized"]].groupby(["label", "operation"], sort=False):
        if lines["group"].iloc[0] not in ("collective", "reduction") or not _is_telling(operation):
            continue
        sizes, threads, values = _grid(lines)
        if len(threads) < 2 or len(sizes) < 2 or numpy.isnan(values).any():
            continue
        tag = f"{svg_name(operation)}-{svg_name(label)}"
        yield _heat(
            f"heat-{tag}", f"{operation} over threads and size", f"{label}; median time", sizes, threads, values
        )
        yield _surface(f"surface-{tag}", f"{operation} in 3-D", f"{label}; median time", sizes, threads, values)


def scaling(frame):
    """Time over the number of threads, for small, middle and large sizes."""
    chosen = frames.plain(frame)
    for (label, operation), lines in chosen.groupby(["label", "operation"], sort=False):
        counts = sorted(lines["threads"].unique())
        if len(counts) < 2 or lines["group"].iloc[0] not in ("collective", "barrier"):
            continue
        every = sorted(set.intersection(*(set(lines[lines["threads"] == count]["bytes"]) for count in counts)))
        if not every:
            continue
        sizes = list(dict.fromkeys(every[place] for place in (0, len(every) // 2, -1)))
        series = [
            (
                f"{files.size_text(size)} bytes" if size else operation,
                lines[lines["bytes"] == size].sort_values("threads"),
            )
            for size in sizes
        ]

        def draw(_, series=series, counts=counts):
            figure, axis = plt.subplots(figsize=SIZE)
            for index, (name, part) in enumerate(series):
                _line(axis, index, part["threads"], part, "median", "ci_low", "ci_high", name)
            axis.set_xscale("log", base=2)
            axis.set_xticks(counts, [str(count) for count in counts])
            axis.set_xlabel("threads")
            _number_axis(axis, _time_format)
            _legend(axis, len(series))
            return figure

        yield svg.Figure(
            f"scaling-{svg_name(operation)}-{svg_name(label)}",
            f"{operation} over threads",
            f"{label}; median time",
            draw,
        )


def algorithms(frame):
    """Algorithm against algorithm, where one run walked them."""
    chosen = frame[frame["is_default"] & frame["forced"] & frame["sized"]]
    for (label, operation, threads), lines in chosen.groupby(["label", "operation", "threads"], sort=False):
        names = list(dict.fromkeys(lines["algorithm"]))
        if len(names) < 2:
            continue
        # The ones that are best somewhere come first; more than a chart can hold are left to the table.
        best = lines.loc[lines.groupby("bytes")["median"].idxmin(), "algorithm"].value_counts()
        names = list(best.index) + [name for name in names if name not in best.index]
        series = [(name, lines[lines["algorithm"] == name].sort_values("bytes")) for name in names[:MOST_LINES]]
        yield _curve_figure(
            f"algorithms-{svg_name(operation)}-{svg_name(label)}-{threads}",
            f"{operation}: algorithms",
            f"{label}, {threads} threads; {len(names)} algorithms, those that are best somewhere first",
            series,
            "median",
            "ci_low",
            "ci_high",
            _time_format,
        )


def pair_matrix(frame):
    """The time between pairs of processors, for the smallest size."""
    chosen = frame[frame["pair"].notna()]
    for (label, operation), lines in chosen.groupby(["label", "operation"], sort=False):
        lines = lines[lines["bytes"] == lines["bytes"].min()]
        if operation not in ("get", "put", "atomic_add", "relaxed_read", "strict_write"):
            continue
        cpus = sorted({cpu for pair in lines["pair"] for cpu in pair})
        values = numpy.full((len(cpus), len(cpus)), numpy.nan)
        for pair, median in zip(lines["pair"], lines["median"]):
            first, second = cpus.index(pair[0]), cpus.index(pair[1])
            values[first, second] = values[second, first] = median

        def draw(theme, cpus=cpus, values=values):
            figure, axis = plt.subplots(figsize=(5.4, min(5, 1.4 + 0.5 * len(cpus))))
            axis.pcolormesh(numpy.ma.masked_invalid(values), cmap="viridis")
            axis.set_xticks(numpy.arange(len(cpus)) + 0.5, cpus)
            axis.set_yticks(numpy.arange(len(cpus)) + 0.5, cpus)
            axis.set_xlabel("CPU")
            axis.set_ylabel("CPU")
            axis.invert_yaxis()
            axis.grid(False)
            middle = (numpy.nanmin(values) + numpy.nanmax(values)) / 2
            for (row, column), value in numpy.ndenumerate(values):
                if not numpy.isnan(value) and len(cpus) <= 16:
                    axis.text(
                        column + 0.5,
                        row + 0.5,
                        files.time_text(value),
                        ha="center",
                        va="center",
                        fontsize=8,
                        color="#101418" if value > middle else "#ffffff",
                    )
            axis.tick_params(colors=theme["soft"])
            return figure

        size = files.size_text(int(lines["bytes"].iloc[0]))
        yield svg.Figure(
            f"pairs-{svg_name(operation)}-{svg_name(label)}",
            f"{operation} between CPUs",
            f"{label}{'' if size == '0' else ', ' + size + ' bytes'}; median time",
            draw,
        )


def peers(frame):
    """Sources against each other: time over size, and the ratio to the first."""
    chosen = frames.plain(frame)
    labels = list(dict.fromkeys(frame["label"]))
    if len(labels) < 2:
        return
    for (operation, threads), lines in chosen[chosen["sized"]].groupby(["operation", "threads"], sort=False):
        series = [(label, lines[lines["label"] == label].sort_values("bytes")) for label in labels]
        series = [(label, part) for label, part in series if len(part)][:MOST_LINES]
        if len(series) < 2 or not _is_telling(operation):
            continue
        # A system has one colour in all charts, also where others do not have the operation.
        places = [labels.index(label) for label, _ in series]
        tag = f"{svg_name(operation)}-{threads}"
        yield _curve_figure(
            f"peers-{tag}",
            f"{operation}, {threads} threads",
            "median time with its 95 % interval",
            series,
            "median",
            "ci_low",
            "ci_high",
            _time_format,
            places,
        )
        base_label, base = series[0]

        def draw(theme, base=base, series=series, places=places):
            figure, axis = plt.subplots(figsize=SIZE)
            axis.axhline(1, color=theme["ink"], linewidth=1)
            for place, (label, part) in list(zip(places, series))[1:]:
                both = base.merge(part, on="bytes", suffixes=("", "_other"))
                both["ratio"] = both["median_other"] / both["median"]
                both["low"], both["high"] = (
                    both["ci_low_other"] / both["ci_high"],
                    both["ci_high_other"] / both["ci_low"],
                )
                _line(axis, place, both["bytes"], both, "ratio", "low", "high", label, len(series))
            _size_axis(axis)
            axis.set_yscale("log")
            # Beyond a factor of 16 an interval says nothing more.
            low, high = axis.get_ylim()
            axis.set_ylim(min(max(low, 1 / 16), 0.8), max(min(high, 16), 1.25))
            axis.yaxis.set_major_locator(
                matplotlib.ticker.LogLocator(subs=(1, 1.25, 1.5, 2, 3, 5, 7) if high / low < 8 else (1, 2, 5))
            )
            axis.yaxis.set_major_formatter(matplotlib.ticker.FuncFormatter(lambda value, _: f"{value:.3g}"))
            axis.yaxis.set_minor_formatter(matplotlib.ticker.NullFormatter())
            _legend(axis, len(series) - 1)
            return figure

        yield svg.Figure(
            f"ratio-{tag}",
            f"{operation}, {threads} threads: ratio",
            f"time / time of {base_label}; above 1 is slower",
            draw,
        )


def peer_bars(frame):
    """Sources against each other, for operations without a size."""
    chosen = frames.plain(frame)
    chosen = chosen[~chosen["sized"]]
    labels = list(dict.fromkeys(frame["label"]))
    shared = chosen.groupby(["operation", "threads"])["label"].nunique()
    shared = shared[shared > 1]
    if len(labels) < 2 or not len(shared):
        return

    def draw(_):
        figure, axis = plt.subplots(figsize=(5.4, 1 + 0.3 * len(shared)))
        names = list(shared.index)[::-1]
        for index, label in enumerate(labels[:MOST_LINES]):
            part = chosen[chosen["label"] == label].set_index(["operation", "threads"])
            places = [place for place, name in enumerate(names) if name in part.index]
            lines = part.loc[[names[place] for place in places]]
            axis.errorbar(
                lines["median"].to_numpy(),
                places,
                xerr=[
                    (lines["median"] - lines["ci_low"]).to_numpy(),
                    (lines["ci_high"] - lines["median"]).to_numpy(),
                ],
                fmt=svg.MARKERS[index],
                color=f"C{index}",
                label=label,
                capsize=2,
            )
        axis.set_xscale("log")
        axis.set_yticks(range(len(names)), [f"{operation}, {threads} threads" for operation, threads in names])
        axis.xaxis.set_major_formatter(matplotlib.ticker.FuncFormatter(_time_format))
        _legend(axis, len(labels))
        return figure

    yield svg.Figure("peers-unsized", "Operations without a size", "median time with its 95 % interval", draw)
