"""Records of what a trainer was given, and steps that it leaves out."""
import os
import tempfile
import unittest

import jspdl
from support import ARRAYS, PATIENCE, load, steps


def ones():
    """Six batches of one number each."""
    return steps(6, {"batch": 1})


class Records(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name, text=None):
        path = os.path.join(self.folder, name)
        if text is not None:
            with open(path, "w", encoding="ascii") as file:
                file.write(text)
        return path

    def sums(self, record):
        with open(os.path.join(record, "rank-0.sums"), "rb") as file:
            content = file.read()
        return [content[at:at + 8] for at in range(0, len(content), 8)]

    def run_of(self, epochs=2, **options):
        with load(ones(), epochs=epochs, **options) as loader:
            return [int(batch[0]) for _ in range(epochs) for batch in loader]

    def test_a_record_has_every_step_and_no_other_batches_come(self):
        self.assertEqual(self.run_of(record=self.path("run")), self.run_of())
        sums = self.sums(self.path("run"))
        self.assertEqual(len(sums), 12)
        self.assertEqual(sums[:6], sums[6:])
        self.assertEqual(len(set(sums)), 6)

    def test_steps_of_the_list_do_not_come_and_all_others_keep_their_numbers(self):
        self.run_of(record=self.path("whole"))
        skipped = self.path("bad.txt", "2 # broken\n7\n")
        self.assertEqual(self.run_of(skip_list=skipped, record=self.path("some")), [0, 1, 3, 4, 5, 0, 2, 3, 4, 5])
        whole, some = self.sums(self.path("whole")), self.sums(self.path("some"))
        self.assertEqual([step for step in range(12) if whole[step] == some[step]], [0, 1, 3, 4, 5, 6, 8, 9, 10, 11])

    def test_a_resumed_run_goes_on_with_its_record(self):
        self.run_of(record=self.path("whole"))
        with load(ones(), epochs=2, record=self.path("parts")) as loader:
            batches = iter(loader)
            for _ in range(4):
                next(batches)
            state = loader.state_dict()
        with load(ones(), epochs=2, record=self.path("parts"), resume_from=state) as loader:
            self.assertEqual([int(batch[0]) for _ in range(2) for batch in loader], [4, 5, 0, 1, 2, 3, 4, 5])
        self.assertEqual(self.sums(self.path("parts")), self.sums(self.path("whole")))

    def test_with_a_list_there_is_no_length(self):
        with load(ones(), skip_list=self.path("bad.txt", "2\n")) as loader, self.assertRaises(TypeError):
            len(loader)

    def test_a_list_that_is_none_or_missing_is_refused_by_name(self):
        for name, text, why in (("no.txt", None, "skip_list=: .*no.txt cannot be read"), ("bad.txt", "two\n", "bad.txt, line 1: 'two'")):
            with load(ones(), skip_list=self.path(name, text)) as loader, self.assertRaisesRegex(jspdl.PlanError, why):
                next(iter(loader))

    def test_a_record_that_cannot_be_written_fails_the_loading(self):
        with load(ones(), record=self.path("file", "")) as loader, self.assertRaisesRegex(jspdl.PlanError, "record=: .*file cannot be written"):
            next(iter(loader))

    def test_every_step_is_built_again_as_it_was(self):
        plan = steps(20, {"filled": {"bytes": 100, "ring": False}, "cpu": 2, "order": "input"})
        with load(plan, epochs=1, record=self.path("run")) as loader:
            batches = [(batch["number"], bytes(memoryview(batch["data"]))) for batch in loader]
        for step in (0, 7, 19):
            again = jspdl.rebuild(self.path("run"), 0, step, arrays=ARRAYS, timeout=PATIENCE)
            self.assertEqual((again["number"], bytes(memoryview(again["data"]))), batches[step])
        memoryview(again["data"]).cast("B")[0] = 255     # the memory is the caller's own
        self.run_of(record=self.path("ones"))
        self.assertEqual(int(jspdl.rebuild(self.path("ones"), 0, 8, arrays=ARRAYS, timeout=PATIENCE)[0]), 2)

    def test_what_cannot_be_built_again_is_refused_by_name(self):
        self.run_of(record=self.path("run"))
        for run, rank, step, why in (("run", 1, 0, "there is no record of rank 1"), ("none", 0, 0, "there is no record"),
                                     ("run", 0, 1000, "has ended before that step"), ("run", 0, -1, "step must be a whole number"),
                                     ("run", -1, 0, "rank must be a whole number"), ("run", 0, 1.5, "step must be a whole number")):
            with self.subTest(why=why), self.assertRaisesRegex(jspdl.PlanError, why):
                jspdl.rebuild(self.path(run), rank, step, timeout=PATIENCE)

    def test_samples_of_the_list_do_not_come_and_all_others_stay_where_they_are(self):
        plan = {"source": {"indices": {"size": 12, "shuffle": True, "seed": 3}}, "steps": [{"batch": 4}]}

        def numbers(**options):
            with load(plan, epochs=2, **options) as loader:
                self.assertEqual(len(loader), 3)
                return [int(number) for _ in range(2) for batch in loader for number in batch]

        before = numbers()
        after = numbers(skip_list=self.path("bad.txt", 'sample "5" # broken\nsample "11"\n'), record=self.path("run"))
        self.assertFalse({5, 11} & set(after))
        self.assertEqual([now for was, now in zip(before, after) if was not in (5, 11)], [was for was in before if was not in (5, 11)])
        again = jspdl.rebuild(self.path("run"), 0, 4, arrays=ARRAYS, timeout=PATIENCE)
        self.assertEqual([int(number) for number in again], after[16:20])
        with load(plan, skip_list=self.path("worse.txt", 'sample "12"\n')) as loader, self.assertRaisesRegex(jspdl.PlanError, "no source has the sample '12'"):
            next(iter(loader))
        with load(plan, epochs=2) as loader:
            next(iter(loader))
            state = loader.state_dict()
        with load(plan, epochs=2, skip_list=self.path("bad.txt"), resume_from=state) as loader, self.assertRaisesRegex(jspdl.PlanError, "without"):
            next(iter(loader))

    def test_neither_goes_with_a_shared_loader(self):
        for option in ("record", "skip_list"):
            with self.assertRaisesRegex(jspdl.PlanError, f"{option}= does not go with share="):
                load(ones(), share="records/test", timeout=PATIENCE, **{option: self.path("x")})


if __name__ == "__main__":
    unittest.main()
