"""Batches of samples of shards that cost the same on all ranks."""
import io
import json
import random
import tarfile
import tempfile
import unittest

import jspdl
from support import ARRAYS, PATIENCE, numpy

SAMPLES = 240
RANKS = 3
BUDGET = 4_000


class Balanced(unittest.TestCase):
    def setUp(self):
        if numpy is None:
            self.skipTest("needs numpy")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        lengths = random.Random(5)
        self.lengths = [1 + int(min(1_500, lengths.lognormvariate(5.3, 0.8))) for _ in range(SAMPLES)]
        shards = []
        for shard in range(3):
            path = f"{self.folder}/train-00000{shard}.tar"
            samples = range(shard * SAMPLES // 3, (shard + 1) * SAMPLES // 3)
            with tarfile.open(path, "w") as tar:
                for n in samples:
                    for ending, data in (("txt", b"x" * self.lengths[n]), ("cls", b"%d" % n)):
                        info = tarfile.TarInfo(f"s{n:03}.{ending}")
                        info.size = len(data)
                        tar.addfile(info, io.BytesIO(data))
            with tarfile.open(path) as tar, open(f"{self.folder}/train-00000{shard}.idx", "w") as index:
                files = [f"{info.name[5:]} {info.offset_data} {info.size} {info.name}" for info in tar]
                index.write(f"v1.2 {len(samples)}\n" + "".join(f"{one} {other}\n" for one, other in zip(files[::2], files[1::2])))
            with open(path, "rb") as file:
                shards.append({"name": f"train-00000{shard}.tar", "samples": len(samples), "bytes": len(file.read())})
        with open(f"{self.folder}/train.shards.json", "w") as index:
            json.dump({"jspdl-shards": 1, "samples": SAMPLES, "bytes": sum(each["bytes"] for each in shards),
                       "costs": [{"name": "txt.bytes", "file": "train.txt.bytes.cost"}], "shards": shards}, index)
        with open(f"{self.folder}/train.txt.bytes.cost", "wb") as costs:
            numpy.save(costs, numpy.array(self.lengths, "<i8"))

    def shards(self, balance=None, **options):
        return jspdl.shards(f"{self.folder}/train-{{000000..000002}}.tar", balance={"cost": "txt.bytes", "budget": BUDGET, "squared": True, **(balance or {})},
                            text=["txt"], number=["cls"], **{"arrays": ARRAYS, "timeout": PATIENCE, "shuffle": True, "seed": 7, "epochs": 2, **options})

    def batches(self, **options):
        with self.shards(**options) as loader:
            return [([int(n) for n in batch["cls"]], [len(text) for text in batch["txt"]]) for batch in loader]

    def test_all_ranks_cost_the_same_in_each_step_and_each_sample_comes_once(self):
        ranks = [self.batches(even="uneven", rank=rank, world_size=RANKS) for rank in range(RANKS)]
        self.assertEqual(sorted(n for rank in ranks for numbers, _ in rank for n in numbers), list(range(SAMPLES)))
        for rank in ranks:
            for numbers, lengths in rank:
                self.assertEqual(lengths, [self.lengths[n] for n in numbers])
                self.assertLessEqual(sum(lengths), BUDGET)
        for step in zip(*ranks):
            squares = [sum(length ** 2 for length in lengths) for _, lengths in step]
            self.assertLess(max(squares) / (sum(squares) / RANKS), 1.3)
        even = [self.batches(rank=rank, world_size=RANKS) for rank in range(RANKS)]
        self.assertEqual({len(rank) for rank in even}, {min(len(rank) for rank in ranks)})

    def test_other_ranks_go_on_in_the_middle_of_an_epoch(self):
        seen, states = [], []
        for rank in range(RANKS):
            with self.shards(even="uneven", rank=rank, world_size=RANKS) as loader:
                batches = iter(loader)
                for _ in range(1 + rank):
                    seen += [int(n) for n in next(batches)["cls"]]
                states.append(loader.state_dict())
        for rank in range(2):
            seen += [n for numbers, _ in self.batches(even="uneven", rank=rank, world_size=2, resume_from=states) for n in numbers]
        self.assertEqual(sorted(seen), list(range(SAMPLES)))

    def test_what_does_not_go_with_it_is_refused(self):
        for options, reason in (({"batch_size": 8}, "the budget says how much"), ({"drop_last": True}, "equally many batches already"),
                                ({"max_failures": 3}, "take its batch along"), ({"where": "cls > 3"}, "found by their numbers"),
                                ({"balance": {"cost": "tokens"}}, r"no cost 'tokens'.*\[txt.bytes\]"), ({"balance": {"budget": 5}}, "outside the budget of 5"),
                                ({"balance": {"pixels": True}}, "balance must be a dictionary"), ({"balance": {"also": 3}}, "must be names of costs")):
            with self.subTest(options=options), self.assertRaisesRegex(jspdl.JspdlError, reason):
                self.batches(**options)


if __name__ == "__main__":
    unittest.main()
