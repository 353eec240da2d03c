#!/usr/bin/env python3
"""Writes the entry points of libbanyan-mpi-threads, from the mpi.h of the MPI that it is compiled against.

    generate.py OUTPUT [--more HEADER] -- COMPILER [FLAGS]...

OUTPUT.h declares the functions of the library below; OUTPUT.c has the entry points, except those written by hand.  The
tables here say how each function is handled; one that is in no table is called inside the arbiter, as new work.
"""

import argparse
import pathlib
import re
import subprocess
import sys

# Makes mpi.h declare what MPI 3.0 removed: Open MPI's library still has it, and old programs call it.
PROLOGUE = """#define OMPI_OMIT_MPI1_COMPAT_DECLS 0
#define OMPI_REMOVED_USE_STATIC_ASSERT 0
#define __mpi_interface_removed__(old, new)
#define __mpi_interface_deprecated__(what)
#include <mpi.h>
"""

# These get no entry points: they have no side effects, may be called at any time, and mpi4py looks up MPI_Get_version
# to find out whether the program has been linked with an MPI library, and with which one.
LEFT_OUT = {"Get_library_version", "Get_version"}

# These only read what does not change, or must not wait for other threads.
FREE = set("""
    Abort Aint_add Aint_diff Comm_rank Comm_size Finalized Get_address Initialized Is_thread_main Wtick
    Wtime""".split())

# Written by hand, in the other sources of this folder; without and with _c if the header has it
BY_HAND = set("""
    Accumulate Accumulate_c Comm_create_group Comm_set_errhandler Compare_and_swap Errhandler_set Fetch_and_op Finalize
    Get Get_accumulate Get_accumulate_c Get_c Init Init_thread Intercomm_create Mprobe Probe Put Put_c Query_thread
    Raccumulate Raccumulate_c Rget Rget_accumulate Rget_accumulate_c Rget_c Rput Rput_c Sendrecv Sendrecv_c
    Sendrecv_replace Sendrecv_replace_c Wait Waitall Waitany Waitsome Win_complete Win_flush Win_flush_all
    Win_flush_local Win_flush_local_all Win_get_attr Win_lock Win_lock_all Win_post Win_start Win_sync Win_unlock
    Win_unlock_all Win_wait""".split())

# Calls that only poll
LOOKS = set("""
    Improbe Iprobe Parrived Request_get_status Request_get_status_all Request_get_status_any Request_get_status_some
    Test Testall Testany Testsome Win_test""".split())

# Calls that may bypass the arbiter if that is found to be faster (gate.h)
STREAM = set("""
    Ibsend Imrecv Irecv Irsend Isend Isendrecv Isendrecv_replace Issend Request_free Request_get_status
    Request_get_status_all Request_get_status_any Request_get_status_some Start Startall Test Testall Testany
    Testsome""".split())
MESSAGE = set("Bsend Improbe Iprobe Mrecv Recv Rsend Send Ssend".split())

# Blocking calls, and the calls that start the same operation: these have a request as last parameter, and no status
MESSAGES = {"Mrecv", "Recv", "Rsend", "Send", "Ssend"}
STARTS = {"Mrecv": "Imrecv", "Recv": "Irecv", "Rsend": "Irsend", "Send": "Isend", "Ssend": "Issend"}
STARTS.update((name, "I" + name.lower()) for name in """
    Allgather Allgatherv Allreduce Alltoall Alltoallv Alltoallw Barrier Bcast Exscan Gather Gatherv Neighbor_allgather
    Neighbor_allgatherv Neighbor_alltoall Neighbor_alltoallv Neighbor_alltoallw Reduce Reduce_scatter
    Reduce_scatter_block Scan Scatter Scatterv""".split())

# Of these, those whose nonblocking form is wrong in some library, and the condition for it (forms.h): then the blocking
# one is called in a turn, as those below are.  The one place for such exceptions.
WRONG_FORMS = {"Bcast": "bn_forms_joins_groups", "Reduce": "bn_forms_joins_groups"}
WRONG_FORMS.update((name, "bn_forms_mixes_neighbors") for name in """
    Neighbor_alltoall Neighbor_alltoallv Neighbor_alltoallw""".split())

# Calls that make requests which MPI_Testall of MPICH refuses (completion.h)
UNTESTED = {"Precv_init", "Psend_init"} | {name + "_init" for name in STARTS if name not in MESSAGES}

# Conditions under which these complete at once: only the blocking call then sets the right status in MPICH 4.0
ENDS_AT_ONCE = {"Mrecv": "bn_is_of_nobody(message)", "Recv": "source == MPI_PROC_NULL"}

# Blocking collective calls without a nonblocking form: one at a time, in the same order in all processes (order.h)
ORDERED_BY_COMM = set("""
    Cart_create Cart_sub Comm_accept Comm_connect Comm_create Comm_disconnect Comm_dup Comm_dup_with_info Comm_spawn
    Comm_spawn_multiple Comm_split Comm_split_type Dist_graph_create Dist_graph_create_adjacent File_open Graph_create
    Intercomm_merge Win_allocate Win_allocate_shared Win_create Win_create_dynamic""".split())
# By groups and a tag (groups.h): what waits for the turn, and how many parameters of the call it takes
ORDERED_BY_TAG = {"Comm_create_from_group": ("bn_turn_await_group", 2),
                  "Intercomm_create_from_groups": ("bn_turn_await_groups", 5)}
ORDERED_BY_WINDOW = {"Win_fence", "Win_free"}
ORDERED_BY_FILE = set("File_" + name for name in """
    close preallocate read_all read_all_begin read_all_end read_at_all read_at_all_begin read_at_all_end read_ordered
    read_ordered_begin read_ordered_end seek_shared set_atomicity set_size set_view sync write_all write_all_begin
    write_all_end write_at_all write_at_all_begin write_at_all_end write_ordered write_ordered_begin
    write_ordered_end""".split())

# Nonblocking collective calls that make a communicator: idups.h
BEGINS = {"Comm_idup", "Comm_idup_with_info"}

# Calls that make or free objects for which a communicator of their members is kept
MAKES = {"File_open", "Win_allocate_shared", "Win_create", "Win_create_dynamic"}
ENDS = {"File_close", "Win_free"}

HEADER = """/* Written by mpi/threads/generate.py */
#ifndef BN_MPI_THREADS_CALLS_H
#define BN_MPI_THREADS_CALLS_H

%(prologue)s%(more)s
/* Functions that are in the library below, by their names without MPI_ */
#define BN_CALLS(CALL) \\
%(calls)s

#define BN_CALL_FIELD(name) __typeof__(PMPI_##name) *name;
struct bn_calls {
    BN_CALLS(BN_CALL_FIELD)
};

#endif
"""

SOURCE = """/* Written by mpi/threads/generate.py */
#include "threads/completion.h"
#include "threads/forms.h"
#include "threads/gate.h"
#include "threads/groups.h"
#include "threads/idups.h"
#include "threads/objects.h"
#include "threads/order.h"
#include "threads/windows.h"

"""

NAMES = """BN_BOTH_NAMES(%(type)s, %(name)s, bn_next_tool.%(name)s, (%(parameters)s), (%(arguments)s))

"""

# The library's call within an ordered call
CALLED = "    int result = bn_below.%(name)s(%(arguments)s);\n"
ALLOCATED = """    int result = MPI_SUCCESS;
    if (!bn_objects_allocate(%(arguments)s)) {
        result = bn_below.%(name)s(%(arguments)s);
        if (result == MPI_SUCCESS)
            bn_objects_keep_window(*%(window)s, turn.comm, *(void **)%(base)s);
    }
"""

# What has no fast path, or is behind it, is called by both entry points of a function, not compiled into each of them:
# two copies of hundreds of functions would take a third longer to compile.
INSIDE = """static __attribute__((noinline)) %(type)s %(entry)s_%(name)s(%(parameters)s)
{
    bool is_inside = bn_gate_enter_for(%(use)s, %(path)s);
%(before)s    %(type)s result = bn_below.%(name)s(%(arguments)s);
    if (is_inside)
        bn_gate_leave();
    return result;
}

"""

FREELY = """static %(type)s call_%(name)s(%(parameters)s)
{
    bn_gate_look_around();
    return bn_below.%(name)s(%(arguments)s);
}

"""

STARTED = """%(in_turn)sstatic __attribute__((noinline)) int %(entry)s_%(name)s(%(parameters)s)
{
    MPI_Request request = bn_handles.no_request;
    bool is_inside = bn_gate_enter_blocking(%(use)s);
    if (%(ends)s!bn_gate_waits(is_inside)) {
        int result = bn_below.%(name)s(%(arguments)s);
        if (is_inside)
            bn_gate_leave();
        return result;
    }
%(before)s    int result = bn_below.%(start)s(%(start_arguments)s, &request);
    return bn_request_complete(result, &request, %(status)s, %(comm)s);
}

"""

# Precedes INSIDE and STARTED for functions that have a use
PAST = """static %(type)s enter_%(name)s(%(parameters)s);

static %(type)s call_%(name)s(%(parameters)s)
{
    BN_GATE_PASS_AT_ONCE(%(use)s, bn_below.%(name)s(%(arguments)s))
    return enter_%(name)s(%(arguments)s);
}

"""

BEGUN = """static __attribute__((noinline)) int call_%(name)s(%(parameters)s)
{
    if (!bn_gate_arbitrates()) {
        bool is_inside = bn_gate_enter(BN_PATH_MAIN);
        int result = bn_below.%(name)s(%(arguments)s);
        if (is_inside)
            bn_gate_leave();
        return result;
    }
    struct bn_idup *idup = bn_idup_prepare(%(comm)s);
    int result = bn_below.%(name)s(%(start_arguments)s, bn_idup_request(idup));
    return bn_idup_begin(idup, result, %(created)s, %(request)s);
}

"""

# How most ordered calls wait for their turn
AWAIT = "bn_turn_await(&turn, %s)"

# The end of ORDERED and IN_TURN
TURN = """    %(wait)s;
%(call)s%(after)s    bn_turn_end(&turn);
    return result;
}

"""

# Precedes STARTED for functions in WRONG_FORMS
IN_TURN = """static __attribute__((noinline)) int take_turn_%(name)s(%(parameters)s)
{
    struct bn_turn turn;
""" + TURN

# The start of STARTED for these, inside
TAKES_TURN = """    if (%(condition)s(%(comm)s)) {
        bn_gate_leave();
        return take_turn_%(name)s(%(arguments)s);
    }
"""

ORDERED = """static __attribute__((noinline)) int call_%(name)s(%(parameters)s)
{
    struct bn_turn turn;
    if (!bn_gate_arbitrates()) {
        bool is_inside = bn_gate_enter(BN_PATH_PROGRESS);
        int result = bn_below.%(name)s(%(arguments)s);
        if (is_inside)
            bn_gate_leave();
        return result;
    }
""" + TURN


class Function:
    """A prototype: int PMPI_Send(const void *buf, int count, ...)"""

    def __init__(self, kind, name, parameters):
        self.type, self.name = kind, name
        self.names, self.types, declared = [], [], []
        for parameter in [] if parameters == "void" else parameters.split(","):
            kind, word, dimensions = re.fullmatch(r"(.*?)(\w*)\s*((?:\[[^\]]*\]\s*)*)", parameter.strip()).groups()
            if not word or not kind or re.fullmatch("MPI_.*|int|char|void", word):   # without a name
                kind, word = kind + word + " ", "parameter%d" % len(self.names)
            if word in ("result", "request", "turn", "is_inside"):   # names of the entry points
                word += "_parameter"
            declared.append(kind + word + dimensions)
            self.types.append(kind)
            self.names.append(word)
        self.parameters = ", ".join(declared) or "void"

    @property
    def plain(self):
        """The name without the _c of large counts"""
        return re.sub(r"_c$", "", self.name)

    def fields(self, **more):
        """Values for the templates above"""
        return {"type": self.type, "name": self.name, "parameters": self.parameters,
                "arguments": ", ".join(self.names), **more}


def functions_of(text):
    """The functions that have two names, in the order of the header"""
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    while True:
        cut = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", text)
        if cut == text:
            break
        text = cut
    found = {}
    for match in re.finditer(r"([\w\s*]+?)\b(P?)MPI(X?)_(\w+)\s*\(([^()]*)\)\s*;", text):
        kind = " ".join(re.sub(r"\bextern\b", "", match[1]).split())
        name, parameters = match[4], " ".join(match[5].split())
        if match[2] and not match[3] and "..." not in parameters and kind:
            found.setdefault(name, Function(kind, name, parameters))
    single = set(re.findall(r"[^P]MPI_(\w+)\s*\(", text))
    return [function for function in found.values() if function.name in single]


def ordered(function):
    """What waits for the turn of an ordered call, or None"""
    name = function.plain
    if name in ORDERED_BY_TAG:
        wait, count = ORDERED_BY_TAG[name]
        return "%s(&turn, %s)" % (wait, ", ".join(function.names[:count]))
    if name in ORDERED_BY_COMM:
        at = next(i for i, kind in enumerate(function.types) if kind.startswith("MPI_Comm"))
        return AWAIT % (("*" if "*" in function.types[at] else "") + function.names[at])
    for names, word in ((ORDERED_BY_WINDOW, "window"), (ORDERED_BY_FILE, "file")):
        if name in names:
            at = next(i for i, kind in enumerate(function.types) if re.match(r"MPI_(Win|File)\b", kind))
            star = "*" if "*" in function.types[at] else ""
            return AWAIT % ("bn_objects_of_%s(%s%s)" % (word, star, function.names[at]))
    return None


def after(function):
    """The code that follows an ordered call, while it is still this thread's turn"""
    if function.plain in MAKES:
        kind = "window" if function.plain.startswith("Win") else "file"
        base = {"Win_create": ", " + function.names[0]}.get(function.plain, ", NULL" if kind == "window" else "")
        return "    if (result == MPI_SUCCESS)\n        bn_objects_keep_%s(*%s, turn.comm%s);\n" % (
            kind, function.names[-1], base)
    if function.plain in ENDS:
        return "    if (result == MPI_SUCCESS)\n        bn_objects_forget(turn.comm);\n"
    if function.plain == "Win_fence":
        return "    if (result == MPI_SUCCESS)\n        bn_window_is_fenced(%s, %s);\n" % (
            function.names[1], function.names[0])
    if function.plain in ORDERED_BY_COMM | ORDERED_BY_TAG.keys() and re.match(r"MPI_Comm\s*\*", function.types[-1]):
        return "    bn_turn_name(&turn, result, %s);\n" % function.names[-1]
    return ""


def called(function):
    """The code of an ordered call of the library"""
    if function.plain != "Win_allocate":
        return CALLED % function.fields()
    return ALLOCATED % function.fields(base=function.names[-2], window=function.names[-1])


def use(name):
    """The enum bn_gate_use of a function"""
    return "BN_USE_STREAM" if name in STREAM else "BN_USE_MESSAGE" if name in MESSAGE else "BN_USE_OTHER"


def gated(function, text, **more):
    """The expanded template, preceded by the fast path past the arbiter if the function has a use"""
    fields = function.fields(use=use(function.plain), **more)
    if fields["use"] == "BN_USE_OTHER":
        return text % {**fields, "entry": "call"}
    return PAST % fields + text % {**fields, "entry": "enter"}


def entry(function, names):
    """The code of a function's entry points"""
    name = function.plain
    suffix = function.name[len(name):]
    wait = ordered(function)
    start = STARTS.get(name, "") + suffix
    if name in FREE:
        text = FREELY % function.fields()
    elif wait is not None:
        text = ORDERED % function.fields(wait=wait, call=called(function), after=after(function))
    elif name in BEGINS:
        *others, created, request = function.names
        text = BEGUN % function.fields(comm=others[0], start_arguments=", ".join([*others, created]), created=created,
                                       request=request)
    elif name in STARTS and start in names:
        arguments = list(function.names)
        status = arguments.pop() if "MPI_Status" in function.types[-1] else "MPI_STATUS_IGNORE"
        ends = ENDS_AT_ONCE[name] + " || " if name in ENDS_AT_ONCE else ""
        comm = next((name for name, kind in zip(function.names, function.types) if kind.startswith("MPI_Comm")),
                    "bn_handles.no_comm")
        before = in_turn = ""
        if name in WRONG_FORMS:
            in_turn = IN_TURN % function.fields(wait=AWAIT % comm, call=called(function), after="")
            before += TAKES_TURN % function.fields(comm=comm, condition=WRONG_FORMS[name])
        if name not in MESSAGES:
            before += "    bn_idups_await(%s);\n" % comm
        text = gated(function, STARTED, start=start, start_arguments=", ".join(arguments), status=status, ends=ends,
                     comm=comm, before=before, in_turn=in_turn)
    else:
        path = "BN_PATH_PROGRESS, 0" if name in LOOKS else "BN_PATH_MAIN, 1"
        before = "    bn_testall_may_fail |= is_inside;\n" if name in UNTESTED else ""
        text = gated(function, INSIDE, path=path, before=before)
    return text + NAMES % function.fields()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output")
    parser.add_argument("--more", type=pathlib.Path, help="a header with what newer versions of the library have")
    parser.add_argument("compiler", nargs="+")
    options = parser.parse_args()
    more = '#include "%s"\n' % options.more.resolve() if options.more else ""
    done = subprocess.run([*options.compiler, "-E", "-P", "-x", "c", "-"], input=PROLOGUE + more, text=True,
                          capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit("generate.py: %s" % done.stderr)
    functions = [function for function in functions_of(done.stdout) if function.name not in LEFT_OUT]
    names = {function.name for function in functions}
    missing = {"Isend", "Irecv", "Test", "Testall", "Iprobe"} - names
    if missing:
        sys.exit("generate.py: mpi.h declares no MPI_%s" % ", MPI_".join(sorted(missing)))
    calls = " \\\n".join("    CALL(%s)" % function.name for function in functions)
    pathlib.Path(options.output + ".h").write_text(
        HEADER % {"prologue": PROLOGUE, "more": more, "calls": calls}, encoding="utf-8")
    source = SOURCE + "".join(entry(function, names) for function in functions if function.name not in BY_HAND)
    pathlib.Path(options.output + ".c").write_text(source, encoding="utf-8")


if __name__ == "__main__":
    main()
