"""However one side ends, the other ends or says why, and nothing is left."""
import contextlib
import gc
import os
import random
import signal
import subprocess
import sys
import unittest

import jspdl
from support import PATIENCE, alive, chosen_seed, ends, filled, is_filled, load, shared_files, trainer

CAMPAIGN = os.environ.get("JSPDL_CAMPAIGN") == "true"
# No machine comes to the end of these.
ENDLESS_ITEMS = 1_000_000_000
LONG = "with load(filled(1_000_000_000, 200_000), slots=16) as loader:\n    print(loader._process.pid, flush=True)\n"
ENDLESS = LONG + """    for number, batch in enumerate(loader):
        if number == 3:
            print("inside", flush=True)
"""


class Ends(unittest.TestCase):
    def tearDown(self):
        self.assertEqual(shared_files(), [])

    def ended(self, pid):
        self.assertTrue(ends(pid), f"process {pid} goes on")

    def test_closing_ends_the_process(self):
        loader = load(filled(10))
        pid = loader._process.pid
        next(iter(loader))
        loader.close()
        self.assertFalse(alive(pid))

    def test_a_loader_that_is_forgotten_is_ended(self):
        loader = load(filled(10))
        pid = loader._process.pid
        kept = next(iter(loader))
        del loader
        gc.collect()
        self.assertFalse(alive(pid))
        self.assertTrue(is_filled(kept))

    def test_open_files_and_memory_go_back(self):
        def mapped():
            with open("/proc/self/maps", encoding="utf-8") as maps:
                return sum("memfd:jspdl" in line for line in maps)

        before = len(os.listdir("/proc/self/fd"))
        for _ in range(2):
            with load(filled(10)) as loader:
                list(loader)
                self.assertGreater(mapped(), 0)
        del loader
        gc.collect()
        self.assertEqual(len(os.listdir("/proc/self/fd")), before)
        self.assertEqual(mapped(), 0)

    def test_a_killed_loader_is_reported_by_name_and_signal(self):
        with load(filled(1000)) as loader:
            batches = iter(loader)
            kept = next(batches)
            os.kill(loader._process.pid, signal.SIGKILL)
            with self.assertRaisesRegex(jspdl.LoaderDied, rf"process {loader._process.pid}, was killed by SIGKILL; if nobody"):
                while True:
                    next(batches)
            with self.assertRaises(jspdl.LoaderDied):
                loader.stats()
            self.assertTrue(is_filled(kept))

    def test_a_loader_that_cannot_start_is_reported(self):
        with load(filled(1), java_options=["-XX:NoSuchOption=1"]) as loader:
            with self.assertRaisesRegex(jspdl.LoaderDied, "ended with exit code 1"):
                list(loader)

    def test_a_killed_trainer_leaves_no_process_and_the_loader_says_so(self):
        with trainer(ENDLESS) as process:
            pid = int(process.stdout.readline())
            self.assertEqual(process.stdout.readline(), "inside\n")
            process.kill()
            self.assertIn(f"the trainer, process {process.pid}, ", process.stderr.read())
            self.ended(pid)

    def test_a_killed_trainer_whose_pipes_live_on_in_a_fork_leaves_no_loader(self):
        with trainer(LONG + """
            fork = os.fork()
            if fork == 0:
                signal.pause()
                os._exit(0)
            print(fork, flush=True)
            for batch in loader: pass""".replace("\n            ", "\n    ")) as process:
            pid, fork = int(process.stdout.readline()), int(process.stdout.readline())
            process.kill()
            process.wait()
            self.ended(pid)
            os.kill(fork, signal.SIGKILL)

    def test_ctrl_c_ends_both(self):
        with trainer(ENDLESS, start_new_session=True) as process:
            pid = int(process.stdout.readline())
            self.assertEqual(process.stdout.readline(), "inside\n")
            os.killpg(process.pid, signal.SIGINT)
            self.assertIn("KeyboardInterrupt", process.stderr.read())
            self.assertNotEqual(process.wait(PATIENCE), 0)
            self.ended(pid)

    def test_ctrl_c_that_is_caught_leaves_the_loader_usable(self):
        with trainer(LONG + """
            for _ in range(2):
                try:
                    for number, batch in enumerate(loader):
                        assert is_filled(batch, 200_000)
                        if number == 3:
                            print("inside", flush=True)
                except KeyboardInterrupt:
                    print("caught", flush=True)""".replace("\n            ", "\n    "), start_new_session=True) as process:
            pid = int(process.stdout.readline())
            for _ in range(2):
                self.assertEqual(process.stdout.readline(), "inside\n", process.poll())
                os.killpg(process.pid, signal.SIGINT)
                self.assertEqual(process.stdout.readline(), "caught\n")
            self.assertEqual(process.wait(PATIENCE), 0, process.stderr.read())
            self.ended(pid)

    def test_handlers_that_raise_at_any_moment_lose_no_frame_and_no_slot(self):
        class Interrupted(Exception):
            pass

        def interrupt(*_):
            raise Interrupted

        swallowed = []      # by the interpreter, were a handler to run in the middle of letting go of a slot
        before, hook = signal.signal(signal.SIGALRM, interrupt), sys.unraisablehook
        sys.unraisablehook = swallowed.append
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        self.addCleanup(setattr, sys, "unraisablehook", hook)
        chance = random.Random(5)
        interrupted = taken = 0

        def take_on(batches, known):
            # A function of its own: Python 3.13 does not count the jump back of a loop to the `try` around it.
            nonlocal taken
            while len(swallowed) == known:
                batch = next(batches)
                taken += 1
                assert batch["data"][0] == batch["data"][-1] == batch["number"] % 256
                del batch

        for size in (1_000, 100_000):
            with load(filled(10_000_000, size), slots=64, prefetch=4, java_options=["-XX:TieredStopAtLevel=1"]) as loader:
                next(iter(loader))
                batches = iter(loader)
                enough = taken + 251
                rounds = 0
                while rounds < 300 or taken < enough:
                    rounds += 1
                    known = len(swallowed)
                    try:
                        signal.setitimer(signal.ITIMER_REAL, chance.uniform(1e-5, 2e-3))
                        take_on(batches, known)
                    except Interrupted:
                        interrupted += 1
                signal.setitimer(signal.ITIMER_REAL, 0)
                self.assertTrue(is_filled(next(batches), size))
                gc.collect()
                # Those that are announced and not taken, at most `ahead` or a group of small ones, are held as well.
                held = loader.stats()["handover"]["slots_held_by_trainer"]
                self.assertLessEqual(held - len(loader._frames.waiting), 8)
                self.assertEqual(loader.stats()["trainer"]["slots_held"], 0)
        self.assertGreater(interrupted, 500)
        self.assertEqual(swallowed, [])
        self.assertGreater(taken, 500)

    def test_an_exception_and_an_exit_without_closing_end_the_loader(self):
        for end, code in (("raise RuntimeError('a bug')", 1), ("sys.exit(3)", 3), ("pass", 0)):
            program = "loader = load(filled(1000))\nprint(loader._process.pid, flush=True)\nkept = next(iter(loader))\n" + end
            with trainer(program) as process:
                pid = int(process.stdout.readline())
                self.assertEqual(process.wait(PATIENCE), code)
                self.ended(pid)


class Kills(unittest.TestCase):
    """Kills one side at a random moment, from before it starts to after its last batch."""

    def test_random_kills_leave_nothing(self):
        seed = chosen_seed()
        chance = random.Random(seed)
        count = 200 if CAMPAIGN else 8
        killed = {"trainer": 0, "loader": 0}
        for number in range(count):
            side = chance.choice(("trainer", "loader"))
            delay = chance.choice((0, chance.uniform(0, 0.05), chance.uniform(0, 1.0)))
            size = chance.choice((100, 200_000, 3_000_000))
            program = f"""
                loader = load(filled({ENDLESS_ITEMS}, {size}), slots={chance.choice((4, 16))}, prefetch={chance.choice((1, 8))})
                print(loader._process.pid, flush=True)
                try:
                    kept = []
                    for batch in loader:
                        assert is_filled(batch, {size})
                        kept = kept[-2:] + [batch]
                except jspdl.LoaderDied as died:
                    assert all(is_filled(batch, {size}) for batch in kept)
                    print(died, flush=True)
                """
            with self.subTest(seed=seed, number=number, side=side, delay=delay), trainer(program) as process:
                pid = int(process.stdout.readline())
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(delay)
                os.kill(process.pid if side == "trainer" else pid, signal.SIGKILL)
                killed[side] += 1
                said = process.communicate(timeout=PATIENCE)
                self.assertTrue(ends(pid), f"loader {pid} goes on")
                if side == "loader":
                    self.assertIn("was killed by SIGKILL", said[0], said)
                    self.assertEqual(process.returncode, 0, said[1])
                self.assertEqual(shared_files(), [])
        if CAMPAIGN:
            print(f"seed {seed}: killed {killed}", flush=True)


if __name__ == "__main__":
    unittest.main()
