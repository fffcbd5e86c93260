"""`map(order=)`: functions of the user's that the loader calls for samples before they are batched, in helpers of its own."""
import json
import mmap
import os
import signal
import tempfile
import time
import unittest
from unittest import mock

import jspdl
import sample_functions as functions
from jspdl import _before_batches, _samples
from jspdl._work import Work
from support import CAMPAIGN, IMAGES, PATIENCE, ends, filled, load, numpy, shared_files, support_children, trainer

SIZE = 8


def images(**options):
    options = {"size": SIZE, "batch_size": 4, "dtype": "uint8", "arrays": "numpy", "timeout": PATIENCE, "share": False, **options}
    return jspdl.images(os.path.dirname(IMAGES), **options)


def copied(loader):
    return [{name: value.copy() if hasattr(value, "copy") else value for name, value in batch.items()} for batch in loader]


def indices(loader):
    return [batch["index"].tolist() for batch in loader]


@unittest.skipIf(numpy is None, "needs numpy")
class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with images(shuffle=True, seed=5) as loader:
            cls.plain = copied(loader)

    def assert_batches(self, loader, change=lambda image: image):
        taken = copied(loader)
        self.assertEqual(len(taken), len(self.plain))
        for batch, before in zip(taken, self.plain):
            self.assertEqual(list(batch), list(before))
            for name, value in before.items():
                expected = change(value) if name == "image" else value
                self.assertEqual((batch[name].dtype, batch[name].shape), (expected.dtype, expected.shape))
                numpy.testing.assert_array_equal(batch[name], expected)

    def test_a_function_that_changes_nothing_or_changes_arrays_in_place_has_them_in_their_order(self):
        for function, change in ((functions.same, lambda image: image), (functions.darker, lambda image: image // 2)):
            with self.subTest(function=function), images(shuffle=True, seed=5).map(function, processes=3, order="input") as loader:
                self.assertEqual(len(loader), len(self.plain))
                self.assertIn(f".map({function.__name__}, processes=3, order='input')", repr(loader))
                self.assert_batches(loader, change)
                self.assertEqual(loader.stats()["handover"]["copied_batches"], 0)

    def test_functions_are_called_one_behind_the_other_and_by_cloudpickle_where_they_are_local(self):
        try:
            import cloudpickle      # noqa: F401
        except ImportError:
            self.skipTest("needs cloudpickle")
        first = images(shuffle=True, seed=5).map(functions.darker, processes=1, order="input")
        with first.map(lambda sample: {**sample, "image": sample["image"] + 1}, processes=2, order="input") as loader:
            self.assert_batches(loader, lambda image: image // 2 + 1)

    def test_tensors_are_taken_and_given(self):
        try:
            import torch
        except ImportError:
            self.skipTest("needs torch")
        with images(shuffle=True, seed=5, arrays="torch").map(functions.tensor_darker, processes=1, order="input") as loader:
            for batch, before in zip(loader, self.plain):
                self.assertIsInstance(batch["image"], torch.Tensor)
                numpy.testing.assert_array_equal(batch["image"].numpy(), before["image"] // 2)

    def test_fields_may_be_others_of_any_shape_and_kind(self):
        with images(shuffle=True, seed=5).map(functions.others, processes=2, order="input") as loader:
            for batch, before in zip(loader, self.plain):
                index = before["index"].tolist()
                numpy.testing.assert_array_equal(batch["half"], before["image"][:, :, ::2].astype("float32"))
                numpy.testing.assert_array_equal(batch["mirrored"], before["image"][:, :, :, ::-1])
                self.assertEqual(batch["index"].tolist(), index)
                self.assertEqual((batch["ratio"].dtype, batch["ratio"].tolist()), (numpy.float64, [n / 2 for n in index]))
                self.assertEqual((batch["flag"].dtype, batch["flag"].tolist()), (numpy.bool_, [n % 2 == 0 for n in index]))
                self.assertEqual((batch["scalar"].dtype, batch["scalar"].tolist()), (numpy.float32, index))
                self.assertEqual((batch["swapped"].dtype, batch["swapped"].tolist()), (numpy.int32, [[n] for n in index]))
                self.assertEqual((batch["empty"].dtype, batch["empty"].shape), (numpy.int16, (len(index), 0, 3)))
                self.assertEqual(batch["name"], [f"image {n} ß" for n in index])
                self.assertEqual([each.number for each in batch["object"]], index)
                self.assertEqual(batch["nested"], [{"numbers": [n, None]} for n in index])
                self.assertEqual(batch["none"], [None] * len(index))

    def test_results_may_need_more_memory_than_those_before(self):
        with images(batch_size=1).map(functions.growing, processes=2, order="input") as loader:
            for n, batch in enumerate(loader):
                self.assertEqual(batch["image"].tolist(), [[n * (1 + 300_000 * (n % 3 == 0))]])
                self.assertTrue((batch["more"] == n).all())
                self.assertEqual(batch["more"].shape, (1, 200_000 if n // 4 % 2 else 10))

    def test_arrays_of_any_type_shape_and_layout_come_as_they_were(self):
        with images(batch_size=1) as loader:
            plain = {int(batch["index"][0]): batch["image"][0] for batch in copied(loader)}
        with images(batch_size=1, shuffle=True, seed=7).map(functions.varied, processes=2, order="input") as loader:
            for _ in range(12 if CAMPAIGN else 2):
                for batch in loader:
                    index = int(batch["index"][0])
                    numpy.testing.assert_array_equal(batch["image"][0], plain[index])
                    for name, expected in functions.variants(index, plain[index]).items():
                        expected = numpy.asarray(expected)
                        self.assertEqual((batch[name].dtype, batch[name].shape), (expected.dtype.newbyteorder("="), (1, *expected.shape)), (index, name))
                        numpy.testing.assert_array_equal(batch[name][0], expected, f"{index} {name}")

    def test_tensors_of_any_type_and_layout_come_as_they_were(self):
        try:
            import torch
        except ImportError:
            self.skipTest("needs torch")
        with images(batch_size=1) as loader:
            plain = {int(batch["index"][0]): torch.from_numpy(batch["image"][0]) for batch in copied(loader)}
        with images(batch_size=1, shuffle=True, seed=7, arrays="torch").map(functions.tensors_varied, processes=2, order="input") as loader:
            for batch in loader:
                index = int(batch["index"][0])
                for name, expected in functions.tensor_variants(plain[index]).items():
                    self.assertEqual((batch[name].dtype, tuple(batch[name].shape)), (expected.dtype, (1, *expected.shape)), (index, name))
                    self.assertTrue(torch.equal(batch[name][0], expected.detach().resolve_conj()), (index, name))

    def test_what_a_function_writes_to_its_sample_is_in_no_other_sample_or_epoch(self):
        with images() as loader:
            plain = {index: image for batch in copied(loader) for index, image in zip(batch["index"].tolist(), batch["image"])}
        for options in ({"indices": [3, 3, 3, 3, 5, 3, 5, 5, 3, 3]}, {"weights": [1.0] * len(plain), "draws": 40, "seed": 1}, {"shuffle": True, "seed": 2}):
            for function in (functions.darker, functions.darkened):
                with self.subTest(function=function.__name__, **options), images(**options).map(function, processes=3, order="input") as loader:
                    for _ in range(3):
                        for batch in loader:
                            for index, image in zip(batch["index"].tolist(), batch["image"]):
                                numpy.testing.assert_array_equal(image, plain[index] // 2)

    def test_arrays_of_files_are_those_of_the_files_again_whatever_was_written_to_them(self):
        arrays = {name: numpy.arange(n, n + 60_000, dtype="float64").reshape(200, 300) for n, name in enumerate("abcdef")}
        with tempfile.TemporaryDirectory() as folder:
            for name, array in arrays.items():
                numpy.save(os.path.join(folder, f"{name}.npy"), array)
            with jspdl.arrays(folder, batch_size=2, arrays="numpy", timeout=PATIENCE, share=False) as loader:
                field = next(name for name, value in next(iter(loader)).items() if getattr(value, "ndim", 0) == 3)
            self.assertEqual(field, "array")
            with jspdl.arrays(folder, batch_size=2, shuffle=True, seed=3, arrays="numpy", timeout=PATIENCE, share=False).map(
                    functions.raised_by_one, processes=2, order="input") as loader:
                for _ in range(3):
                    seen = sorted(float(array[0, 0]) for batch in loader for array in batch["array"])
                    self.assertEqual(seen, [n + 1.0 for n in range(6)])

    def test_fields_that_are_nothing_for_some_samples_are_lists(self):
        with images(batch_size=8, drop_last=True).map(functions.mixed, processes=2, order="input") as loader:
            for batch in copied(loader):
                for index, two, first, four in zip(batch["index"].tolist(), batch["two"], batch["first"], batch["four"]):
                    for value, kind in ((two, index % 2), (first, (index + 1) % 2), (four, index % 4)):
                        if kind == 1:
                            numpy.testing.assert_array_equal(value, numpy.full(5, index, "int32"))
                        else:
                            self.assertEqual(value, (None, None, index, f"text {index}")[kind])

    def test_large_objects_and_texts_come_whole(self):
        seen = []
        with images(indices=range(3, 12)).map(functions.large, processes=2, order="input") as loader:
            for batch in loader:
                for index, text, data in zip(batch["index"].tolist(), batch["text"], batch["bytes"]):
                    self.assertTrue(text == str(index) * 1_000_000 and data == bytes([index]) * 3_000_000)
                    seen.append(index)
        self.assertEqual(seen, list(range(3, 12)))

    def test_a_state_in_the_middle_of_an_epoch_in_completion_order_repeats_and_loses_no_sample(self):
        for taken in (1, 3):
            with images(shuffle=True, seed=5).map(functions.uneven, processes=3, order="completion") as loader:
                batches = iter(loader)
                before = sum(indices([next(batches) for _ in range(taken)]), [])
                state = loader.state_dict()
            with images(shuffle=True, seed=5, resume_from=state).map(functions.uneven, processes=2, order="completion") as loader:
                self.assertEqual(sorted(before + sum(indices(loader), [])), list(range(sum(len(batch["index"]) for batch in self.plain))))

    def test_each_sample_draws_the_same_in_whichever_process_and_after_a_resume(self):
        def drawn(loader):
            return [(n, one, other) for batch in loader for n, one, other in zip(*(batch[name].tolist() for name in ("index", "random", "numpy")))]
        with images(shuffle=True, seed=5).map(functions.drawn, processes=1, order="input") as loader:
            first, second = drawn(loader), drawn(loader)
        self.assertEqual(len({draw for _, draw, _ in first + second}), 2 * len(first))
        with images(shuffle=True, seed=5).map(functions.drawn, processes=3, order="input") as loader:
            batches = iter(loader)
            taken = drawn([next(batches), next(batches)])
            state = loader.state_dict()
        self.assertEqual(taken, first[:8])
        with images(shuffle=True, seed=5, resume_from=state).map(functions.drawn, processes=2, order="input") as loader:
            self.assertEqual(drawn(loader), first[8:])
            self.assertEqual(drawn(loader), second)
        with images(shuffle=True, seed=5).map(functions.drawn, processes=2, order="input", seed=1) as loader:
            self.assertNotEqual(drawn(loader), first)

    def test_an_epoch_that_was_left_is_over_and_ranks_get_their_parts(self):
        with images(shuffle=True, seed=5).map(functions.same, processes=2, order="input") as loader:
            next(iter(loader))
            self.assertEqual((loader.epoch, len(indices(loader)), loader.epoch), (0, len(self.plain), 2))
        parts = []
        for rank in range(2):
            with images(rank=rank, world_size=2).map(functions.same, processes=1, order="input") as loader:
                parts += sum(indices(loader), [])
        self.assertEqual(sorted(parts), list(range(len(parts))))

    def test_a_state_that_is_loaded_at_once_goes_on_with_the_function_and_one_without_it_is_refused(self):
        with images(shuffle=True, seed=5) as loader:
            next(iter(loader))
            without = loader.state_dict()
        with images(shuffle=True, seed=5).map(functions.darker, processes=1, order="input") as loader:
            next(iter(loader))
            state = loader.state_dict()
        with images(shuffle=True, seed=5).map(functions.darker, processes=1, order="input") as loader:
            loader.load_state_dict(state)
            batches = iter(loader)
            numpy.testing.assert_array_equal(next(batches)["image"], self.plain[1]["image"] // 2)
            self.assertEqual(len(list(batches)), len(self.plain) - 2)
            with self.assertRaisesRegex(jspdl.PlanError, "the recipe has changed"):
                loader.load_state_dict(without)


@unittest.skipIf(numpy is None, "needs numpy")
class Driving(unittest.TestCase):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.file = os.path.join(folder, "file")
        self.enterContext(mock.patch.dict(os.environ, JSPDL_TEST_FILE=self.file))

    def test_in_completion_order_a_slow_sample_keeps_nobody_waiting(self):
        with images(batch_size=1).map(functions.waits_at_0, processes=2, order="completion") as loader:
            batches = iter(loader)
            taken = [next(batches)["index"][0] for _ in range(3)]
            self.assertNotIn(0, taken)
            open(self.file, "wb").close()
            taken += [batch["index"][0] for batch in batches]
            self.assertEqual(sorted(taken), list(range(len(taken))))

    def test_functions_that_wait_hold_back_nothing_but_their_samples_however_many_they_are(self):
        waiting = len(os.sched_getaffinity(0)) + 2      # more than there are carriers of virtual threads
        self.enterContext(mock.patch.dict(os.environ, JSPDL_TEST_WAITING=str(waiting)))
        with images(batch_size=1).map(functions.waits_below, processes=waiting + 1, order="completion") as loader:
            batches = iter(loader)
            taken = [int(next(batches)["index"][0]) for _ in range(8)]
            self.assertGreaterEqual(min(taken), waiting)
            open(self.file, "wb").close()
            taken += [int(batch["index"][0]) for batch in batches]
            self.assertEqual(sorted(taken), list(range(len(taken))))

    def test_functions_are_called_while_the_trainer_does_something_else(self):
        with images(batch_size=2).map(functions.noted, processes=1, order="input") as loader:
            next(iter(loader))
            until = time.monotonic() + PATIENCE
            while self.called() < 4:        # of which the trainer has asked for two
                self.assertLess(time.monotonic(), until)

    def called(self):
        with open(self.file, "rb") as file:
            return len(file.read().split())

    def test_the_report_has_the_function_as_a_stage(self):
        with images().map(functions.same, processes=2, order="input") as loader:
            list(loader)
            self.assertIn("map(same)", [stage["name"] for stage in loader.stats()["stages"]])
            self.assertIn("map(same)", loader.report())

    def test_helpers_are_fresh_processes_that_last_over_epochs(self):
        with images(batch_size=4).map(functions.processes, processes=2, order="input") as loader:
            pids = {int(pid) for _ in range(2) for batch in loader for pid in batch["pid"]}
            said = list(loader)
            threads = {threads for batch in said for threads in batch["threads"]}
            kept = {kept for batch in said for kept in batch["kept"]}
            self.assertLessEqual(len(pids), 2)
            self.assertNotIn(os.getpid(), pids)
            self.assertEqual(threads, {os.environ.get("OMP_NUM_THREADS", "1")})
            self.assertEqual(kept, {os.environ.get("MALLOC_TRIM_THRESHOLD_", str(16 << 20))})
        for pid in pids:
            self.assertTrue(ends(pid))


@unittest.skipIf(numpy is None, "needs numpy")
class Failures(unittest.TestCase):
    def test_an_exception_names_function_and_sample_and_is_the_cause(self):
        with images().map(functions.refused_at_5, processes=2, order="input") as loader:
            batches = iter(loader)
            next(batches)
            for _ in range(2):
                with self.assertRaisesRegex(jspdl.MapError, r"^map\(refused_at_5\) failed at /.*: LookupError: five\n\nIn the helper process \d+:") as caught:
                    next(batches)
                self.assertIsInstance(caught.exception.__cause__, LookupError)
                self.assertEqual(caught.exception.function, "refused_at_5")
                self.assertTrue(os.path.exists(caught.exception.sample_name))

    def test_samples_that_fail_count_as_files_that_do(self):
        for function in (functions.refused_at_5, functions.killed_at_5, functions.exits_at_5, functions.kept_at_5):
            with self.subTest(function=function), images(max_failures=1).map(function, processes=2, order="input") as loader:
                taken = sum(indices(loader), [])
                self.assertEqual(taken, [n for n in range(len(taken) + 1) if n != 5])
                failed, = loader.stats()["failures"]["first"]
                self.assertIn(f"map({function.__name__}) failed at", failed["message"])

    def test_what_became_of_a_helper_is_told(self):
        for function, message in ((functions.killed_at_5, r"its helper process \d+ was killed by SIGKILL"), (functions.exits_at_5, "ended with exit code 3"),
                                  (functions.kept_at_5, "keeps an array of the sample"), (functions.no_fields, "must return a dictionary"),
                                  (functions.too_large, "is no whole number of 64 bits"), (functions.impossible, "pickle")):
            with self.subTest(function=function), images().map(function, processes=1, order="input") as loader:
                with self.assertRaisesRegex(jspdl.MapError, message):
                    list(loader)

    def test_what_a_function_has_kept_makes_no_sample_after_the_failure(self):
        chosen = list(range(6))
        with images(indices=chosen, batch_size=1, max_failures=6).map(functions.beside_first, processes=1, order="input") as loader:
            self.assertEqual(list(loader), [])
            self.assertEqual({failure["message"].split(" failed at ")[0] for failure in loader.stats()["failures"]["first"]}, {"map(beside_first)"})

    def test_a_function_that_writes_behind_its_call_spoils_no_other_sample(self):
        with images(batch_size=1) as loader:
            plain = {int(batch["index"][0]): batch["image"][0] for batch in copied(loader)}
        with images(batch_size=1, max_failures=len(plain)).map(functions.written_later, processes=2, order="input") as loader:
            taken = copied(loader)
        self.assertEqual([int(batch["index"][0]) for batch in taken], [n for n in plain if n % 3])
        for batch in taken:
            numpy.testing.assert_array_equal(batch["image"][0], plain[int(batch["index"][0])])

    def test_a_sample_without_a_field_of_others_is_refused_not_filled_up(self):
        with images().map(functions.sometimes, processes=1, order="input") as loader, self.assertRaisesRegex(jspdl.JspdlError, "field 'more'"):
            list(loader)

    def test_a_function_is_called_once_for_a_sample_whatever_is_tried_again_before(self):
        for before, after in (({"max-attempts": 3, "backoff": "1s"}, "fail-fast"), ({"max-attempts": 2, "max-failures": 5}, {"max-failures": 5}),
                              ("fail-fast", "fail-fast"), (None, "fail-fast")):
            plan = {"steps": [{"load-image": {}, **({"failure": before} if before else {})}, {"batch": {"size": 2}}, {"collate": {}}]}
            steps = json.loads(_before_batches.with_step(json.dumps(plan), "change", 1, "input"))["steps"]
            self.assertEqual([step["failure"] for step in steps if "call-function" in step], [after])

    def test_results_that_the_trainer_cannot_read_are_told(self):
        with images().map(functions.unreadable_at_5, processes=1, order="input") as loader:
            batches = iter(loader)
            next(batches)
            with self.assertRaisesRegex(jspdl.MapError, "cannot be read in this process: ImportError: no such module there"):
                next(batches)
            self.assertEqual(next(batches)["index"].tolist(), [8, 9, 10, 11])

    def test_answers_that_are_of_no_call_are_not_taken_for_those_of_others(self):
        with images(shuffle=True, seed=5) as loader:
            plain = copied(loader)
        with images(shuffle=True, seed=5).map(functions.forked, processes=2, order="input") as loader:
            for batch, before in zip(loader, plain):
                numpy.testing.assert_array_equal(batch["image"], before["image"])
                self.assertEqual(batch["index"].tolist(), before["index"].tolist())
        with images(max_failures=1).map(functions.written, processes=2, order="input") as loader:
            taken = copied(loader)
            failed, = loader.stats()["failures"]["first"]
            self.assertIn("answered call 0 in place of", failed["message"])
        images_of = {n: image for batch in plain for n, image in zip(batch["index"].tolist(), batch["image"])}
        for batch in taken:
            for n, image in zip(batch["index"].tolist(), batch["image"]):
                numpy.testing.assert_array_equal(image, images_of[n])

    def test_a_fork_that_a_function_lets_return_writes_nothing_whenever_that_is(self):
        late, returns = os.pipe()
        forks = []

        def forked(sample):
            forks.append(os.fork())
            if forks[-1] == 0:
                os.read(late, 1)
                return {"number": 99}
            return {"number": 7}

        memory = mmap.mmap(-1, 1 << 16)
        samples = _samples.Samples(memory, None)
        call = _samples.CALLED.pack(1, 5, 4096, 64, len(b'{"d":{}}'), 0) + b'{"d":{}}'
        kind, said = samples.serve(Work(forked, "map", True, None, "numpy", 0, 0), call)
        self.assertEqual((kind, json.loads(said[16:])), (_samples.RESULT, [["number", "array", "INT64", [], 4096]]))
        os.write(returns, b".")
        self.assertEqual(os.waitpid(forks[0], 0)[1], 0)
        self.assertEqual(memory[4096:4104], (7).to_bytes(8, "little"))
        for file in (late, returns):
            os.close(file)

    def test_results_that_do_not_fit_together_are_named(self):
        with images().map(functions.ragged, processes=1, order="input") as loader:
            with self.assertRaisesRegex(jspdl.JspdlError, "field 'image': sample 0 is UINT8"):
                list(loader)

    def test_a_function_that_helpers_cannot_load_fails_once_and_for_all(self):
        with images().map(functions.Unloadable(), processes=2, order="input") as loader:
            with self.assertRaisesRegex(jspdl.MapError, "the function cannot be loaded in a helper process: ImportError: no such module here"):
                list(loader)

    def test_what_does_not_go_together_is_refused(self):
        with images() as loader:
            for options, message in (({"threads": 2}, "threads= does not go with order="), ({"processes": 1, "collate": list}, "collate= does not go with order="),
                                     ({}, "processes must be a whole number"), ({"processes": 0}, "processes must be a whole number"),
                                     ({"processes": 1, "order": "random"}, "order must be one of input, completion")):
                with self.subTest(options=options), self.assertRaisesRegex(jspdl.PlanError, message):
                    loader.map(functions.same, **{"order": "input", **options})
            next(iter(loader))
            with self.assertRaisesRegex(jspdl.PlanError, "before the first batch is taken"):
                loader.map(functions.same, processes=1, order="input")
        with load(filled(3)) as loader, self.assertRaisesRegex(jspdl.PlanError, "this plan has no step 'batch' here"):
            loader.map(functions.same, processes=1, order="input")
        with images().map(functions.same, threads=1) as loader, self.assertRaisesRegex(jspdl.PlanError, "give order= to the map of the loader itself"):
            loader.map(functions.same, processes=1, order="input")
        with tempfile.TemporaryDirectory() as folder, images(record=folder) as loader, self.assertRaisesRegex(jspdl.PlanError, "record= does not go"):
            loader.map(functions.same, processes=1, order="input")


@unittest.skipIf(numpy is None, "needs numpy")
class Ends(unittest.TestCase):
    def tearDown(self):
        self.assertEqual(shared_files(), [])

    def test_a_killed_trainer_or_loader_leaves_no_helper_busy_or_idle(self):
        for function in ("processes", "slept"):
            for victim in ("trainer", "loader"):
                with self.subTest(function=function, victim=victim), trainer(f"""
                        import test_before_batches, sample_functions
                        loader = test_before_batches.images().map(sample_functions.{function}, processes=2, order="input")
                        batches = iter(loader)
                        loader._poll(loader._iteration)
                        pid = loader._process.pid
                        while len(helpers := support_children(pid)) < 2:
                            pass
                        print(pid, *helpers, flush=True)
                        signal.pause()""".replace("\n                        ", "\n")) as process:
                    loader, *helpers = map(int, process.stdout.readline().split())
                    if victim == "trainer":
                        process.kill()
                        process.wait()
                    else:
                        os.kill(loader, signal.SIGKILL)
                    for pid in (loader, *helpers):
                        self.assertTrue(ends(pid), f"process {pid} goes on")

    def test_ctrl_c_is_the_trainers(self):
        with trainer("""
                import test_before_batches, sample_functions
                loader = test_before_batches.images().map(sample_functions.same, processes=2, order="input")
                expected = test_before_batches.indices(loader)
                begun = False
                try:
                    while True:
                        for batch in loader:
                            if not begun:       # inside of the block that catches what comes next
                                print("inside", flush=True)
                                begun = True
                except KeyboardInterrupt:
                    print("caught", flush=True)
                print(test_before_batches.indices(loader) == expected, flush=True)""".replace("\n                ", "\n"), start_new_session=True) as process:
            self.assertEqual(process.stdout.readline(), "inside\n", process.poll())
            os.killpg(process.pid, signal.SIGINT)
            self.assertEqual(process.stdout.read(), "caught\nTrue\n")
            self.assertEqual(process.wait(PATIENCE), 0)


if __name__ == "__main__":
    unittest.main()
