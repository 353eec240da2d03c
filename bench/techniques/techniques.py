"""The techniques, and what is launched with and without each."""

BINOMIAL, FLAT_BELOW = "binomial.binomial.binomial", "binomial.binomial.flat"
SMALL, LARGE = ("8", "4K", "64K", "1M"), ("64K", "1M", "4M")
INLINE = ("8", "64")
MYSYNC = ("-sync_mode", "UPC_IN_MYSYNC|UPC_OUT_MYSYNC")


class Variant:
    """One configuration: an operation with an environment and arguments.  Equal ones are measured once."""

    def __init__(self, operation, environment=(), arguments=()):
        self.operation, self.environment, self.arguments = operation, tuple(environment), tuple(arguments)

    @property
    def key(self):
        return self.operation, self.environment, self.arguments

    @property
    def ways(self):
        """(operation, way) that the environment forces"""
        prefix = "BANYAN_COLL_"
        return [
            (name[len(prefix) :].lower(), value)
            for name, value in self.environment
            if name.startswith(prefix) and "/" in value and name != "BANYAN_COLL_TABLE"
        ]


class Technique:
    """A comparison: the time without, divided by the time with; the relevant sizes; the minimum number of threads."""

    def __init__(self, group, text, having, lacking, sizes=SMALL, least=2):
        self.group, self.text, self.having, self.lacking, self.sizes, self.least = (
            group,
            text,
            having,
            lacking,
            sizes,
            least,
        )


def _forced(operation, way, more=(), arguments=()):
    variable = {"reduce_D": "REDUCE", "reduce_all_D": "REDUCE_ALL", "prefix_reduce_D": "PREFIX"}.get(
        operation, operation.upper()
    )
    return Variant(operation, ((f"BANYAN_COLL_{variable}", way), *more), arguments)


def _pair(group, operation, having, lacking, sizes=SMALL, least=2, arguments=()):
    return Technique(
        group,
        f"`{having}` for `{lacking}`",
        _forced(operation, having, (), arguments),
        _forced(operation, lacking, (), arguments),
        sizes,
        least,
    )


def hierarchy(regions, threads):
    """Trees that know the memory regions, compared with the same trees that do not.

    On a machine with one region, one side assumes two: nothing can be gained, and the row shows the cost of a wrong
    topology.
    """
    half = max(1, (threads + 1) // 2)
    many, one = f"pack:2 [numa] l3:1 core:{half} pu:1", f"pack:1 [numa] l3:1 core:{2 * half} pu:1"
    knows = () if regions > 1 else (("BANYAN_TOPOLOGY", many),)
    hidden = (("BANYAN_TOPOLOGY", one),)
    what = f"{regions} regions" if regions > 1 else "2 regions that are made up"
    for operation, way in (
        ("broadcast", f"pull/{BINOMIAL}/whole"),
        ("broadcast", f"pull/{FLAT_BELOW}/whole"),
        ("scatter", f"pull/{BINOMIAL}/whole"),
        ("gather", f"push/{BINOMIAL}/whole"),
        ("reduce_D", f"pull/{BINOMIAL}/whole"),
        ("exchange", "pull/packed/whole"),
    ):
        yield Technique(
            "hierarchy",
            f"`{way}` that sees {what}, for one that sees none",
            _forced(operation, way, knows),
            _forced(operation, way, hidden),
            SMALL,
            3,
        )


def ways():
    """Pairs of ways of the registry."""
    for how in ("chunks", "halves"):
        yield _pair("pipelining", "broadcast", f"pull/{BINOMIAL}/{how}", f"pull/{BINOMIAL}/whole", LARGE)
        yield _pair("pipelining", "scatter", f"pull/{BINOMIAL}/{how}", f"pull/{BINOMIAL}/whole", LARGE)
    yield _pair("pipelining", "gather", f"push/{BINOMIAL}/chunks", f"push/{BINOMIAL}/whole", LARGE)
    yield _pair("pull for push", "broadcast", f"pull/{BINOMIAL}/whole", f"push/{BINOMIAL}/whole")
    yield _pair("pull for push", "scatter", f"pull/{BINOMIAL}/whole", f"push/{BINOMIAL}/whole")
    yield _pair("pull for push", "gather", f"pull/{BINOMIAL}/whole", f"push/{BINOMIAL}/whole")
    yield _pair("pull for push", "exchange", "pull/flat/whole", "push/flat/whole")
    yield _pair("pull for push", "reduce_D", f"pull/{BINOMIAL}/whole", f"push/{BINOMIAL}/whole")
    yield _pair("flat for binomial", "broadcast", "pull/flat/whole", f"pull/{BINOMIAL}/whole")
    yield _pair("flat for binomial", "scatter", "pull/flat/whole", f"pull/{BINOMIAL}/whole")
    yield _pair("flat for binomial", "gather", "push/flat/whole", f"push/{BINOMIAL}/whole")
    yield _pair("flat for binomial", "reduce_D", "pull/flat/whole", f"pull/{BINOMIAL}/whole")
    yield _pair("flat for binomial", "gather_all", "pull/flat/whole", "pull/doubling/whole")
    yield _pair("flat for binomial", "prefix_reduce_D", "pull/flat/whole", "pull/doubling/whole")
    yield _pair("payload in the flag", "broadcast", "pull/flat/room", "pull/flat/whole", INLINE, 2, MYSYNC)
    yield _pair("payload in the flag", "gather_all", "pull/flat/room", "pull/flat/whole", INLINE, 2, MYSYNC)
    yield _pair("few messages", "exchange", "pull/bruck/whole", "pull/flat/whole", ("8", "64", "1K"))


def tuned(table):
    """The table that banyan-tune wrote for this machine, compared with the built-in rules."""
    for operation in (
        "broadcast",
        "scatter",
        "gather",
        "gather_all",
        "exchange",
        "permute",
        "reduce_D",
        "prefix_reduce_D",
    ):
        yield Technique(
            "tuned",
            "rules of banyan-tune for those that are built in",
            Variant(operation, (("BANYAN_COLL_TABLE", table),)),
            Variant(operation, (("BANYAN_COLL_TABLE", "none"),)),
        )


def modes():
    """Stricter synchronisation than necessary."""
    for operation in ("broadcast", "gather", "exchange", "reduce_D"):
        yield Technique(
            "waiting for partners only", "MYSYNC for ALLSYNC", Variant(operation, (), MYSYNC), Variant(operation)
        )


def waiting():
    """What a waiting thread does first; the policy chooses by the numbers of threads and cores."""
    for operation, sizes in (("barrier", ("0",)), ("broadcast", ("8", "64K"))):
        for other in ("spin", "yield", "sleep"):
            yield Technique(
                "waiting policy",
                f"the policy, for `{other}` always",
                Variant(operation),
                Variant(operation, (("BANYAN_WAIT", other),)),
                sizes,
            )


def every(regions, threads, table):
    """All techniques for a number of threads; table is a file of banyan-tune, or None."""
    found = [*hierarchy(regions, threads), *ways(), *modes(), *waiting(), *(tuned(table) if table else ())]
    return [technique for technique in found if threads >= technique.least]
