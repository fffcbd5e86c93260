"""With PyTorch: tensors, datasets, pinned memory, the profiler. Skipped without it."""
import json
import tempfile
import unittest

from support import IMAGES, filled, load, steps, torch

if torch is not None:
    from jspdl import _cuda


@unittest.skipIf(torch is None, "needs torch")
class Torch(unittest.TestCase):
    def test_tensors_are_views_that_keep_their_slot(self):
        with load(filled(200, 4096), arrays="torch", slots=8) as loader:
            kept = None
            for batch in loader:
                self.assertTrue((batch["data"] == batch["number"] % 256).all())
                kept = batch["data"][100:200] if kept is None else kept
            self.assertTrue((kept == 0).all())
            self.assertEqual(loader.stats()["handover"]["copied_batches"], 0)

    def test_every_type_that_this_torch_has_arrives(self):
        import jspdl
        with load(steps(1, {"all-types": {}}), arrays="torch") as loader:
            try:
                types = next(iter(loader))["types"]
            except jspdl.JspdlError as refused:
                self.assertFalse(hasattr(torch, "uint16"))
                self.assertIn("has no type for uint16", str(refused))
                return
        for name in ("uint8", "int16", "int64", "uint32", "float16", "bfloat16", "float32", "float64", "complex64"):
            self.assertEqual(types[name].dtype, getattr(torch, name))
            expected = torch.arange(6).reshape(2, 3).to(torch.complex128 if "complex" in name else torch.float64)
            actual = types[name].to(expected.dtype)
            self.assertTrue(torch.equal(actual, expected - 1j * expected if "complex" in name else expected), name)

    def test_a_tensor_is_shared_through_dlpack_without_a_copy(self):
        with load(filled(3, 64), arrays="torch") as loader:
            data = next(iter(loader))["data"]
            other = torch.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(data))
            other[0] = 77
            self.assertEqual((int(data[0]), other.data_ptr()), (77, data.data_ptr()))

    def test_the_loader_is_an_iterable_dataset(self):
        from torch.utils.data import DataLoader, IterableDataset
        with load(filled(20), arrays="torch") as loader:
            dataset = loader.dataset()
            self.assertIsInstance(dataset, IterableDataset)
            batches = list(DataLoader(dataset, batch_size=None, num_workers=0))
            self.assertEqual(([batch["number"] for batch in batches], len(dataset)), (list(range(20)), 20))

    def test_workers_are_refused(self):
        from torch.utils.data import DataLoader
        with load(filled(20), arrays="torch") as loader:
            with self.assertRaisesRegex(Exception, "num_workers=0"):
                list(DataLoader(loader.dataset(), batch_size=None, num_workers=1))

    def test_the_profiler_has_a_range_for_each_handover(self):
        with load(filled(10), arrays="torch") as loader:
            with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
                list(loader)
        ranges = {event.key: event.count for event in profile.key_averages()}
        self.assertGreaterEqual(ranges["jspdl: next batch"], 10)

    def test_the_loaders_trace_lies_beside_the_profilers_on_one_clock(self):
        import jspdl
        with tempfile.TemporaryDirectory() as folder:
            ours, theirs, both = (f"{folder}/{name}.json" for name in ("ours", "theirs", "both"))
            with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
                with load(filled(10), arrays="torch", trace=ours) as loader:
                    list(loader)
            profile.export_chrome_trace(theirs)
            if not torch.autograd.kineto_available():
                with self.assertRaisesRegex(jspdl.PlanError, "built without Kineto"):
                    jspdl.merge_traces(ours, theirs, both)
                return
            jspdl.merge_traces(ours, theirs, both)
            with open(both, encoding="utf-8") as file:
                events = json.load(file)["traceEvents"]
        ranges = [event for event in events if event["name"] == "jspdl: next batch"]
        ours = sorted((event["ts"], event["ts"] + event["dur"]) for event in ranges if "batch" in event.get("args", {}))
        theirs = sorted((event["ts"], event["ts"] + event["dur"]) for event in ranges if event.get("cat") == "user_annotation")
        consumer, = ((event["pid"], event["tid"]) for event in events if event.get("name") == "thread_name"
                     and event["args"]["name"] == "consumer")
        delivered = sorted(event["ts"] for event in events if event.get("ph") == "f" and event["name"] == "item"
                           and (event["pid"], event["tid"]) == consumer)
        self.assertEqual(len(ours), 10)
        self.assertGreaterEqual(len(delivered), 10)
        reading = 5_000         # of two clocks, in microseconds
        for (began, ended), (begins, ends) in zip(ours, theirs):
            self.assertLess(began, begins + reading)
            self.assertLess(ends, ended + reading)
        for (_, ended), made in zip(ours, delivered):
            self.assertLess(made, ended + 1)        # made before it is taken
        self.assertLess(ours[0][1] - delivered[0], 280e6)

    def test_slots_are_pinned_once_and_again_when_more_is_used(self):
        class Runtime:
            calls = []

            def cudaHostRegister(self, address, size, flags):
                self.calls.append(("register", address, size))
                return 0

            def cudaHostUnregister(self, address):
                self.calls.append(("unregister", address))
                return 0

        import ctypes
        view = (ctypes.c_ubyte * (8 << 20))()
        address = ctypes.addressof(view)
        pins = _cuda.Pins(Runtime())
        for used in (1000, 2 << 20, 500, 5 << 20):
            pins.pin(view, 3, used, 8 << 20)
        self.assertEqual(Runtime.calls, [("register", address, 2 << 20), ("unregister", address), ("register", address, 6 << 20)])

    def test_pinning_without_cuda_is_refused_by_name(self):
        import jspdl
        if torch.cuda.is_available():
            self.skipTest("there is CUDA")
        with load(filled(2), arrays="torch", pin_memory=True) as loader:
            with self.assertRaisesRegex(jspdl.JspdlError, "pin_memory=True needs CUDA"):
                list(loader)


if __name__ == "__main__":
    unittest.main()
