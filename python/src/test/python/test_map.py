"""Functions of the user's, in threads and in helper processes: order, resuming, exceptions, and every way to end."""
import gc
import mmap
import multiprocessing
import os
import pickle
import random
import signal
import socket
import tempfile
import threading
import unittest
from unittest import mock

import jspdl
import mapped_functions as functions
from jspdl import _channel, _helper, _pool, _ring, _stacking
from jspdl._work import Work
from support import ARRAYS, IMAGES, PATIENCE, chosen_seed, ends, filled, load, numpy, shared_files, steps, trainer

BOTH = ({"threads": 2}, {"processes": 2})


def numbers(loader):
    return list(loader)


def images(**options):
    return jspdl.images(os.path.dirname(IMAGES), size=8, batch_size=4, dtype="uint8", arrays="numpy", timeout=PATIENCE, **options)


class Order(unittest.TestCase):
    def test_batches_keep_their_order_whichever_is_done_first(self):
        for workers in BOTH:
            with self.subTest(workers=workers), load(filled(12, 100)).map_batches(functions.slow_first, **workers) as loader:
                self.assertEqual(numbers(loader), list(range(12)))
                self.assertEqual((loader.epoch, len(loader)), (1, 12))
                self.assertEqual(numbers(loader), list(range(12)))

    def test_arrays_go_through_shared_memory_and_stay_good(self):
        if numpy is None:
            self.skipTest("needs numpy")
        for workers in BOTH:
            with self.subTest(workers=workers):
                with load(filled(60, 100_000), slots=16, arrays="numpy").map_batches(functions.doubled, **workers) as loader:
                    kept = [batch for batch in loader if batch["number"] % 7 == 0]
                gc.collect()
                for batch in kept:
                    self.assertEqual(set(batch["data"].tolist()), {batch["number"] * 2 % 256})

    def test_memory_of_results_is_used_again(self):
        if numpy is None:
            self.skipTest("needs numpy")
        with load(filled(80, 300_000), arrays="numpy").map_batches(functions.doubled, processes=2) as loader:
            for batch in loader:
                del batch
            made = [len(helper.segments) for helper in loader._workers._helpers]
        self.assertLessEqual(max(made), 6)

    def test_functions_on_top_of_functions(self):
        with load(filled(20, 100)).map_batches(functions.numbered, threads=2).map_batches(str, processes=1) as loader:
            batches = iter(loader)
            first = [next(batches) for _ in range(6)]
            state = loader.state_dict()
            self.assertEqual(first + list(batches), [str(n) for n in range(20)])
            loader.load_state_dict(state)
            self.assertEqual(numbers(loader), [str(n) for n in range(6, 20)])
            self.assertEqual([one["method"] for one in loader.stats()["functions"]], ["map_batches", "map_batches"])
            self.assertIn("map_batches(numbered): 2 threads", loader.report())
            self.assertRegex(repr(loader), r"^<jspdl.plan\(.*\).map_batches\(numbered, threads=2\).map_batches\(str, processes=1\): epoch")

    def test_an_epoch_that_was_left_is_over(self):
        for workers in BOTH:
            with self.subTest(workers=workers), load(filled(30, 100)).map_batches(functions.numbered, **workers) as loader:
                for number in loader:
                    if number == 2:
                        break
                self.assertEqual(numbers(loader), list(range(30)))
                self.assertEqual(loader.epoch, 2)


class Resuming(unittest.TestCase):
    def test_a_state_counts_what_was_yielded_whatever_is_under_way(self):
        for workers in BOTH:
            with self.subTest(workers=workers), load(filled(15, 100), prefetch=4).map_batches(functions.numbered, **workers) as loader:
                seen, states = [], [loader.state_dict()]
                for number in loader:
                    seen.append(number)
                    states.append(loader.state_dict())
                self.assertEqual(seen, list(range(15)))
                for taken in (0, 1, 6, 14):
                    loader.load_state_dict(states[taken])
                    self.assertEqual(numbers(loader), seen[taken:])
                self.assertEqual(loader.epoch, 1)
                self.assertEqual(numbers(loader), seen)

    def test_each_sample_draws_the_same_in_whichever_process_and_after_a_resume(self):
        if numpy is None:
            self.skipTest("needs numpy")
        def drawn(loader):
            return [float(value) for batch in loader for value in batch]

        with images().map(functions.drawn, processes=2, seed=3) as loader, images().map(functions.drawn, processes=1, seed=3) as other:
            batches = iter(loader)
            next(batches)
            state = loader.state_dict()
            first = drawn(batches)
            second = drawn(loader)
            whole = drawn(other)
            self.assertEqual(len(set(whole)), len(whole))
            self.assertEqual((whole[4:], drawn(other)), (first, second))
            self.assertNotEqual(whole, second)
            other.load_state_dict(state)
            self.assertEqual(drawn(other), first)


class Samples(unittest.TestCase):
    def test_samples_are_mapped_and_collated(self):
        if numpy is None:
            self.skipTest("needs numpy")
        with images() as loader:
            plain = list(loader)
        for workers in BOTH:
            with self.subTest(workers=workers), images().map(functions.described, **workers) as loader:
                for batch, before in zip(loader, plain):
                    numpy.testing.assert_array_equal(batch["pixels"], before["image"].astype("float32") / 2)
                    self.assertEqual(batch["pixels"].dtype, numpy.float32)
                    self.assertEqual(batch["sum"].tolist(), [float(image.sum()) for image in before["image"]])
                    self.assertEqual(batch["name"], [f"image {n}" for n in before["index"]])
                    self.assertEqual([part.tolist() for part in batch["pair"]], [before["index"].tolist(), [True] * len(before["index"])])

    def test_results_become_tensors_where_the_loader_yields_tensors(self):
        try:
            import torch
        except ImportError:
            self.skipTest("needs torch")
        for workers in BOTH:
            with self.subTest(workers=workers), jspdl.images(os.path.dirname(IMAGES), size=8, batch_size=4, arrays="torch").map(
                    first_pixel, **workers) as loader:
                batch = next(iter(loader))
                self.assertEqual((batch.dtype, tuple(batch.shape)), (torch.float32, (4, 3)))

    def test_a_function_gets_the_kind_of_arrays_that_was_asked_for_wherever_they_lie(self):
        from support import torch
        if torch is None or numpy is None:
            self.skipTest("needs torch")
        path, options = os.path.dirname(IMAGES), {"size": 8, "batch_size": 4, "epochs": 1, "timeout": PATIENCE, "max_failures": 0.9}
        for number, (given, wanted) in enumerate((("numpy", "torch"), ("torch", "numpy"))):
            for workers in BOTH:
                for share in (False, f"kinds-{os.getpid()}-{number}"):
                    with self.subTest(given=given, workers=workers, share=share), jspdl.images(path, arrays=given, share=share, **options).map_batches(
                            functions.kind, arrays=wanted, **workers) as loader:
                        self.assertEqual(set(loader), {wanted})

    @unittest.skipIf(numpy is None, "needs numpy")
    def test_masks_are_not_lost(self):
        for workers in BOTH:
            with self.subTest(workers=workers), images().map(functions.masked, **workers) as loader:
                rows = next(iter(loader))
                self.assertEqual([row.tolist() for row in rows[:2]], [[1.0, 2.0, 3.0], [1.0, None, 3.0]])

    @unittest.skipIf(numpy is None, "needs numpy")
    def test_numbers_of_numpy_come_back_as_such_and_may_be_keys(self):
        for workers in BOTH:
            with self.subTest(workers=workers), images().map_batches(functions.counted, **workers) as loader:
                found = next(iter(loader))
                self.assertEqual((found["counts"], type(found["least"]).__name__), ({0: 2, 1: 2}, "int64"))

    @unittest.skipIf(numpy is None, "needs numpy")
    def test_arrays_of_another_byte_order_keep_their_values(self):
        with load(steps(3, {"filled": {"bytes": 100, "ring": True}}), arrays="numpy").map_batches(functions.swapped, threads=1).map_batches(
                functions.listed, processes=1) as loader:
            self.assertEqual(list(loader), [(n, [1, n]) for n in range(3)])

    def test_helpers_start_from_a_folder_with_modules_of_any_name_and_a_path_of_any_kind(self):
        import pathlib
        import sys
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(sys, "path", [*sys.path, pathlib.Path(folder)]):
            with open(f"{folder}/json.py", "w", encoding="utf-8") as file:
                file.write("raise SystemExit('not this one')")
            os.chdir(folder)
            try:
                with load(filled(3, 100), epochs=1).map_batches(functions.numbered, processes=1) as loader:
                    self.assertEqual(list(loader), [0, 1, 2])
            finally:
                os.chdir(before)

    def test_numbers_of_files_may_be_large(self):
        import resource
        least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        if most != resource.RLIM_INFINITY and most < 2000:
            self.skipTest("needs 2,000 open files")
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(least, 2000), most))
        files = [os.open("/dev/null", os.O_RDONLY) for _ in range(1100)]
        try:
            for workers in BOTH:
                with self.subTest(workers=workers), load(filled(6, 100), epochs=1).map_batches(functions.numbered, **workers) as loader:
                    self.assertEqual(list(loader), list(range(6)))
        finally:
            for file in files:
                os.close(file)
            resource.setrlimit(resource.RLIMIT_NOFILE, (least, most))

    def test_results_that_cannot_be_stacked_are_named(self):
        if numpy is None:
            self.skipTest("needs numpy")
        for workers in BOTH:
            with self.subTest(workers=workers), images().map(functions.uneven, **workers) as loader:
                with self.assertRaisesRegex(jspdl.MapError, r"sample 0 is float64 \[1\], sample 1 is float64 \[2\].*collate="):
                    next(iter(loader))
            with images().map(functions.uneven, collate=len, **workers) as loader:
                self.assertEqual(next(iter(loader)), 4)

    def test_a_function_that_keeps_a_batch_whose_memory_is_used_again_fails_there_alone(self):
        with load(filled(6, 4096)).map_batches(functions.kept_at_2, processes=1) as loader:
            batches = iter(loader)
            self.assertEqual([next(batches), next(batches)], [0, 1])
            with self.assertRaisesRegex(jspdl.MapError, r"kept_at_2\) failed at batch 2 of epoch 0: the function keeps an array of the batch.*keep a copy"):
                next(batches)
            self.assertEqual(list(batches), [3, 4, 5])

    def test_what_a_function_has_kept_makes_no_batch_after_the_failure(self):
        with load(filled(6, 4096)).map_batches(functions.beside_first, processes=1) as loader:
            batches = iter(loader)
            for n in range(6):
                with self.assertRaisesRegex(jspdl.MapError, rf"failed at batch {n} of epoch 0: the function keeps an array of the batch"):
                    next(batches)
            self.assertEqual(list(batches), [])

    def test_arrays_that_are_more_than_their_elements_stay_so(self):
        if numpy is None:
            self.skipTest("needs numpy")
        with load(filled(4, 100)).map_batches(functions.several, processes=1) as loader:
            for number, several in enumerate(loader):
                self.assertIs(type(several.matrix), numpy.matrix)
                self.assertEqual((several.matrix * several.matrix).tolist(), [[number * number + 1, 2 * number], [2 * number, number * number + 1]])
                self.assertEqual((type(several.plain), several.plain.tolist()), (numpy.ndarray, [number] * 3))

    def test_numbers_are_stacked_as_wide_as_they_are_or_refused(self):
        if numpy is None:
            self.skipTest("needs numpy")
        from support import torch
        large = (1 << 63) + 1
        for values, element in (([1, -(1 << 63)], "int64"), ([1, large], "uint64"), ([True, 5], "int64"), ([True, False], "bool"), ([1, 0.5], "float64"),
                                ([1j, 0.5, 2], "complex128")):
            stacked = _stacking.numbers(values, "numpy")
            self.assertEqual((stacked.dtype.name, stacked.tolist()), (element, values))
        for kind, values in (("numpy", [large, -1]), ("numpy", [1 << 64]), ("numpy", [(1 << 53) + 1, 0.5]), ("numpy", [1 << 1100, 0.5]), ("torch", [large]),
                             ("memoryview", [large])):
            with self.subTest(kind=kind, values=values), self.assertRaisesRegex(ValueError, "would be another number"):
                _stacking.numbers(values, kind)
        self.assertEqual(_stacking.numbers([large, 0.5], "memoryview"), [large, 0.5])
        # beside numbers of Python, those of NumPy are what their values are
        for values, element in (([3, numpy.int32(5)], "int64"), ([3, numpy.uint64(large)], "uint64"), ([2, numpy.array((1 << 53) + 1)], "int64"),
                                ([True, numpy.bool_(False)], "bool"), ([1, numpy.float32(0.1)], "float64"), ([numpy.float64(0.5), numpy.int64(3)], "float64")):
            stacked = _stacking.numbers(values, "numpy")
            self.assertEqual((stacked.dtype.name, stacked.tolist()), (element, [value if isinstance(value, int) else value.item() for value in values]))
        for values in ([1.5, numpy.int64((1 << 53) + 1)], [numpy.float64(1.5), numpy.int64((1 << 53) + 1)], [-1, numpy.uint64(large)]):
            with self.subTest(values=values), self.assertRaisesRegex(ValueError, "would be another number"):
                _stacking.numbers(values, "numpy")
        if torch is not None:
            self.assertEqual([_stacking.numbers(values, "torch").dtype for values in ([1, 2], [1, 0.5], [1j], [True])],
                             [torch.int64, torch.float64, torch.complex128, torch.bool])

    def test_a_batch_that_does_not_consist_of_samples_is_refused(self):
        with load(filled(3, 100)).map(functions.numbered, threads=1) as loader:
            with self.assertRaisesRegex(jspdl.MapError, "data: 100, number: no rows.*use map_batches"):
                next(iter(loader))


def first_pixel(sample):
    return sample["image"][:, 0, 0]


class Failures(unittest.TestCase):
    def test_an_exception_names_function_and_batch_and_the_next_can_be_asked_for(self):
        for workers in BOTH:
            with self.subTest(workers=workers), load(filled(6, 100)).map_batches(functions.refused_at_3, **workers) as loader:
                batches = iter(loader)
                self.assertEqual([next(batches) for _ in range(3)], [0, 1, 2])
                with self.assertRaisesRegex(jspdl.MapError, r"^map_batches\(refused_at_3\) failed at batch 3 of epoch 0: Refused: \('three', 3\)") as caught:
                    next(batches)
                self.assertEqual((caught.exception.__cause__.number, caught.exception.batch, caught.exception.function), (3, 3, "refused_at_3"))
                state = loader.state_dict()
                self.assertEqual(list(batches), [4, 5])
                loader.load_state_dict(state)
                self.assertEqual(numbers(loader), [4, 5])

    def test_an_exception_without_a_message_or_that_cannot_be_read_here_fails_its_batch_alone(self):
        for function, message in ((functions.mute_at_3, "Mute, whose message cannot be had"), (functions.impostor_at_3, "Impostor: three")):
            for workers in BOTH:
                with self.subTest(function=function, workers=workers), load(filled(6, 100), epochs=1).map_batches(function, **workers) as loader:
                    batches = iter(loader)
                    self.assertEqual([next(batches) for _ in range(3)], [0, 1, 2])
                    with self.assertRaisesRegex(jspdl.MapError, message):
                        next(batches)
                    self.assertEqual(list(batches), [4, 5])

    def test_a_failure_of_the_loader_comes_after_the_batches_before_it_and_again(self):
        for workers in BOTH:
            with self.subTest(workers=workers), load(steps(10, {"fail": {"at": 3}})).map_batches(int, **workers) as loader:
                batches = iter(loader)
                self.assertEqual([next(batches) for _ in range(3)], [0, 1, 2])
                for _ in range(2):
                    with self.assertRaisesRegex(jspdl.JspdlError, "item 3 is broken"):
                        next(batches)

    def test_a_helper_that_dies_fails_its_batch_by_name_and_is_replaced(self):
        with load(filled(9, 100)).map_batches(functions.killed_at_3, processes=2) as loader:
            batches = iter(loader)
            self.assertEqual([next(batches) for _ in range(3)], [0, 1, 2])
            with self.assertRaisesRegex(jspdl.MapError, r"\(killed_at_3\) failed at batch 3 of epoch 0: its helper process \d+ was killed by SIGKILL"):
                next(batches)
            self.assertEqual(list(batches), [4, 5, 6, 7, 8])
            self.assertEqual(loader.stats()["functions"][0]["replaced"], 1)
        if numpy is not None:
            with images().map(functions.killed_at_row, processes=1) as loader:
                batches = iter(loader)
                next(batches)
                with self.assertRaisesRegex(jspdl.MapError, "failed at sample 1 of batch 1 of epoch 0: its helper process") as caught:
                    next(batches)
                self.assertEqual(caught.exception.sample, 1)

    def test_helpers_that_are_killed_lose_at_most_what_they_were_at(self):
        seed = chosen_seed()
        chance = random.Random(seed)
        with self.subTest(seed=seed), load(filled(120, 1000)).map_batches(functions.numbered, processes=2) as loader:
            batches, seen, failed = iter(loader), [], []
            while True:
                if chance.random() < 0.1:
                    os.kill(chance.choice(loader._workers.pids()), signal.SIGKILL)
                try:
                    seen.append(next(batches))
                except jspdl.MapError as failure:
                    self.assertIn("was killed by SIGKILL", str(failure))
                    failed.append(failure.batch)
                except StopIteration:
                    break
            self.assertEqual(sorted(seen + failed), list(range(120)))
            self.assertEqual(seen, sorted(seen))

    def test_functions_that_cannot_be_sent_are_refused_by_name(self):
        with load(filled(3, 100)) as loader:
            with mock.patch.object(_pool, "cloudpickle", None):
                with self.assertRaisesRegex(jspdl.PlanError, r"map_batches\(.*<lambda>\): the function cannot be sent to a process.*cloudpickle"):
                    loader.map_batches(lambda batch: batch, processes=1)
                function = mock.Mock(__module__="__main__", __qualname__="mine")
                with self.assertRaisesRegex(jspdl.PlanError, r"\(mine\).*is defined in the main program"):
                    loader.map_batches(function, processes=1)
            for options, message in (({}, "either threads= or processes="), ({"threads": 1, "processes": 1}, "either threads="),
                                     ({"threads": 0}, "threads must be a whole number from 1"), ({"processes": "2"}, "processes must be")):
                with self.assertRaisesRegex(jspdl.PlanError, message):
                    loader.map_batches(len, **options)
            with self.assertRaisesRegex(jspdl.PlanError, "needs a function"):
                loader.map(3, threads=1)

    def test_results_for_which_there_are_no_files_left_are_told_so_and_not_taken_for_others(self):
        read, written = os.pipe()
        os.close(written)
        received = _channel.Received()
        with mock.patch.object(_channel.socket, "recv_fds", return_value=(b"x", [read], socket.MSG_CTRUNC, None)), self.assertRaisesRegex(
                jspdl.JspdlError, "may open no more files: raise the limit"):
            received.read(None)
        received.close()
        self.assertFalse(os.path.lexists(f"/proc/self/fd/{read}"))

    def test_a_local_function_goes_by_cloudpickle(self):
        if _pool.cloudpickle is None:
            self.skipTest("needs cloudpickle")
        factor = 3
        with load(filled(4, 100)).map_batches(lambda batch: batch["number"] * factor, processes=1) as loader:
            self.assertEqual(numbers(loader), [0, 3, 6, 9])

    def test_a_function_that_a_helper_cannot_load_is_named_once_and_for_all(self):
        class Unloadable:
            __qualname__ = "unloadable"

            def __call__(self, batch):
                return batch

            def __reduce__(self):
                return int, ("no number",)

        with load(filled(4, 100)).map_batches(Unloadable(), processes=1) as loader:
            for _ in range(2):
                with self.assertRaisesRegex(jspdl.MapError, "cannot be loaded in a helper process: ValueError"):
                    numbers(loader)


class Forks(unittest.TestCase):
    """Functions that let a fork of their helper return, played in this process."""

    def played(self, work, batch):
        """What comes of a batch, and the end of the fork, which goes on when that is known."""
        late, returns = os.pipe()
        forks = []

        def fork(change):
            if not forks:
                forks.append(os.fork())
            if forks[0] == 0:
                os.read(late, 1)
            return change()

        standing = _ring.unnamed_file()
        os.ftruncate(standing, mmap.PAGESIZE)
        progress = _helper.Standing(standing)
        progress.begin(1)
        mine = os.getpid()
        try:
            outcome = _helper.outcome(work(fork), mock.Mock(take=lambda size: (0, bytearray(size), [])), None, progress, 0, 0, pickle.dumps(batch))
        finally:
            if os.getpid() != mine:
                os._exit(5)
        os.write(returns, b"." * 10)        # for as far as it may come
        ended = os.waitpid(forks[0], 0)[1]
        for file in (late, returns):
            os.close(file)
        return outcome[0], pickle.loads(outcome[3]) if outcome[0] == _channel.RESULT else None, os.waitstatus_to_exitcode(ended)

    def test_neither_changes_samples_in_place_again_nor_answers(self):
        memory = mmap.mmap(-1, 4096)

        def add(sample):
            memory[sample["row"]] += 1
            return {}

        for function, samples, expected, changed in (
                (lambda sample, fork: fork(lambda: add(sample)), True, (_channel.RESULT, [{}] * 3, 0), [2, 1, 1]),     # the fork was in the middle of the first
                (lambda batch, fork: fork(lambda: len(batch["row"])), False, (_channel.RESULT, 3, 0), [0, 0, 0]),
                (lambda batch, fork: fork(lambda: 1 // 0), False, (_channel.FAILURE, None, 0), [0, 0, 0])):
            with self.subTest(expected=expected):
                before = bytes(memory[:3])
                played = self.played(lambda fork, function=function, samples=samples: Work(
                    lambda each: function(each, fork), "map", samples, list if samples else None, "memoryview", 0, 0), {"row": [0, 1, 2]})
                self.assertEqual(played, expected)
                self.assertEqual([now - then for now, then in zip(memory[:3], before)], changed)


class Ends(unittest.TestCase):
    def tearDown(self):
        self.assertEqual(shared_files(), [])
        self.assertEqual([thread.name for thread in threading.enumerate() if thread.name.startswith("jspdl")], [])

    def test_closing_and_forgetting_end_helpers_and_threads(self):
        before = len(os.listdir("/proc/self/fd"))
        for close in (True, False):
            for workers in BOTH:
                loader = load(filled(50, 100)).map_batches(functions.numbered, **workers)
                next(iter(loader))
                pids = loader._workers.pids() if "processes" in workers else []
                if close:
                    loader.close()
                    with self.assertRaisesRegex(jspdl.JspdlError, "closed"):
                        iter(loader)
                del loader
                gc.collect()
                for pid in pids:
                    self.assertTrue(ends(pid))
        self.assertEqual(len(os.listdir("/proc/self/fd")), before)

    def test_a_killed_trainer_leaves_no_helper_busy_or_idle(self):
        for function in ("numbered", "slept"):
            with self.subTest(function=function), trainer(f"""
                    import mapped_functions
                    loader = load(filled(1000, 100)).map_batches(mapped_functions.{function}, processes=2)
                    batches = iter(loader)
                    loader._poll(loader._iteration)
                    while not all(helper.ready for helper in loader._workers._helpers):
                        loader._poll(loader._iteration)
                    print(*loader._workers.pids(), loader._upstream._process.pid, flush=True)
                    fork = os.fork()
                    if fork == 0:
                        signal.pause()
                        os._exit(0)
                    print(fork, flush=True)
                    signal.pause()""".replace("\n                    ", "\n")) as process:
                pids = [int(pid) for pid in process.stdout.readline().split()]
                self.assertEqual(len(pids), 3, process.poll())
                fork = int(process.stdout.readline())
                process.kill()
                process.wait()
                for pid in pids:
                    self.assertTrue(ends(pid), f"process {pid} goes on")
                os.kill(fork, signal.SIGKILL)

    def test_an_exit_with_a_live_loader_and_ctrl_c_end_everything(self):
        for workers, end, code in (("threads=2", "sys.exit(3)", 3), ("processes=2", "raise RuntimeError", 1), ("processes=1", "pass", 0)):
            with self.subTest(workers=workers, end=end), trainer(f"""
                    import mapped_functions
                    loader = load(filled(1000, 100)).map_batches(mapped_functions.process, {workers})
                    print(next(iter(loader)), flush=True)
                    {end}""".replace("\n                    ", "\n")) as process:
                pid = int(process.stdout.readline())
                self.assertEqual(process.wait(PATIENCE), code, process.stderr.read() if process.poll() is None else "")
                self.assertTrue(ends(pid))
        with trainer("""
                import mapped_functions
                loader = load(filled(1_000_000_000, 100)).map_batches(mapped_functions.numbered, processes=2)
                for round in range(2):
                    try:
                        for expected, number in enumerate(loader):
                            assert number == expected
                            if number == 20:
                                print("inside", flush=True)
                    except KeyboardInterrupt:
                        print("caught", flush=True)
                print(*loader._workers.pids(), flush=True)""".replace("\n                ", "\n"), start_new_session=True) as process:
            for _ in range(2):
                self.assertEqual(process.stdout.readline(), "inside\n", process.poll())
                os.killpg(process.pid, signal.SIGINT)
                self.assertEqual(process.stdout.readline(), "caught\n")
            pids = process.stdout.readline().split()
            self.assertEqual((process.wait(PATIENCE), process.stderr.read()), (0, ""))
            for pid in pids:
                self.assertTrue(ends(int(pid)))

    def test_handlers_that_raise_at_any_moment_lose_no_batch(self):
        class Interrupted(BaseException):
            pass

        armed = [False]

        def interrupt(*_):
            if armed[0]:
                raise Interrupted

        before = signal.signal(signal.SIGALRM, interrupt)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        chance = random.Random(5)
        for workers in BOTH:
            with self.subTest(workers=workers), load(filled(10_000_000, 100)).map_batches(functions.numbered, **workers) as loader:
                batches, interrupted = iter(loader), 0
                last, lost = next(batches), 0
                while last < 40 or interrupted < 10:
                    # Going back takes longer than a step, so not every one is interrupted.
                    signal.setitimer(signal.ITIMER_REAL, chance.uniform(1e-5, 5e-3) if chance.random() < 0.5 else 0)
                    try:
                        armed[0] = True
                        number = next(batches)
                        armed[0] = False
                    except Interrupted:
                        interrupted += 1
                        lost += 1
                        continue
                    finally:
                        armed[0] = False
                    signal.setitimer(signal.ITIMER_REAL, 0)
                    # with each interrupt one that was about to be returned may be lost, as with any iterator
                    self.assertIn(number, range(last + 1, last + 2 + lost))
                    last, lost = number, 0

    def test_a_forked_process_neither_uses_nor_ends_the_loader(self):
        def child(answers):
            try:
                list(loader)
            except jspdl.JspdlError as refused:
                answers.put(str(refused))
            loader.close()

        for workers in BOTH:
            with self.subTest(workers=workers), load(filled(20, 100)).map_batches(functions.numbered, **workers) as loader:
                batches = iter(loader)
                next(batches)
                context = multiprocessing.get_context("fork")
                answers = context.Queue()
                process = context.Process(target=child, args=(answers,))
                process.start()
                self.assertIn("forked", answers.get(timeout=PATIENCE))
                process.join()
                self.assertEqual(process.exitcode, 0)
                self.assertEqual(list(batches), list(range(1, 20)))
                answers.close()
                answers.join_thread()


if __name__ == "__main__":
    unittest.main()
