"""Datasets and functions at random: batches are those that DataLoader makes of the same items, and samples are the items again."""
import collections
import random
import unittest

import jspdl
from jspdl import _containers, _place, _stacking, _work
from support import CAMPAIGN, PATIENCE, chosen_seed, torch

if torch is not None:
    import random_datasets as datasets
    from torch.utils.data import DataLoader
    from torch.utils.data.dataloader import default_collate

STRUCTURES = 30_000 if CAMPAIGN else 500
LOADERS = 150 if CAMPAIGN else 6
STREAMS = 40 if CAMPAIGN else 3


def difference(theirs, ours, at="batch"):
    """Where ours is not what DataLoader's is, to the bit and in its types; None if it is. It makes lists of tuples, which stay tuples here, and some tuples of texts."""
    if isinstance(theirs, torch.Tensor):
        if not isinstance(ours, torch.Tensor) or (theirs.dtype, theirs.shape) != (ours.dtype, ours.shape):
            return f"{at}: {theirs.dtype} {list(theirs.shape)} became {getattr(ours, 'dtype', type(ours))} {list(getattr(ours, 'shape', ()))}"
        return None if bits(theirs) == bits(ours) else f"{at}: {theirs} became {ours}"
    if isinstance(theirs, collections.abc.Mapping):
        if not isinstance(ours, type(theirs)) or list(theirs) != list(ours):
            return f"{at}: {type(theirs)} {list(theirs)} became {type(ours)} {list(ours)}"
        return next((found for name in theirs if (found := difference(theirs[name], ours[name], f"{at}[{name!r}]"))), None)
    if isinstance(theirs, (tuple, list, datasets.Line, collections.deque)):
        plain = type(theirs) in (tuple, list) and isinstance(ours, (tuple, list)) and not isinstance(ours, _containers.Parts)
        if type(ours) is not type(theirs) and not plain or len(theirs) != len(ours):
            return f"{at}: {type(theirs)} of {len(theirs)} became {type(ours)} of {len(ours)}"
        return next((found for n, (one, other) in enumerate(zip(theirs, ours)) if (found := difference(one, other, f"{at}[{n}]"))), None)
    return None if type(theirs) is type(ours) and theirs == ours else f"{at}: {theirs!r} became {ours!r}"


def bits(tensor):
    return repr(tensor.to(torch.float64 if tensor.dtype in (torch.bfloat16, torch.float16) else tensor.dtype).tolist())


@unittest.skipIf(torch is None, "needs torch")
class Collated(unittest.TestCase):
    def test_batches_of_any_items_are_those_of_dataloader_in_types_shapes_and_values(self):
        first = chosen_seed() * 1_000_000
        refused = 0
        for seed in range(first, first + STRUCTURES):
            items = [datasets.Items(seed, 4)[n] for n in range(1 + seed % 4)]
            try:
                theirs = default_collate(items)
            except (TypeError, RuntimeError):       # of a type, or numbers, that tensors do not have
                refused += 1
                continue
            threads = _stacking.collate(items, lambda rows: _stacking.stack(rows, "torch"))
            data, placed, size = _place.pickled(_stacking.collate(items, lambda rows: _place.stack(rows, "torch")))
            memory = memoryview(bytearray(size))
            _place.fill(memory, placed)
            for ours in (threads, _place.Unplacer(data, memory).load()):
                with self.subTest(seed=seed):
                    self.assertIsNone(difference(theirs, _containers.unmarked(ours)))
                    samples = [datasets.values(sample) for sample in _work.rows(ours, True)]
                    self.assertEqual(samples, [datasets.values(item) for item in items])
        self.assertLess(refused, STRUCTURES // 10)


@unittest.skipIf(torch is None, "needs torch")
class Loaded(unittest.TestCase):
    def setUp(self):
        torch.set_num_threads(1)        # DataLoader forks
        # The process that the loaders of this one share ends with the last of them.
        self.enterContext(jspdl.from_dataset([1], threads=1, batch_size=1, share=True))

    def test_loaders_of_any_dataset_give_the_batches_of_dataloader_from_any_place_on_and_functions_the_items(self):
        first = chosen_seed() * 1_000_000
        for seed in range(first, first + LOADERS):
            chance = random.Random(seed)
            with self.subTest(seed=seed):
                self.check(seed, chance, datasets.Numbered(seed, chance.randrange(1, 30)))

    def check(self, seed, chance, dataset):
        size = chance.randrange(1, 7)
        workers = chance.choice(({"threads": 1}, {"threads": 3}, {"processes": 1}, {"processes": 2}))
        options = {"batch_size": size, "drop_last": chance.random() < 0.3, "seed": seed, "share": True, "timeout": PATIENCE, "arrays": "torch", **workers}
        order = list(range(len(dataset)))
        wanted = chance.choice(("as they are", "shuffled", "indices"))
        if wanted == "indices":
            order = options["indices"] = [chance.randrange(len(dataset)) for _ in range(chance.randrange(1, 40))]
        options["shuffle"] = wanted == "shuffled"
        epochs = []
        try:
            default_collate([dataset[0]])
        except (TypeError, RuntimeError):
            return
        with jspdl.from_dataset(dataset, **options) as loader:
            for _ in range(2):
                epochs.append(list(loader))
                drawn = [index for batch in epochs[-1] for index in batch["index"].tolist()]
                if wanted == "shuffled":
                    self.assertEqual((sorted(set(drawn)), len(drawn)), (sorted(drawn), len(order) // size * size if options["drop_last"] else len(order)))
                theirs = list(DataLoader(dataset, size, sampler=drawn if wanted == "shuffled" else order, drop_last=options["drop_last"]))
                self.assertEqual((len(epochs[-1]), len(loader)), (len(theirs), len(theirs)))
                for number, (one, other) in enumerate(zip(theirs, epochs[-1])):
                    self.assertIsNone(difference(one, other, f"batch {number}"))
        self.resumes(dataset, options, epochs, chance.randrange(len(epochs[0]) + 1))
        self.maps(dataset, options, epochs[0], chance.choice(({"threads": 2}, {"processes": 1})))

    def resumes(self, dataset, options, epochs, taken):
        with jspdl.from_dataset(dataset, **options) as loader:
            for _ in zip(range(taken), loader):
                pass
            state = loader.state_dict()
        with jspdl.from_dataset(dataset, **options, resume_from=state) as loader:
            expected = epochs[0][taken:] or epochs[1]
            for number, (one, other) in enumerate(zip(expected, got := list(loader))):
                self.assertIsNone(difference(one, other, f"batch {number} behind {taken}"))
            self.assertEqual(len(got), len(expected))

    def maps(self, dataset, options, batches, workers):
        with jspdl.from_dataset(dataset, **options).map(datasets.told, **workers) as loader:
            for number, (batch, mapped) in enumerate(zip(batches, loader)):
                expected = [datasets.told(dataset[index]) for index in batch["index"].tolist()]
                self.assertEqual([mapped[0].tolist(), *mapped[1:]], [list(part) for part in zip(*expected)], f"batch {number}")
        with jspdl.from_dataset(dataset, **options).map_batches(datasets.counted, **workers) as loader:
            for batch, mapped in zip(batches, loader):
                self.assertEqual(mapped["kinds"], str(datasets.kinds(batch["item"])))

    def test_streams_of_any_items_give_the_batches_of_dataloader_s_workers_until_one_fails(self):
        first = chosen_seed() * 1_000_000
        for seed in range(first, first + STREAMS):
            chance = random.Random(seed)
            items = datasets.Numbered(seed, chance.randrange(1, 20))
            stream = datasets.Stream(items, chance.choice((None, chance.randrange(len(items)))))
            size, workers, drops = chance.randrange(1, 4), chance.randrange(1, 4), chance.random() < 0.3
            with self.subTest(seed=seed, size=size, workers=workers, drops=drops, broken=stream.broken):
                theirs, failed = until_failure(DataLoader(stream, size, num_workers=workers, drop_last=drops, timeout=PATIENCE), RuntimeError)
                if failed is not None and "broken" not in str(failed):      # DataLoader cannot make tensors of these
                    self.assertNotIn("timed out", str(failed))
                    continue
                with jspdl.from_dataset(stream, batch_size=size, processes=workers, drop_last=drops, arrays="torch", timeout=PATIENCE) as loader:
                    ours, failure = until_failure(loader, jspdl.MapError)
                self.assertEqual((len(ours), failure is None), (len(theirs), failed is None), (failure, failed))
                for number, (one, other) in enumerate(zip(theirs, ours)):
                    self.assertIsNone(difference(one, other, f"batch {number}"))


def until_failure(loader, kind):
    """The batches of an epoch, and what has ended it."""
    batches = []
    try:
        for batch in loader:
            batches.append(batch)
    except (kind, TypeError) as failure:
        return batches, failure
    return batches, None


if __name__ == "__main__":
    unittest.main()
