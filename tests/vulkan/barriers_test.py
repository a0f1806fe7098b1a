#!/usr/bin/env python3
"""Barriers between dependent rendering scopes, proved on the plans of the tests' programs (plan_barriers.cpp).

usage: barriers_test.py LAC PLAN_BARRIERS        needs no device
"""
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "vulkan"))
from fragment_test import FOLDERS  # noqa: E402

LAC, PROVE = "", ""


class BarriersTest(unittest.TestCase):
    def test_every_pair_of_scopes_that_share_a_texture_is_ordered(self):
        with tempfile.TemporaryDirectory() as folder:
            plans = []
            for program in sorted(path for folder_of in FOLDERS for path in TESTS.glob(f"{folder_of}/**/*.la")):
                emitted = subprocess.run([LAC, "emit", "plan", "--quiet", "--target=vulkan-fragment", "--precision=single",
                                          program], capture_output=True, text=True, timeout=120, check=False)
                if emitted.returncode != 0:  # refused on textures, or reads what is not there
                    continue
                plans.append(Path(folder, f"{len(plans)}_{program.stem}.plan"))
                plans[-1].write_text(emitted.stdout)
            done = subprocess.run([PROVE, *plans], capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        found = {name: int(count) for name, count in re.findall(r"(\w+) (\d+)", done.stdout)}
        print(done.stdout, end="")
        self.assertGreater(found["plans"], 100)
        self.assertGreater(found["pairs"], found["scopes"])
        self.assertEqual((found["open"], found["unseen"]), (0, 0))


if __name__ == "__main__":
    LAC, PROVE = (str(Path(path).resolve()) for path in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1])
