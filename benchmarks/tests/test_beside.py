import os
import pathlib
import subprocess
import sys
import unittest

from scenarios import beside, first

BESIDE = pathlib.Path(beside.HERE) / "peers" / "beside.py"


def burners_of(parent):
    """How many programs run for this one."""
    count = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        except OSError:
            continue        # it has just ended
        count += words[-2:-1] == [str(parent).encode()] and b"while os.getppid() == parent" in words[2]
    return count


class BesideTest(unittest.TestCase):
    def test_burners_burn_while_the_command_runs_and_end_with_it(self):
        with subprocess.Popen([sys.executable, BESIDE, "2", "cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as beside_it:
            beside_it.stdin.write("started\n")
            beside_it.stdin.flush()
            self.assertEqual("started\n", beside_it.stdout.readline())
            self.assertEqual(2, burners_of(beside_it.pid))
            beside_it.stdin.close()
        self.assertEqual(0, beside_it.returncode)
        self.assertEqual(0, burners_of(beside_it.pid))

    def test_what_the_command_ends_with_is_what_it_ends_with(self):
        self.assertEqual(3, subprocess.run([sys.executable, BESIDE, "1", sys.executable, "-c", "raise SystemExit(3)"], timeout=60).returncode)

    def test_names_say_the_loader_and_the_burners(self):
        self.assertEqual("SPDL, a task is an image, 1 burner", beside.named("SPDL, a task is an image, 2 processors", 1))
        self.assertEqual("jspdl, auto, 4 burners", beside.named("jspdl, auto, 2 processors", 4))

    def test_what_is_left_is_told_beside_the_speed(self):
        results = [{"name": "jspdl, 0 burners", "items_per_second": 1000.0}, {"name": "jspdl, 2 burners", "items_per_second": 500.0}]
        self.assertIn("| jspdl | 1,000 | 500 (50%) |", beside.summary(results))


class FirstTest(unittest.TestCase):
    def test_the_excess_is_the_first_epoch_less_a_warm_one(self):
        results = [{"name": "jspdl", "first_epoch_cpu_seconds": 5.0, "warm_epoch_cpu_seconds": 2.5,
                    "time_to_items": [{"seconds": 1.0}, {"seconds": 3.0}, {"seconds": 20.0}]}]
        self.assertIn("| jspdl | 5.00 | 2.50 | 2.50 | 1.0 s | 3.0 s | 20.0 s |", first.summary(results))


if __name__ == "__main__":
    unittest.main()
