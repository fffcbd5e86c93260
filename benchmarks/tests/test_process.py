import sys
import unittest

from harness import process

MIB = 1024 * 1024

# Two processes that fill a page-aligned 64 MiB each and compute until they have used half a second of CPU time.
TWO_PROCESSES = """
import os, time
child = os.fork()
mine = bytearray(os.urandom(1024)) * (64 * 1024)
while time.process_time() < 0.5:
    sum(range(1000))
if child:
    os.waitpid(child, 0)
    print("done", flush=True)
"""


# 64 MiB in a file in memory, as batches are sent in, which this process has mapped or not.
UNMAPPED = """
import mmap, os, time
file = os.memfd_create("batch")
for _ in range(64):
    os.write(file, bytes(1 << 20))
print("unmapped", flush=True)
end = time.monotonic() + 1.2
if {mapped}:
    view = mmap.mmap(file, 64 << 20)
    held = sum(view[::4096])
while time.monotonic() < end:
    time.sleep(0.01)
"""


class ProcessTest(unittest.TestCase):
    def test_cpu_time_and_memory_of_all_processes_are_counted(self):
        outcome = process.run([sys.executable, "-c", TWO_PROCESSES])

        self.assertEqual(2, outcome.peak_processes)
        self.assertGreater(outcome.cpu_seconds, 0.95)
        self.assertLess(outcome.cpu_seconds, 2)
        self.assertGreater(outcome.peak_rss_bytes, 128 * MIB)
        self.assertGreater(outcome.peak_pss_bytes, 128 * MIB)
        self.assertLess(outcome.peak_pss_bytes, outcome.peak_rss_bytes, "shared pages count once in PSS")

    def test_shared_memory_counts_once_whether_somebody_has_it_mapped_or_not(self):
        unmapped = process.run([sys.executable, "-c", UNMAPPED.format(mapped=False)])
        mapped = process.run([sys.executable, "-c", UNMAPPED.format(mapped=True)])

        self.assertLess(unmapped.peak_pss_bytes, 64 * MIB)
        self.assertGreater(unmapped.peak_memory_bytes, 64 * MIB)
        self.assertGreater(mapped.peak_pss_bytes, 64 * MIB)
        self.assertLess(mapped.peak_memory_bytes, 2 * 64 * MIB, "not once more because it is mapped")

    def test_lines_come_with_the_moment_they_were_printed(self):
        outcome = process.run([sys.executable, "-c", TWO_PROCESSES])

        (moment, text), = outcome.lines
        self.assertEqual("done", text)
        self.assertGreater(moment, 0.5)
        self.assertLessEqual(moment, outcome.seconds)

    def test_a_command_that_fails_is_reported_with_its_output(self):
        with self.assertRaisesRegex(RuntimeError, "exit code 3(.|\\n)*no such folder"):
            process.run([sys.executable, "-c", "print('no such folder'); raise SystemExit(3)"])


if __name__ == "__main__":
    unittest.main()
