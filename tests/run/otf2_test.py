#!/usr/bin/env python3
"""Traces in OTF2 format as otf2-print reads them: their counts are those of the profile."""

import collections
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

import jobs

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "profiled.upc")
PROGRAM = os.path.join(jobs.FOLDER, "traced")
THREADS = 3
PRINT = shutil.which("otf2-print")
if not PRINT:
    print("otf2_test: skipped: there is no otf2-print (Debian: otf2-tools)")
    sys.exit(77)

EVENT = re.compile(r'(ENTER|LEAVE) +(\d+) +(\d+) +Region: "([^"]+)"')
ATTRIBUTE = re.compile(r'\("(\w+)" <\d+>; \w+; ("[^"]*"|\d+)')


class Otf2(jobs.JobTest):
    @classmethod
    def setUpClass(cls):
        subprocess.run([os.path.join(jobs.BIN, "upcc"), "-O1", SOURCE, "-o", PROGRAM], check=True, timeout=jobs.LIMIT)

    def path(self, name):
        return os.path.join(jobs.FOLDER, name)

    def read(self, folder, *options):
        done = subprocess.run([PRINT, *options, os.path.join(folder, "traces.otf2")], capture_output=True, text=True,
                              timeout=jobs.LIMIT, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_counts_are_those_of_the_profile(self):
        folder, profile = self.path("a.otf2"), self.path("p.json")
        for arguments, status in ((), 0), (("end", "1"), 3):        # the second replaces the first
            ended = jobs.run(THREADS, self.path("written"), *arguments, program=PROGRAM,
                             options=["-trace=otf2:" + folder, "-profile=" + profile])
            self.assertEqual((ended.status, ended.err), (status, ""))
            with open(profile, encoding="utf-8") as file:
                operations = json.load(file)["operations"]
            expected = collections.Counter({(thread, each["operation"]): calls for each in operations
                                            for thread, calls in enumerate(each["threads"]["calls"])})
            self.check_events(self.read(folder, "--show-all"), expected)
        text = self.read(folder, "-G")
        for words in ('"UPC thread 2"', '"node 0"', "CPU_THREAD", "COLL_ONE2ALL", 'Paradigm: UPC'):
            self.assertIn(words, text)

    def check_events(self, text, expected):
        entered, open_regions, last = collections.Counter(), collections.defaultdict(list), collections.Counter()
        lines = iter(text.splitlines())
        attributes = collections.defaultdict(collections.Counter)
        region = None
        for line in lines:
            event = EVENT.match(line)
            if event:
                kind, thread, time, region = event[1], int(event[2]), int(event[3]), event[4]
                self.assertLessEqual(last[thread], time)
                last[thread] = time
                if kind == "ENTER":
                    entered[thread, region] += 1
                    open_regions[thread].append(region)
                else:
                    self.assertEqual(open_regions[thread].pop(), region)
            elif "ADDITIONAL ATTRIBUTES" in line:
                for name, value in ATTRIBUTE.findall(line):
                    attributes[region][name, value] += 1
        self.assertEqual(+entered, +expected)
        self.assertEqual([regions for regions in open_regions.values() if regions], [])
        self.assertEqual(attributes["put"]["bytes", "64"], 10 * THREADS)
        self.assertEqual(attributes["put"]["thread", "1"], 10)
        self.assertEqual(sum(count for (name, _), count in attributes["broadcast"].items() if name == "way"),
                         4 * THREADS)

    def test_usual_folder(self):
        ended = jobs.run(2, self.path("written"), program=PROGRAM, options=["-trace=otf2"])
        self.assertEqual(ended.status, 0)
        self.assertIn("the trace is in traced.otf2", ended.err)
        self.read(self.path("traced.otf2"))

    def test_what_is_refused(self):
        ended = jobs.run(2, self.path("written"), program=PROGRAM, options=["-trace=otf2:" + self.path("no/such")])
        self.assertEqual(ended.status, 1)
        self.assertRegex(ended.err, "cannot write the folder .*no/such: No such file or directory; name another one")

    def test_what_cannot_be_written(self):
        for number, (name, why) in enumerate((("traces.def", "traces.def': Target is a directory"),
                                              ("traces.otf2", "traces.otf2 cannot be written"))):
            folder = self.path(f"taken{number}.otf2")
            os.makedirs(os.path.join(folder, name))    # where a file has to be
            ended = jobs.run(2, self.path("written"), program=PROGRAM, options=["-trace=otf2:" + folder])
            self.assertEqual(ended.status, 1)
            self.assert_one_line(ended, "cannot write all of", folder + ": ", why)

    def test_static_programs_say_what_is_missing(self):
        program = self.path("traced_static")
        subprocess.run([os.path.join(jobs.BIN, "upcc"), "-O1", "-static", SOURCE, "-o", program], check=True,
                       timeout=jobs.LIMIT)
        ended = jobs.run(2, self.path("written"), program=program, options=["-trace=otf2"])
        self.assertEqual(ended.status, 1)
        self.assertIn("the library of OTF2 is not there", ended.err)
        self.assertIn("otf2-tools", ended.err)


if __name__ == "__main__":
    unittest.main()
