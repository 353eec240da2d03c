"""Measures commands in turns."""

import os
import time


class CommandFailed(Exception):
    """A command did not exit with 0."""


def run_timed(command, environment, directory):
    """Returns the nanoseconds from posix_spawn to the end of the process, and the processor time of all its children;
    discards output."""
    null = os.open(os.devnull, os.O_RDWR)
    before = os.getcwd()
    os.chdir(directory)
    try:
        start = time.perf_counter_ns()
        pid = os.posix_spawnp(command[0], command, environment,
                              file_actions=[(os.POSIX_SPAWN_DUP2, null, 0), (os.POSIX_SPAWN_DUP2, null, 1)])
        _, status, usage = os.wait4(pid, 0)
        elapsed = time.perf_counter_ns() - start
    finally:
        os.chdir(before)
        os.close(null)
    if status != 0:
        raise CommandFailed(f"'{' '.join(command)}' ended with status {status}")
    return elapsed, int((usage.ru_utime + usage.ru_stime) * 1e9)


def compare(measured, limit, samples, environment, directory):
    """Pairs (elapsed, processor time) of both commands, after a warm-up run of each."""
    times = {0: [], 1: []}
    commands = (measured, limit)
    for command in commands:
        run_timed(command, environment, directory)
    for i in range(samples):
        for which in (0, 1) if i % 2 else (1, 0):
            times[which].append(run_timed(commands[which], environment, directory))
    return times[0], times[1]
