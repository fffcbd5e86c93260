"""Exceptions of signals' handlers, raised at each point where the interpreter lets handlers run: nothing comes twice, late or from elsewhere."""
import contextlib
import dis
import functools
import os
import random
import sys
import unittest

import jspdl
import mapped_functions as functions
from support import PATIENCE, chosen_seed, filled, load

CAMPAIGN = os.environ.get("JSPDL_CAMPAIGN") == "true"
PACKAGE = os.path.dirname(jspdl.__file__)
ROUNDS = 100_000 if CAMPAIGN else 6       # of each test and kind of loader


class Interrupted(BaseException):
    """What a handler raises."""


@functools.lru_cache(maxsize=None)
def points(code):
    """Where in `code` handlers may run: at its start, behind calls, and where loops begin again."""
    found, before = set(), None
    for step in dis.get_instructions(code):
        if before is None or before.startswith("CALL") or before == "RESUME" or step.opname.startswith("JUMP_BACKWARD"):
            found.add(step.offset)
        before = step.opname
    return found


@contextlib.contextmanager
def interrupted_at(number):
    """Raises Interrupted at point `number` of what is done inside, in this thread and in the package; yields a list that says so."""
    left, raised = [number], []

    def trace(frame, event, _):
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        if event == "opcode" and frame.f_lasti in points(frame.f_code) and not raised:
            left[0] -= 1
            if left[0] < 0:
                raised.append(f"{frame.f_code.co_filename}:{frame.f_lineno}")
                raise Interrupted
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        with contextlib.suppress(Interrupted):
            yield raised
    finally:
        sys.settrace(before)


def plain(size):
    return load(filled(size, 100), prefetch=1)


def threads(size):
    return plain(size).map_batches(functions.numbered, threads=1)


def processes(size):
    return plain(size).map_batches(functions.numbered, processes=1)


def nested(size):
    return plain(size).map_batches(functions.numbered, threads=2).map_batches(int, threads=1)


def streams(size):
    return jspdl.from_dataset(functions.Counting((size,)), batch_size=1, processes=1, arrays="memoryview", collate=functions.first_number, timeout=PATIENCE)


def number(batch):
    return batch["number"] if isinstance(batch, dict) else batch


class Interrupts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.used = {}       # by kind, loaders that several tests interrupt, one after the other
        cls.addClassCleanup(lambda: [loader.close() for loader in cls.used.values()])

    def loader(self, kind, size):
        """A loader of `size` batches; for None one without end, which may have been interrupted before."""
        if size is not None:
            return kind(size)
        if kind not in self.used:
            self.used[kind] = kind(1_000_000)
        return contextlib.nullcontext(self.used[kind])

    def each(self, size, check):
        """Calls `check(loader, point)` for one loader of each kind and points from the first on, or for some of them, until it says that there are no more."""
        seed = chosen_seed()
        for kind in (plain, threads, processes, nested, streams):
            chance = random.Random(seed)
            with self.loader(kind, size) as loader:
                point, rounds = 0, 0
                while rounds < ROUNDS:
                    with self.subTest(kind=kind.__name__, point=point, seed=seed):
                        more = check(loader, point)
                    if not more:
                        if CAMPAIGN or point == 0:
                            break
                        point = -1
                    point += 1 if CAMPAIGN else 1 + chance.randrange(12)
                    rounds += 1

    def test_in_the_middle_of_an_epoch(self):
        def check(loader, point):
            batches = iter(loader)
            epoch = loader.epoch
            self.assertEqual([number(next(batches)) for _ in range(2)], [0, 1])
            with interrupted_at(point) as raised:
                self.assertEqual(number(next(batches)), 2)
            after = loader.state_dict()["batches"]
            self.assertIn(after, (2, 3), raised)
            if point % 3:
                # A batch that was about to be returned may be lost, as with any iterator.
                self.assertIn(number(next(batches)) - after, (0, 1) if isinstance(loader, jspdl.Loader) else (0,), raised)
            self.assertEqual(number(next(iter(loader))), 0, raised)
            self.assertEqual(loader.epoch, epoch + 1, raised)
            return raised

        self.each(None, check)

    def test_at_the_first_batch(self):
        def check(loader, point):
            batches = iter(loader)
            epoch = loader.epoch
            with interrupted_at(point) as raised:
                self.assertEqual(number(next(batches)), 0)
            left = loader.state_dict()
            self.assertEqual(left["epoch"], epoch)
            first = number(next(iter(loader)))
            self.assertEqual(first, 0, raised)
            self.assertIn(loader.epoch, (epoch, epoch + 1), raised)
            return raised

        self.each(1_000_000, check)

    def test_at_the_end_of_an_epoch(self):
        def check(loader, point):
            batches = iter(loader)
            epoch = loader.epoch
            self.assertEqual([number(next(batches)) for _ in range(3)], [0, 1, 2])
            with interrupted_at(point) as raised, self.assertRaises(StopIteration):
                next(batches)
            with self.assertRaises(StopIteration, msg=raised):
                next(batches)
            self.assertEqual((loader.epoch, loader.state_dict()["batches"]), (epoch + 1, 0), raised)
            return raised

        self.each(3, check)

    def test_where_another_epoch_is_begun(self):
        def check(loader, point):
            next(iter(loader))
            epoch = loader.epoch
            with interrupted_at(point) as raised:
                iter(loader)
            if point % 3 == 0:
                self.assertIn(loader.state_dict()["batches"], (0, 1))
            self.assertEqual(number(next(iter(loader))), 0, raised)
            self.assertEqual(loader.epoch, epoch + 1, raised)
            return raised

        self.each(None, check)

    def test_where_states_are_asked_for_and_loaded(self):
        def check(loader, point):
            batches = iter(loader)
            self.assertEqual([number(next(batches)) for _ in range(2)], [0, 1])
            with interrupted_at(point) as raised:
                loader.state_dict()
            state = loader.state_dict()
            self.assertEqual(state["batches"], 2)
            self.assertEqual(number(next(batches)), 2)
            with interrupted_at(point) as again:
                loader.load_state_dict(state)
            if point % 3 == 0:
                loader.load_state_dict(state)
                self.assertEqual((loader.state_dict()["epoch"], loader.state_dict()["batches"]), (state["epoch"], 2), again)
                self.assertEqual(number(next(iter(loader))), 2, again)
            else:
                self.assertIn(number(next(iter(loader))), (0, 2), again)
            return raised or again

        self.each(None, check)


if __name__ == "__main__":
    unittest.main()
