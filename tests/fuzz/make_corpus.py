#!/usr/bin/env python3
"""Makes the seeds of translate_fuzz from the test programs.

usage: make_corpus.py OUTPUT-FOLDER

A seed is a byte of options and a program without its headers, whose declarations are not needed to translate it.
"""

import glob
import os
import re
import subprocess
import sys

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCES = ("programs/*.upc", "compiler/errors/*.upc", "compiler/valid/*.upc", "../apps/*.upc")
# Full parsing; dynamic, one thread, seven threads; with the optimisation passes and remarks, or with checks
OPTIONS = b"\x51\x15\x59\x21\x29"
LONGEST = 6000
# Approximations of the macros of tests/programs/check.h
MACROS = ["-DCHECK(c)=do { if (!(c)) check_failed(#c, 0, 1); } while (0)",
          "-DEQ(a, b)=do { long long g = (a), e = (b); if (g != e) check_failed(#a, g, e); } while (0)",
          "-DNULL=((void *)0)", "-DPTS_IS(p, t, f, a)=check_place(p, t, f, a)"]


def main():
    output = sys.argv[1]
    os.makedirs(output, exist_ok=True)
    sources = sorted(path for pattern in SOURCES for path in glob.glob(os.path.join(TESTS, pattern)))
    for number, path in enumerate(sources):
        with open(path) as file:
            text = re.sub(r"^\s*#\s*include.*$", "", file.read(), flags=re.M)
        text = "typedef unsigned long size_t;\ntypedef long ptrdiff_t;\n" + text
        plain = subprocess.run(["cc", "-E", "-P", "-x", "c", "-undef"] + MACROS + ["-"], input=text.encode(),
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
        if plain:
            name = os.path.basename(path)
            with open(os.path.join(output, name), "wb") as file:
                file.write(OPTIONS[number % len(OPTIONS)].to_bytes(1, "big") + plain[:LONGEST])


if __name__ == "__main__":
    main()
