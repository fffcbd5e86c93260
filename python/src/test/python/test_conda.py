"""Whether the recipe for conda says what the package is: its version, what it needs, its licenses. conda itself is not run."""
import email
import os
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

from jspdl import _java
from support import HERE

ROOT = os.path.normpath(os.path.join(HERE, "../../../.."))


def text(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def recipe():
    """The recipe's lists and values by the names above them, such as "about/license"; of YAML it knows what the recipe uses."""
    values, names = {}, []
    for line in text("release", "conda", "meta.yaml").splitlines():
        line = re.sub(r"(^|\s)#.*", "", line).rstrip()
        if line.lstrip().startswith("- "):
            values.setdefault("/".join(names), []).append(line.strip()[2:])
        elif line:
            name, _, value = line.strip().partition(":")
            names = names[:(len(line) - len(line.lstrip())) // 2] + [name]
            if value:
                values["/".join(names)] = value.strip().strip('"')
    return values


class Recipe(unittest.TestCase):
    def setUp(self):
        self.recipe = recipe()
        with tempfile.TemporaryDirectory() as folder:
            jars = os.path.join(folder, "jars")
            os.mkdir(jars)
            version, = re.findall(r"<artifactId>jspdl-parent</artifactId><version>(.*?)</version>", text("python", "pom.xml"))
            with zipfile.ZipFile(os.path.join(jars, f"jspdl-python-{version}.jar"), "w"):
                pass    # a stand-in
            subprocess.run([sys.executable, "-B", os.path.join(ROOT, "python", "build-wheel"), version, jars, folder], check=True, capture_output=True)
            wheel, = (name for name in os.listdir(folder) if name.endswith(".whl"))
            self.wheel = wheel
            with zipfile.ZipFile(os.path.join(folder, wheel)) as archive:
                self.names = archive.namelist()
                self.metadata = email.message_from_bytes(archive.read(next(name for name in self.names if name.endswith("/METADATA"))))

    def test_name_version_summary_and_licenses_are_those_of_the_wheel(self):
        self.assertEqual((self.recipe["package/name"], self.recipe["package/version"]), (self.metadata["Name"], self.metadata["Version"]))
        self.assertEqual((self.recipe["about/summary"], self.recipe["about/license"]), (self.metadata["Summary"], self.metadata["License-Expression"]))
        self.assertEqual(sorted(self.recipe["about/license_file"]), sorted(name for name in self.names if ".dist-info/licenses/" in name))

    def test_it_needs_the_python_of_the_wheel_and_the_java_that_the_package_looks_for_and_nothing_else(self):
        python = f"python {self.metadata['Requires-Python']}"
        self.assertEqual([needs for needs in self.metadata.get_all("Requires-Dist") if "; extra == " not in needs], [])
        self.assertEqual(self.recipe["requirements/run"], [python, f"openjdk >={_java.OLDEST}"])
        self.assertEqual(self.recipe["requirements/host"], [python, "pip"])

    def test_it_is_for_the_platform_of_the_wheel(self):
        self.assertIn("skip: true  # [not linux64]", text("release", "conda", "meta.yaml"))
        self.assertIn("linux_2_17_x86_64", self.wheel)


if __name__ == "__main__":
    unittest.main()
