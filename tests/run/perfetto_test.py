#!/usr/bin/env python3
"""Traces as Perfetto itself reads them: with its schema (PyPI's package perfetto), and with its trace processor, the
program trace_processor_shell, which is found by TRACE_PROCESSOR, in the PATH, or where 'make perfetto-env' puts it."""

import collections
import csv
import json
import os
import shutil
import subprocess
import sys
import unittest

BUILD = os.environ.get("TESTED_BUILD") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../build")
ENVIRONMENT = os.path.join(BUILD, "perfetto-env", "bin")
PROCESSOR = (os.environ.get("TRACE_PROCESSOR") or shutil.which("trace_processor_shell")
             or shutil.which("trace_processor_shell", path=ENVIRONMENT))
try:
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as schema
except ImportError:
    python = shutil.which("python", path=ENVIRONMENT)
    if python and os.path.realpath(sys.prefix) != os.path.realpath(os.path.join(ENVIRONMENT, "..")):
        os.execv(python, [python, *sys.argv])
    schema = None
if not schema and not PROCESSOR:
    print("perfetto_test: skipped: Perfetto's schema and trace processor are missing; 'make perfetto-env' brings them")
    sys.exit(77)

import jobs  # noqa: E402, makes a folder, which would outlive execv

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "profiled.upc")
PROGRAM = os.path.join(jobs.FOLDER, "profiled")
THREADS = 3
COUNTS = """select thread.name as thread, slice.name as name, count(*) as calls, min(slice.dur) as least,
    sum(slice.dur) as time from slice join thread_track on slice.track_id = thread_track.id join thread using (utid)
    group by 1, 2;"""
ERRORS = "select name, value from stats where severity in ('error', 'data_loss') and value > 0;"


class Perfetto(jobs.JobTest):
    @classmethod
    def setUpClass(cls):
        subprocess.run([os.path.join(jobs.BIN, "upcc"), "-O1", SOURCE, "-o", PROGRAM], check=True, timeout=jobs.LIMIT)
        cls.trace, profile = (os.path.join(jobs.FOLDER, name) for name in ("t.pftrace", "p.json"))
        ended = jobs.run(THREADS, os.path.join(jobs.FOLDER, "written"), program=PROGRAM,
                         options=["-trace=perfetto:" + cls.trace, "-profile=" + profile])
        assert (ended.status, ended.err) == (0, ""), ended.err
        with open(profile, encoding="utf-8") as file:
            operations = json.load(file)["operations"]
        cls.counts = collections.Counter({("UPC thread %d" % thread, each["operation"]): calls for each in operations
                                          for thread, calls in enumerate(each["threads"]["calls"])})

    @unittest.skipUnless(schema, "the package perfetto is missing; 'make perfetto-env' brings it")
    def test_schema(self):
        """Every field is in the schema, and there are as many slices as the profile says."""
        trace = schema.Trace()
        with open(self.trace, "rb") as file:
            content = file.read()
        trace.ParseFromString(content)
        trace.DiscardUnknownFields()
        self.assertEqual(trace.ByteSize(), len(content))
        names, counts, open_slices = {}, collections.Counter(), collections.Counter()
        for packet in trace.packet:
            if packet.HasField("track_descriptor"):
                names[packet.track_descriptor.uuid] = packet.track_descriptor.thread.thread_name
                continue
            event = packet.track_event
            counts[names[event.track_uuid], event.name] += event.type == schema.TrackEvent.TYPE_SLICE_BEGIN
            open_slices[event.track_uuid] += {schema.TrackEvent.TYPE_SLICE_BEGIN: 1,
                                              schema.TrackEvent.TYPE_SLICE_END: -1}[event.type]
            self.assertIn(open_slices[event.track_uuid], (0, 1))
        self.assertEqual(+counts, +self.counts)

    @unittest.skipUnless(PROCESSOR, "trace_processor_shell is missing; 'make perfetto-env' builds it")
    def test_trace_processor(self):
        """Counts by SQL are those of the profile, and the processor reports no errors."""
        rows = self.ask(COUNTS)
        self.assertEqual({(row["thread"], row["name"]): int(row["calls"]) for row in rows}, dict(+self.counts))
        self.assertGreaterEqual(min(int(row["least"]) for row in rows), 0)
        self.assertGreater(sum(int(row["time"]) for row in rows), 0)
        self.assertEqual(self.ask(ERRORS), [])

    def ask(self, query):
        """Rows of the trace processor's answer"""
        file = os.path.join(jobs.FOLDER, "query.sql")
        with open(file, "w", encoding="utf-8") as out:
            out.write(query)
        done = subprocess.run([PROCESSOR, "-q", file, self.trace], capture_output=True, text=True, timeout=jobs.LIMIT,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return list(csv.DictReader(done.stdout.splitlines()))


if __name__ == "__main__":
    unittest.main()
