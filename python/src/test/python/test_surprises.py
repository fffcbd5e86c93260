"""What users of PyTorch try that could give other data than they mean, silently: refused, or done as meant."""
import types
import unittest
from unittest import mock

import jspdl
from jspdl import _options, _pixels, _place, _plans, _ranks, _stacking, _work
from support import ARRAYS, IMAGES, PATIENCE, filled, load, numpy, steps


class Options(unittest.TestCase):
    def test_true_and_false_of_python_and_numpy_are_taken_and_what_is_merely_true_is_refused(self):
        given = [(True, True), (False, False), (None, False), (1, True), (0, False)]
        given += [(numpy.bool_(True), True), (numpy.bool_(False), False)] if numpy is not None else []
        for value, meant in given:
            self.assertIs(_options.flag("shuffle", value), meant)
        for value in ("False", "", 1000, -1, 0.0, [], [True]):
            for make in (lambda **options: jspdl.images(IMAGES, **options), lambda **options: jspdl.arrays(IMAGES, **options),
                         lambda **options: jspdl.shards("a-*.tar", **options), lambda **options: jspdl.text(__file__, length=4, **options),
                         lambda **options: jspdl.from_dataset([1, 2], **options)):
                for name in ("shuffle", "drop_last"):
                    with self.assertRaisesRegex(jspdl.PlanError, f"^{name} must be True or False but was "):
                        make(**{name: value})

    def test_numbers_of_numpy_are_taken_for_those_of_python(self):
        if numpy is None:
            self.skipTest("needs numpy")
        said = {"size": 8, "resize": None, "random_crop": False, "random_resized_crop": False, "color_jitter": None, "dtype": "float32",
                "interpolation": "bilinear"}
        mean, std = numpy.array([0.5, 0.25, 0.75], numpy.float32), (numpy.float64(0.5), numpy.float32(0.25), 1)
        found = _pixels.parameters(flip=numpy.float32(0.5), grayscale=numpy.int64(0), mean=mean, std=std, **said)
        self.assertEqual((found["flip"], found["mean"], found["std"]), (0.5, [0.5, 0.25, 0.75], [0.5, 0.25, 1]))
        self.assertEqual({type(value) for value in (found["flip"], *found["mean"], *found["std"])}, {float, int})
        for value in (numpy.array([0.5, 0.25]), numpy.full(3, numpy.nan), numpy.array(["a"] * 3)):
            with self.assertRaisesRegex(jspdl.PlanError, "std|must be"):
                _pixels.parameters(flip=0, grayscale=0, mean=mean, std=value, **said)

    def test_memory_is_pinned_where_there_are_tensors_and_refused_elsewhere(self):
        with self.assertRaisesRegex(jspdl.PlanError, "pin_memory=True is for tensors, and arrays='memoryview' gives none"):
            load(filled(3), arrays="memoryview", pin_memory=True)
        with self.assertRaisesRegex(jspdl.PlanError, "what functions and datasets return is ordinary memory"):
            jspdl.from_dataset([1, 2], pin_memory=True)

    def test_the_state_of_a_dataset_without_positions_is_no_state_of_a_loader_with_them(self):
        state = {"jspdl_state": 1, "epoch": 0, "batches": 3, "streams": 2}
        with self.assertRaisesRegex(jspdl.PlanError, "state of a dataset that can only be iterated over"):
            load(filled(3), resume_from=state)


def distributed(rank, size):
    """torch.distributed as a program has begun it, or not."""
    return mock.patch.dict("sys.modules", {"torch.distributed": types.SimpleNamespace(
        is_available=lambda: True, is_initialized=lambda: size > 0, get_rank=lambda: rank, get_world_size=lambda: size)})


class Ranks(unittest.TestCase):
    def test_a_program_that_has_begun_torch_distributed_without_torchrun_loads_its_rank_s_part(self):
        with distributed(3, 4):
            self.assertEqual(_plans.ranks(None, None, {}), (3, 4))
            self.assertEqual(_plans.ranks(None, None, {"RANK": "3", "WORLD_SIZE": "4"}), (3, 4))
            self.assertEqual(_plans.ranks(0, 1, {}), (0, 1))
        with distributed(3, 0):
            self.assertEqual(_plans.ranks(None, None, {}), (0, 1))
        with mock.patch.dict("sys.modules", {"torch.distributed": types.SimpleNamespace(is_available=lambda: False)}):
            self.assertIsNone(_ranks.of_torch())

    def test_an_environment_that_counts_nodes_where_torch_distributed_counts_processes_is_refused(self):
        for environment in ({"RANK": "0", "WORLD_SIZE": "2"}, {"WORLD_SIZE": "1"}):
            with distributed(3, 4), self.assertRaisesRegex(jspdl.PlanError, "torch.distributed says rank 3 of 4: give rank= and world_size="):
                _plans.ranks(None, None, environment)

    def test_a_loader_made_before_torch_distributed_was_begun_is_refused_at_its_first_batch(self):
        plan = steps(10, {"batch": 5})
        for make in (lambda **given: load(plan, **given), lambda **given: jspdl.from_dataset(Counted(), arrays=ARRAYS, batch_size=5, timeout=PATIENCE, **given)):
            with self.subTest(make=make), make() as loader, make(rank=0, world_size=1) as given:
                with distributed(1, 2):
                    for _ in range(2):
                        with self.assertRaisesRegex(jspdl.PlanError, "this loader was made for rank 0 of 1 and torch.distributed says rank 1 of 2"):
                            next(iter(loader))
                    self.assertEqual(next(iter(given))[0], 0)
                self.assertEqual(next(iter(loader))[0], 0)


class Counted:
    """It can only be iterated over, though it has a length."""

    def __iter__(self):
        return iter(range(10))

    def __len__(self):
        return 10


class Results(unittest.TestCase):
    def test_results_of_different_kinds_are_refused_whichever_comes_first(self):
        for values in ([None, {"a": 1}], [{"a": 1}, None], ["x", (1, 2)], [(1, 2), "x"], [1, [1]], [[1], 1]):
            with self.subTest(values=values), self.assertRaisesRegex(ValueError, "results must (be of one kind|have the same)"):
                _stacking.collate(values, lambda rows: _stacking.stack(rows, "memoryview"))
        for values in ([None, "x"], ["x", None], [None, None]):
            self.assertEqual(_stacking.collate(values, list), values)

    @unittest.skipIf(numpy is None, "needs numpy")
    def test_matrices_are_stacked_as_arrays_are_in_threads_as_in_processes(self):
        matrices = [numpy.matrix([[n, n + 1]]) for n in range(3)]
        for kind in ("numpy", "memoryview"):
            stacked = _stacking.stack(matrices, kind)
            self.assertEqual((type(stacked), stacked.tolist()), (numpy.ndarray, [[[n, n + 1]] for n in range(3)]))

    def test_results_of_two_libraries_are_named_by_them(self):
        try:
            import torch
        except ImportError:
            self.skipTest("needs torch")
        with self.assertRaisesRegex(ValueError, r"sample 0 is float32 \[2\] of torch, sample 1 is float32 \[2\] of numpy"):
            _stacking.stack([torch.ones(2), numpy.ones(2, "float32")], "torch")

    def test_numbers_of_python_and_numpy_are_stacked_whichever_comes_first_and_arrays_beside_them_are_refused(self):
        if numpy is None:
            self.skipTest("needs numpy")
        for values, element in (([numpy.float32(0.5), 1.5], "float64"), ([2, numpy.int32(3)], "int64"), ([numpy.int64(3), 2], "int64"), ([True, numpy.bool_(False)], "bool")):
            stacked = _stacking.stack(values, "numpy")
            self.assertEqual((stacked.dtype.name, stacked.tolist()), (element, [value if isinstance(value, (int, float)) else value.item() for value in values]))
        for values in ([1.0, numpy.array([2.0])], [numpy.array([2.0]), 1.0], [numpy.ones(2), 1]):
            for stack in (_stacking.stack, _place.stack):
                with self.subTest(values=values, stack=stack), self.assertRaisesRegex(ValueError, "results cannot be stacked: sample 0 is"):
                    stack(values, "numpy")

    def test_batches_that_functions_of_the_user_s_have_made_consist_of_samples_only_if_they_say_so(self):
        matrix = memoryview(bytes(6)).cast("B", (2, 3))
        for batch in ((matrix, matrix), {"pair": (matrix, matrix)}, {"fields": {"a": matrix}}, {}, "text", 3):
            with self.subTest(batch=batch), self.assertRaisesRegex(jspdl.PlanError, "does not consist of samples.*use map_batches"):
                _work.rows(batch, False)
        self.assertEqual(list(_work.rows({"a": [1, 2], "b": ["x", None]}, False)), [{"a": 1, "b": "x"}, {"a": 2, "b": None}])
        for samples in ([(1, "a"), (2, "b")], [[1, "a"], [2, "b"]], [{"a": (1, ["x", {"b": 3}]), "none": {}}, {"a": (2, ["y", {"b": 4}]), "none": {}}]):
            batch = _stacking.collate(samples, list)
            self.assertEqual(list(_work.rows(batch, True)), samples)

    def test_types_that_cannot_be_made_of_what_they_become_are_plain_ones(self):
        class Fixed(tuple):
            def __new__(cls, one):
                return super().__new__(cls, (one, one))

        class Counting(dict):
            def __init__(self, fields):
                super().__init__({name: 0 for name in fields})

        for samples, batch in (([Fixed(1), Fixed(2)], ([1, 2], [1, 2])), ([Counting("ab")] * 2, {"a": [0, 0], "b": [0, 0]})):
            made = _stacking.collate(samples, list)
            self.assertEqual((made, type(made)), (batch, type(batch)))

    def test_an_array_that_comes_several_times_is_placed_once_and_equal_ones_each(self):
        if numpy is None:
            self.skipTest("needs numpy")
        one, other = numpy.arange(3), numpy.arange(3)
        data, placed, size = _place.pickled({"many": [one, other, one] * 2_000})
        self.assertEqual(([value is one for value, _ in placed], size), ([True, False], 2 * _place.ALIGNMENT))
        memory = memoryview(bytearray(size))
        _place.fill(memory, placed)
        self.assertTrue(all(array.tolist() == [0, 1, 2] for array in _place.Unplacer(data, memory).load()["many"]))


if __name__ == "__main__":
    unittest.main()
