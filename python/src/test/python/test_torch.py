"""With PyTorch: tensors, datasets, pinned memory, the profiler. Skipped without it."""
import ctypes
import json
import tempfile
import unittest
from collections import deque
from unittest import mock

from support import IMAGES, filled, load, steps, torch

if torch is not None:
    from jspdl import _cuda


class Device:
    """Events on a device that never comes to anything by itself."""

    class Event:
        done = False
        waits = 0

        def query(self):
            return self.done

        def synchronize(self):
            self.waits += 1
            self.done = True

    def __init__(self):
        self.events = []

    def marks(self):
        self.events.append(self.Event())
        return self.events[-1:]


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

        view = (ctypes.c_ubyte * (8 << 20))()
        address = ctypes.addressof(view)
        pins = _cuda.Pins(Runtime(), list)
        for used in (1000, 2 << 20, 500, 5 << 20):
            pins.pin(view, 3, used, 8 << 20)
        self.assertEqual(Runtime.calls, [("register", address, 2 << 20), ("unregister", address), ("register", address, 6 << 20)])

    def test_a_slot_is_free_when_the_copies_from_it_are_done_not_when_its_tensor_is_gone(self):
        device = Device()
        pins = _cuda.Pins(None, device.marks)
        gone, free = deque(), deque()
        pins.settle(gone, free, 64)
        self.assertEqual(device.events, [])
        gone.append("a")
        pins.settle(gone, free, 64)             # a copy from it may have been queued until now
        gone.append("b")
        pins.settle(gone, free, 64, True)
        self.assertEqual((list(gone), list(free)), ([], []))
        device.events[0].done = True
        pins.settle(gone, free, 64)
        self.assertEqual(list(free), ["a"])
        device.events[1].done = True
        pins.settle(gone, free, 64)
        self.assertEqual(list(free), ["a", "b"])
        self.assertEqual(sum(event.waits for event in device.events), 0)

    def test_a_trainer_that_waits_anyway_waits_for_copies_when_they_hold_more_than_a_quarter_of_the_slots(self):
        device = Device()
        pins = _cuda.Pins(None, device.marks)
        gone, free = deque(), deque()
        for slot in range(4):
            gone.append(slot)
            pins.settle(gone, free, 8, False)
        self.assertEqual(list(free), [])
        pins.settle(gone, free, 8, True)
        self.assertEqual(list(free), [0, 1])
        self.assertEqual([event.waits for event in device.events], [1, 1, 0, 0])

    def test_a_loader_whose_slots_are_pinned_goes_on_while_the_device_is_behind(self):
        device = Device()
        runtime = mock.Mock(cudaHostRegister=mock.Mock(return_value=0), cudaHostUnregister=mock.Mock(return_value=0))
        with mock.patch.object(_cuda, "pins", lambda arrays, wanted: _cuda.Pins(runtime, device.marks)):
            with load(filled(100, 4096), arrays="torch", slots=8, epochs=1, prefetch=1) as loader:
                queued = deque()                # copies that the device has not made yet: where from, and what was there
                for batch in loader:
                    data = batch["data"]
                    queued.append((len(device.events), data.data_ptr(), bytes(data[:16].tolist()), loader._ring))
                    del data, batch
                    while queued and queued[0][0] < len(device.events) and device.events[queued[0][0]].done:
                        _, address, expected, ring = queued.popleft()
                    for _, address, expected, ring in queued:
                        self.assertEqual(ctypes.string_at(address, 16), expected)
                self.assertGreater(sum(event.waits for event in device.events), 0)
        self.assertGreater(runtime.cudaHostUnregister.call_count, 0)
        self.assertEqual({call.args[0] for call in runtime.cudaHostRegister.call_args_list}, {call.args[0] for call in runtime.cudaHostUnregister.call_args_list})

    def test_pinning_without_cuda_is_refused_by_name(self):
        import jspdl
        if torch.cuda.is_available():
            self.skipTest("there is CUDA")
        with load(filled(2), arrays="torch", pin_memory=True) as loader:
            with self.assertRaisesRegex(jspdl.JspdlError, "pin_memory=True needs CUDA"):
                list(loader)


if __name__ == "__main__":
    unittest.main()
