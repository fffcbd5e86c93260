"""Interpreters that end with loaders, helpers, threads and batches in whatever state: none crashes, waits or leaves a process behind, and what is looked at until the end is right."""
import random
import unittest

from support import CAMPAIGN, PATIENCE, chosen_seed, ends, numpy, shared_files, trainer

EXITS = 500 if CAMPAIGN else 10
SIZE = 5_000

# What is used when the interpreter ends. `SIZE` bytes of each batch are its number.
PLAIN = f"make = lambda: load(filled(1_000_000_000, {SIZE}), slots=16, **options)"
STATES = {
    "a loader": PLAIN,
    "a loader that other loaders of the process share a virtual machine with": "options['share'] = True\n" + PLAIN,
    "functions in threads": PLAIN + ".map_batches(functions.itself, threads=2)",
    "functions in processes": PLAIN + ".map_batches(functions.copied, processes=1)",
    "functions over functions": PLAIN + ".map_batches(functions.copied, processes=1).map_batches(functions.itself, threads=1)",
    "a dataset in processes": "make = lambda: jspdl.from_dataset(functions.Endless(), batch_size=1, processes=2, collate=functions.first, arrays=ARRAYS, timeout=PATIENCE)",
}
# Where batches are kept, each of which is looked at again when it goes.
KEPT = {
    "nowhere": "keep = lambda batch: None",
    "in the program": "kept = []\nkeep = lambda batch: (kept.append(batch), kept[20:] and kept.pop(0))",
    "in cycles": "def keep(batch):\n    cycle = [Late(batch)]\n    cycle.append(cycle)",
    "in modules": "keep = lambda batch: setattr(sys, 'kept', Late(batch))",
    "with builtins": "import builtins\nkeep = lambda batch: setattr(builtins, 'kept', Late(batch))",
    "for the end": "def keep(batch):\n    if not hasattr(keep, 'done'): keep.done = atexit.register(Late(batch).look)",
    "in a thread": "local = threading.local()\nkeep = lambda batch: setattr(local, 'kept', Late(batch))",
}
ENDS = {"pass": 0, "sys.exit(3)": 3, "raise RuntimeError('a bug')": 1, "os.kill(os.getpid(), signal.SIGTERM); signal.pause()": -15,
        "os.kill(os.getpid(), signal.SIGINT); signal.pause()": -2, "threading.Thread(target=sys.exit).start()": 0, "loader.close()": 0, "del loader, batches": 0,
        "os._exit(4)": 4}
PROGRAM = """
import atexit, mapped_functions as functions, threading, time
options = {{}}
class Late:
    def __init__(self, batch): self.batch = batch
    def look(self, is_right=functions.is_right): assert is_right(self.batch), 'it holds other bytes'
    __del__ = look
def last():
    try:
        next(batches)
    except (jspdl.JspdlError, NameError):
        print('over', flush=True)
if {asks}: atexit.register(last)        # before the loader is there, so called when it has ended
{state}
{keep}
loader = make()
batches = iter(loader)
def take(batches=batches):
    try:
        for batch in batches:
            assert functions.is_right(batch), 'it holds other bytes'
            keep(batch)
    except jspdl.JspdlError as failure:
        if str(failure) != 'the loader is closed': print(failure, flush=True)
print(functions.processes_of(loader), flush=True)
if {begun}: keep(next(batches))
for _ in range({threads}): threading.Thread(target=take, daemon=True).start()
time.sleep({delay})     # ends at any moment
{end}
"""


class Exits(unittest.TestCase):
    def tearDown(self):
        self.assertEqual(shared_files(), [])

    def test_interpreters_end_at_any_moment_in_whatever_state(self):
        first = chosen_seed() * 1_000_000
        for seed in range(first, first + EXITS):
            chance = random.Random(seed)
            # Each state in turn, so that a build has all of them.
            state, keep, end = list(STATES)[seed % len(STATES)], chance.choice(list(KEPT)), chance.choice(list(ENDS))
            threads = chance.randrange(4)
            program = PROGRAM.format(state=STATES[state], keep=KEPT[keep], end=end, threads=threads, begun=chance.random() < 0.5, asks=chance.random() < 0.3,
                                     delay=chance.choice((0, chance.uniform(0, 0.02), chance.uniform(0, 0.7))))
            with self.subTest(seed=seed, state=state, keep=keep, end=end, threads=threads), trainer(program) as process:
                pids = [int(pid) for pid in process.stdout.readline().split()]
                said, complaints = process.communicate(timeout=PATIENCE)
                self.assertEqual(process.returncode, ENDS[end], complaints)
                if end.startswith("raise"):
                    complaints = complaints.replace("RuntimeError: a bug", "").replace("Traceback", "", 1)
                if end.endswith("SIGINT); signal.pause()"):
                    complaints = complaints.replace("Traceback", "", 1)
                for trouble in ("Traceback", "Fatal", "Exception", "Error:", "other bytes"):
                    self.assertNotIn(trouble, complaints)
                self.assertIn(said, ("", "over\n"))
                self.assertGreater(len(pids), 0)
                for pid in pids:
                    self.assertTrue(ends(pid), f"process {pid} goes on")


@unittest.skipIf(numpy is None, "needs numpy")
class Sparse(unittest.TestCase):
    """Tensors that PyTorch lists when they are unpickled."""

    def setUp(self):
        try:
            import torch_datasets
        except ImportError:
            self.skipTest("needs torch")
        self.datasets = torch_datasets

    def test_sparse_tensors_are_let_go_of_with_their_batches(self):
        import torch
        import jspdl
        with jspdl.from_dataset(self.datasets.Sparse(40), batch_size=4, processes=1, arrays="torch", timeout=PATIENCE) as loader:
            for number, batch in enumerate(loader):
                self.assertEqual([tensor.to_dense()[0, 0].item() for tensor in batch], [4.0 * number + n for n in range(4)])
            self.assertEqual(torch._utils._sparse_tensors_to_validate, [])
            del batch
            self.assertLessEqual(len(loader._workers._helpers[0].segments), loader._workers.capacity + 2)
            self.assertEqual([seen() for seen in loader._workers._helpers[0].held.values() if seen() is not None], [])

    def test_functions_over_batches_with_sparse_tensors_keep_none_of_them(self):
        import jspdl
        with jspdl.from_dataset(self.datasets.Sparse(8), batch_size=4, threads=1, arrays="torch", timeout=PATIENCE).map_batches(
                self.datasets.dense, processes=1) as loader:
            self.assertEqual([batch[:, 0, 0].tolist() for batch in loader], [[0, 1, 2, 3], [4, 5, 6, 7]])


if __name__ == "__main__":
    unittest.main()
