"""Programs that have changed what all of a process share: what a signal does, how long sockets wait, where tensors are made; and those that end while functions run."""
import os
import signal
import socket
import tempfile
import unittest

import jspdl
import mapped_functions as functions
from support import PATIENCE, filled, load, numpy, torch, trainer


class Signals(unittest.TestCase):
    def test_a_trainer_whose_sigpipe_ends_processes_is_told_that_its_loader_or_helper_was_killed(self):
        with trainer("""
                import mapped_functions
                signal.signal(signal.SIGPIPE, signal.SIG_DFL)
                for share in (None, True):
                    loader = load(filled(1_000_000, 100), share=share)
                    batches = iter(loader)
                    assert is_filled(next(batches), 100)
                    os.kill(loader._process.pid, signal.SIGKILL)
                    ends(loader._process.pid)
                    for ask in (loader.stats, loader.state_dict, lambda: list(batches)):
                        try:
                            ask()
                        except jspdl.LoaderDied:
                            print("told", flush=True)
                    loader.close()
                loader = load(filled(40, 100)).map_batches(mapped_functions.numbered, processes=1)
                batches = iter(loader)
                assert next(batches) == 0
                helper = loader._workers._helpers[0]
                os.kill(helper.child.pid, signal.SIGKILL)
                helper.child.wait()
                rest = []
                while True:
                    try:
                        rest.append(next(batches))
                    except StopIteration:
                        break
                    except jspdl.MapError as failed:
                        rest.append(failed.batch)
                print(rest == [*range(1, 40)], flush=True)""".replace("\n                ", "\n")) as process:
            said, complaints = process.communicate(timeout=PATIENCE)
            self.assertEqual((process.returncode, said), (0, "told\n" * 6 + "True\n"), complaints)


class Limits(unittest.TestCase):
    def test_a_time_limit_for_all_sockets_is_none_for_loaders_and_helpers(self):
        self.addCleanup(socket.setdefaulttimeout, socket.getdefaulttimeout())
        socket.setdefaulttimeout(0.01)
        for share in (None, True):
            with load(filled(30, 100), share=share) as loader, loader.map_batches(functions.numbered, processes=1) as mapped:
                self.assertEqual(list(mapped), [*range(30)])


@unittest.skipIf(torch is None, "needs torch")
class Devices(unittest.TestCase):
    def test_tensors_are_in_memory_wherever_the_program_makes_its_own(self):
        if not hasattr(torch, "set_default_device"):    # PyTorch before 2.0
            return
        self.addCleanup(torch.set_default_device, None)
        torch.set_default_device("meta")
        items = [{"number": n, "float": n / 2, "tensor": torch.zeros(2, device="cpu"), "none": torch.zeros(0, device="cpu")} for n in range(4)]
        for workers in ({"threads": 1}, {"processes": 1}):
            with jspdl.from_dataset(items, batch_size=4, arrays="torch", timeout=PATIENCE, **workers) as loader:
                batch = next(iter(loader))
                self.assertEqual({each.device.type for each in batch.values()}, {"cpu"})
                self.assertEqual((batch["number"].tolist(), batch["float"].tolist()), ([0, 1, 2, 3], [0.0, 0.5, 1.0, 1.5]))

    def test_tensors_that_are_seen_conjugated_stay_so_in_datasets_and_results_that_go_to_other_processes(self):
        items = [{"conjugate": torch.tensor([1j * n + 1]).conj(), "negative": torch.tensor([1j * n]).conj().imag, "grad": torch.tensor([1j * n]).requires_grad_().conj()}
                 for n in range(2)]
        expected = [[[1], [1 - 1j]], [[0], [-1]], [[0], [-1j]]]
        for workers in ({"threads": 1}, {"processes": 1}):
            with self.subTest(workers=workers), jspdl.from_dataset(items, batch_size=2, arrays="torch", timeout=PATIENCE, **workers) as loader, \
                    loader.map_batches(dict, processes=1) as mapped:
                batch = next(iter(mapped))
                self.assertEqual([tensor.tolist() for tensor in batch.values()], expected)

    def test_unsigned_numbers_are_tensors_where_pytorch_has_them(self):
        if numpy is None:
            self.skipTest("needs numpy")
        items = [numpy.array([60_000 + n], "uint16") for n in range(2)]
        for workers in ({"threads": 1}, {"processes": 1}):
            with jspdl.from_dataset(items, batch_size=2, arrays="torch", timeout=PATIENCE, **workers) as loader:
                batch = next(iter(loader))
            self.assertIsInstance(batch, torch.Tensor if hasattr(torch, "uint16") else numpy.ndarray)
            self.assertEqual((str(batch.dtype).replace("torch.", ""), batch.tolist()), ("uint16", [[60_000], [60_001]]))


class Ends(unittest.TestCase):
    def test_a_program_ends_behind_the_calls_that_its_threads_are_in_or_at_ctrl_c(self):
        for before, interrupted in (("pass", False), ("loader.close()", False), ("loader.close()", True)):
            with self.subTest(before=before, interrupted=interrupted), tempfile.TemporaryDirectory() as folder:
                os.mkfifo(f"{folder}/gate")
                with trainer(f"""
                        from jspdl import _threads
                        _threads.PATIENCE_SECONDS = 0.1
                        def busy(batch):
                            print("inside", flush=True)
                            open({folder + "/gate"!r}).read()
                            print("returned", flush=True)
                        loader = load(filled(1, 100)).map_batches(busy, threads=1)
                        batches = iter(loader)
                        while not loader._pending:
                            loader._poll(loader._iteration)
                        sys.stdin.readline()
                        {before}""".replace("\n                        ", "\n"), stdin=-1) as process:
                    self.assertEqual(process.stdout.readline(), "inside\n")
                    process.stdin.close()
                    self.assertRegex(process.stderr.readline(), "^jspdl: the program ends when the function has returned that thread jspdl-map_batches-0 is in")
                    if interrupted:
                        process.send_signal(signal.SIGINT)
                        self.assertEqual(process.wait(PATIENCE), 130)
                        continue
                    with open(f"{folder}/gate", "w", encoding="ascii"):
                        pass
                    self.assertEqual((process.stdout.read(), process.stderr.read(), process.wait(PATIENCE)), ("returned\n", "", 0))


if __name__ == "__main__":
    unittest.main()
