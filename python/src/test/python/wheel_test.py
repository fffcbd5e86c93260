"""The wheel that the build has made, installed into a clean virtual environment and used from there."""
import glob
import os
import subprocess
import sys
import tempfile
import unittest
import venv

HERE = os.path.dirname(os.path.abspath(__file__))
IMAGES = os.path.normpath(os.path.join(HERE, "../../../../media/src/test/resources/jpeg"))
PROGRAM = """
import jspdl, os, sys
assert jspdl.__file__.startswith(sys.prefix), jspdl.__file__
try:
    jspdl.images("no/such/folder")
    sys.exit("a missing folder was not refused")
except jspdl.PlanError as refused:
    print(refused)
with jspdl.images(sys.argv[1], size=32, batch_size=2, arrays="memoryview", epochs=1) as loader:
    print(sum(len(batch["label"]) for batch in loader), "images", jspdl.__version__)
    pid = loader._process.pid
assert not os.path.exists(f"/proc/{pid}")
"""


class Wheel(unittest.TestCase):
    def test_it_installs_and_loads_without_anything_else(self):
        wheels = glob.glob(os.path.join(HERE, "../../../target/wheel/jspdl-*.whl"))
        self.assertEqual(len(wheels), 1, "the build makes the wheel first")
        with tempfile.TemporaryDirectory() as folder:
            try:
                venv.create(folder, with_pip=True)
            except (subprocess.CalledProcessError, ImportError):
                # Debian keeps ensurepip in python3-venv; a pip from outside does the same.
                venv.create(folder)
            python = os.path.join(folder, "bin", "python")
            pip = [python, "-m", "pip"] if os.path.exists(os.path.join(folder, "bin", "pip")) else \
                [sys.executable, "-m", "pip", "--python", python]
            clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "JSPDL", "PIP"))}
            installed = subprocess.run([*pip, "install", "--no-index", "--no-deps", "--quiet", wheels[0]], env=clean,
                                       capture_output=True, text=True, check=False)
            self.assertEqual(installed.returncode, 0, installed.stderr)
            with open(os.path.join(folder, "list.txt"), "w", encoding="utf-8") as file:
                file.writelines(f"{IMAGES}/{name}\t0\n" for name in sorted(os.listdir(IMAGES)))
            ran = subprocess.run([python, "-c", PROGRAM, file.name], env=clean, cwd=folder, capture_output=True, text=True,
                                 timeout=280, check=False)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertIn("there is no folder or file list at", ran.stdout)
            self.assertIn(f"{len(os.listdir(IMAGES))} images", ran.stdout)


if __name__ == "__main__":
    unittest.main()
