"""What a notebook shows of a loader, and datasets of Hugging Face's library."""
import base64
import io
import json
import os
import re
import tempfile
import unittest
from unittest import mock

import jspdl
from jspdl import _helpers, _html
from support import ARRAYS, IMAGES, PATIENCE, load, numpy, steps

PICTURE = f"{IMAGES}/444-121x87.jpg"


class Views(unittest.TestCase):
    def setUp(self):
        if numpy is None:
            self.skipTest("needs numpy")

    def test_a_loader_shows_its_first_images_and_loses_none(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in "abcdef":
                os.makedirs(f"{folder}/{name}")
                os.symlink(PICTURE, f"{folder}/{name}/1.jpg")
            with jspdl.images(folder, size=16, batch_size=4, arrays=ARRAYS, timeout=PATIENCE) as loader:
                batches = iter(loader)
                first = list(next(batches)["label"])
                shown = loader._repr_html_()
                self.assertEqual((first, list(next(batches)["label"])), ([0, 1, 2, 3], [4, 5]))
        found = re.search(r'src="data:image/png;base64,([^"]+)"', shown)
        self.assertIsNotNone(found, shown)
        file = base64.b64decode(found[1])
        self.assertEqual((file[:8], file[16:24]), (b"\x89PNG\r\n\x1a\n", (4 * 18 - 2).to_bytes(4, "big") + (16).to_bytes(4, "big")))
        self.assertIn("float32 [4, 3, 16, 16]", shown)
        self.assertIn("jspdl.images(", shown)

    def test_a_sheet_is_bounded_and_true_to_its_images(self):
        images = numpy.zeros((1000, 3, 500, 300), numpy.uint8)
        images[0, 0] = 200
        images[9, 2] = 90
        sheet = _html.contact_sheet(images)
        self.assertEqual(sheet.shape, (4 * (84 + 2) - 2, 8 * (50 + 2) - 2, 3))
        self.assertEqual((sheet[0, 0].tolist(), sheet[86, 52].tolist(), sheet[84, 0].tolist()), ([200, 0, 0], [0, 0, 90], [255, 255, 255]))
        try:
            from PIL import Image
        except ImportError:
            return
        with Image.open(io.BytesIO(_html.png(sheet))) as read:
            self.assertTrue((numpy.asarray(read) == sheet).all())

    def test_normalized_images_and_those_of_other_types_are_drawn(self):
        for images in (numpy.linspace(-2, 3, 48, dtype=numpy.float32).reshape(1, 4, 4, 3), numpy.linspace(0, 1, 48, dtype=numpy.float16).reshape(1, 4, 4, 3)):
            sheet = _html.contact_sheet(images)
            self.assertEqual((sheet[0, 0, 0], sheet[3, 3, 2]), (0, 255))
        bits = (numpy.full((1, 3, 8, 8), 0.5, numpy.float32).view(numpy.uint32) >> 16).astype(numpy.uint16)
        self.assertEqual(_html.contact_sheet(bits)[0, 0].tolist(), [128, 128, 128])

    def test_what_fails_or_has_no_images_is_shown_as_text(self):
        with load(steps(5, {"batch": 2})) as loader:
            self.assertNotIn("<img", loader._repr_html_())
        with load({"source": {"<none>": {}}}) as loader:
            shown = loader._repr_html_()
        self.assertIn("PlanError", shown)
        self.assertNotIn("<none>", shown)


class HuggingFace(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))

    def asked(self, *arguments, **options):
        """What the loader would have been asked for."""
        with mock.patch.object(_helpers, "images", lambda path, **more: ("images", path, more)), \
                mock.patch.object(_helpers, "shards", lambda path, **more: ("shards", path, more)):
            return jspdl.from_huggingface(*arguments, **options)

    def test_folders_are_read_as_they_say(self):
        features = {"image": {"_type": "Image"}, "label": {"names": ["a", "b"], "_type": "ClassLabel"}}
        for split, files in (("train", ["data-00000-of-00002.arrow", "data-00001-of-00002.arrow"]), ("test", ["data-00000-of-00001.arrow"])):
            self.write(f"{split}/state.json", {"_data_files": [{"filename": name} for name in files]})
            self.write(f"{split}/dataset_info.json", {"features": features})
            for name in files:
                self.write(f"{split}/{name}", "")
        self.write("dataset_dict.json", {"splits": ["train", "test"]})
        self.assertEqual(self.asked(self.folder, size=8), ("images", f"{self.folder}/train/data-*.arrow", {"size": 8}))
        self.assertEqual(self.asked(self.folder, split="test")[1], f"{self.folder}/test/data-00000-of-00001.arrow")
        with self.assertRaisesRegex(jspdl.PlanError, "no split 'dev', only 'train', 'test'"):
            self.asked(self.folder, split="dev")
        self.write("train/data-00009-of-00010.arrow", "")
        with self.assertRaisesRegex(jspdl.PlanError, "does not name the dataset's 2 files alone"):
            self.asked(self.folder)
        self.write("test/state.json", {"_data_files": [{"filename": "data-00000-of-00001.arrow"}], "_indices_data_files": [{"filename": "i"}]})
        with self.assertRaisesRegex(jspdl.PlanError, "flatten_indices"):
            self.asked(self.folder, split="test")
        self.write("test/state.json", {"_data_files": [{"filename": "../x"}]})
        with self.assertRaisesRegex(jspdl.PlanError, "names no files of this folder"):
            self.asked(self.folder, split="test")

    def test_texts_of_other_datasets_are_loaded_by_their_features(self):
        self.write("hub/dataset_info.json", {"features": {"text": {"dtype": "string", "_type": "Value"}, "n": {"dtype": "int64", "_type": "Value"}}})
        self.write("hub/data/train-00000-of-00001.parquet", "")
        self.assertEqual(self.asked(f"{self.folder}/hub", batch_size=2), ("shards", f"{self.folder}/hub/data/train-00000-of-00001.parquet", {"text": ["text"], "batch_size": 2}))
        self.assertEqual(self.asked(f"{self.folder}/hub", columns=["n"])[2]["text"], [])

    def test_what_is_no_dataset_is_refused(self):
        for given, reason in ((self.folder, "is no dataset of Hugging Face's library"), (f"{self.folder}/none", "there is no folder at"), (3, "takes a folder or a datasets.Dataset")):
            with self.assertRaisesRegex(jspdl.PlanError, reason):
                jspdl.from_huggingface(given)

    def test_what_the_library_saves_is_loaded_with_its_classes(self):
        try:
            import datasets
        except ImportError:
            return      # the other tests have files of their own
        features = datasets.Features({"image": datasets.Image(), "label": datasets.ClassLabel(names=["cat", "dog"])})
        with open(PICTURE, "rb") as file:
            content = file.read()
        made = datasets.Dataset.from_dict({"image": [{"bytes": content, "path": None}] * 5, "label": [1, 0, 1, 1, 0]}, features=features)
        made.save_to_disk(f"{self.folder}/saved", num_shards=2)
        os.makedirs(f"{self.folder}/hub/data")
        made.to_parquet(f"{self.folder}/hub/data/train-00000-of-00001.parquet")
        stored = datasets.load_from_disk(f"{self.folder}/saved")
        for given in (f"{self.folder}/saved", f"{self.folder}/hub", stored):
            with self.subTest(given=given), jspdl.from_huggingface(given, size=8, batch_size=5, arrays=ARRAYS, timeout=PATIENCE) as loader:
                batch = next(iter(loader))
                self.assertEqual((loader.classes, list(batch["label"]), tuple(batch["image"].shape)), (["cat", "dog"], [1, 0, 1, 1, 0], (5, 3, 8, 8)))
        for changed, reason in ((stored.select([3, 1]), "a selection or an order"), (stored.shuffle(seed=1), "a selection or an order"),
                                (stored.select(range(1, 3)), "has 2 rows .* have"), (stored.remove_columns("image"), "but its files have"),
                                (stored.with_format("numpy"), "has a format")):
            with self.subTest(reason=reason), self.assertRaisesRegex(jspdl.PlanError, reason):
                jspdl.from_huggingface(changed)


if __name__ == "__main__":
    unittest.main()
