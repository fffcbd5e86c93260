"""Samples picked by their numbers, and drawn by weights: order, ranks, states, files and refusals."""
import os
import signal
import tempfile
import unittest
from unittest import mock

import jspdl
import mapped_functions as functions
from jspdl import _orders, _share
from support import ARRAYS, IMAGES, PATIENCE, numpy, trainer

SOME = [7, 0, 3, 3, 19, 11, 2, 5, 13]


def squares(size=20, **options):
    return jspdl.from_dataset(functions.Squares(size, None), **{"batch_size": 2, "arrays": "numpy", "threads": 1, "timeout": PATIENCE, **options})


def indices(loader):
    return [int(index) for batch in loader for index in batch["index"]]


class OfNumbers(unittest.TestCase):
    def setUp(self):
        if numpy is None:
            self.skipTest("needs numpy")
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        os.chmod(self.folder.name, 0o700)
        patch = mock.patch.dict(os.environ, XDG_RUNTIME_DIR=self.folder.name)
        patch.start()
        self.addCleanup(patch.stop)

    def files(self):
        folder = os.path.join(self.folder.name, "jspdl", "orders")
        return os.listdir(folder) if os.path.isdir(folder) else []

    def test_listed_samples_come_in_their_order_in_every_epoch(self):
        for values in (SOME, tuple(SOME), numpy.array(SOME), numpy.array(SOME, numpy.uint8)):
            with squares(indices=values) as loader:
                self.assertEqual((len(loader), indices(loader), indices(loader)), (5, SOME, SOME))
        with squares(indices=range(5, 20, 3)) as loader:
            self.assertEqual(indices(loader), [5, 8, 11, 14, 17])

    def test_a_file_says_the_same_as_an_array(self):
        for name, write in (("some.npy", lambda path: numpy.save(path, SOME)), ("some.txt", lambda path: numpy.savetxt(path, SOME, "%d"))):
            path = os.path.join(self.folder.name, name)
            write(path)
            with squares(indices=path) as loader:
                self.assertEqual(indices(loader), SOME)

    def test_tensors_of_pytorch_are_taken(self):
        from support import torch
        if torch is None:
            self.skipTest("needs torch")
        with squares(indices=torch.tensor(SOME)) as loader:
            self.assertEqual(indices(loader), SOME)

    def test_shuffled_ones_come_in_another_order_in_each_epoch(self):
        with squares(indices=SOME, shuffle=True, seed=4) as loader:
            first, second = indices(loader), indices(loader)
        self.assertEqual((sorted(first), sorted(second)), (sorted(SOME), sorted(SOME)))
        self.assertNotEqual(first, second)

    def test_two_dimensions_are_an_order_for_each_epoch(self):
        epochs = [[0, 1, 2], [5, 5, 5], [9, 8, 7]]
        for values in (epochs, numpy.array(epochs)):
            with squares(indices=values) as loader:
                self.assertEqual([indices(loader) for _ in range(4)], [*epochs, epochs[0]])

    def test_weights_draw_in_proportion_by_seed_and_epoch_alone(self):
        weights = [1, 0, 3, 0.5, 12, 2.5, 0, 1]
        with squares(8, weights=weights, draws=8000, seed=3, batch_size=100) as loader:
            first, second = indices(loader), indices(loader)
        self.assertNotEqual(first, second)
        for drawn in (first, second):
            self.assertEqual(len(drawn), 8000)
            expected = [8000 * weight / 20 for weight in weights]
            self.assertEqual([n for n in (1, 6) if n in drawn], [])
            square = sum((drawn.count(n) - expected[n]) ** 2 / expected[n] for n in range(8) if expected[n])
            self.assertLess(square, 20.5)     # chi-square with 5 degrees of freedom: 1 in 1,000
        with squares(8, weights=numpy.array(weights), draws=8000, seed=3, batch_size=100) as loader:
            self.assertEqual(indices(loader), first)

    def test_without_replacement_nothing_comes_twice(self):
        weights = [n % 3 for n in range(20)]
        with squares(weights=weights, replacement=False, seed=1) as loader:
            self.assertEqual(sorted(indices(loader)), [n for n in range(20) if n % 3])
        with squares(weights=weights, replacement=False, draws=4, seed=1) as loader:
            self.assertEqual(len(set(indices(loader))), 4)

    def test_each_place_of_each_order_is_resumed_exactly(self):
        for order in ({"indices": SOME, "shuffle": True}, {"indices": [SOME, SOME[::-1]]}, {"weights": list(range(20)), "draws": 9},
                      {"weights": list(range(20)), "draws": 9, "replacement": False}):
            with self.subTest(order=order), squares(seed=5, **order) as loader:
                states, seen = [loader.state_dict()], []
                for batch in loader:
                    seen += batch["index"].tolist()
                    states.append(loader.state_dict())
                second = indices(loader)
                for taken, state in zip((0, 2, 4, 6, 8), states):
                    loader.load_state_dict(state)
                    self.assertEqual(indices(loader), seen[taken:], taken)
                self.assertEqual(indices(loader), second)

    def test_ranks_are_dealt_one_order_and_another_number_takes_over(self):
        order = {"weights": list(range(20)), "draws": 12, "seed": 9, "batch_size": 1}
        with squares(**order) as loader:
            whole = indices(loader)
        states, taken = [], []
        for rank in range(2):
            with squares(rank=rank, world_size=2, **order) as loader:
                batches = iter(loader)
                taken.append([int(next(batches)["index"][0]) for _ in range(2)])
                states.append(loader.state_dict())
        self.assertEqual([taken[0][0], taken[1][0], taken[0][1], taken[1][1]], whole[:4])
        rest = []
        for rank in range(4):
            with squares(rank=rank, world_size=4, resume_from=states, **order) as loader:
                rest += indices(loader)
        self.assertEqual(sorted(rest), sorted(whole[4:]))

    def test_a_curriculum_has_small_values_first_over_epochs_and_ranks(self):
        values = numpy.arange(20)[::-1]
        rising = {"values": values, "from": 4, "over": 40}
        with squares(curriculum=rising, seed=3) as loader:
            epochs = [indices(loader) for _ in range(3)]
        for epoch, seen in enumerate(epochs):
            self.assertEqual(sorted(seen), list(range(20)))
            left = sorted(values)
            for place, index in enumerate(seen):
                self.assertLessEqual(values[index], max(4 + 15 * min(1, (20 * epoch + place) / 40), left[0]))
                left.remove(values[index])
        self.assertLess(max(values[index] for index in epochs[0][:4]), 7)
        dealt = [[], []]
        for rank in range(2):
            with squares(curriculum=rising, seed=3, rank=rank, world_size=2, batch_size=1) as loader:
                dealt[rank] = indices(loader)
        self.assertEqual([index for pair in zip(*dealt) for index in pair], epochs[0])
        for wrong, reason in (({"values": values, "over": 3}, "must be a dictionary"), ({**rising, "to": 1}, "must not fall"),
                              ({**rising, "from": "low"}, "finite number"), ({**rising, "values": [1, float("nan")]}, "finite numbers but number 1"),
                              ({**rising, "values": [1, 2]}, "2 values but 20 samples"), (4, "must be a dictionary")):
            with self.subTest(wrong=wrong), self.assertRaisesRegex(jspdl.JspdlError, reason), squares(curriculum=wrong) as loader:
                indices(loader)
        with self.assertRaisesRegex(jspdl.PlanError, "cannot be had with indices="):
            squares(curriculum=rising, indices=[1])

    def test_another_order_is_no_place_to_resume_at(self):
        with squares(indices=SOME) as loader:
            next(iter(loader))
            state = loader.state_dict()
        with squares(indices=SOME[::-1]) as loader:
            with self.assertRaisesRegex(jspdl.PlanError, "has changed"):
                loader.load_state_dict(state)

    def test_trainers_that_share_a_loader_say_the_same_of_equal_orders(self):
        name = f"orders-{os.getpid()}/a"
        with squares(indices=numpy.array(SOME), share=name) as one, squares(indices=list(SOME), share=name) as other:
            self.assertEqual((indices(one), indices(other)), (SOME, SOME))
            with self.assertRaisesRegex(jspdl.PlanError, "options|differ|other"):
                squares(indices=SOME[:4], share=name)

    def test_files_go_with_their_last_loader(self):
        one, other = squares(indices=SOME), squares(indices=SOME)
        self.assertEqual(len(self.files()), 1)
        one.close()
        self.assertEqual((len(self.files()), indices(other)), (1, SOME))
        other.close()
        other.close()
        self.assertEqual(self.files(), [])

    def test_files_of_a_loader_that_nobody_closed_go_with_it(self):
        loader = squares(indices=SOME)
        self.assertEqual(len(self.files()), 1)
        del loader
        self.assertEqual(self.files(), [])

    def test_files_of_a_killed_trainer_are_removed_by_the_next(self):
        with trainer("""
                import mapped_functions
                loader = jspdl.from_dataset(mapped_functions.Squares(9, None), indices=[4, 2], threads=1, batch_size=1)
                print(len(loader), flush=True)
                signal.pause()
                """) as process:
            self.assertEqual(process.stdout.readline(), "2\n")
            self.assertEqual(len(self.files()), 1)
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        with squares(indices=SOME) as loader:
            self.assertEqual(len(self.files()), 1)
            self.assertEqual(indices(loader), SOME)

    def test_what_cannot_be_visited_is_refused_by_name(self):
        for options, reason in (
                ({"indices": []}, "indices is empty"), ({"indices": [3, -1]}, "must not be negative but number 1 is -1"),
                ({"indices": [0.5]}, "whole numbers .* but are float64"), ({"indices": numpy.array([True, False])}, "numpy.flatnonzero"),
                ({"indices": numpy.zeros((2, 2, 2), int)}, r"but are int64 \[2, 2, 2\]"), ({"indices": lambda epoch: [epoch]}, "not a function"),
                ({"indices": {3, 4}}, "a list, a range or an array"), ({"indices": [True, 3]}, "some of these are True or False"),
                ({"indices": numpy.ma.masked_array([1, 2], [0, 1])}, "must not be masked"), ({"weights": [1.5, True]}, "some of these are True"), ({"indices": "none.npy"}, "there is no file at"),
                ({"indices": [[1, 2], [3]]}, "equally"), ({"indices": [[1], [2]], "shuffle": True}, "shuffle=True does not go with indices="),
                ({"weights": [1, -2]}, "number 1 is -2.0"), ({"weights": [1, float("nan")]}, "number 1 is nan"), ({"weights": [0, 0]}, "must not all be 0"),
                ({"weights": ["a"]}, "must be numbers"), ({"weights": [1], "shuffle": True}, "shuffle=True does not go with weights="),
                ({"weights": [1], "draws": 0}, "draws must be a whole number of at least 1"), ({"draws": 3}, "go with weights="),
                ({"weights": [1], "replacement": 1}, "replacement must be True or False"), ({"weights": [1], "indices": [1]}, "at once")):
            with self.subTest(options=options), self.assertRaisesRegex(jspdl.PlanError, reason):
                squares(**options)
        for options, reason in (({"indices": [3, 20]}, "index 20 at place 1 is beyond the dataset, which has 20 samples"),
                                ({"weights": [1] * 19}, "19 weights but 20 samples")):
            with self.subTest(options=options), self.assertRaisesRegex(jspdl.PlanError, reason):
                with squares(**options) as loader:
                    len(loader)
        for make in (lambda: jspdl.shards("a.tar", indices=[1]), lambda: jspdl.text("a.txt", length=4, weights=[1])):
            with self.assertRaisesRegex(jspdl.OptionError, "read one behind the other"):
                make()
        with self.assertRaisesRegex(jspdl.PlanError, "do not go with service="):
            jspdl.images(IMAGES, indices=[1], service="http://decoder:1")
        with self.assertRaisesRegex(jspdl.PlanError, "indices= needs a dataset with __len__"):
            jspdl.from_dataset(iter_only(), indices=[1])


def iter_only():
    class Stream:
        def __iter__(self):
            return iter(())
    return Stream()


class OfFiles(unittest.TestCase):
    def test_images_and_files_are_picked_and_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in "abcde":
                os.makedirs(f"{folder}/{name}")
                os.symlink(f"{IMAGES}/444-121x87.jpg", f"{folder}/{name}/1.jpg")
            options = {"size": 8, "batch_size": 2, "arrays": ARRAYS, "timeout": PATIENCE}
            with jspdl.images(folder, indices=[3, 1, 4], **options) as loader:
                batches = [(list(batch["index"]), list(batch["label"]), len(batch["image"])) for batch in loader]
                self.assertEqual((len(loader), batches), (2, [([3, 1], [3, 1], 2), ([4], [4], 1)]))
            with jspdl.images(folder, weights=[0, 0, 1, 0, 0], draws=7, **options) as loader:
                self.assertEqual([int(label) for batch in loader for label in batch["label"]], [2] * 7)

    def test_labels_come_from_a_file_and_match_the_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(f"{folder}/data")
            for name in "abc":
                os.symlink(f"{IMAGES}/444-121x87.jpg", f"{folder}/data/{name}.jpg")
            labels = f"{folder}/labels.json"
            for content, reason in (('{"a.jpg": "x", "c.jpg": "y", "b.jpg": "y"}', None), ('{"a.jpg": "x"}', "none for 2 of the 3 files .*'b.jpg'")):
                with open(labels, "w", encoding="utf-8") as file:
                    file.write(content)
                for make in (jspdl.images, jspdl.video):
                    with make(f"{folder}/data", labels=labels, arrays=ARRAYS, timeout=PATIENCE) as loader:
                        if reason:
                            with self.assertRaisesRegex(jspdl.PlanError, reason):
                                len(loader)
                        else:
                            self.assertEqual(loader.classes, ["x", "y"])
                            if make is jspdl.images:
                                self.assertEqual([int(label) for batch in loader for label in batch["label"]], [0, 1, 1])
        for options in ({"glob": "*"}, {"labels": "none.csv"}):
            with self.assertRaises(jspdl.PlanError):
                jspdl.video(IMAGES, **{"labels": __file__, **options})

    def test_lists_are_written_without_numpy_as_with_it(self):
        with mock.patch.object(_orders, "as_numpy", lambda values: None):
            self.assertEqual(_orders.index_rows([3, 1])[1:], ("<i8", (2,)))
            self.assertEqual(_orders.index_rows([[3, 1], [2, 2]])[1:], ("<i8", (2, 2)))
            self.assertEqual(_orders.weight_row([1, 0.5])[1:], ("<f8", (2,)))
            for values, reason in (([True], "whole numbers from 0 but number 0 is True"), ([[1], [1, 2]], "equally many"), ([], "is empty"), ([1, -1], "number 1 is -1")):
                with self.assertRaisesRegex(jspdl.PlanError, reason):
                    _orders.index_rows(values)
            for values, reason in (([1, "a"], "must be numbers"), ([1, -1], "number 1 is -1.0"), ([0], "all be 0")):
                with self.assertRaisesRegex(jspdl.PlanError, reason):
                    _orders.weight_row(values)

    def test_a_file_half_written_by_somebody_killed_is_written_anew(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(_share, "folder", lambda wanted: folder):
            content = _orders.npy(*_orders.index_rows([1, 2, 3]))
            kept = _orders.OrderFile(content)
            path = kept.path
            del kept
            self.assertFalse(os.path.exists(path))
            with open(path, "wb") as file:
                file.write(content[:20])
            kept = _orders.OrderFile(content)
            with open(kept.path, "rb") as file:
                self.assertEqual(file.read(), content)
            child = os.fork()
            if not child:
                kept.close()
                os._exit(0)
            os.waitpid(child, 0)
            self.assertTrue(os.path.exists(path))
            self.assertEqual(_orders.OrderFile(content).path, path)     # used by two at once, the second of which is gone again
            self.assertTrue(os.path.exists(path))
            kept.close()
            self.assertFalse(os.path.exists(path))


if __name__ == "__main__":
    unittest.main()
