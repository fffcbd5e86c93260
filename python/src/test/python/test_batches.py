"""What batches hold, and that their memory stays theirs."""
import gc
import time
import unittest
import warnings

import jspdl
from support import ARRAYS, IMAGES, PATIENCE, filled, is_filled, load, numpy, ring_bytes, steps, torch

TYPES = ("bool", "uint8", "int8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64",
         "complex64", "complex128")


class Batches(unittest.TestCase):
    def test_every_number_type_arrives_with_its_values_and_shape(self):
        if numpy is None:
            self.skipTest("needs numpy")
        with load(steps(1, {"all-types": {}})) as loader:
            types = next(iter(loader))["types"]
        for name in TYPES:
            expected = numpy.arange(6).reshape(2, 3)
            expected = expected % 2 if name == "bool" else expected - 1j * expected if "complex" in name else expected
            self.assertEqual(types[name].dtype, numpy.dtype(name))
            numpy.testing.assert_array_equal(types[name], expected.astype(name))
        self.assertEqual(types["bfloat16"].dtype, numpy.uint16)
        self.assertEqual((types["empty"].shape, types["scalar"].shape, int(types["scalar"])), ((0, 4), (), 0))

    def test_texts_lists_records_and_nothing_arrive_as_python_knows_them(self):
        with load(steps(3, {"all-types": {}})) as loader:
            item = list(loader)[2]
        self.assertEqual(item["plain_text"], 'grün "\\\n\x01 \U0001F600 2')
        self.assertEqual(item["texts"], ["a", "", "ß"])
        self.assertEqual(list(item["numbers"]), [2, 3])
        self.assertEqual(list(item["inner"]["integers"]), [1, -2])
        self.assertEqual(item["inner"]["maps"], [{"k": 1.5}, {}])
        self.assertEqual([bool(flag) for flag in item["inner"]["flags"]], [True, False])
        self.assertEqual((item["nothing"], item["flag"], item["ratio"]), (None, True, float("inf")))

    def test_a_batch_of_numbers_is_an_array_and_one_of_texts_a_list(self):
        with load(steps(5, {"batch": 2})) as loader:
            self.assertEqual([list(batch) for batch in loader], [[0, 1], [2, 3], [4]])
        plan = {"source": {"values": {"values": ["x", "y", "z"]}}, "steps": [{"batch": 3}]}
        with load(plan) as loader:
            self.assertEqual(list(loader), [["x", "y", "z"]])

    def test_a_thousand_shapes_arrive_as_they_are(self):
        with load(steps(1500, {"ragged": {}, "cpu": 2, "order": "input"})) as loader:
            for n, batch in enumerate(loader):
                self.assertEqual(len(batch["data"]), n + 1)
                self.assertTrue(is_filled(batch, n + 1))
        self.assertEqual(n, 1499)

    def test_arrays_made_in_the_ring_are_not_copied_and_others_are(self):
        for ring, copies in ((True, 0), (False, 20)):
            with load(filled(20, 100_000, ring), epochs=1) as loader:
                self.assertTrue(all(is_filled(batch, 100_000) for batch in loader))
                self.assertEqual(loader.stats()["handover"]["copied_batches"], copies)

    def test_nothing_is_handed_over_before_the_first_batch_is_asked_for(self):
        with load(filled(100), prefetch=8) as loader:
            while loader.stats()["stages"][-1]["completed"] < 2:
                pass
            before = loader.stats()
            first = next(iter(loader))
            self.assertTrue(is_filled(first))
            after = loader.stats()
        self.assertEqual((before["batches"], before["handover"]["slots_held_by_trainer"]), (0, 0))
        self.assertGreater(after["batches"], 0)
        self.assertGreater(after["handover"]["backpressured_seconds"], 0)

    def test_several_arrays_of_one_batch_are_released_when_all_are_gone(self):
        with load(steps(400, {"pair": {}}), slots=8) as loader:
            kept = []
            for n, batch in enumerate(loader):
                self.assertEqual((bytes(batch["first"])[:2], bytes(batch["second"])[:2]),
                                 (bytes([n % 256] * 2), bytes([(n + 1) % 256] * 2)))
                kept = kept[-1:] + [batch["second"]]
            self.assertEqual(n, 399)

    def test_what_is_kept_is_never_overwritten(self):
        with load(filled(600), slots=16) as loader:
            kept = []
            for n, batch in enumerate(loader):
                if n % 100 == 0:
                    kept.append(batch)
            self.assertTrue(all(is_filled(batch) for batch in kept))
            self.assertEqual([batch["number"] for batch in kept], [0, 100, 200, 300, 400, 500])

    def test_keeping_everything_neither_hangs_nor_overwrites(self):
        with load(filled(100), slots=8) as loader:
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                kept = list(loader)
            self.assertEqual([batch["number"] for batch in kept], list(range(100)))
            self.assertTrue(all(is_filled(batch) for batch in kept))
            self.assertIn("raise slots=", str(said[0].message))
            self.assertGreater(loader.stats()["trainer"]["copied_batches"], 50)

    def test_memory_views_that_are_copied_keep_their_types_and_shapes(self):
        with load(steps(12, {"all-types": {}}), arrays="memoryview", slots=4) as loader, warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            first, *kept = [batch["types"] for batch in loader]
            self.assertGreater(loader.stats()["trainer"]["copied_batches"], 0)
        for types in kept:
            types["scalar"][()] = 0     # the number of the item
            self.assertEqual({name: (view.format, view.shape, view.tobytes()) for name, view in types.items()},
                             {name: (view.format, view.shape, view.tobytes()) for name, view in first.items()})

    def test_slots_come_back_when_the_trainer_lets_go(self):
        with load(filled(50), slots=16) as loader:
            kept = [batch for _, batch in zip(range(5), loader)]
            self.assertEqual(loader.stats()["trainer"]["slots_held"], 5)
            del kept
            gc.collect()
            self.assertEqual(loader.stats()["trainer"]["slots_held"], 0)

    def test_memory_of_batches_that_were_kept_for_a_while_goes_back_to_the_system(self):
        with load(filled(300, 1 << 20), slots=64, prefetch=1) as loader:
            kept = [batch for _, batch in zip(range(30), loader)]
            last, until = kept[3], time.monotonic() + PATIENCE
            self.assertGreaterEqual(ring_bytes(loader), 30 << 20)
            del kept
            while ring_bytes(loader) > 22 << 20:    # the pipeline and its trainer need a third
                self.assertLess(time.monotonic(), until)
                self.assertTrue(all(is_filled(batch, 1 << 20) for batch in loader))
            self.assertTrue(is_filled(last, 1 << 20))

    def test_a_part_of_an_array_keeps_the_whole_slot(self):
        with load(filled(300), slots=8) as loader:
            part = None
            for batch in loader:
                if part is None:
                    part = memoryview(batch["data"])[10:20]
                del batch
            self.assertEqual(bytes(part), bytes(10))

    def test_batches_stay_good_after_the_loader_is_closed(self):
        loader = load(filled(10, 50_000))
        batches = [batch for _, batch in zip(range(3), loader)]
        loader.close()
        del loader
        gc.collect()
        self.assertTrue(all(is_filled(batch, 50_000) for batch in batches))

    def test_the_loader_waits_for_the_trainer_and_says_how_long(self):
        with load(filled(100, 2_000_000), prefetch=1) as loader:
            batches = iter(loader)
            next(batches)
            while loader.stats()["batches"] < 2:      # taken, and lying ready
                pass
            for _ in range(20):
                self.assertEqual(loader.stats()["batches"], 2)
            self.assertEqual(sum(1 for _ in batches), 99)
            after = loader.stats()["handover"]
        self.assertGreater(after["backpressured_seconds"], 0)

    def test_a_batch_larger_than_a_slot_names_the_setting(self):
        for ring in (True, False):
            with load(filled(3, 5_000_000, ring), slot_bytes=4 << 20) as loader:
                with self.assertRaisesRegex(jspdl.JspdlError, r"5,000,0\d\d bytes .* 4,194,304 bytes: set slot_bytes"):
                    list(loader)

    def test_what_libraries_print_does_not_disturb(self):
        with load(steps(10, {"chatter": {}})) as loader:
            self.assertEqual(list(loader), list(range(10)))

    def test_stats_say_how_often_each_source_was_gone_through_also_after_a_resume(self):
        mixed = {"source": {"mix": {"weights": [3, 1], "of": [
            {"source": {"range": {"size": 60}}}, {"source": {"range": {"size": 20}}}]}},
            "steps": [{"batch": 8}], "epochs": 2}
        with load(mixed) as loader:
            for _ in zip(range(3), loader):
                pass
            state = loader.state_dict()
        with load(mixed, resume_from=state) as loader:
            for _ in range(2):
                sum(1 for _ in loader)
            stats, report = loader.stats(), loader.report()
        self.assertEqual([source["epochs"] for source in stats["sources"]], [2.0, 2.0])
        self.assertEqual([source["delivered"] for source in stats["sources"]], [120, 40])
        self.assertIn("Epochs: ", report)

    def test_report_and_stats_say_what_was_done(self):
        with load(filled(40)) as loader:
            list(loader)
            stats, report = loader.stats(), loader.report()
        self.assertGreaterEqual(stats["batches"], 40)
        self.assertEqual(stats["trainer"]["batches"], 40)
        self.assertIn("filled", [stage["name"] for stage in stats["stages"]])
        self.assertIn("The trainer took 40 batches", report)


class Images(unittest.TestCase):
    def folder(self):
        import os
        return os.path.dirname(IMAGES)

    def list_file(self):
        import os
        import tempfile
        files = sorted(name for name in os.listdir(IMAGES))
        with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as file:
            file.writelines(f"{IMAGES}/{name}\t{n % 3}\n" for n, name in enumerate(files))
        self.addCleanup(os.unlink, file.name)
        return file.name, len(files)

    def test_images_come_as_asked_with_labels_and_numbers(self):
        path, count = self.list_file()
        with jspdl.images(path, size=32, batch_size=4, arrays=ARRAYS, timeout=PATIENCE) as loader:
            batches = list(loader)
            self.assertEqual(len(loader), len(batches))
        self.assertEqual(tuple(batches[0]["image"].shape), (4, 3, 32, 32))
        self.assertEqual([n for batch in batches for n in batch["index"]], list(range(count)))
        self.assertEqual([n for batch in batches for n in batch["label"]], [n % 3 for n in range(count)])

    def test_the_pixels_do_not_depend_on_the_batch(self):
        path, count = self.list_file()
        seen = []
        for size in (1, 5):
            with jspdl.images(path, size=24, batch_size=size, dtype="uint8", layout="nhwc", arrays=ARRAYS) as loader:
                seen.append([bytes(memoryview(row)) for batch in loader for row in rows(batch["image"])])
                self.assertEqual(loader.stats()["handover"]["copied_batches"], 0)
        self.assertEqual(seen[0], seen[1])
        self.assertEqual(len(set(seen[0])), count)

    def test_a_broken_file_is_named_or_skipped(self):
        import os
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(f"{folder}/a")
            for name in ("1.jpg", "2.jpg", "3.jpg"):
                os.symlink(f"{IMAGES}/444-121x87.jpg", f"{folder}/a/{name}")
            with open(f"{folder}/a/2b.jpg", "wb") as file:
                file.write(b"no image")
            with jspdl.images(folder, size=16, batch_size=2, arrays=ARRAYS) as loader:
                with self.assertRaisesRegex(jspdl.JspdlError, "2b.jpg"):
                    list(loader)
            with jspdl.images(folder, size=16, batch_size=2, arrays=ARRAYS, max_failures=1) as loader:
                self.assertEqual(sum(len(batch["label"]) for batch in loader), 3)
                self.assertEqual(loader.stats()["failures"]["count"], 1)


def rows(images):
    return [images[n] for n in range(len(images))]


if __name__ == "__main__":
    unittest.main()
