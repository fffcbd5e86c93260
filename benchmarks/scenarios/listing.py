"""Starting with a folder of ImageNet's size: the time to list it and to the first batch, and the memory that takes.

The files are hard links in 1,000 folders, which `--files` counts and `--folder` keeps; links of 1,281,000 files take half a minute to make and 60 MB of disk.
The epoch that is told is the listing; the first batch is one of 64 decoded images in a shuffled order, counted from the start of the process. The peer lists only.
"""
import atexit
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from harness.java import find as find_java
from harness.rounds import Contestant
from scenarios.images import read_events
from scenarios.storage import HERE, ROOT

OURS = "jspdl"
CLASSES = 1_000
LINKS = 60_000      # of one file; ext4 has no more than 65,000


def add_options(parser):
    parser.add_argument("--files", type=int, default=1_281_000, help="files to list (default 1281000)")
    parser.add_argument("--folder", type=pathlib.Path, help="where they are made, and kept for the next time (default: a temporary folder)")
    parser.add_argument("--heap", default="64m", help="the heap of the JVM (default 64m)")


def setting(options):
    return {"files": options.files, "heap": options.heap}


def contestants(options):
    subprocess.run([ROOT / "mvnw", "-q", "-o", "-DskipTests", "-Dfast", "-pl", "benchmarks", "-am", "package"], check=True, cwd=ROOT)
    folder = options.folder or temporary()
    linked(folder, options.files)
    java = [find_java(), f"-Xmx{options.heap}", "-XX:+UseSerialGC", "-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED", "-cp",
            f"{HERE}/target/benchmarks.jar:{HERE}/target/lib/*", "org.jspdl.benchmarks.FirstBatch", str(folder / "images")]
    walk = [sys.executable, str(HERE / "peers" / "listing_walk.py"), str(folder / "images")]
    return [Contestant("jspdl, to the first batch", java, read_events, work="files"),
            Contestant("os.walk in Python, listing alone", walk, read_events, work="files")]


def temporary():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="jspdl-listing-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def linked(folder, files):
    """Makes the links below `folder`, unless they are there."""
    done = folder / f"{files}.linked"
    if done.exists():
        return
    images, originals = folder / "images", folder / "originals"
    for each in (images, originals):
        each.mkdir(parents=True)
    content = painted()
    count, original = 0, None
    for label in range(CLASSES):
        name = f"n{label * 317 + 1_440_764:08d}"
        (images / name).mkdir()
        here = os.open(images / name, os.O_RDONLY)
        for number in range(files // CLASSES):
            if count % LINKS == 0:
                original = originals / f"{count // LINKS}.jpg"
                original.write_bytes(content)
            os.link(original, f"{name}_{number * 13}.JPEG", dst_dir_fd=here)
            count += 1
        os.close(here)
    done.touch()


def painted():
    """A small JPEG of the sample photographs."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([ROOT / "jspdl", "sample", f"{folder}/s", "--images", "20", "--no-progress"], check=True, stdout=subprocess.DEVNULL)
        return min(pathlib.Path(folder).rglob("*.jpg"), key=lambda file: file.stat().st_size).read_bytes()
