#!/usr/bin/env python3
"""Large blocks of shared memory ask for huge pages according to BANYAN_HUGE_PAGES; banyan-info shows the settings."""

import json
import os
import subprocess
import unittest

import jobs

PROGRAM = os.path.join(jobs.FOLDER, "huge")
SOURCE = """\
#include <upc_relaxed.h>
#include <stdlib.h>
#define BYTES (8 << 20)
shared [BYTES] char kept[BYTES * THREADS];
int main(void)
{
    shared [BYTES] char *all = upc_all_alloc(THREADS, BYTES);
    shared [] char *own = upc_alloc(BYTES);
    char *mine = (char *)&all[(size_t)BYTES * MYTHREAD], *local = (char *)own;
    for (int i = 0; i < BYTES; i++)
        if (mine[i] || local[i])
            abort();
    kept[(size_t)BYTES * MYTHREAD] = mine[0] = local[0] = 1;
    upc_barrier;
    upc_free(own);
    upc_all_free(all);
    return 0;
}
"""


def facts():
    info = os.path.join(jobs.BIN, "banyan-info")
    if not os.path.exists(info):
        raise unittest.SkipTest("banyan-info is left out of this build")
    done = subprocess.run([info, "--json"], capture_output=True, text=True, timeout=jobs.LIMIT, check=True,
                          env=jobs.environment())
    return json.loads(done.stdout)["job"]["huge_pages"]


class HugePages(jobs.JobTest):
    @classmethod
    def setUpClass(cls):
        path = PROGRAM + ".upc"
        with open(path, "w") as file:
            file.write(SOURCE)
        subprocess.run([os.path.join(jobs.BIN, "upcc"), "-O1", path, "-o", PROGRAM], check=True, timeout=jobs.LIMIT)

    def blocks(self, **environment):
        """The messages about huge pages of a run with two threads."""
        ended = jobs.run(2, program=PROGRAM, options=["-v"], env=jobs.environment(**environment))
        self.assertEqual(ended.status, 0, ended.err)
        return [line for line in ended.errors if "huge pages" in line]

    def test_without(self):
        self.assertEqual(self.blocks(BANYAN_HUGE_PAGES="no"), [])

    def test_which(self):
        found = facts()
        if found["way"] != "on request":
            self.assertEqual([line for line in self.blocks() if ": " not in line.split("huge pages")[1]], [])
            self.skipTest("this machine gives none on request: " + found["why"])
        for wish, count in (("heap", 4), ("all", 6)):
            lines = self.blocks(BANYAN_HUGE_PAGES=wish)
            self.assertEqual(len(lines), count, lines)
            for line in lines:
                # At either end, one may also belong to a neighbour
                self.assertRegex(line, "thread [01]: (6|8) MiB of 8 MiB of shared memory lie in huge pages$")

    def test_a_wrong_wish(self):
        ended = jobs.run(2, program=PROGRAM, env=jobs.environment(BANYAN_HUGE_PAGES="some"))
        self.assertEqual(ended.status, 1)
        self.assertIn('BANYAN_HUGE_PAGES: "some" is not one of no|heap|all', ended.err)


if __name__ == "__main__":
    jobs.main()
