#!/usr/bin/env python3
"""Programs where a process has few addresses (few_addresses.c)"""

import os

import jobs

SHIM = os.path.join(jobs.BIN, "few_addresses.so")


class FewAddresses(jobs.JobTest):
    def run_with(self, threads):
        return jobs.run(threads, "hello", env=jobs.environment(LD_PRELOAD=SHIM))

    def test_as_many_threads_as_fit(self):
        ended = self.run_with(4)
        self.assertEqual((ended.status, ended.err), (0, ""))

    def test_more_threads(self):
        self.assert_one_line(self.run_with(5), "cannot reserve 320 GiB of address space",
                             "a process has 39 bits of addresses on this system; run at most 4 threads")


if __name__ == "__main__":
    jobs.main()
