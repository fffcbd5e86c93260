"""Epochs, ranks, and going on where the trainer stood."""
import json
import os
import unittest
import warnings
from unittest import mock

import jspdl
from support import ARRAYS, PATIENCE, filled, load, steps


def numbers(loader):
    return [int(n) for batch in loader for n in batch]


def sample(batch=4, **options):
    """Numbers of a shuffled sampler, by way of the image operations' order."""
    return jspdl.plan({"source": {"sampled": {"size": 50, "seed": 3}}, "steps": [{"batch": batch}]}, arrays=ARRAYS, timeout=PATIENCE,
                      **options)


class Epochs(unittest.TestCase):
    def test_each_for_is_one_epoch_as_long_as_wanted(self):
        with sample() as loader:
            epochs = [numbers(loader) for _ in range(3)]
        for epoch in epochs:
            self.assertEqual(sorted(epoch), list(range(50)))
        self.assertEqual(len({tuple(epoch) for epoch in epochs}), 3)

    def test_the_epochs_that_were_asked_for_end(self):
        with sample(epochs=2) as loader:
            numbers(loader)
            self.assertEqual(loader.epoch, 1)
            numbers(loader)
            with self.assertRaisesRegex(jspdl.JspdlError, "all 2 epochs"):
                numbers(loader)

    def test_an_epoch_that_was_left_is_over(self):
        with sample() as loader:
            whole = [numbers(loader) for _ in range(4)]
        with sample() as loader:
            for batch in loader:
                break
            old = iter(loader)
            next(old)
            self.assertEqual(numbers(loader), whole[2])
            self.assertEqual(loader.epoch, 3)
            with self.assertRaisesRegex(jspdl.JspdlError, "another one was begun"):
                next(old)
            self.assertEqual(numbers(loader), whole[3])

    def test_the_length_is_that_of_an_epoch(self):
        for plan, length in ((steps(50, {"batch": 4}), 13), (steps(50, {"batch": {"batch-size": 4, "drop-last": True}}), 12),
                             (steps(50, {"fail": {"at": 99}, "cpu": 1}), 50)):
            with load(plan) as loader:
                self.assertEqual(len(loader), length)
        with load(steps(50, {"batch": 4}, {"unbatch": {}})) as loader:
            with self.assertRaisesRegex(TypeError, "depends on its data"):
                len(loader)


    def test_epochs_of_no_batch_are_warned_of_once(self):
        with load(steps(3, {"batch": {"batch-size": 4, "drop-last": True}})) as loader, warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            self.assertEqual([list(loader), list(loader), len(loader)], [[], [], 0])
        self.assertEqual([str(warning.message)[:42] for warning in said], ["an epoch of this loader has no batch: drop"])


class Resuming(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with sample() as loader:
            cls.whole = [numbers(loader) for _ in range(3)]

    def test_a_state_goes_on_behind_the_batch_that_was_taken_last(self):
        with sample(prefetch=4) as first, sample() as second:
            batches = iter(first)
            seen = []
            for taken in range(13):
                state = json.loads(json.dumps(first.state_dict()))
                with self.subTest(taken=taken):
                    second.load_state_dict(state)
                    self.assertEqual(seen + numbers(second), self.whole[0])
                    self.assertEqual(numbers(second), self.whole[1])
                seen += [int(n) for n in next(batches)]

    def test_a_state_from_between_epochs_begins_the_next(self):
        with sample() as loader:
            numbers(loader)
            state = loader.state_dict()
        self.assertEqual(state["epoch"], 1)
        with sample(resume_from=state) as loader:
            self.assertEqual(loader.epoch, 1)
            self.assertEqual(numbers(loader), self.whole[1])

    def test_a_state_behind_the_last_batch_begins_the_next_epoch_as_the_loader_itself_does(self):
        """Trainers that count batches save before they ask for one more: the next iteration is no epoch of nothing."""
        for change in (lambda loader: loader, lambda loader: loader.map_batches(lambda batch: batch, threads=1),
                       lambda loader: loader.map_batches(lambda batch: batch, threads=1).map_batches(lambda batch: batch, threads=1)):
            with change(sample()) as loader, change(sample()) as other:
                batches = iter(loader)
                self.assertEqual(sum(([int(n) for n in next(batches)] for _ in range(13)), []), self.whole[0])
                state = loader.state_dict()
                self.assertEqual((state["epoch"], state["batches"], state["complete"]), (0, 13, True))
                self.assertEqual(numbers(loader), self.whole[1])
                other.load_state_dict(state)
                self.assertEqual((other.epoch, other.state_dict()), (1, state))
                self.assertEqual([numbers(other), numbers(other)], self.whole[1:])
                other.load_state_dict(state)
                batches = iter(other)
                self.assertEqual([int(n) for n in next(batches)] + numbers(batches), self.whole[1])
            with change(sample(resume_from=state)) as loader:
                self.assertEqual(loader.epoch, 1)
                self.assertEqual([numbers(loader), numbers(loader)], self.whole[1:])

    def test_states_of_ranks_that_are_at_their_last_batch_stay_there(self):
        states = []
        for rank in range(2):
            with sample(batch=1, rank=rank, world_size=2) as loader:
                batches = iter(loader)
                for _ in range(25):
                    next(batches)
                states.append(loader.state_dict())
        with sample(batch=1, resume_from=states) as loader:
            self.assertEqual(numbers(loader), [])
            self.assertEqual(sorted(numbers(loader)), list(range(50)))

    def test_an_empty_list_of_states_is_refused_and_does_not_begin_anew(self):
        for states in ([], ()):
            with self.assertRaisesRegex(jspdl.PlanError, "no state in an empty list"):
                sample(resume_from=states)
            for change in (lambda loader: loader, lambda loader: loader.map_batches(lambda batch: batch, threads=1)):
                with change(sample()) as loader:
                    batches = iter(loader)
                    next(batches)
                    with self.assertRaisesRegex(jspdl.PlanError, "no state in an empty list"):
                        loader.load_state_dict(states)
                    self.assertEqual(sum(([int(n) for n in batch] for batch in batches), []), self.whole[0][4:])

    def test_a_loader_goes_back_to_a_state_of_its_own(self):
        with sample() as loader:
            batches = iter(loader)
            next(batches)
            state = loader.state_dict()
            first = numbers(batches)
            loader.load_state_dict(state)
            self.assertEqual(numbers(loader), first)

    def test_a_state_of_another_plan_is_refused(self):
        with sample() as loader:
            state = loader.state_dict()
        with sample(batch=5) as loader:
            with self.assertRaisesRegex(jspdl.PlanError, "recipe has changed"):
                loader.load_state_dict(state)
            with self.assertRaisesRegex(jspdl.PlanError, "no state of a loader"):
                loader.load_state_dict({"model": 1})

    def test_what_is_kept_across_a_restart_stays_good(self):
        with load(filled(40), slots=16) as loader:
            kept = [batch for _, batch in zip(range(4), loader)]
            for _ in range(3):
                loader.load_state_dict(loader.state_dict())
                self.assertEqual(sum(1 for _ in loader), 36 if _ == 0 else 40)
            self.assertEqual([bytes(memoryview(batch["data"]))[0] for batch in kept], [0, 1, 2, 3])


class Ranks(unittest.TestCase):
    def test_ranks_from_the_environment_share_the_samples(self):
        seen = []
        for rank in range(3):
            with mock.patch.dict(os.environ, RANK=str(rank), WORLD_SIZE="3"), sample() as loader:
                seen.append(numbers(loader))
        self.assertEqual({len(part) for part in seen}, {16})
        self.assertEqual(len(set(sum(seen, []))), 48)

    def test_another_number_of_ranks_goes_on_with_what_is_left(self):
        taken, states = [], []
        for rank in range(2):
            with sample(batch=1, rank=rank, world_size=2) as loader:
                taken += [int(batch[0]) for _, batch in zip(range(5 + 3 * rank), loader)]
                states.append(loader.state_dict())
        for rank in range(3):
            with sample(batch=1, rank=rank, world_size=3, resume_from=states) as loader:
                taken += numbers(loader)
        self.assertEqual(sorted(taken), list(range(50)))

    def test_a_plan_that_cannot_be_dealt_is_refused(self):
        with load(steps(10), rank=1, world_size=2) as loader:
            with self.assertRaisesRegex(jspdl.PlanError, "every rank would load everything"):
                list(loader)

    def test_a_rank_beyond_the_world_is_refused(self):
        with self.assertRaisesRegex(jspdl.PlanError, "rank must be below world_size, but was 2 of 2"):
            load(steps(10), rank=2, world_size=2)


if __name__ == "__main__":
    unittest.main()
