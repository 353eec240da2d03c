#!/usr/bin/env python3
"""What the back ends make of shared accesses, counted in assembly of x86-64: relaxed ones are merged, kept in registers
and moved out of loops, strict ones have the fences that they need."""

import platform
import re
import shutil
import unittest

import driver_case
from driver_case import DriverCase

SOURCE = """#include <upc_relaxed.h>
shared long x, y;
strict shared long flag, other;
long product(const long *v, long n) { long s = 0; for (long i = 0; i < n; i++) s += v[i] * x; return s; }
long product_of_private(const long *v, long n, long z)
{ long s = 0; for (long i = 0; i < n; i++) s += v[i] * z; return s; }
long read_twice(void) { return x + x; }
void write_twice(void) { x = 1; x = 2; }
long read_what_was_written(long v) { x = v; return x; }
long read_across_fence(void) { long v = x; upc_fence; return v + x; }
void strict_write(void) { flag = 1; }
long strict_read(void) { return flag; }
long strict_reads(void) { return flag + other; }
void strict_writes(void) { flag = 1; other = 1; }
long strict_between(void) { long v = x; flag = 1; return v + x; }
long read_not_written(void) { y = 1; return flag; }
long read_after_write(void) { flag = 1; return other; }
long read_after_both(void) { flag = 1; y = 1; return other; }
long read_after_read(void) { long v = flag; return v + other; }
void wait_for(void) { while (!flag) ; }
long sum_of_strict(long n) { long s = 0; for (long i = 0; i < n; i++) s += flag; return s; }
"""
ELEMENTS = """#include <upc_relaxed.h>
shared double c[1000 * THREADS];
shared [4] double b[1000 * THREADS];
double element(unsigned long i) { return c[i]; }
double from_pointer(shared double *p, long i) { return p[i]; }
double from_pointer_to_blocks(shared [4] double *p, long i) { return p[i]; }
"""
ATOMICS = """#include <upc_relaxed.h>
#include <bupc.h>
#include <upc_atomic.h>
shared long c[1000 * THREADS];
void add(upc_atomicdomain_t *d, long i, long v) { upc_atomic_strict(d, NULL, UPC_ADD, &c[i], &v, NULL); }
long swap(upc_atomicdomain_t *d, long i, long v, long w)
{ long got; upc_atomic_relaxed(d, &got, UPC_CSWAP, &c[i], &v, &w); return got; }
long typed_add(long i, long v) { return bupc_atomicL_fetchadd_strict(&c[i], v); }
long typed_read(long i) { return bupc_atomicL_read_relaxed(&c[i]); }
"""
COLUMNS = """#include <upc_relaxed.h>
shared [96] double a[96 * THREADS][96], b[96 * THREADS][96], c[96 * THREADS][96];
void product(long i, int n, int m)
{ for (int j = 0; j < n; j++) for (int k = 0; k < m; k++) c[i][j] += a[i][k] * b[k][j]; }
"""
FENCE = re.compile(r"\b(mfence|lock\s+or\w*)\b")


@unittest.skipUnless(platform.machine() == "x86_64", "counts instructions of x86-64")
class Assembly(DriverCase):
    def functions(self, cc, source=SOURCE, flags=()):
        """Instructions of each function, without those that Ubuntu's compilers add by default"""
        self.write("accesses.upc", source)
        result = self.run_upcc("-O2", "-S", "-fno-asynchronous-unwind-tables", "-fno-stack-protector",
                               "-fcf-protection=none", *flags, "accesses.upc", "-o", "accesses.s", env={"CC": cc})
        self.assertEqual(result.status, 0, result.err)
        found = {}
        name = None
        for line in self.read("accesses.s").splitlines():
            label = re.match(r"([a-z_]\w*):", line)
            if label:
                name = label.group(1)
                found[name] = []
            elif name and re.match(r"\s+[a-z]", line) and not line.strip().startswith("."):
                found[name].append(line.split("#")[0].strip())
        return found

    def test_columns_are_vectorised(self):
        for cc in ("gcc", "clang"):
            if not shutil.which(cc):
                continue
            text = "\n".join(self.functions(cc, COLUMNS)["product"])
            self.assertGreaterEqual(len(re.findall(r"\bmulpd\b", text)), 3, (cc, text))
            for block in re.split(r"^\.\w+:", self.read("accesses.s"), flags=re.M):
                if "mulpd" in block:   # elements side by side are loaded together
                    self.assertNotRegex(block, r"\bmovhpd\s+[^%\s]*\(", cc)

    def each_back_end(self, *more):
        return [self.functions(cc, *more) for cc in ("gcc", "clang") if shutil.which(cc)]

    @staticmethod
    def uses(instructions, handle):
        """Loads and stores through the address of a shared object; that the address itself is loaded first is not
        counted."""
        pointers = set()
        count = 0
        for instruction in instructions:
            count += any("(%s)" % pointer in instruction for pointer in pointers)
            target = instruction.split(",")[-1].strip()
            pointers.discard(target)
            if re.match(r"mov\w*\s+%s\(%%rip\)," % handle, instruction):
                pointers.add(target)
        return count

    def test_relaxed_accesses_are_merged(self):
        for functions in self.each_back_end():
            self.assertEqual(self.uses(functions["read_twice"], "x"), 1)
            self.assertEqual(self.uses(functions["write_twice"], "x"), 1)
            self.assertEqual(self.uses(functions["read_what_was_written"], "x"), 1)

    def test_relaxed_reads_leave_loops(self):
        for functions in self.each_back_end():
            # The address and the value, loaded once
            self.assertLessEqual(len(functions["product"]), len(functions["product_of_private"]) + 4)
            self.assertEqual(self.uses(functions["product"], "x"), 1)

    def test_strict_accesses_and_fences_divide_relaxed_ones(self):
        for functions in self.each_back_end():
            self.assertEqual(self.uses(functions["read_across_fence"], "x"), 2)
            self.assertEqual(self.uses(functions["strict_between"], "x"), 2)

    def test_fences(self):
        """A store must be done before a later strict read: one full fence between them, and none where there is nothing
        to wait for."""
        expected = {"read_twice": 0, "write_twice": 0, "product": 0, "read_across_fence": 1, "strict_write": 1,
                    "strict_read": 1,
                    "strict_reads": 2, "strict_writes": 2, "strict_between": 1, "read_not_written": 1,
                    "read_after_write": 1, "read_after_both": 2, "read_after_read": 1, "wait_for": 1,
                    "sum_of_strict": 1}
        for functions in self.each_back_end():
            fences = {name: sum(bool(FENCE.search(i)) for i in functions[name]) for name in expected}
            self.assertEqual(fences, expected)

    def test_waiting_takes_loads_alone(self):
        """The loop that waits for a strict flag is behind the fence: address, value, test, jump"""
        for functions in self.each_back_end():
            first = max(i for i, instruction in enumerate(functions["wait_for"]) if FENCE.search(instruction))
            self.assertLessEqual(len(functions["wait_for"]) - first - 1, 7, functions["wait_for"])

    def test_a_power_of_two_of_threads_takes_shifts(self):
        """The distance to the thread is the only product, of a random element; nothing is made of the sign of an
        index."""
        for functions in self.each_back_end(ELEMENTS, ("-T", "4")):
            for name, products, length in (("element", 1, 9), ("from_pointer", 2, 12),
                                           ("from_pointer_to_blocks", 2, 20)):
                instructions = functions[name]
                self.assertLessEqual(sum(bool(re.match(r"i?mul[lq]?\b", i)) for i in instructions), products,
                                     instructions)
                self.assertFalse(any(re.match(r"i?div|sar\w*\s+\$63|shr\w*\s+\$63|cqt", i) for i in instructions),
                                 instructions)
                self.assertLessEqual(len(instructions), length, instructions)

    def test_atomic_operations_are_one_instruction(self):
        """In place, operands in registers: nothing is stored but by the instruction itself, before a call that is
        never made."""
        for functions in self.each_back_end(ATOMICS):
            for name, locked in (("add", 1), ("swap", 1), ("typed_add", 1), ("typed_read", 0)):
                instructions = functions[name]
                self.assertEqual(sum(i.startswith("lock") for i in instructions), locked, instructions)
                self.assertFalse(any(i.startswith("mfence") for i in instructions), instructions)
                if locked:
                    at = next(n for n, i in enumerate(instructions) if i.startswith("lock"))
                    stores = [i for i in instructions[:at] if re.match(r"mov\w*\s.*,\s*\S*\(%rsp\)$", i)]
                    self.assertEqual(stores, [], instructions)
        for flag in ("-fno-upc-opt-atomic", "-fcheck", "-O0"):
            for functions in self.each_back_end(ATOMICS, (flag,)):
                for instructions in functions.values():
                    self.assertFalse(any(i.startswith("lock") for i in instructions), (flag, instructions))

    def test_many_accesses_in_a_function_grow_by_the_same_each(self):
        """Without optimisation, where gcc would need time that grows with the square of what is inlined: each line of
        two accesses adds as much C and as many lines of assembly as the one before it, within 1 percent, and calls for
        its addresses."""
        sizes = []
        for count in (100, 200, 300):
            lines = "".join(f"    a[n + {100 + k}] += a[n * 3] * {100 + k};\n" for k in range(count))
            self.write("many.upc", f"shared int a[9000 * THREADS];\nvoid f(int n)\n{{\n{lines}}}\n")
            emitted = self.upcc("-trans", "-O0", "many.upc", "-o", "-")
            assembly = self.upcc("-S", "-O0", "-g0", "many.upc", "-o", "-")
            calls = len(re.findall(r"^\s+call\s", assembly, re.MULTILINE))
            sizes.append((len(emitted), assembly.count("\n"), calls))
        for small, middle, large in zip(*sizes):
            self.assertGreaterEqual(middle - small, 2 * 100)
            self.assertAlmostEqual(large - middle, middle - small, delta=(middle - small) * 0.01)


if __name__ == "__main__":
    driver_case.main()
