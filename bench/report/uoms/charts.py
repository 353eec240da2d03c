"""The charts of the report.  Each function yields figures for whatever the table holds, if anything."""

import matplotlib.pyplot as plt
import matplotlib.ticker
import numpy

from . import files, frames, svg

SIZE = (5.4, 3.5)
TIME = "median time"
MOST_LINES = svg.SERIES
MOST_SHADES = 3
MOST_NAME = 60  # letters of a label that go into a file name

# Ratios beyond this factor in either direction are drawn at the edge, with their values.
MOST_RATIO = 16

# With fewer sizes or threads a surface would be just its edges, so lines are drawn instead.
LEAST_IN_SURFACE = 4

# Rows with fewer systems are as high as for this many.
LEAST_BESIDE = 4

# One signed and one floating type represent all types where there is a chart for each operation.
FEW_TYPES = ("I", "D")


def _is_telling(operation):
    """Whether an operation gets charts of its own."""
    if operation.startswith(("reduce_", "prefix_reduce_")):
        return operation.rsplit("_", 1)[1] in FEW_TYPES
    return not operation.endswith(("_nb", "_nbi", "_async", "_asynci"))


def _threads_text(count):
    return files.count_text(count, "thread")


def _leading(series, note):
    """As many series as a chart can hold, and the note, extended if there are more."""
    more = f"; the first {MOST_LINES} of {len(series)}" if len(series) > MOST_LINES else ""
    return series[:MOST_LINES], note + more


def _size_axis(axis):
    axis.set_xscale("log", base=2)
    low, high = axis.get_xlim()
    base = 16 if high / low > 256 else 2  # a tick even if there is one size
    axis.xaxis.set_major_locator(matplotlib.ticker.LogLocator(base=base, numticks=9))
    axis.xaxis.set_major_formatter(
        matplotlib.ticker.FuncFormatter(lambda value, _: files.size_text(int(value)) if value >= 1 else "")
    )
    axis.xaxis.set_minor_formatter(matplotlib.ticker.NullFormatter())
    axis.set_xlabel("size in bytes")


def _time_format(value, _):
    return files.time_text(value) if value > 0 else ""


def _bandwidth_format(value, _):
    for unit, scale in (("GB/s", 1e3), ("MB/s", 1), ("kB/s", 1e-3)):
        if value >= scale:
            break
    return f"{value / scale:g} {unit}"


def _plain_ticks(axis, formatter, label, is_vertical=True):
    """Makes a logarithmic axis with a name, whose ticks all have the same format."""
    (axis.set_yscale if is_vertical else axis.set_xscale)("log")
    side = axis.yaxis if is_vertical else axis.xaxis
    low, high = axis.get_ylim() if is_vertical else axis.get_xlim()
    side.set_major_locator(matplotlib.ticker.LogLocator(subs=(1, 2, 5) if high / low < 100 else (1,), numticks=9))
    side.set_major_formatter(matplotlib.ticker.FuncFormatter(formatter))
    side.set_minor_formatter(matplotlib.ticker.NullFormatter())
    (axis.set_ylabel if is_vertical else axis.set_xlabel)(label)


def _keep_to_values(axis, columns):
    """Limits the axis to the values: intervals that reach far beyond them are cut off, so that values keep their room.
    """
    low, high = min(column.min() for column in columns) / 2, max(column.max() for column in columns) * 2
    axis.set_ylim(low, high)
    return low, high


def _mark_cut(axis, colour, limits, x, values, low, high, text=None):
    """Marks at the edge what is beyond it: values by filled triangles and text(value), intervals by hollow ones."""
    bottom, top = limits
    for place, value, least, most in zip(x, values, low, high):
        for edge, marker, is_value, is_cut, side in (
            (top, "^", value > top, most > top, -1),
            (bottom, "v", value < bottom, least < bottom, 1),
        ):
            if not is_value and not is_cut:
                continue
            face = colour if is_value else "none"
            axis.plot([place], [edge], marker=marker, color=colour, markerfacecolor=face, markersize=6, clip_on=False,
                      linestyle="")
            if is_value and text:
                axis.annotate(text(value), (place, edge), (0, 6 * side), textcoords="offset points", ha="center",
                              va="top" if side < 0 else "bottom", rotation=90, fontsize=7.5, color=colour)


def _line(axis, index, x, lines, value, low, high, label, among=1):
    """A line with its interval: a shade, or bars if the shades of many lines would cover each other."""
    colour, marker, dash = svg.style(index)
    axis.plot(x, lines[value], color=colour, marker=marker, linestyle=dash, label=label)
    if among <= MOST_SHADES:
        axis.fill_between(x, lines[low], lines[high], color=colour, alpha=0.2, linewidth=0)
    else:
        axis.vlines(x, lines[low], lines[high], color=colour, alpha=0.45, linewidth=1)


def _legend(axis, count):
    height_inches = axis.get_position().height * axis.figure.get_figheight()
    longest = max(len(label) for label in axis.get_legend_handles_labels()[1])
    columns = 1 if longest > 24 else 2 if count < 7 or longest > 14 else 3
    axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.48 / height_inches), ncols=columns, handlelength=3)


def _curve_figure(name, title, note, series, value, low, high, formatter, y_label, places=None):
    """series: (label, lines) with column bytes; places: the colour index of each series, by default in order."""

    def draw(_):
        figure, axis = plt.subplots(figsize=SIZE)
        for index, (label, lines) in enumerate(series):
            place = places[index] if places else index
            _line(axis, place, lines["bytes"], lines, value, low, high, label, len(series))
        _size_axis(axis)
        limits = _keep_to_values(axis, [lines[value] for _, lines in series])
        for index, (_, lines) in enumerate(series):
            colour = f"C{places[index] if places else index}"
            _mark_cut(axis, colour, limits, lines["bytes"], lines[value], lines[low], lines[high])
        _plain_ticks(axis, formatter, y_label)
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
        where = f"{label}, {_threads_text(threads)}"
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
                TIME,
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
                    "bandwidth",
                )


def svg_name(text):
    return "".join(c if c.isalnum() else "-" for c in text.lower())[:MOST_NAME]


def distinguish(figures):
    """Numbers duplicate figure names, such as those of labels v1.0 and v1-0: names are used as ids and file names."""
    taken = set()
    for figure in figures:
        stem, number = figure.name, 1
        while figure.name in taken:
            number += 1
            figure.name = f"{stem}-{number}"
        taken.add(figure.name)


def unsized_bars(frame):
    """Operations without sizes: the median as a dot on a logarithmic scale, with its interval and the 95th
    percentile."""
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
            ends = part[["median", "ci_high", "p95"]].max(axis="columns")
            for place, median, end in zip(places, part["median"], ends):
                axis.annotate(
                    files.time_text(median),
                    (end, place),
                    xytext=(6, 0),
                    textcoords="offset points",
                    va="center",
                    fontsize=8,
                )
            axis.set_xscale("log")
            axis.set_yticks(places, part["operation"])
            axis.set_xlim(right=axis.get_xlim()[1] * 4)
            _plain_ticks(axis, _time_format, "time", is_vertical=False)
            axis.grid(axis="y", visible=False)
            return figure

        yield svg.Figure(
            f"unsized-{svg_name(label)}-{threads}",
            "Operations without a size",
            f"{label}, {_threads_text(threads)}; dot: median, bar: its interval, shade: minimum to 95th percentile",
            draw,
        )


def _grid(lines):
    """(sizes, threads, medians) of one operation, NaN where nothing was measured"""
    pivot = lines.pivot_table(index="threads", columns="bytes", values="median")
    return list(pivot.columns), list(pivot.index), pivot.to_numpy(dtype=float)


def _decades(logs):
    """A tick locator for an axis of logarithms: at powers of ten, if there are two of them"""
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
        bar.set_label(TIME)
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
        axis.set_zlabel(TIME, labelpad=6)
        for side in (axis.xaxis, axis.yaxis, axis.zaxis):
            side.set_pane_color((0, 0, 0, 0))
            side._axinfo["grid"]["color"] = theme["grid"]
        axis.view_init(26, -128)
        axis.set_box_aspect((1.3, 1, 0.75))
        return figure

    return svg.Figure(name, title, note, draw)


def threads_by_size(frame):
    """Heat map of the time over threads and size, for operations with several of both; a surface where there are many,
    else lines."""
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
        if min(len(sizes), len(threads)) >= LEAST_IN_SURFACE:
            yield _surface(f"surface-{tag}", f"{operation} in 3-D", f"{label}; median time", sizes, threads, values)
        else:
            sorted_lines = lines.sort_values("bytes")
            series = [(_threads_text(count), sorted_lines[sorted_lines["threads"] == count]) for count in threads]
            series, note = _leading(series, f"{label}; median with its 95 % interval")
            yield _curve_figure(
                f"lines-{tag}",
                f"{operation} with each number of threads",
                note,
                series,
                "median",
                "ci_low",
                "ci_high",
                _time_format,
                TIME,
            )


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
            axis.minorticks_off()
            axis.set_xlabel("threads")
            _plain_ticks(axis, _time_format, TIME)
            _legend(axis, len(series))
            return figure

        yield svg.Figure(
            f"scaling-{svg_name(operation)}-{svg_name(label)}",
            f"{operation} over threads",
            f"{label}; median time",
            draw,
        )


def algorithms(frame):
    """Compares algorithms, if one run tried several."""
    chosen = frame[frame["is_default"] & frame["forced"] & frame["sized"]]
    for (label, operation, threads), lines in chosen.groupby(["label", "operation", "threads"], sort=False):
        names = list(dict.fromkeys(lines["algorithm"]))
        if len(names) < 2:
            continue
        # Algorithms that are the best somewhere come first; those beyond what a chart can hold are only in the table.
        best = lines.loc[lines.groupby("bytes")["median"].idxmin(), "algorithm"].value_counts()
        names = list(best.index) + [name for name in names if name not in best.index]
        series = [(name, lines[lines["algorithm"] == name].sort_values("bytes")) for name in names[:MOST_LINES]]
        yield _curve_figure(
            f"algorithms-{svg_name(operation)}-{svg_name(label)}-{threads}",
            f"{operation}: algorithms",
            f"{label}, {_threads_text(threads)}; {len(names)} algorithms, those that are best somewhere first",
            series,
            "median",
            "ci_low",
            "ci_high",
            _time_format,
            TIME,
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
            mesh = axis.pcolormesh(numpy.ma.masked_invalid(values), cmap="viridis")
            bar = figure.colorbar(mesh, ax=axis, format=matplotlib.ticker.FuncFormatter(_time_format), label=TIME)
            bar.outline.set_visible(False)
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


def _ratio(base, part):
    """Columns ratio, low and high by bytes: the time of `part` divided by that of `base`."""
    both = base.merge(part, on="bytes", suffixes=("", "_other"))
    return both.assign(
        ratio=both["median_other"] / both["median"],
        low=both["ci_low_other"] / both["ci_high"],
        high=both["ci_high_other"] / both["ci_low"],
    )


def _ratio_figure(name, title, more, series, places):
    """series: (label, lines), where the first one is the base of the comparison; places: the style of each; more: end
    of the note."""
    (base_label, base), *others = series
    against = f"time / time of {base_label}"

    def draw(theme):
        figure, axis = plt.subplots(figsize=SIZE)
        axis.axhline(1, color=theme["ink"], linewidth=1)
        ratios = [(place, label, _ratio(base, part)) for place, (label, part) in zip(places[1:], others)]
        for place, label, lines in ratios:
            columns = ["ratio", "low", "high"]
            within = lines.assign(**lines[columns].clip(1 / MOST_RATIO, MOST_RATIO))
            _line(axis, place, lines["bytes"], within, *columns, label, len(series))
        _size_axis(axis)
        axis.set_yscale("log")
        low, high = axis.get_ylim()
        limits = min(max(low, 1 / MOST_RATIO), 0.8), max(min(high, MOST_RATIO), 1.25)
        for place, _, lines in ratios:
            _mark_cut(axis, f"C{place}", limits, lines["bytes"], lines["ratio"], lines["low"], lines["high"],
                      files.ratio_text)
        axis.set_ylim(*limits)
        _plain_ticks(axis, lambda value, _: f"{value:.3g}", against)
        subs = (1, 1.25, 1.5, 2, 3, 5, 7, 8) if limits[1] / limits[0] < 8 else (1, 2, 5)
        axis.yaxis.set_major_locator(matplotlib.ticker.LogLocator(subs=subs))
        _legend(axis, len(others))
        return figure

    return svg.Figure(name, title, f"{against}; above 1 is slower{more}", draw)


def peers(frame):
    """Compares sources: time over size, and the ratio to the first."""
    chosen = frames.plain(frame)
    labels = list(dict.fromkeys(frame["label"]))
    if len(labels) < 2:
        return
    for (operation, threads), lines in chosen[chosen["sized"]].groupby(["operation", "threads"], sort=False):
        series = [(label, lines[lines["label"] == label].sort_values("bytes")) for label in labels]
        series, more = _leading([(label, part) for label, part in series if len(part)], "")
        if len(series) < 2 or not _is_telling(operation):
            continue
        # A system has the same colour in all charts, even if others do not have the operation.
        places = [labels.index(label) for label, _ in series]
        tag = f"{svg_name(operation)}-{threads}"
        yield _curve_figure(
            f"peers-{tag}",
            f"{operation}, {_threads_text(threads)}",
            f"median time with its 95 % interval{more}",
            series,
            "median",
            "ci_low",
            "ci_high",
            _time_format,
            TIME,
            places,
        )
        yield _ratio_figure(f"ratio-{tag}", f"{operation}, {_threads_text(threads)}: ratio", more, series, places)


def peer_bars(frame):
    """Compares sources, for operations without a size."""
    chosen = frames.plain(frame)
    chosen = chosen[~chosen["sized"]]
    labels, note = _leading(list(dict.fromkeys(frame["label"])), "median time with its 95 % interval")
    beside = max(len(labels), LEAST_BESIDE)
    shared = chosen.groupby(["operation", "threads"])["label"].nunique()
    shared = shared[shared > 1]
    if len(labels) < 2 or not len(shared):
        return

    def draw(_):
        figure, axis = plt.subplots(figsize=(5.4, 1 + 0.075 * beside * len(shared)))
        names = list(shared.index)[::-1]
        for index, label in enumerate(labels):
            part = chosen[chosen["label"] == label].set_index(["operation", "threads"])
            places = [place for place, name in enumerate(names) if name in part.index]
            lines = part.loc[[names[place] for place in places]]
            aside = 0.64 / beside * (index - (len(labels) - 1) / 2)
            colour, marker, _ = svg.style(index)
            axis.errorbar(
                lines["median"].to_numpy(),
                [place - aside for place in places],
                xerr=[
                    (lines["median"] - lines["ci_low"]).to_numpy(),
                    (lines["ci_high"] - lines["median"]).to_numpy(),
                ],
                fmt=marker,
                color=colour,
                label=label,
                capsize=2,
            )
        axis.set_yticks(range(len(names)), [f"{operation}, {_threads_text(threads)}" for operation, threads in names])
        _plain_ticks(axis, _time_format, TIME, is_vertical=False)
        _legend(axis, len(labels))
        return figure

    yield svg.Figure("peers-unsized", "Operations without a size", note, draw)
