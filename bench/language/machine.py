"""What the numbers depend on: processor, cores, kernel, compilers, and the load."""

import os
import platform
import subprocess
import time


def _first_line(command):
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return result.stdout.splitlines()[0] if result.stdout else "unknown"


def _processor():
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        fields = dict(line.split(":", 1) for line in file if ":" in line)
    named = {key.strip(): value.strip() for key, value in fields.items()}
    name = named.get("model name", platform.machine())
    return name + (" (virtual machine)" if "hypervisor" in named.get("flags", "").split() else "")


def cores():
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0))


def idle_part(seconds):
    """The fraction of all cores' time that was idle in an interval that begins now."""

    def read():
        with open("/proc/stat", encoding="ascii") as file:
            fields = [int(field) for field in file.readline().split()[1:]]
        return fields[3], sum(fields[:8])

    idle, total = read()
    time.sleep(seconds)
    idle_later, total_later = read()
    return (idle_later - idle) / max(1, total_later - total)


def describe(upcc, cc):
    """Facts in order, none of which identifies the machine."""
    return {
        "processor": _processor(),
        "cores": cores(),
        "kernel": f"{platform.system()} {platform.release().split('-')[0]}",
        "upcc": _first_line([upcc, "--version"]),
        "cc": _first_line([cc, "--version"]),
        "binding": "upcrun's default: each thread to a core if they fit the cores, else none",
        "load": "%.1f %.1f %.1f" % os.getloadavg(),
    }
