"""Whether type checkers accept the package and the examples, and find the mistakes of a program that uses them: mypy and pyright."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import jspdl
from support import HERE

EXAMPLES = os.path.normpath(os.path.join(HERE, "../../../../examples/python"))
PACKAGE = os.path.dirname(jspdl.__file__)
# What a user's program does with the package; each line that is wrong says so.
PROGRAM = """
from typing import Dict, List
import jspdl

loader: jspdl.Loader = jspdl.images("data", size=(224, 224), batch_size=8, shuffle=True, mean=jspdl.IMAGENET_MEAN, epochs=2)
names: List[str] = loader.classes
numbers: Dict[str, int] = loader.class_to_idx
length: int = len(loader)
with jspdl.plan({"source": {}}) as other:
    for batch in other:
        print(batch["image"])
loader.load_state_dict(loader.state_dict())
wrong: str = loader.epoch
jspdl.images("data", batch_size="8")
"""
WRONG = [n for n, line in enumerate(PROGRAM.splitlines(), 1) if line.startswith(("wrong:", 'jspdl.images("data", batch_size="8")'))]


def examples():
    return [os.path.join(EXAMPLES, name) for name in sorted(os.listdir(EXAMPLES))]


class Types(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.program = self.write("program.py", PROGRAM)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_the_package_says_that_it_has_types(self):
        self.assertTrue(os.path.exists(os.path.join(PACKAGE, "py.typed")))

    def test_mypy_accepts_the_package_and_the_examples_and_finds_mistakes(self):
        try:
            import mypy.api
        except ImportError:
            self.skipTest("needs mypy")
        settings = self.write("mypy.ini", "[mypy]\nignore_missing_imports = True\n"      # PyTorch itself would take minutes
                              "[mypy-torch.*,numpy.*]\nfollow_imports = skip\nfollow_imports_for_stubs = True\n")
        options = ["--cache-dir", f"{self.folder}/cache", "--config-file", settings, "--no-color-output"]
        with mock.patch.dict(os.environ, MYPYPATH=os.path.dirname(PACKAGE)):
            for checked in (["-p", "jspdl"], ["--check-untyped-defs", *examples()]):
                said, failed, code = mypy.api.run([*options, *checked])
                self.assertEqual((code, failed), (0, ""), said)
            said, _, _ = mypy.api.run([*options, "--strict", "--follow-imports=silent", self.program])
        self.assertEqual([int(line.split(":")[1]) for line in said.splitlines() if ": error:" in line], WRONG, said)

    def test_pyright_accepts_the_examples_and_finds_mistakes(self):
        program = shutil.which("pyright")
        if program is None:
            self.skipTest("needs pyright")
        for example in examples():      # only what lies below its settings is checked
            shutil.copy(example, self.folder)
        self.write("pyrightconfig.json", json.dumps({
            "extraPaths": [os.path.dirname(PACKAGE)], "typeCheckingMode": "standard",
            "reportMissingImports": "none", "reportMissingModuleSource": "none"}))      # PyTorch and JAX need not be there
        ran = subprocess.run([program, "--outputjson", "--pythonpath", sys.executable, "--project", self.folder], capture_output=True, text=True,
                             check=False)
        self.assertIn(ran.returncode, (0, 1), ran.stdout + ran.stderr)
        report = json.loads(ran.stdout)
        found = [(os.path.basename(each["file"]), each["range"]["start"]["line"] + 1) for each in report["generalDiagnostics"]
                 if each["severity"] == "error"]
        self.assertEqual(found, [("program.py", line) for line in WRONG], ran.stdout)
        self.assertEqual(report["summary"]["filesAnalyzed"], 1 + len(examples()))


if __name__ == "__main__":
    unittest.main()
