"""The examples of docs/how-to/from-pytorch.md, one after the other in one program, beside small files of the kinds that they load."""
import contextlib
import gc
import importlib.util
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import wave

from support import HERE, IMAGES

DOCUMENT = os.path.normpath(os.path.join(HERE, "../../../../docs/how-to/from-pytorch.md"))
# What the examples of trainers train: an epoch; and one with another that begins behind the first of two batches.
TRAINERS = {"Lightning": [8], "Trainer of Hugging Face": [8 + 4]}
EXAMPLE = re.compile(r"(?:<!-- needs (\w+) -->\n)?```python\n(.*?)```", re.DOTALL)


def is_there(name):
    return shutil.which(name) is not None or importlib.util.find_spec(name) is not None


def examples():
    """(heading, what it needs or None, program) of each."""
    with open(DOCUMENT, encoding="utf-8") as file:
        for section in file.read().split("\n## ")[1:]:
            heading = section.split("\n", 1)[0]
            for needed, program in EXAMPLE.findall(section):
                yield heading, needed or None, program


def prepare():
    """Eight pictures of two classes, two clips, four sounds and a text, where the examples look for them."""
    for kind in ("cat", "dog"):
        os.makedirs(f"data/train/{kind}")
        for n in range(4):
            shutil.copy(f"{IMAGES}/444-121x87.jpg", f"data/train/{kind}/{n}.jpg")
    os.makedirs("clips")
    os.makedirs("speech")
    if is_there("ffmpeg"):
        for n in range(2):
            subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=128x128:rate=10:duration=3", "-pix_fmt", "yuv420p",
                            "-c:v", "mpeg4", f"clips/{n}.mp4"], check=True)
    for n in range(4):
        with wave.open(f"speech/{n}.wav", "wb") as file:
            file.setparams((1, 2, 8000, 0, "NONE", ""))
            file.writeframes(b"".join(struct.pack("<h", 100 * n + i % 99) for i in range(6000)))
    with open("corpus.txt", "w", encoding="utf-8") as file:
        file.write("To load is to wait, and to wait is to train less. " * 40)


class Documents(unittest.TestCase):
    def test_each_example_runs_and_before_and_after_see_the_same(self):
        if not is_there("torch") or not is_there("cloudpickle"):
            self.skipTest("needs cloudpickle" if is_there("torch") else "needs torch")
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.enterContext(contextlib.chdir(folder))
        prepare()
        seen, names, left_out = {}, {"__name__": "__main__"}, []
        for heading, needed, program in examples():
            if needed is not None and not is_there(needed):
                left_out.append(f"{heading} ({needed})")
                continue
            taken = seen.setdefault(heading, [])
            taken.append([])
            names["step"] = lambda *arrays, into=taken[-1]: into.append([(tuple(array.shape[1:]), len(array), float(array.sum())) for array in arrays])
            with self.subTest(heading=heading):
                exec(compile(program, f"{heading}, example {len(taken)}", "exec"), names)   # pylint: disable=exec-used
                self.assertTrue(taken[-1])
        names.clear()
        gc.collect()
        print("not run: " + ", ".join(left_out), file=sys.stderr)
        counts = {heading: [sum(batch[0][1] for batch in example) for example in taken] for heading, taken in seen.items()}
        self.assertEqual({heading: set(count) for heading, count in counts.items() if heading not in ("Text", "A plain loop that resumes", *TRAINERS)},
                         {heading: {count} for heading, count in (("Image classification", 8), ("Video", 2), ("Audio", 4), ("A dataset of your own", 10))
                          if heading in counts})
        shapes = {heading: {tuple(array[0] for array in batch) for example in taken for batch in example} for heading, taken in seen.items()}
        self.assertEqual({heading: len(kinds) for heading, kinds in shapes.items()}, dict.fromkeys(shapes, 1), shapes)
        self.assertEqual({heading: counts[heading] for heading in TRAINERS if heading in counts}, {heading: TRAINERS[heading] for heading in TRAINERS if heading in counts})
        labels = [sum(batch[1][2] for batch in example) for example in seen["Image classification"]]
        self.assertEqual(set(labels), {4.0})
        self.assertEqual(len({sum(batch[1][2] for batch in example) for example in seen["A dataset of your own"]}), 1)
        self.assertEqual(counts["A plain loop that resumes"], [2 * 8 + 4])


if __name__ == "__main__":
    unittest.main()
