"""One loader in several threads, and in the middle of itself: each batch comes once, and what cannot be done is said."""
import itertools
import os
import signal
import tempfile
import threading
import time
import unittest
from unittest import mock

import jspdl
import mapped_functions as functions
from jspdl import _process, _turn, _wire
from support import PATIENCE, filled, is_filled, load, released, steps


def in_threads(function, count=4):
    """Runs `function` in threads at once; what they return or raise."""
    results = []

    def work():
        try:
            results.append(function())
        except Exception as failure:
            results.append(failure)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    return results


class Threads(unittest.TestCase):
    def test_threads_that_iterate_over_one_epoch_get_each_batch_once_and_whole(self):
        with load(filled(400, 5000), slots=8, epochs=1) as loader:
            batches = iter(loader)
            results = in_threads(lambda: [(batch["number"], is_filled(batch, 5000)) for batch in batches])
        self.assertEqual([failure for failure in results if isinstance(failure, Exception)], [])
        self.assertEqual(sorted(itertools.chain(*results)), [(n, True) for n in range(400)])

    def test_threads_that_iterate_over_results_get_each_once(self):
        for workers in ({"threads": 2}, {"processes": 2}):
            with self.subTest(workers=workers), load(filled(60, 100), epochs=1).map_batches(functions.numbered, **workers) as loader:
                batches = iter(loader)
                results = in_threads(lambda: list(batches), 3)
                self.assertEqual(sorted(itertools.chain(*results)), list(range(60)))

    def test_states_and_figures_that_another_thread_asks_for_lose_no_batch(self):
        for mapped in (lambda loader: loader, lambda loader: loader.map_batches(functions.numbered, threads=1)):
            with mapped(load(filled(300, 100), epochs=1)) as loader:
                over = threading.Event()
                asked = []

                def ask():
                    while not over.is_set():
                        asked.append((loader.state_dict()["batches"], loader.stats()["batches"], loader.epoch))

                asking = threading.Thread(target=ask, daemon=True)
                asking.start()
                numbers = [batch if isinstance(batch, int) else batch["number"] for batch in loader]
                over.set()
                asking.join(PATIENCE)
                self.assertEqual(numbers, list(range(300)))
                self.assertGreater(len(asked), 0)

    def test_a_loader_that_another_thread_closes_says_so_to_whoever_waits(self):
        with tempfile.TemporaryDirectory() as folder:
            for mapped in (lambda loader: loader, lambda loader: loader.map_batches(functions.numbered, threads=1)):
                gate = f"{folder}/gate"
                if not os.path.exists(gate):
                    os.mkfifo(gate)
                loader = mapped(load(steps(1, {"wait": {"for": gate}, "io": 1})))
                len(loader)
                inside = threading.Event()
                results = []

                def wait():
                    batches = iter(loader)
                    inside.set()
                    try:
                        results.append(next(batches))
                    except Exception as failure:
                        results.append(failure)

                waiting = threading.Thread(target=wait, daemon=True)
                waiting.start()
                inside.wait(PATIENCE)
                closing = threading.Thread(target=loader.close, daemon=True)
                closing.start()
                while not loader._closed:       # else the batch may come before
                    time.sleep(0)
                opening = released(gate)
                closing.join(PATIENCE)
                opening.join(PATIENCE)
                waiting.join(PATIENCE)
                self.assertRegex(repr(results), r"JspdlError\('the loader is closed'\)")


    def test_a_thread_that_waits_reads_nothing_of_others_where_the_loader_is_closed_though_its_process_hangs(self):
        with mock.patch.object(_turn, "PATIENCE_SECONDS", 0.1), mock.patch.object(_process.Process.end, "__defaults__", (0.1,)), \
                tempfile.TemporaryDirectory() as folder:
            os.mkfifo(f"{folder}/gate")
            loader = load(steps(1, {"wait": {"for": f"{folder}/gate"}, "io": 1}))
            len(loader)
            batches = iter(loader)
            waiting = threading.Thread(target=lambda: results.append(self.said(batches)), daemon=True)
            results = []
            os.kill(loader._process.pid, signal.SIGSTOP)
            waiting.start()
            while loader._turn.owner != waiting.ident:
                time.sleep(0)
            numbers = [file.number for file in loader._process.files]
            loader.close()
            files = [os.open("/dev/null", os.O_RDONLY) for _ in range(8)]      # of which none gets a number that the thread may still read from
            self.assertFalse({*files} & {*numbers})
            waiting.join(PATIENCE)
            for file in files:
                os.close(file)
            self.assertEqual(results, ["the loader is closed"])

    @staticmethod
    def said(batches):
        try:
            return next(batches)
        except Exception as failure:
            return str(failure)

    def test_a_file_that_has_ended_keeps_its_number_until_nobody_uses_it(self):
        read, written = os.pipe()
        file = _wire.OpenFile(read)
        frames = _wire.Frames(file)
        file.end()
        with self.assertRaises(BrokenPipeError):
            os.write(written, b"x")
        self.assertEqual((file.number, os.readlink(f"/proc/self/fd/{read}"), os.get_inheritable(read), frames.read(), frames.read(1)), (read, "/dev/null", False, False, False))
        del frames, file
        self.assertFalse(os.path.lexists(f"/proc/self/fd/{read}"))
        closed = _wire.OpenFile(written)
        closed.close()
        closed.close()
        closed.end()
        self.assertEqual(closed.number, -1)


class Handlers(unittest.TestCase):
    def test_a_handler_that_asks_in_the_middle_of_waiting_is_told_and_nothing_is_lost(self):
        said = []
        with tempfile.TemporaryDirectory() as folder:
            gate = f"{folder}/gate"
            os.mkfifo(gate)
            with load(steps(1, {"wait": {"for": gate}, "io": 1})) as loader:
                def handler(*_):
                    try:
                        loader.state_dict()
                        signal.setitimer(signal.ITIMER_REAL, 0.05)      # it does not wait yet
                    except jspdl.JspdlError as refused:
                        said.append(str(refused))
                        threading.Thread(target=opened, args=(gate,), daemon=True).start()

                len(loader)
                before = signal.signal(signal.SIGALRM, handler)
                try:
                    signal.setitimer(signal.ITIMER_REAL, 0.3)
                    self.assertEqual(list(loader), [0])
                finally:
                    signal.setitimer(signal.ITIMER_REAL, 0)
                    signal.signal(signal.SIGALRM, before)
                self.assertEqual(loader.state_dict()["epoch"], 1)
                released(gate)      # for the next epoch, which has begun
        self.assertRegex(said[0], "state_dict was called while the loader does something else for the same thread.*set a flag")


def opened(gate):
    with open(gate, "wb"):
        pass


class Elsewhere(unittest.TestCase):
    def test_a_state_of_results_is_refused_when_the_loader_below_was_sent_elsewhere(self):
        with load(filled(20, 100)) as below:
            loader = below.map_batches(functions.numbered, threads=1)
            state = loader.state_dict()
            batches = iter(loader)
            self.assertEqual([next(batches) for _ in range(5)], [0, 1, 2, 3, 4])
            below.load_state_dict(state)
            with self.assertRaisesRegex(jspdl.JspdlError, "use load_state_dict.. of what map returned"):
                loader.state_dict()


if __name__ == "__main__":
    unittest.main()
