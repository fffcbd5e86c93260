"""Datasets of the user's as sources: order, ranks, states and failures."""
import os
import signal
import unittest

import jspdl
import late_functions
import mapped_functions as functions
from support import PATIENCE, numpy

BOTH = ({"threads": 2}, {"processes": 2})


def squares(size=23, broken=None, **options):
    options = {"batch_size": 4, "arrays": "numpy", "timeout": PATIENCE, **options}
    return jspdl.from_dataset(functions.Squares(size, broken), **options)


def indices(loader):
    return [index for batch in loader for index in batch["index"].tolist()]


class Datasets(unittest.TestCase):
    def setUp(self):
        if numpy is None:
            self.skipTest("needs numpy")

    def test_items_come_in_batches_in_their_order(self):
        for workers in BOTH:
            with self.subTest(workers=workers), squares(**workers) as loader:
                batches = list(loader)
                self.assertEqual((len(loader), [len(batch["name"]) for batch in batches]), (6, [4, 4, 4, 4, 4, 3]))
                self.assertEqual(sum((batch["name"] for batch in batches), []), [f"item {n}" for n in range(23)])
                self.assertEqual((batches[1]["square"].shape, batches[1]["square"].dtype), ((4, 2, 3), numpy.float32))
                self.assertEqual(batches[5]["square"][2, 1].tolist(), [484.0] * 3)
            self.assertRegex(repr(loader), r"^<jspdl.from_dataset\(<.*Squares.*>, .*batch_size=4.*\): closed")

    def test_each_epoch_is_shuffled_anew_and_resumes_exactly(self):
        with squares(shuffle=True, seed=5, drop_last=True, processes=1) as loader:
            first, second = indices(loader), indices(loader)
            self.assertEqual((len(first), len(set(first))), (20, 20))
            self.assertNotEqual(first, second)
        with squares(shuffle=True, seed=5, drop_last=True, threads=1) as loader:
            batches = iter(loader)
            taken = [next(batches)["index"].tolist() for _ in range(2)]
            state = loader.state_dict()
        self.assertEqual(sum(taken, []), first[:8])
        with squares(shuffle=True, seed=5, drop_last=True, threads=2, resume_from=state) as loader:
            self.assertEqual((indices(loader), indices(loader)), (first[8:], second))
        with squares(size=24, shuffle=True, seed=5, drop_last=True, threads=1) as loader:
            with self.assertRaisesRegex(jspdl.PlanError, "recipe has changed"):
                loader.load_state_dict(state)

    def test_ranks_share_the_items_and_another_number_of_them_takes_over(self):
        taken, states = [], []
        for rank in range(2):
            with squares(size=40, shuffle=True, batch_size=1, threads=1, rank=rank, world_size=2) as loader:
                taken += [batch["index"].tolist()[0] for _, batch in zip(range(4 + 3 * rank), loader)]
                states.append(loader.state_dict())
        for rank in range(3):
            with squares(size=40, shuffle=True, batch_size=1, threads=1, rank=rank, world_size=3, resume_from=states) as loader:
                taken += indices(loader)
        self.assertEqual(sorted(taken), sorted(set(taken)))
        self.assertGreaterEqual(len(taken), 38)

    def test_a_dataset_in_processes_that_counts_epochs_is_told_them_before_its_items_are_asked_for(self):
        options = {"batch_size": 2, "processes": 2, "arrays": "numpy", "timeout": PATIENCE}
        with jspdl.from_dataset(functions.Told(), **options) as loader:
            for epoch in range(3):
                self.assertEqual([each for batch in loader for each in batch["epoch"]], [epoch] * 5)
                state = loader.state_dict()
        with jspdl.from_dataset(functions.Told(), **options, resume_from=state) as loader:
            self.assertEqual([batch["epoch"].tolist() for batch in loader], [[3, 3], [3, 3], [3]])

    def test_what_a_dataset_imports_as_it_is_called_is_seeded_before_it_draws(self):
        def drawn(processes):
            with jspdl.from_dataset(late_functions.Drawn(), batch_size=1, processes=processes, arrays="memoryview", timeout=PATIENCE) as loader:
                return [(index[0], number[0]) for index, number in loader]

        one = drawn(1)
        self.assertEqual([index for index, _ in one], list(range(8)))
        self.assertEqual(len({number for _, number in one}), 8)
        self.assertEqual(drawn(3), one)

    def test_an_item_that_fails_is_named_by_its_index(self):
        for workers in BOTH:
            with self.subTest(workers=workers), squares(broken=6, **workers) as loader:
                batches = iter(loader)
                next(batches)
                with self.assertRaisesRegex(jspdl.MapError, r"^from_dataset\(Squares\) failed at item 6, sample 2 of batch 1 of epoch 0: Refused") as caught:
                    next(batches)
                self.assertEqual(caught.exception.__cause__.number, 6)
                self.assertEqual(next(batches)["index"].tolist(), [8, 9, 10, 11])

    def test_what_is_no_dataset_is_refused_and_options_are_answered(self):
        with self.assertRaisesRegex(jspdl.PlanError, "which can be iterated over in each epoch, but was given generator"):
            jspdl.from_dataset(n for n in range(3))
        with self.assertRaisesRegex(jspdl.PlanError, r"len\(dataset\) must be"):
            jspdl.from_dataset([])
        for option, answer in (("num_workers", "processes="), ("collate_fn", "did you mean 'collate'"), ("sampler", "shuffle=")):
            with self.assertRaisesRegex(TypeError, f"from_dataset has no option '{option}'.*{answer}"):
                jspdl.from_dataset([1, 2], **{option: 1})

    def test_a_collate_function_gets_the_list_of_items(self):
        with jspdl.from_dataset(["a", "b", "c"], batch_size=2, collate="".join, threads=1) as loader:
            self.assertEqual(list(loader), ["ab", "c"])


def numbers(loader):
    return [number for batch in loader for number in batch["number"].tolist()]


def streamed(sizes=(23,), processes=None, **options):
    options = {"batch_size": 4, "arrays": "numpy", "timeout": PATIENCE, **options}
    return jspdl.from_dataset(functions.Counting(sizes, **{name: options.pop(name) for name in ("broken",) if name in options}),
                              processes=processes, **options)


class Streams(unittest.TestCase):
    """Datasets that can only be iterated over."""

    def setUp(self):
        if numpy is None:
            self.skipTest("needs numpy")

    def test_items_come_in_batches_epoch_by_epoch(self):
        with streamed() as loader:
            for epoch in range(2):
                batches = list(loader)
                self.assertEqual([len(batch["number"]) for batch in batches], [4, 4, 4, 4, 4, 3])
                self.assertEqual(sum((batch["number"].tolist() for batch in batches), []), list(range(23)))
                self.assertEqual({epoch}, set(sum((batch["epoch"].tolist() for batch in batches), [])))
            self.assertEqual(loader.epoch, 2)
            with self.assertRaisesRegex(TypeError, "depends on its data"):
                len(loader)
            self.assertIn("from_dataset(Counting): 1 processes", loader.report())
        with streamed(drop_last=True) as loader:
            self.assertEqual(numbers(loader), list(range(20)))

    def test_streams_take_turns_and_each_ends_on_its_own(self):
        with streamed(sizes=(9, 2, 0), processes=3) as loader:
            for _ in range(2):
                self.assertEqual([batch["number"].tolist() for batch in loader],
                                 [[0, 1, 2, 3], [1000, 1001], [4, 5, 6, 7], [8]])

    def test_a_state_goes_on_behind_what_was_yielded(self):
        with streamed(sizes=(13, 6, 9), processes=3) as loader, streamed(sizes=(13, 6, 9), processes=3) as other:
            seen, states = [], [loader.state_dict()]
            for batch in loader:
                seen.append((batch["number"].tolist(), batch["drawn"].tolist()))
                states.append(loader.state_dict())
            following = numbers(loader)
            for taken, state in enumerate(states):
                other.load_state_dict(state)
                self.assertEqual([(batch["number"].tolist(), batch["drawn"].tolist()) for batch in other], seen[taken:])
            self.assertEqual(numbers(other), following)
        with streamed(sizes=(13, 6, 9), processes=3, resume_from=states[2]) as loader:
            self.assertEqual(next(iter(loader))["number"].tolist(), seen[2][0])
        with self.assertRaisesRegex(jspdl.PlanError, "the state is of processes=3.*resume with as many, not 2"):
            streamed(processes=2, resume_from=states[2])
        with squares(threads=1) as loader, self.assertRaisesRegex(jspdl.PlanError, "no state of a dataset that can only be iterated over"):
            streamed(resume_from=loader.state_dict())

    def test_an_epoch_that_was_left_is_over(self):
        with streamed(sizes=(100,)) as loader:
            next(iter(loader))
            batch = next(iter(loader))
            self.assertEqual((batch["number"].tolist(), set(batch["epoch"].tolist())), ([0, 1, 2, 3], {1}))

    def test_an_exception_names_the_item_and_comes_again(self):
        with streamed(broken=6) as loader:
            batches = iter(loader)
            next(batches)
            for _ in range(2):
                with self.assertRaisesRegex(jspdl.MapError, r"^from_dataset\(Counting\) failed at item 6 of stream 0 of epoch 0: Refused"):
                    next(batches)
            self.assertEqual(loader.state_dict()["batches"], 1)

    def test_a_helper_that_was_killed_is_an_error_and_the_state_before_it_resumes(self):
        with streamed(sizes=(400,)) as loader:
            batches, seen = iter(loader), []
            os.kill(loader._workers.pids()[0], signal.SIGKILL)
            try:
                while len(seen) < 100:
                    seen += next(batches)["number"].tolist()
            except jspdl.MapError as failure:       # else it was killed before it was given anything
                self.assertIn("was killed by SIGKILL", str(failure))
                loader.load_state_dict(loader.state_dict())
            self.assertEqual(seen + numbers(loader if len(seen) < 100 else batches), list(range(400)))

    def test_a_class_in_place_of_a_dataset_is_refused(self):
        with self.assertRaisesRegex(jspdl.PlanError, r"was given the class Squares: make one of it, Squares\(...\)"):
            jspdl.from_dataset(functions.Squares, processes=1)

    def test_what_needs_positions_is_refused(self):
        for option, value in (("threads", 1), ("shuffle", True), ("even", "uneven"), ("prefetch", 2)):
            with self.assertRaisesRegex(jspdl.PlanError, f"^{option}= needs a dataset with __len__ and __getitem__, which Counting lacks"):
                streamed(**{option: value})

    def test_datasets_of_torch_learn_their_worker(self):
        try:
            import torch_datasets
        except ImportError:
            self.skipTest("needs torch")
        with jspdl.from_dataset(late_functions.Part(), batch_size=2, processes=2, arrays="memoryview", timeout=PATIENCE) as loader:
            self.assertEqual([batch.tolist() for batch in loader], [[0, 2], [1, 3], [4, 6], [5, 7], [8, 10], [9, 11]])
        with jspdl.from_dataset(torch_datasets.Shared(20), batch_size=5, processes=2, arrays="torch", timeout=PATIENCE) as loader:
            batches = list(loader)
        self.assertEqual([batch.tolist() for batch in batches], [[0, 2, 4, 6, 8], [1, 3, 5, 7, 9], [10, 12, 14, 16, 18], [11, 13, 15, 17, 19]])
        with jspdl.from_dataset(torch_datasets.Sized(20), batch_size=5, processes=1, arrays="torch", timeout=PATIENCE) as loader:
            self.assertEqual([batch.tolist() for batch in loader][1:3], [[5, 6, 7, 8, 9], [10, 11, 12, 13, 14]])
        with jspdl.from_dataset(torch_datasets.pairs(10), batch_size=4, processes=1, arrays="torch", timeout=PATIENCE) as loader:
            inputs, labels = next(iter(loader))
        self.assertEqual((inputs.tolist(), labels.tolist()), ([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]))

        def parts(**rank):
            with jspdl.from_dataset(torch_datasets.Parts(), batch_size=1, processes=2, arrays="torch", timeout=PATIENCE, **rank) as loader:
                return [batch[0].tolist() for _ in range(2) for batch in loader]

        told = parts(rank=1, world_size=3)
        self.assertEqual([(worker, *of) for worker, _, *of in told], [(0, 1, 3), (1, 1, 3)] * 2)
        seeds = {seed for _, seed, *_ in told} | {seed for _, seed, *_ in parts(rank=2, world_size=3)}
        self.assertEqual((len(seeds), max(seeds) < 1 << 32), (8, True))     # by worker, epoch and rank, as NumPy takes them
        self.assertEqual(parts(rank=1, world_size=3), told)


if __name__ == "__main__":
    unittest.main()
