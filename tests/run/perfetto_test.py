#!/usr/bin/env python3
"""Traces as Perfetto's own packages read them: by its schema, and by its trace processor.  Both are in the package
perfetto of PyPI, but the trace processor proper, which it fetches from elsewhere when it is first used, unless
TRACE_PROCESSOR names the program trace_processor_shell or PATH has it."""

import collections
import json
import os
import shutil
import subprocess
import sys
import unittest

import jobs

try:
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as schema
    from perfetto.trace_processor import TraceProcessor, TraceProcessorConfig
except ImportError as error:
    print("perfetto_test: skipped: %s; pip install perfetto" % error)
    sys.exit(77)

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "profiled.upc")
PROGRAM = os.path.join(jobs.FOLDER, "profiled")
PROCESSOR = os.environ.get("TRACE_PROCESSOR") or shutil.which("trace_processor_shell")
THREADS = 3


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

    def test_schema(self):
        """Every field is one that the schema has; slices are as many as the profile says."""
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

    def test_trace_processor(self):
        if not PROCESSOR:
            self.skipTest("there is no trace_processor_shell; set TRACE_PROCESSOR")
        config = TraceProcessorConfig(bin_path=PROCESSOR)
        with TraceProcessor(trace=self.trace, config=config) as processor:
            rows = processor.query("select thread.name as thread, slice.name as name, count(*) as calls, "
                                   "min(slice.dur) as least from slice join thread_track on slice.track_id = "
                                   "thread_track.id join thread using (utid) group by 1, 2")
            found = [(row.thread, row.name, row.calls, row.least) for row in rows]
            errors = list(processor.query("select name, value from stats where severity = 'error' and value > 0"))
        self.assertEqual({(thread, name): calls for thread, name, calls, _ in found}, dict(+self.counts))
        self.assertGreaterEqual(min(least for _, _, _, least in found), 0)
        self.assertEqual([(row.name, row.value) for row in errors], [])


if __name__ == "__main__":
    unittest.main()
