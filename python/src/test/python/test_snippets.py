"""The examples of docs/how-to/python.md, each by itself: in a fresh namespace, in a folder with the data that it names, small."""
import contextlib
import glob
import importlib.util
import io
import json
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import textwrap
import unittest
import unittest.mock

import jspdl
from support import HERE, IMAGES
from test_documents import EXAMPLE, is_there

DOCUMENT = os.path.normpath(os.path.join(HERE, "../../../../docs/how-to/python.md"))
# By how an example begins: what stands before it in a program, and what that needs.
BEFORE = {
    "import jspdl": ("step = lambda *arrays: arrays[0].sum()", "torch"),
    "train = jspdl.images(\"data/train\", batch_size=64, shuffle=True, seed=1, random": ("", "ffmpeg"),
    "state = loader.state_dict()": ("""
        loader = jspdl.images("data/train", batch_size=2)
        next(iter(loader))
        of_rank_0, of_rank_1 = (jspdl.images("data/train", batch_size=2, rank=n, world_size=2).state_dict() for n in (0, 1))
        """, "numpy"),
    "fold = ": ("""
        import os
        for n in range(3, 197):
            os.link("data/train/cat/0.jpg", f"data/train/cat/{n}.jpg")      # 200 in all
        """, "numpy"),
    "loader = jspdl.images(\"data/train\", batch_size=64, shuffle=True, seed=1, record": ("""
        with open("bad.txt", "w") as file:
            file.write("1\\n")
        """, "numpy"),
    "batch = jspdl.rebuild(": ("""
        import shutil
        shutil.rmtree("runs", ignore_errors=True)      # another run is recorded in a folder of its own
        recorded = jspdl.images("data/train", batch_size=2, record="runs/7")
        for batch in recorded:
            pass
        """, "numpy"),
    "import numpy": ("", "cloudpickle"),
    "train = jspdl.images(\"data/train\", size=256, batch_size=64, shuffle=True, seed=1, arrays": ("""
        import numpy
        def augment(sample):
            sample["image"] = numpy.clip(1.2 * sample["image"], 0, 1)
            return sample
        """, "cloudpickle"),
    "train = jspdl.images(\"data/train\", batch_size=64, shuffle=True, seed=1, share": ("", "numpy"),
    "import torch": ("step = lambda *arrays: arrays[0].sum()", "kineto"),
}
# Pages whose examples run as they stand, and those whose do not, and why.
WHOLE = {"README.md", "python/README.md", "docs/gallery.md"}
COMPILED = {
    "docs/how-to/data-service.md": "asks workers on other machines; ServeTest",
    "docs/how-to/migrate.md": "tf.data, WebDataset and SPDL, before; the plans after them run in MigrationPlansTest",
}
ROOT = os.path.normpath(os.path.join(HERE, "../../../.."))
OF_THEIR_OWN = {"docs/how-to/python.md", "docs/how-to/from-pytorch.md"}      # tests


def lacks(needed):
    """Whether this machine has not what an example needs."""
    if needed == "kineto":
        return importlib.util.find_spec("torch") is None or not importlib.import_module("torch").autograd.kineto_available()
    return not is_there(needed)


def examples():
    """(first line, program) of each."""
    with open(DOCUMENT, encoding="utf-8") as file:
        for _, program in EXAMPLE.findall(file.read()):
            yield program.split("\n", 1)[0], program


def prepare():
    """What the examples name, a little of each."""
    with open(f"{IMAGES}/444-121x87.jpg", "rb") as file:
        picture = file.read()
    for part in ("train", "valid"):
        for kind in ("cat", "dog"):
            os.makedirs(f"data/{part}/{kind}")
            for n in range(3):
                with open(f"data/{part}/{kind}/{n}.jpg", "wb") as file:
                    file.write(picture)
    for shard in range(128):
        with tarfile.open(f"pairs-{shard:04}.tar", "w") as archive:
            for name, data in ((f"{shard}.jpg", picture), (f"{shard}.txt", b"a picture")):
                entry = tarfile.TarInfo(name)
                entry.size = len(data)
                archive.addfile(entry, io.BytesIO(data))
    if is_there("ffmpeg"):
        os.makedirs("clips")
        os.makedirs("speech")
        made("-f", "lavfi", "-i", "testsrc=size=160x128:rate=10:duration=4", "-pix_fmt", "yuv420p", "-c:v", "mpeg4", "clips/a.mp4")
        made("-f", "lavfi", "-i", "sine=duration=5:sample_rate=8000", "speech/a.flac")
    with open("corpus.txt", "w", encoding="utf-8") as file:
        file.write("to load is to wait\n\n" * 2000)
    words = {word: number for number, word in enumerate(["<unk>", "to", "load", "is", "wait", "<|endoftext|>"])}
    with open("tokenizer.json", "w", encoding="utf-8") as file:
        json.dump({"version": "1.0", "pre_tokenizer": {"type": "Whitespace"}, "model": {"type": "WordLevel", "vocab": words, "unk_token": "<unk>"}}, file)


def made(*arguments):
    subprocess.run(["ffmpeg", "-v", "error", *arguments], check=True)


class Snippets(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)
        patched = unittest.mock.patch.dict(os.environ, {"XDG_RUNTIME_DIR": self.folder})
        patched.start()
        self.addCleanup(patched.stop)
        prepare()

    def test_each_example_runs_by_itself(self):
        left_out = []
        for first, program in examples():
            before, needed = next((given for begin, given in BEFORE.items() if first.startswith(begin)), (None, None))
            with self.subTest(example=first):
                self.assertIsNotNone(before, "the example is new: say in BEFORE what stands before it")
                if lacks(needed):
                    left_out.append(f"{first} ({needed})")
                    continue
                self.run_alone(first, textwrap.dedent(before), program)
        print("not run: " + "; ".join(left_out))

    def run_alone(self, first, before, program):
        names = {"__name__": "__main__", "jspdl": jspdl}
        with contextlib.ExitStack() as loaders:
            exec(compile(before, f"before {first}", "exec"), names)     # pylint: disable=exec-used
            exec(compile(program, first, "exec"), names)                # pylint: disable=exec-used
            found = {id(value): value for value in names.values() if hasattr(value, "state_dict") and hasattr(value, "close")}
            for loader in found.values():
                loaders.callback(loader.close)
            self.assertTrue(found, "no loader")
            for loader in found.values():
                if first != "import torch":      # whose loader has ended
                    self.assertTrue(next(iter(loader)))

    def test_examples_of_other_pages_run_as_they_stand(self):
        pages = [os.path.relpath(page, ROOT) for page in glob.glob(f"{ROOT}/**/*.md", root_dir=ROOT, recursive=True) if "target" not in page and "node_modules" not in page]
        found = set()
        for page in sorted(set(pages) - OF_THEIR_OWN):
            with open(os.path.join(ROOT, page), encoding="utf-8") as file:
                programs = [program for _, program in EXAMPLE.findall(file.read())]
            for number, program in enumerate(programs):
                found.add(page)
                with self.subTest(page=page, example=number):
                    self.assertIn(page, WHOLE | COMPILED.keys(), "the page is new: say in WHOLE that its examples run, or in COMPILED why not")
                    code = compile(program, f"{page}, example {number}", "exec")
                    if page in WHOLE and not lacks("torch"):
                        self.run_whole(code)
        self.assertEqual(found, WHOLE | COMPILED.keys())

    def run_whole(self, code):
        names = {"__name__": "__main__"}
        exec(code, names)                                               # pylint: disable=exec-used
        loaders = [value for value in names.values() if hasattr(value, "state_dict") and hasattr(value, "close")]
        for loader in loaders:
            with contextlib.closing(loader):
                self.assertTrue(next(iter(loader)))
        self.assertTrue(loaders or "loss" in names, "nothing was loaded")

    def test_every_setup_belongs_to_an_example(self):
        begins = [first for first, _ in examples()]
        self.assertEqual([begin for begin in BEFORE if not any(first.startswith(begin) for first in begins)], [])
        self.assertEqual(len(glob.glob("pairs-*.tar")), 128)
        self.assertTrue(all(re.match(r"\w", first) for first in begins))


if __name__ == "__main__":
    unittest.main()
